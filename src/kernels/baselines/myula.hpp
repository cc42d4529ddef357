// Moreau-Yosida unadjusted Langevin algorithm (myula; Brosse, Durmus, Moulines & Pereyra 2017), a
// baseline: Langevin steps in the primal space that know the set by its Euclidean projection P.
//
// Definition: for the density e^-V on X,
//     x' = x - beta grad V(x) - (beta/lambda) (x - P(x)) + sqrt(2 beta) xi,
//   Langevin on V + |x - P(x)|^2 / (2 lambda), the indicator of X smoothed; lambda is given or
//   2 beta. States leave X, draws are P of them (Walk::to_primal). Where X lies in an affine space
//   (a simplex) x' is brought back into that space, so that noise and gradient act along it only.
// Laws: those of Kernel; the stationary law tends to e^-V on X as beta and lambda -> 0.
// Extended: V where it and its gradient are finite; elsewhere those at P(x), which is what myula is
//   handed, because targets need not be finite outside X.
// Bias: unknown to the kernel. Projected draws have atoms on the boundary, of mass O(sqrt(lambda)).
// Cost: one gradient, one projection, dim normals; Extended projects and evaluates twice where a
//   lane needs it.
#pragma once

#include <optional>

#include "kernels/baselines/baseline.hpp"
#include "kernels/baselines/point_projection.hpp"

namespace tain {

class Myula final : public Baseline {
 public:
  /// smoothing: lambda; none: twice the step size.
  Myula(PointProjection onto_set, PointProjection onto_hull, std::optional<double> smoothing)
      : onto_set_(std::move(onto_set)), onto_hull_(std::move(onto_hull)), smoothing_(smoothing) {}

  std::string_view name() const override { return "myula"; }
  double relaxation(std::span<const double> variance, const Tuning& tuning) const override {
    return langevin_relaxation(variance, tuning);
  }
  void advance(const AnyPotential& V, const NoiseField& noise, std::uint64_t t,
               const Tuning& tuning, ChainBlock& chains, StepInfo& info,
               Workspace& ws) const override;

 private:
  PointProjection onto_set_, onto_hull_;
  std::optional<double> smoothing_;
};

class Extended {
 public:
  Extended(AnyPotential target, PointProjection onto_set)
      : target_(std::move(target)), onto_set_(std::move(onto_set)) {}

  std::string name() const { return target_.name(); }
  std::size_t dim() const { return target_.dim(); }
  void evaluate(ConstBlock x, std::span<double> value, Block grad, Workspace& ws) const;

 private:
  AnyPotential target_;
  PointProjection onto_set_;
};

static_assert(Potential<Extended>);

}  // namespace tain
