#include "kernels/langevin.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/lane_steps.hpp"

namespace tain {

std::uint64_t Langevin::gradients(std::uint64_t, const Tuning&) const { return 1; }

void Langevin::advance(const AnyPotential& W, const NoiseField& noise, std::uint64_t t,
                       const Tuning& tuning, ChainBlock& chains, StepInfo& info,
                       Workspace& ws) const {
  Workspace::Scope scope(ws);
  const std::size_t dim = chains.y.rows(), lanes = chains.lanes();
  const double beta = tuning.step_size;
  const ConstBlock y = chains.y.view(), grad = chains.grad.view();
  const Block next_y = chains.next_y.view(), next_grad = chains.next_grad.view();

  const FloatBlock xi = ws.float_block(dim, lanes);
  noise.normals(Purpose::proposal, t, chains.first_chain, xi);
  lanes::langevin(y, grad, xi, beta, tuning.scale, next_y);
  W.evaluate(next_y, chains.next_value, next_grad, ws);

  const std::span<double> forward = ws.array(lanes), backward = ws.array(lanes);
  lanes::langevin_reverse(next_y, y, grad, beta, tuning.scale, forward);
  lanes::langevin_reverse(y, next_y, next_grad, beta, tuning.scale, backward);
  const std::span<double> log_ratio = ws.array(lanes), chosen = ws.array(lanes);
  for (std::size_t l = 0; l < lanes; ++l) {
    log_ratio[l] = chains.value[l] - chains.next_value[l] + forward[l] - backward[l];
  }
  if (exact()) {
    metropolis(noise, t, chains.first_chain, log_ratio, info, chosen);
  } else {
    for (std::size_t l = 0; l < lanes; ++l) {
      const bool finite = std::isfinite(log_ratio[l]);
      info.divergent[l] = finite ? 0.0 : 1.0;
      info.acceptance[l] = finite ? std::min(1.0, std::exp(log_ratio[l])) : 0.0;
      chosen[l] = finite ? 1.0 : 0.0;
    }
  }
  take_proposal(chosen, chains);
}

}  // namespace tain
