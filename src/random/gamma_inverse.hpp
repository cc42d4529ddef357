// The distribution function of Gamma(a, 1), a <= 1, turned round: a draw from one uniform.
//
// Definition: with L = -2 log u and t0 = (Gamma(1 + a) u)^(1/a) = e^(offset - slope L),
//     theta = t0 + t0^2 M(t0)     where L >= tail_below, that is theta <= 0.7
//     theta = v + T(z)            elsewhere: v = -log((1 - u) / Q(a, 0.7)),
//                                 z = tail_scale / (v + 7) + tail_shift in [-1, 1],
//   Q(a, x) = P(Gamma(a, 1) > x), and polynomials M and T that interpolate the inverse at
//   Chebyshev's points: t0(theta) is analytic up to where theta is large, and theta - v there bends
//   like log v.
// Numerics: sup over u of |F(theta(u)) - u| is below 2e-7 for every a, as evaluated in float: 1e-7
//   from the fits, the rest from rounding. Shapes below 1e-12 are fitted as 1e-12: all but 1e-10 of
//   such draws are below any float.
// Cost: some 20 microseconds, once per shape.
#pragma once

#include <array>

namespace tain {

struct GammaInverse {
  static constexpr double largest_shape = 1;
  static constexpr float tail_pole = 7;

  /// 0 <= shape <= largest_shape.
  explicit GammaInverse(double shape);

  float offset, slope, tail_below;
  std::array<float, 9> body;  ///< M, from the constant term up
  float log_tail;             ///< log Q(a, 0.7)
  float tail_scale, tail_shift;
  std::array<float, 13> tail;  ///< T, likewise
};

}  // namespace tain
