// Where chains start, and how curved the dual is there.
#pragma once

#include <cstdint>
#include <span>
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

/// Where a chain starts: y + spread_i u, u uniform on (-2, 2) from its own noise.
struct StartPlace {
  std::vector<double> y, spread;
};

/// Puts chain c at place c modulo their number. A chain whose W or gradient is not finite there
/// starts at the middle of its place.
void disperse(const AnyPotential& W, std::span<const StartPlace> places, const NoiseField& noise,
              ChainBlock& chains, Workspace& ws);

}  // namespace tain
