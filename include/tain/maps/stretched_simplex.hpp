// Entropic map of the simplex in stretched logits, for laws that are sparse: many categories near
// 0.
//
// Definition: x = softmax(u), u_i = phi_i(y_i) with slope 1 right of a knee c_i and s_i >= 1 left:
//     phi(y)  = y - (s - 1)/k softplus(k (c - y)),   k = 2 the sharpness of all knees
//     phi'(y) = 1 + (s - 1) q,  q = 1 / (1 + e^(k (y - c)));   phi'' = -k (s - 1) q (1 - q)
//   Two choices of free coordinates z, as for Simplex (all s_i = 1 gives its maps):
//     symmetric:    y = the zero-sum vector of z, y_j = z_j - S / (sqrt(n) (sqrt(n) - 1)), j < n,
//                   y_n = S / sqrt(n), S = sum z. An isometry B'; y fixes the common shift of u.
//     reference k:  u_k = 0, the other y_i are the coordinates.
//   log det = - sum log x_i - sum log phi'_i                                        (reference)
//             - log(mean of 1/phi'_i) - log(n)/2 besides                            (symmetric)
//   for det [D B, 1] = det D sum(1/phi') / sqrt(n), D = diag phi', B' the isometry.
//   Why: a Dirichlet category of weight a < 1 has density e^(a u) to the left in its logit, of
//   width 1/a, but a wall e^-(e^u) to the right: no one scale fits both. With s = k/a the left tail
//   is e^(k y). Measured: docs/explanation/maps.md.
// Laws: those of MirrorMap but the 4th: a smooth change of the dual coordinates, not the gradient
//   of one convex function unless all s_i = 1.
// Numerics: finite for |z| up to 1e6 with slopes up to 1e290. x is floored at 1e-290 as in Simplex;
//   values of log x must come from log_primal. to_dual solves sum_i phi_i^-1(log x_i + t) = 0 for
//   the shift t: increasing and convex, so Newton converges from anywhere; it ends at rounding.
// Cost: 2 exp and 1 log per category and lane for to_primal. to_dual some 20 exp and log per
//   category, one lane after the other: for starting points.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tain/core/lanes.hpp"
#include "tain/maps/mirror_map.hpp"

namespace tain {

class StretchedSimplex {
 public:
  /// k. At 1 a leapfrog may overshoot up the wall e^u and be lost; at 2 and 3 none was in 10^5.
  static constexpr double sharpness = 2;

  /// One slope and one knee per category (those of the reference are not used). Throws Error
  /// (config) for fewer than 2 categories, slopes outside [1, 1e290], knees that are not finite, or
  /// a reference that does not exist.
  StretchedSimplex(std::vector<double> slopes, std::vector<double> knees,
                   std::optional<std::size_t> reference = std::nullopt);
  /// For a law like Dirichlet(weights): slopes k/a_i where a_i < k, knees so that the categories
  /// that share the mass stand right of them. Weights finite and positive.
  static StretchedSimplex for_weights(std::span<const double> weights,
                                      std::optional<std::size_t> reference = std::nullopt);

  std::string name() const;
  std::size_t primal_dim() const { return slopes_.size(); }
  std::size_t dual_dim() const { return slopes_.size() - 1; }
  std::optional<std::size_t> reference() const { return reference_; }
  std::span<const double> slopes() const { return slopes_; }
  std::span<const double> knees() const { return knees_; }

  void to_primal(ConstBlock z, Block x, Workspace& ws) const;
  void to_dual(ConstBlock x, Block z, Workspace& ws) const;
  void pull_back(ConstBlock z, ConstBlock x, ConstBlock gx, Block gz, Workspace& ws) const;
  void add_log_det(ConstBlock z, ConstBlock x, std::span<double> value, Block gz,
                   Workspace& ws) const;
  bool contains(std::span<const double> x) const;  ///< x_i > 0 and |sum x - 1| <= 1e-9
  void centre(std::span<double> x) const;  ///< categories spread over both sides of their knees

  /// Logits u (n rows) with their slopes phi'(y) and 1/phi'(y); the reference has u = 0, slope 1.
  /// Blocks taken from ws: valid as long as the caller's scope.
  lanes::Stretched logits(ConstBlock z, Workspace& ws) const;
  /// A function of the logits with gradient gu becomes one of z with the stretch's own log det:
  /// value += - sum log phi' - log mean 1/phi' (the mean in symmetric coordinates only), gz = its
  /// gradient. Overwrites gu, which may be the block of logits.
  void from_logits(const lanes::Stretched& stretched, Block gu, std::span<double> value, Block gz,
                   Workspace& ws) const;
  /// log x_i = u_i - log-sum-exp(u), n rows.
  void log_primal(ConstBlock z, Block log_x, Workspace& ws) const;

 private:
  void spread_transposed(ConstBlock gy, Block gz, Workspace& ws) const;  // gradient in y to z
  void invert_logits(std::span<const double> log_x, std::span<double> y) const;
  void add_log_slopes(const lanes::Stretched& stretched, std::span<double> value,
                      std::span<double> inverse_total, Workspace& ws) const;

  std::vector<double> slopes_, knees_;
  std::optional<std::size_t> reference_;
  double root_;  // sqrt(n)
};

static_assert(MirrorMap<StretchedSimplex>);

}  // namespace tain
