// Potentials in the dual whose laws are known exactly.
#pragma once

#include <string>
#include <vector>

#include "kernels/kernel.hpp"
#include "tain/core/workspace.hpp"

namespace tain::testing {

/// W(y) = sum_i a_i y_i^2 / 2.
struct Quadratic {
  std::vector<double> curvature;
  std::string name() const { return "quadratic"; }
  std::size_t dim() const { return curvature.size(); }
  void evaluate(ConstBlock y, std::span<double> value, Block grad, Workspace&) const {
    for (std::size_t l = 0; l < y.lanes(); ++l) {
      value[l] = 0;
      for (std::size_t i = 0; i < dim(); ++i) {
        grad.at(i, l) = curvature[i] * y.at(i, l);
        value[l] += 0.5 * curvature[i] * y.at(i, l) * y.at(i, l);
      }
    }
  }
};

/// Standard logistic law in every coordinate: not Gaussian, exponential tails; CDF 1/(1 + e^-y).
struct Logistic {
  std::size_t size = 1;
  std::string name() const { return "logistic"; }
  std::size_t dim() const { return size; }
  void evaluate(ConstBlock y, std::span<double> value, Block grad, Workspace&) const {
    for (std::size_t l = 0; l < y.lanes(); ++l) {
      value[l] = 0;
      for (std::size_t i = 0; i < dim(); ++i) {
        const double v = y.at(i, l);
        value[l] += v + 2 * std::log1p(std::exp(-v));
        grad.at(i, l) = std::tanh(v / 2);
      }
    }
  }
};

/// Coordinate i of `chains` independent chains after `steps` steps from y = start.
inline std::vector<double> last_states(const Kernel& kernel, const AnyPotential& W,
                                       const Tuning& tuning, double start, std::uint64_t steps,
                                       std::uint64_t seed, std::size_t chains, std::size_t i = 0) {
  constexpr std::size_t lanes = 256;
  const NoiseField noise(seed);
  Workspace ws;
  std::vector<double> result;
  for (std::size_t first = 0; first < chains; first += lanes) {
    ChainBlock block(static_cast<std::uint32_t>(first), lanes, W.dim(),
                     kernel.memory_rows(W.dim()));
    for (double& y : block.y.view().flat()) {
      y = start;
    }
    evaluate(W, block, ws);
    kernel.prepare(block);
    StepInfo info(lanes);
    for (std::uint64_t t = 0; t < steps; ++t) {
      kernel.advance(W, noise, t, tuning, block, info, ws);
    }
    const double* row = block.y.view().row(i);
    result.insert(result.end(), row, row + std::min(lanes, chains - first));
  }
  return result;
}

}  // namespace tain::testing
