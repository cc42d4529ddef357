// Projected Langevin Monte Carlo (plmc; Bubeck, Eldan & Lehec 2018), a baseline: Langevin steps in
// the primal space that know the set by its Euclidean projection P.
//
// Definition: for the density e^-V on X,
//     x' = P( x - beta grad V(x) + sqrt(2 beta) xi )
//   On sets in an affine space (a simplex) P sees the part of noise and gradient along it only.
// Laws: those of Kernel; the stationary law tends to e^-V on X as beta -> 0.
// Bias: unknown to the kernel. Steps that end on the boundary leave atoms there, of mass
//   O(sqrt(beta)).
// Cost: one gradient, one projection, dim normals.
#pragma once

#include "kernels/baselines/baseline.hpp"
#include "kernels/baselines/point_projection.hpp"

namespace tain {

class Plmc final : public Baseline {
 public:
  explicit Plmc(PointProjection onto_set) : onto_set_(std::move(onto_set)) {}

  std::string_view name() const override { return "plmc"; }
  double relaxation(std::span<const double> variance, const Tuning& tuning) const override {
    return langevin_relaxation(variance, tuning);
  }
  void advance(const AnyPotential& V, const NoiseField& noise, std::uint64_t t,
               const Tuning& tuning, ChainBlock& chains, StepInfo& info,
               Workspace& ws) const override;

 private:
  PointProjection onto_set_;
};

}  // namespace tain
