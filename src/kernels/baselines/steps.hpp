// What the baselines' steps share.
#pragma once

#include "kernels/baselines/point_projection.hpp"
#include "kernels/batch.hpp"
#include "kernels/kernel.hpp"

namespace tain::baselines {

/// Smallest theta: large enough for (counts up to 1e17) / theta.
inline constexpr double least_theta = 1e-290;

/// The gradient a step takes: that of the whole potential, which chains carry, or the batch's, in
/// memory of `ws`.
ConstBlock step_gradient(const AnyPotential& potential, const NoiseField& noise, std::uint64_t t,
                         const ChainBlock& chains, const Batching& batching, Workspace& ws);

/// Whether a step looks at the whole potential where it ends.
enum class Evaluate { whole, none };

/// Makes next_y the state where it is finite (chosen[l] = 1), reports divergence elsewhere.
/// Look::none leaves grad alone and makes value NaN.
void take_finite(const AnyPotential& potential, Evaluate evaluate, ChainBlock& chains,
                 StepInfo& info, std::span<double> chosen, Workspace& ws);

/// next_y = y - beta grad V + sqrt(2 beta) xi.
void propose_langevin(const NoiseField& noise, std::uint64_t t, double beta, ChainBlock& chains,
                      Workspace& ws);
/// Projects where the point is finite: elsewhere it must stay so, to be reported.
void project_finite(const PointProjection& projection, Block x, Workspace& ws);

}  // namespace tain::baselines
