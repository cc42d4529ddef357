// Stochastic gradient Riemannian Langevin dynamics (sgrld; Patterson & Teh 2013), a baseline.
//
// Definition: on theta > 0 with the metric G = diag(1/theta), for the density e^-U,
//     theta' = | theta + eps (1 - theta dU/dtheta) + sqrt(2 eps theta) xi |
//   coordinate by coordinate: drift -G^-1 grad U + div G^-1, whose divergence is the 1. On
//   ExpandedMean it is their update (with eps for their eps/2),
//     theta' = | theta + eps (alpha - theta + (N/b)(m - m. x)) + ... |
// Laws: those of Kernel; the stationary law tends to e^-U as eps -> 0. The absolute value reflects
//   at 0 and a floor of 1e-290 keeps theta positive: states cannot become NaN there.
// Bias: unknown to the kernel, and large where theta is much smaller than eps, for one step then
//   crosses the whole region between 0 and eps: sparse posteriors need eps far below alpha.
// Cost: one gradient (or batch), dim normals, two passes.
// Written twice more, for other numbers and layouts: in float with the gradient of one posterior in
// the loop (reproduce/simplex_ensemble), and for words x topics with counts for a gradient
// (lda/engine/methods/expanded).
#pragma once

#include "kernels/baselines/baseline.hpp"
#include "kernels/batch.hpp"

namespace tain {

class Sgrld final : public Baseline {
 public:
  explicit Sgrld(Batching batching = {}) : batching_(batching) {}

  std::string_view name() const override { return "sgrld"; }
  /// theta is pulled to its mean at rate 1.
  double relaxation(std::span<const double>, const Tuning& tuning) const override {
    return 1 / tuning.step_size;
  }
  void advance(const AnyPotential& U, const NoiseField& noise, std::uint64_t t,
               const Tuning& tuning, ChainBlock& chains, StepInfo& info,
               Workspace& ws) const override;

 private:
  Batching batching_;
};

}  // namespace tain
