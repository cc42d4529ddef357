#include "kernels/baselines/steps.hpp"

#include <limits>

#include "kernels/lane_steps.hpp"

namespace tain::baselines {

ConstBlock step_gradient(const AnyPotential& potential, const NoiseField& noise, std::uint64_t t,
                         const ChainBlock& chains, const Batching& batching, Workspace& ws) {
  if (batching.whole(potential.terms())) {
    return chains.grad.view();
  }
  const Block grad = ws.block(chains.y.rows(), chains.lanes());
  const Workspace::Scope scope(ws);
  const Batches batches =
      draw_batches(noise, t, chains.first_chain, chains.lanes(), potential.terms(), batching, ws);
  potential.batch_gradient(chains.y.view(), batches, grad, ws);
  return grad;
}

void take_finite(const AnyPotential& potential, Evaluate evaluate, ChainBlock& chains,
                 StepInfo& info, std::span<double> chosen, Workspace& ws) {
  lanes::all_finite(chains.next_y.view(), chosen);
  for (std::size_t l = 0; l < chosen.size(); ++l) {
    info.divergent[l] = chosen[l] != 0 ? 0.0 : 1.0;
  }
  if (evaluate == Evaluate::whole) {
    potential.evaluate(chains.next_y.view(), chains.next_value, chains.next_grad.view(), ws);
    take_proposal(chosen, chains);
    return;
  }
  lanes::select(chosen, chains.next_y.view(), chains.y.view());
  for (std::size_t l = 0; l < chosen.size(); ++l) {
    if (chosen[l] != 0) {
      chains.value[l] = std::numeric_limits<double>::quiet_NaN();
    }
  }
}

void propose_langevin(const NoiseField& noise, std::uint64_t t, double beta, ChainBlock& chains,
                      Workspace& ws) {
  const Workspace::Scope scope(ws);
  const FloatBlock xi = ws.float_block(chains.y.rows(), chains.lanes());
  noise.normals(Purpose::proposal, t, chains.first_chain, xi);
  lanes::langevin(chains.y.view(), chains.grad.view(), xi, beta, {}, chains.next_y.view());
}

void project_finite(const PointProjection& projection, Block x, Workspace& ws) {
  const Workspace::Scope scope(ws);
  const std::span<double> finite = ws.array(x.lanes());
  const Block projected = ws.block(x.rows(), x.lanes());
  lanes::all_finite(x, finite);
  projection(x, projected, ws);
  lanes::select(finite, projected, x);
}

}  // namespace tain::baselines
