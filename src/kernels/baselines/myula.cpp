#include "kernels/baselines/myula.hpp"

#include <algorithm>
#include <cmath>

#include "core/lanes.hpp"
#include "kernels/baselines/steps.hpp"

namespace tain {

void Myula::advance(const AnyPotential& V, const NoiseField& noise, std::uint64_t t,
                    const Tuning& tuning, ChainBlock& chains, StepInfo& info, Workspace& ws) const {
  const Workspace::Scope scope(ws);
  const double beta = tuning.step_size, pull = beta / smoothing_.value_or(2 * beta);
  const Block next = chains.next_y.view(), nearest = ws.block(next.rows(), next.lanes());
  baselines::propose_langevin(noise, t, beta, chains, ws);
  onto_set_(chains.y.view(), nearest, ws);
  lanes::add_scaled(-pull, chains.y.view().flat(), next.flat());
  lanes::add_scaled(pull, nearest.flat(), next.flat());
  baselines::project_finite(onto_hull_, next, ws);
  baselines::take_finite(V, baselines::Evaluate::whole, chains, info, ws.array(chains.lanes()), ws);
}

void Extended::evaluate(ConstBlock x, std::span<double> value, Block grad, Workspace& ws) const {
  target_.evaluate(x, value, grad, ws);
  const Workspace::Scope scope(ws);
  const std::size_t lanes = x.lanes();
  const std::span<double> lost = ws.array(lanes);
  lanes::all_finite(grad, lost);
  for (std::size_t l = 0; l < lanes; ++l) {
    lost[l] = lost[l] != 0 && std::isfinite(value[l]) ? 0.0 : 1.0;
  }
  if (std::ranges::all_of(lost, [](double v) { return v == 0; })) {
    return;
  }
  const Block nearest = ws.block(x.rows(), lanes), slope = ws.block(x.rows(), lanes);
  const std::span<double> there = ws.array(lanes);
  onto_set_(x, nearest, ws);
  target_.evaluate(nearest, there, slope, ws);
  lanes::select(lost, slope, grad);
  for (std::size_t l = 0; l < lanes; ++l) {
    value[l] = lost[l] != 0 ? there[l] : value[l];
  }
}

}  // namespace tain
