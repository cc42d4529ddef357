#include "tain/kernels/baselines/projected.hpp"

#include <algorithm>
#include <cmath>

#include "steps.hpp"
#include "tain/core/lanes.hpp"

namespace tain {
namespace {

/// next_y = y - beta grad V + sqrt(2 beta) xi.
void propose(const NoiseField& noise, std::uint64_t t, double beta, ChainBlock& chains,
             Workspace& ws) {
  const Workspace::Scope scope(ws);
  const FloatBlock xi = ws.float_block(chains.y.rows(), chains.lanes());
  noise.normals(Purpose::proposal, t, chains.first_chain, xi);
  lanes::langevin(chains.y.view(), chains.grad.view(), xi, beta, {}, chains.next_y.view());
}

/// Projects where the point is finite: elsewhere it must stay so, to be reported.
void project(const PointProjection& projection, Block x, Workspace& ws) {
  const Workspace::Scope scope(ws);
  const std::span<double> finite = ws.array(x.lanes());
  const Block projected = ws.block(x.rows(), x.lanes());
  lanes::all_finite(x, finite);
  projection(x, projected, ws);
  lanes::select(finite, projected, x);
}

}  // namespace

void Plmc::advance(const AnyPotential& V, const NoiseField& noise, std::uint64_t t,
                   const Tuning& tuning, ChainBlock& chains, StepInfo& info, Workspace& ws) const {
  const Workspace::Scope scope(ws);
  propose(noise, t, tuning.step_size, chains, ws);
  project(onto_set_, chains.next_y.view(), ws);
  baselines::take_finite(V, baselines::Look::whole, chains, info, ws.array(chains.lanes()), ws);
}

void Myula::advance(const AnyPotential& V, const NoiseField& noise, std::uint64_t t,
                    const Tuning& tuning, ChainBlock& chains, StepInfo& info, Workspace& ws) const {
  const Workspace::Scope scope(ws);
  const double beta = tuning.step_size, pull = beta / smoothing_.value_or(2 * beta);
  const Block next = chains.next_y.view(), nearest = ws.block(next.rows(), next.lanes());
  propose(noise, t, beta, chains, ws);
  onto_set_(chains.y.view(), nearest, ws);
  lanes::add_scaled(-pull, chains.y.view().flat(), next.flat());
  lanes::add_scaled(pull, nearest.flat(), next.flat());
  project(onto_hull_, next, ws);
  baselines::take_finite(V, baselines::Look::whole, chains, info, ws.array(chains.lanes()), ws);
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
