#include "kernels/kernel.hpp"

#include <algorithm>
#include <cmath>

#include "core/lanes.hpp"

namespace tain {

ChainBlock::ChainBlock(std::uint32_t first, std::size_t num_chains, std::size_t dim,
                       std::size_t memory_rows)
    : first_chain(first),
      chains(num_chains),
      y(dim, padded_lanes(num_chains)),
      grad(dim, padded_lanes(num_chains)),
      value(padded_lanes(num_chains)),
      memory(memory_rows, padded_lanes(num_chains)),
      next_y(dim, padded_lanes(num_chains)),
      next_grad(dim, padded_lanes(num_chains)),
      next_value(padded_lanes(num_chains)) {}

void ChainBlock::fill_padding() {
  for (std::size_t l = chains; l < lanes(); ++l) {
    for (BlockStorage* rows : {&y, &grad, &memory}) {
      for (std::size_t i = 0; i < rows->rows(); ++i) {
        rows->view().at(i, l) = rows->view().at(i, chains - 1);
      }
    }
    value[l] = value[chains - 1];
  }
}

double langevin_relaxation(std::span<const double> variance, const Tuning& tuning) {
  double slowest = 0;
  for (std::size_t i = 0; i < variance.size(); ++i) {
    const double scale = tuning.scale.empty() ? 1.0 : tuning.scale[i];
    slowest = std::max(slowest, variance[i] / (tuning.step_size * scale * scale));
  }
  return slowest;
}

void evaluate(const AnyPotential& W, ChainBlock& chains, Workspace& ws) {
  W.evaluate(chains.y.view(), chains.value, chains.grad.view(), ws);
}

void metropolis(const NoiseField& noise, std::uint64_t t, std::uint32_t first_chain,
                std::span<const double> log_ratio, StepInfo& info, std::span<double> chosen) {
  noise.uniforms(Purpose::acceptance, t, first_chain, chosen);
  for (std::size_t l = 0; l < log_ratio.size(); ++l) {
    // -inf is an honest rejection (outside the support), NaN and +inf are not.
    const bool usable = log_ratio[l] < HUGE_VAL;
    info.divergent[l] = usable ? 0.0 : 1.0;
    info.acceptance[l] = usable ? std::min(1.0, std::exp(log_ratio[l])) : 0.0;
    chosen[l] = chosen[l] < info.acceptance[l] ? 1.0 : 0.0;
  }
}

void take_proposal(std::span<const double> chosen, ChainBlock& chains) {
  if (std::all_of(chosen.begin(), chosen.end(), [](double c) { return c != 0; })) {
    std::swap(chains.y, chains.next_y);
    std::swap(chains.grad, chains.next_grad);
    std::swap(chains.value, chains.next_value);
    return;
  }
  lanes::select(chosen, chains.next_y.view(), chains.y.view());
  lanes::select(chosen, chains.next_grad.view(), chains.grad.view());
  for (std::size_t l = 0; l < chosen.size(); ++l) {
    chains.value[l] = chosen[l] != 0 ? chains.next_value[l] : chains.value[l];
  }
}

}  // namespace tain
