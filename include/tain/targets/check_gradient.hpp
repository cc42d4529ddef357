// Is the gradient of a target the derivative of its value? Asked before a run on user code.
//
// Definition: at 16 points, a centre plus 0.5, 1, 2, 4, 8 and 16 times standard normal noise in dual
//   coordinates, the pulled-back gradient J' grad V (y -> V(to_primal(y))) is compared with central
//   differences in y. So every point stays inside the set, and on the simplex only the tangent part
//   is looked at, as the sampler does. A point outside the support (or outside the set, by
//   rounding) moves halfway to the centre until it is inside. All dual coordinates up to 16; beyond
//   that 8 directions of random signs, in each of which one wrong coordinate shows: halving then
//   finds it. The centre is `around` (a primal point), else the target's own start, else the map's.
// Numerics: differences of fourth order with step h, S = (4 D(h) - D(2h)) / 3 with
//   D(h) = (V(y + hv) - V(y - hv)) / 2h. How far S is to be trusted is seen, not assumed: by
//     u = |one-sided differences apart| + |D(h) - D(2h)| + 12 eps (|V| + sum |x_i dV/dx_i|) / h,
//   where the last is what rounding of V and of x can do (eps is that of single precision where all
//   values have it). Near a kink or a jump u does not shrink with h. Steps are 1e-6 to 1e-1; each comparison takes the
//   one where |S - gradient| + u is least, says nothing where u is a tenth of the slope or more,
//   and charges only what exceeds 2u.
// A point differs where some slope is off by 1e-3 of it, which is above what rounding leaves in any
//   of our targets and below any slip in a formula. Two points that differ are a failure, or all.
// Sums of terms: the terms must add up to the whole gradient, too, at one point: all of them, each
//   looked at once.
// Cost: 4 evaluations of a block of 16 lanes per coordinate or direction, up to 6 times that where
//   the first step does not settle it; `light` (for runs on mini-batches, where a whole gradient is
//   what they avoid): 2 directions, 8 lanes. Of a default run on a normal law in 5, 16 and 50
//   dimensions, a Python function of one point: 0.7, 2.4 and 0.9 %.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tain/maps/mirror_map.hpp"
#include "tain/targets/potential.hpp"

namespace tain {

inline constexpr double gradient_pass_mark = 1e-3;

struct GradientCheck {
  bool passed = true;
  /// Largest disagreement beyond what differences leave open, relative to the slope; where nothing
  /// is left open, to max(1, |slope|).
  double worst_error = 0;
  /// Where: dual coordinate (0-based), or number of the random direction.
  std::size_t coordinate = 0;
  bool along_direction = false;
  double analytic = 0, numeric = 0;
  std::vector<double> point;    ///< primal point of the worst comparison
  std::size_t points = 0;       ///< points at which something could be compared
  std::size_t differing = 0;    ///< those of them at which gradient and differences differ
  std::size_t not_numbers = 0;  ///< points of the set at which the value is NaN
  bool opposite = false;        ///< the gradient is that of -V: one of the two has the wrong sign
  std::string explanation;      ///< a sentence or two for the user

  /// Is something wrong, rather than only unknown? What a run is refused for.
  bool refuses() const { return !passed && (points > 0 || not_numbers > 0); }
};

enum class GradientEffort { full, light };

/// Nothing to compare with (every point is outside the support, say) is no pass, and no refusal.
/// Throws Error (config) when dimensions differ, and what the target throws near its centre.
GradientCheck check_gradient(const AnyMap& map, const AnyPotential& target, std::uint64_t seed,
                             std::span<const double> around = {},
                             GradientEffort effort = GradientEffort::full);

}  // namespace tain
