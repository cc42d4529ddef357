// Independent chains, run once, looked at from several sides.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "kernels/kernel.hpp"
#include "support/statistics.hpp"

namespace tain::testing {

/// States of n chains after `steps` steps from one point; streams are seeds.
class Ensemble {
 public:
  struct Run {
    std::vector<double> start;
    Tuning tuning;
    std::uint64_t steps;
  };
  Ensemble(std::shared_ptr<const Kernel> kernel, AnyPotential potential, Run run)
      : kernel_(std::move(kernel)), potential_(std::move(potential)), run_(std::move(run)) {}

  /// A number per chain, from its state.
  Draws of(const std::function<double(std::span<const double>)>& statistic) const {
    return [this, statistic](std::uint64_t stream, std::size_t n) {
      std::vector<double> values;
      const std::vector<double>& all = states(stream, n);
      for (std::size_t c = 0; c < n; ++c) {
        values.push_back(statistic(std::span(all).subspan(c * potential_.dim(), potential_.dim())));
      }
      return values;
    };
  }

 private:
  const std::vector<double>& states(std::uint64_t stream, std::size_t n) const {
    std::vector<double>& result = known_[{stream, n}];
    if (!result.empty()) {
      return result;
    }
    constexpr std::size_t lanes = 256;
    const std::size_t dim = potential_.dim();
    const NoiseField noise(900 + stream);
    Workspace ws;
    for (std::size_t first = 0; first < n; first += lanes) {
      ChainBlock block(static_cast<std::uint32_t>(first), lanes, dim, kernel_->memory_rows(dim));
      for (std::size_t i = 0; i < dim; ++i) {
        std::fill_n(block.y.view().row(i), lanes, run_.start[i]);
      }
      evaluate(potential_, block, ws);
      kernel_->prepare(block);
      StepInfo info(lanes);
      for (std::uint64_t t = 0; t < run_.steps; ++t) {
        kernel_->advance(potential_, noise, t, run_.tuning, block, info, ws);
      }
      for (std::size_t c = first; c < std::min(n, first + lanes); ++c) {
        for (std::size_t i = 0; i < dim; ++i) {
          result.push_back(block.y.view().at(i, c - first));
        }
      }
    }
    return result;
  }

  std::shared_ptr<const Kernel> kernel_;
  AnyPotential potential_;
  Run run_;
  mutable std::map<std::pair<std::uint64_t, std::size_t>, std::vector<double>> known_;
};

/// A kernel written for a test: only its step matters.
class TestKernel final : public Kernel {
 public:
  /// (gradient, noise, step size) moves the block's state.
  using Step = std::function<void(ConstBlock grad, ConstFloatBlock xi, double step_size,
                                  ChainBlock& chains)>;
  explicit TestKernel(Step step, std::size_t memory = 0)
      : step_(std::move(step)), memory_(memory) {}
  std::string_view name() const override { return "saboteur"; }
  bool exact() const override { return false; }
  double relaxation(std::span<const double>, const Tuning&) const override { return 0; }
  double target_acceptance() const override { return 1; }
  std::size_t memory_rows(std::size_t dim) const override { return memory_ * dim; }
  std::uint64_t gradients(std::uint64_t, const Tuning&) const override { return 1; }
  void advance(const AnyPotential& W, const NoiseField& noise, std::uint64_t t,
               const Tuning& tuning, ChainBlock& chains, StepInfo&, Workspace& ws) const override {
    const Workspace::Scope scope(ws);
    const FloatBlock xi = ws.float_block(W.dim(), chains.lanes());
    noise.normals(Purpose::proposal, t, chains.first_chain, xi);
    step_(chains.grad.view(), xi, tuning.step_size, chains);
    evaluate(W, chains, ws);
  }

 private:
  Step step_;
  std::size_t memory_;
};

}  // namespace tain::testing
