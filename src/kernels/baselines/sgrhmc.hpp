// Stochastic gradient Riemannian Hamiltonian Monte Carlo (sgrhmc; Ma, Chen & Fox 2015), a baseline.
//
// Definition: on theta > 0 with the metric G = diag(1/theta) and momenta r ~ N(0, I), their
//   d theta = sqrt(theta) r dt
//   dr = [ -sqrt(theta) dU/dtheta + 1/(2 sqrt(theta)) - theta r ] dt + sqrt(2 theta) dW,
//   which leaves e^(-U - |r|^2/2) invariant: the second term is the divergence of G^(-1/2), the
//   third friction G^-1, the fourth its noise (their B, an estimate of the batch's own noise, is
//   taken as 0). A step of size eps kicks r at theta, then moves theta with the new r; where theta
//   would fall below 0 it is reflected, and r flipped.
// Laws: those of Kernel; the stationary law tends to e^-U as eps -> 0. Theta keeps to 1e-290 and
//   above. r starts at 0 and lives in ChainBlock::memory.
// Bias: unknown to the kernel. The force grows like theta^(-1/2) at 0 and momenta are refreshed at
//   rate theta: on sparse posteriors small categories are thrown far away or sink to 0 for good, at
//   steps that suit the others (docs/explanation/baselines.md has figures).
// Cost: one gradient (or batch), dim normals, two passes.
#pragma once

#include "kernels/baselines/baseline.hpp"
#include "kernels/batch.hpp"

namespace tain {

class Sgrhmc final : public Baseline {
 public:
  explicit Sgrhmc(Batching batching = {}) : batching_(batching) {}

  std::string_view name() const override { return "sgrhmc"; }
  /// Friction and force both act at rate 1 where theta is 1, and slower below.
  double relaxation(std::span<const double>, const Tuning& tuning) const override {
    return 1 / tuning.step_size;
  }
  std::size_t memory_rows(std::size_t dim) const override { return dim; }
  void prepare(ChainBlock& chains) const override;
  void advance(const AnyPotential& U, const NoiseField& noise, std::uint64_t t,
               const Tuning& tuning, ChainBlock& chains, StepInfo& info,
               Workspace& ws) const override;

 private:
  Batching batching_;
};

}  // namespace tain
