// Where chains start, and how curved the dual is there.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/kernel.hpp"
#include "random/noise.hpp"
#include "tain/maps/mirror_map.hpp"

namespace tain {

/// Dual image of a primal point. Throws Error (config) if it has the wrong size or lies outside the
/// domain.
std::vector<double> dual_start(const AnyMap& map, const std::vector<double>& point);

/// Diagonal of the Hessian of W at y by Hutchinson's estimate with lane_group random signs:
/// unbiased, as accurate as starting points and first scales need. Cost: two block gradients.
std::vector<double> curvature_diagonal(const AnyPotential& W, const std::vector<double>& y,
                                       const NoiseField& noise);

/// Largest curvature of W near y by power iteration on gradient differences: the measured L of the
/// step-size rule beta <= 1/L (paper, Theorem 4) for targets that do not know theirs. Cost: 40
/// block gradients.
double largest_curvature(const AnyPotential& W, const std::vector<double>& y,
                         const NoiseField& noise);

/// Spreads chains around y0: chain c starts at y0 + spread_i u, u uniform on (-2, 2) from its own
/// noise. A chain whose W or gradient is not finite there starts at y0.
void disperse(const AnyPotential& W, const std::vector<double>& y0,
              const std::vector<double>& spread, const NoiseField& noise, ChainBlock& chains,
              Workspace& ws);

}  // namespace tain
