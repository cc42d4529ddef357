#include "kernels/stochastic_langevin.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/lane_steps.hpp"

namespace tain {
namespace {

constexpr double weight_of_noise = 1.0 / 8;
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// The step where W is not looked at: y' wherever it is finite.
void take_unseen(ChainBlock& chains, StepInfo& info, Workspace& ws) {
  Workspace::Scope scope(ws);
  const std::span<double> finite = ws.array(chains.lanes());
  lanes::all_finite(chains.next_y.view(), finite);
  for (std::size_t l = 0; l < finite.size(); ++l) {
    info.divergent[l] = finite[l] != 0 ? 0.0 : 1.0;
    chains.value[l] = finite[l] != 0 ? unknown : chains.value[l];
  }
  if (std::ranges::all_of(finite, [](double f) { return f != 0; })) {
    std::swap(chains.y, chains.next_y);
  } else {
    lanes::select(finite, chains.next_y.view(), chains.y.view());
  }
}

}  // namespace

void StochasticLangevin::prepare(ChainBlock& chains) const {
  if (anchor_every_ != 0) {
    const std::size_t dim = chains.y.rows();
    lanes::copy(chains.y.view().flat(), chains.memory.view().slice(0, dim).flat());
    lanes::copy(chains.grad.view().flat(), chains.memory.view().slice(dim, dim).flat());
  }
}

std::uint64_t StochasticLangevin::gradients(std::uint64_t t, const Tuning& tuning) const {
  if (batching_.size == 0) {
    return whole_.gradients(t, tuning);
  }
  const std::uint64_t batches = anchor_every_ != 0 ? 2 : 1;
  const std::uint64_t anchor = anchor_every_ != 0 && t % anchor_every_ == 0 ? 1 : 0;
  const std::uint64_t looks = tuning.probe_every == 1 ? 1 : 2;
  return batches + anchor + (t % tuning.probe_every == 0 ? looks : 0);
}

void StochasticLangevin::drop_anchor(const AnyPotential& W, ChainBlock& chains,
                                     Workspace& ws) const {
  evaluate(W, chains, ws);
  prepare(chains);
}

void StochasticLangevin::estimate(const AnyPotential& W, ConstBlock y, const Batches& batches,
                                  const ChainBlock& chains, Block grad, Workspace& ws) const {
  W.batch_gradient(y, batches, grad, ws);
  if (anchor_every_ == 0) {
    return;
  }
  Workspace::Scope scope(ws);
  const std::size_t dim = y.rows();
  const ConstBlock anchor = chains.memory.view().slice(0, dim);
  const ConstBlock anchor_grad = chains.memory.view().slice(dim, dim);
  const Block at_anchor = ws.block(dim, y.lanes());
  W.batch_gradient(anchor, batches, at_anchor, ws);
  // The difference first: at the anchor itself it is exactly zero.
  lanes::add_scaled(-1, at_anchor.flat(), grad.flat());
  lanes::add_scaled(1, anchor_grad.flat(), grad.flat());
}

void StochasticLangevin::probe(const AnyPotential& W, ConstBlock estimate, const Tuning& tuning,
                               ChainBlock& chains, StepInfo& info, Workspace& ws) const {
  Workspace::Scope scope(ws);
  const std::size_t dim = chains.y.rows(), lanes = chains.lanes();
  const double beta = tuning.step_size;
  const ConstBlock y = chains.y.view(), next_y = chains.next_y.view();
  if (std::ranges::any_of(chains.value, [](double v) { return std::isnan(v); })) {
    evaluate(W, chains, ws);
  }
  W.evaluate(next_y, chains.next_value, chains.next_grad.view(), ws);
  const std::span<double> forward = ws.array(lanes), backward = ws.array(lanes);
  const ConstBlock grad = chains.grad.view(), next_grad = chains.next_grad.view();
  lanes::langevin_reverse(next_y, y, grad, beta, tuning.scale, forward);
  lanes::langevin_reverse(y, next_y, next_grad, beta, tuning.scale, backward);
  const std::span<double> noise = ws.array(lanes), chosen = ws.array(lanes);
  std::ranges::fill(noise, 0.0);
  for (std::size_t i = 0; i < dim; ++i) {
    const double s = tuning.scale.empty() ? 1.0 : tuning.scale[i];
    for (std::size_t l = 0; l < lanes; ++l) {
      const double e = s * (estimate.at(i, l) - grad.at(i, l));
      noise[l] += 0.5 * beta * e * e;
    }
  }
  for (std::size_t l = 0; l < lanes; ++l) {
    const double log_ratio = chains.value[l] - chains.next_value[l] + forward[l] - backward[l];
    const bool finite = std::isfinite(log_ratio);
    info.divergent[l] = finite ? 0.0 : 1.0;
    info.acceptance[l] =
        finite ? std::max(0.0, std::min(1.0, std::exp(log_ratio)) - weight_of_noise * noise[l])
               : 0.0;
    chosen[l] = finite ? 1.0 : 0.0;
  }
  take_proposal(chosen, chains);
}

void StochasticLangevin::advance(const AnyPotential& W, const NoiseField& noise, std::uint64_t t,
                                 const Tuning& tuning, ChainBlock& chains, StepInfo& info,
                                 Workspace& ws) const {
  if (batching_.whole(W.terms())) {
    whole_.advance(W, noise, t, tuning, chains, info, ws);
    return;
  }
  Workspace::Scope scope(ws);
  const std::size_t dim = chains.y.rows(), lanes = chains.lanes();
  if (anchor_every_ != 0 && t % anchor_every_ == 0) {
    drop_anchor(W, chains, ws);
  }
  const Batches batches =
      draw_batches(noise, t, chains.first_chain, lanes, W.terms(), batching_, ws);
  const Block grad = ws.block(dim, lanes);
  estimate(W, chains.y.view(), batches, chains, grad, ws);
  const FloatBlock xi = ws.float_block(dim, lanes);
  noise.normals(Purpose::proposal, t, chains.first_chain, xi);
  lanes::langevin(chains.y.view(), grad, xi, tuning.step_size, tuning.scale, chains.next_y.view());
  if (t % tuning.probe_every == 0) {
    probe(W, grad, tuning, chains, info, ws);
  } else {
    take_unseen(chains, info, ws);
  }
}

}  // namespace tain
