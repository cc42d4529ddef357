// Mirror maps that act on each coordinate alone: intervals, half-lines and the whole line.
//
// Definition: coordinate i lies strictly between lower_i and upper_i; either may be infinite.
//     [l, u]      x = m + r tanh y, m = (l+u)/2, r = (u-l)/2    log det  2 log cosh y - log r
//     [l, inf)    x = l + e^y                                            -y
//     (-inf, u]   x = u - e^-y (not e^y: dx/dy must be positive)         +y
//     the line    x = y                                                   0
//   [-1, 1] is the paper's appendix B.1; h sums over the coordinates, log det does too.
// Laws: those of MirrorMap; the Jacobian is diagonal and positive.
// Numerics: strictly inside for every finite y, and finite, so that 1/(x - l) is finite when l = 0.
//   m + r tanh y is computed as l + (u-l)/(1 + e^-2y) if l is the bound nearer to zero, as
//   u - (u-l)/(1 + e^2y) if u is, and as r tanh y if l = -u: the distance to a bound at zero keeps
//   its relative precision down to 1e-308, where tanh would stop at 1e-16. The Jacobian and log det
//   come from y, never from x (1 - tanh^2 cancels; only the slope 2 tanh y of a centred interval is
//   2 x / r). NaN gives NaN.
// Cost: one exp or tanh per bounded coordinate for to_primal; consecutive coordinates of one kind
//   are one call for the whole run.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "tain/maps/mirror_map.hpp"

namespace tain {

class BoxMap {
 public:
  /// Bounds may be -inf and +inf. Throws Error (config), naming the coordinate (from 1), unless
  /// lower < upper with a double strictly between.
  BoxMap(std::vector<double> lower, std::vector<double> upper);
  static BoxMap orthant(std::size_t dim);   ///< x_i > 0
  static BoxMap identity(std::size_t dim);  ///< no constraint: y = x

  std::string name() const;
  std::size_t primal_dim() const { return lower_.size(); }
  std::size_t dual_dim() const { return lower_.size(); }
  std::span<const double> lower() const { return lower_; }
  std::span<const double> upper() const { return upper_; }

  void to_primal(ConstBlock y, Block x, Workspace& ws) const;
  void to_dual(ConstBlock x, Block y, Workspace& ws) const;
  void pull_back(ConstBlock y, ConstBlock x, ConstBlock gx, Block gy, Workspace& ws) const;
  void add_log_det(ConstBlock y, ConstBlock x, std::span<double> value, Block gy,
                   Workspace& ws) const;
  bool contains(std::span<const double> x) const;
  void centre(std::span<double> x) const;
  Projection projection() const;  ///< min(max(x_i, lower_i), upper_i)
  Projection hull_projection() const;
  Outline outline() const;

 private:
  enum class Kind { centred, from_lower, from_upper, half_above, half_below, line };
  struct Run {
    Kind kind;
    std::size_t first, count;
  };
  static Kind kind_of(double lower, double upper);
  void to_primal(const Run& run, ConstBlock y, Block x) const;
  void to_dual(const Run& run, ConstBlock x, Block y) const;
  void pull_back(const Run& run, ConstBlock y, ConstBlock gx, Block gy) const;

  std::vector<double> lower_, upper_;
  std::vector<double> radius_;        // r; 1 where there is none
  std::vector<double> least_, most_;  // smallest and largest x given out
  std::vector<Run> runs_;
  double log_radii_ = 0;  // sum log r
  std::string label_ = "box";
};

static_assert(MirrorMap<BoxMap>);

}  // namespace tain
