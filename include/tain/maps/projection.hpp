// Euclidean projections: the nearest point of a set, which is all that projected and proximal
// samplers know about it (kernels/baselines).
//
// Definition: P(x) = argmin over z in X of |x - z|, X the closed set of the map:
//     box      min(max(x_i, lower_i), upper_i)                     (half-lines and the line too)
//     ball     c + (x - c) min(1, R / |x - c|)
//     simplex  max(x_i - tau, 0), tau such that the sum is 1: with u sorted downwards and rho the
//              largest k with u_k > (u_1 + ... + u_k - 1)/k, tau = (u_1 + ... + u_rho - 1)/rho
//     product  factor by factor
//   The hull is the smallest affine space that holds X: sum x = 1 for a simplex, everything for a
//   box or a ball.
// Laws: P(P(x)) = P(x), P(x) in X, and (x - P(x))'(z - P(x)) <= 0 for every z in X; all up to
//   rounding. P(x) = P(hull(x)). A point with a NaN gives one with a NaN.
// Numerics: errors of a few 2^-52 max(|x|, 1); simplex coordinates are shifted by their maximum.
// Cost: one pass; simplex n log n, one lane after the other.
#pragma once

#include <functional>
#include <optional>

#include "tain/maps/mirror_map.hpp"

namespace tain {

/// (x, out, scratch): out may be x.
using Projection = std::function<void(ConstBlock x, Block out, Workspace& ws)>;

/// None for sets whose projection has no closed form here.
std::optional<Projection> projection_onto(const AnyMap& map);
std::optional<Projection> projection_onto_hull(const AnyMap& map);

}  // namespace tain
