// Mirror maps on the Euclidean ball |x - c| < R.
//
// Definition: with s = |y| and a, b, q functions of s,
//     x = c + R a(s) y,   dx/dy = R (a I + b y y'),   grad log det = q y
//   tanh:   h* = log cosh s        a = tanh(s)/s    b = a (k - a)        q = 2a + (d-1)(a - k)
//           log det = 2 log cosh s - (d-1) log a - d log R,     k = (1 - a) / (a s^2)
//   paper:  h* = s - log(1 + s)    a = 1/(1 + s)    b = -a^2 / s         q = (d+1) a / s
//           log det = (d+1) log(1 + s) - d log R                          (paper, appendix B.2)
//   The tanh form is smooth and has exponential tails in y; the paper's has a kink at y = 0 (there
//   we take q y = 0) and polynomial tails. docs/explanation/maps.md compares them.
// Laws: those of MirrorMap; equivariant under rotations about c.
// Numerics: k is Lambert's continued fraction below s = 1, so nothing cancels at any s; s beyond
//   1e154, whose square overflows, is computed by scaling (up to s = 1.7e308). Given out strictly
//   inside: the radius stops at R (1 - margin), margin = (d + 8 + 4 |c|/R) 2^-52, the rounding of x
//   and of contains.
// Cost: two passes over the coordinates for to_primal, three for pull_back; the functions of s are
//   per lane.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "tain/maps/mirror_map.hpp"
#include "tain/maps/set.hpp"

namespace tain {

class BallMap {
 public:
  /// Throws Error (config) unless centre and radius are finite, radius > 0, and the radius is large
  /// enough against the centre for doubles to tell points of the ball apart.
  BallMap(std::vector<double> centre, double radius, BallForm form = BallForm::tanh);

  std::string name() const;
  std::size_t primal_dim() const { return centre_.size(); }
  std::size_t dual_dim() const { return centre_.size(); }
  double radius() const { return radius_; }
  BallForm form() const { return form_; }

  void to_primal(ConstBlock y, Block x, Workspace& ws) const;
  void to_dual(ConstBlock x, Block y, Workspace& ws) const;
  void pull_back(ConstBlock y, ConstBlock x, ConstBlock gx, Block gy, Workspace& ws) const;
  void add_log_det(ConstBlock y, ConstBlock x, std::span<double> value, Block gy,
                   Workspace& ws) const;
  bool contains(std::span<const double> x) const;
  void centre(std::span<double> x) const;
  Projection projection() const;  ///< c + (x - c) min(1, R / |x - c|)
  Projection hull_projection() const;
  Outline outline() const;

 private:
  // a, b and k of the definition, per lane, from s.
  struct Profile {
    std::span<double> s, a, b, k;
  };
  Profile profile(ConstBlock y, Workspace& ws) const;

  std::vector<double> centre_;
  double radius_;
  BallForm form_;
  double margin_;
  bool at_origin_;
};

static_assert(MirrorMap<BallMap>);

}  // namespace tain
