// Hamiltonian Monte Carlo on the dual, chains in lockstep.
//
// Definition: momentum p ~ N(0, I) in whitened units; leapfrog of step epsilon on
//     H = W(y) + |p|^2/2,  dy/dt = s_i p_i,  dp/dt = - s_i dW/dy_i;
//   all lanes take L = ceil(u_t tau / epsilon) steps, u_t in (1/4, 1) from the van der Corput
//   sequence in t (a jitter that does not depend on the state), then a Metropolis test on the
//   energy error.
// Length: tau climbs E[(|z'|^2 - |z|^2)^2] / sqrt(tau), z = (y - m)/s: the ChEES criterion
//   (Hoffman, Radul & Sountsov 2021) in whitened units, over the square root of the length. Without
//   the root long trajectories of heavy-tailed targets cost more than they bring (twice on sparse
//   posteriors); with the full length the slowest directions starve. The slope in log tau is
//   reported per lane when the tuning carries a centre m.
// Cost: L gradients, dim normals. A step whose energy error exceeds 1000 is divergent and rejected.
#pragma once

#include "kernels/kernel.hpp"

namespace tain {

class Hamiltonian final : public Kernel {
 public:
  std::string_view name() const override { return "hmc"; }
  bool exact() const override { return true; }
  /// Trajectories are long enough to forget.
  double relaxation(std::span<const double>, const Tuning&) const override { return 0; }
  double target_acceptance() const override { return 0.8; }
  std::uint64_t gradients(std::uint64_t t, const Tuning& tuning) const override;
  void advance(const AnyPotential& W, const NoiseField& noise, std::uint64_t t,
               const Tuning& tuning, ChainBlock& chains, StepInfo& info,
               Workspace& ws) const override;
  /// Jitter of step t: the van der Corput sequence in base 2, moved to (1/4, 1).
  static double jitter(std::uint64_t t);
};

}  // namespace tain
