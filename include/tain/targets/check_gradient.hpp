// Is the gradient of a target the derivative of its value? Asked before a run on user code.
//
// Definition: at 8 points, the map's centre plus standard normal noise in dual coordinates, the
//   pulled-back gradient J' grad V (y -> V(to_primal(y))) is compared with central differences in
//   y. So every point stays inside the set, and on the simplex only the tangent part is looked at,
//   as the sampler does. All dual coordinates up to 100, else 100 random directions.
// Numerics: differences of fourth order with step h err by h^4 V^(5)/30 + 12 eps |V| / h (four
//   values good to 8 eps each). Steps are 1e-2 to 1e-5; each comparison takes the one where
//   disagreement plus rounding bound is least, and charges only what the bound does not explain.
//   For V of order 1 a right gradient comes out below 1e-10; the pass mark of 1e-5 max(1,
//   |derivative|) leaves room for stiff targets and for values less accurate than 8 eps, and is far
//   below any slip in a formula.
// Cost: 16 evaluations of a block of 8 lanes per coordinate or direction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tain/maps/mirror_map.hpp"
#include "tain/targets/potential.hpp"

namespace tain {

inline constexpr double gradient_pass_mark = 1e-5;

struct GradientCheck {
  bool passed = true;
  /// Largest |analytic - numeric| beyond the rounding bound, over max(1, |analytic|).
  double worst_error = 0;
  /// Where: dual coordinate (0-based), or number of the random direction beyond 100 dimensions.
  std::size_t coordinate = 0;
  bool along_direction = false;
  double analytic = 0, numeric = 0;
  std::vector<double> point;  ///< primal point of the worst comparison
  std::size_t points = 0;     ///< points that could be used: value and gradient finite there
  std::string explanation;    ///< one sentence for the user
};

/// Points of value +inf (outside the target's support) are passed over; NaN, or no point left, is a
/// failure. Throws Error (config) when dimensions differ.
GradientCheck check_gradient(const AnyMap& map, const AnyPotential& target, std::uint64_t seed);

}  // namespace tain
