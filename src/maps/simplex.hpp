// Entropic mirror map on the probability simplex (paper 3.4, Lemma 1).
//
// Definition: x_i > 0, sum x = 1, n categories, h(x) = sum_i x_i log x_i. Two choices of dual
//   coordinates, the same law, another metric:
//     reference k:  y_j = log(x_j / x_k), j != k (n - 1 coordinates; the paper takes k = n);
//                   x = softmax(y with 0 inserted at k).
//     symmetric:    y = the first n - 1 coordinates of Q log x, where the reflection
//                   Q = I - 2 v v'/|v|^2, v = e_n - 1/sqrt(n), takes e_n to the constant direction:
//                   an isometry of R^(n-1) onto the zero-sum logits. With s = sum_j y_j, these are
//                   y_j - s / (sqrt(n) (sqrt(n) - 1)), j < n, and s / sqrt(n); softmax does not see
//                   a common shift, so x = softmax(y_1, ..., y_(n-1), s / (sqrt(n) - 1)).
//   Either way the logits are y with one more row, w s: w = 0 (reference), 1/(sqrt(n) - 1).
//   log det hess h = - sum_i log x_i  (reference), plus the constant -log(n)/2 (symmetric).
//   Either may be stretched, for laws that are sparse, with many categories near 0: logits
//   u_i = phi_i(y_i) with slope 1 right of a knee c_i and s_i >= 1 left of it,
//     phi(y)  = y - (s - 1)/k softplus(k (c - y)),   k = 2 the sharpness of all knees
//     phi'(y) = 1 + (s - 1) q,  q = 1 / (1 + e^(k (y - c)));   phi'' = -k (s - 1) q (1 - q)
//   where y is, in free coordinates z,
//     symmetric:    the zero-sum vector of z, y_j = z_j - S / (sqrt(n) (sqrt(n) - 1)), j < n,
//                   y_n = S / sqrt(n), S = sum z. An isometry B'; y fixes the common shift of u.
//     reference k:  u_k = 0, the other y_i are the coordinates.
//   log det = - sum log x_i - sum log phi'_i                                        (reference)
//             - log(mean of 1/phi'_i) - log(n)/2 besides                            (symmetric)
//   for det [D B, 1] = det D sum(1/phi') / sqrt(n), D = diag phi', B' the isometry.
//   Why: a Dirichlet category of weight a < 1 has density e^(a u) to the left in its logit, of
//   width 1/a, but a wall e^-(e^u) to the right: no one scale fits both. With s = k/a the left tail
//   is e^(k y). Measured: docs/explanation/maps.md.
// Laws: those of MirrorMap, but the 4th where it is stretched: then it is a smooth change of the
//   dual coordinates, not the gradient of one convex function. A gradient given in logits u goes to
//   y by logit_pull_back, stretched by from_logits.
// Numerics: logits are shifted by their maximum; log x_i = u_i - log-sum-exp(u) is exact where x_i
//   underflows. x is floored at 1e-290 so that 1/x and log x stay finite; values of log x must come
//   from log_primal, never from x. NaN gives NaN. Stretched: finite for |z| up to 1e6 with slopes
//   up to 1e290; to_dual solves sum_i phi_i^-1(log x_i + t) = 0 for the shift t: increasing and
//   convex, so Newton converges from anywhere; it ends at rounding.
// Cost: n exp per lane for to_primal, stretched 2 n exp and n log. Any n from 2 to 1e6 and beyond.
//   Stretched to_dual: some 20 exp and log per category, one lane after the other: for starts.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "maps/stretch.hpp"
#include "tain/maps/mirror_map.hpp"

namespace tain {

class SimplexMap {
 public:
  /// k. At 1 a leapfrog may overshoot up the wall e^u and be lost; at 2 and 3 none was in 10^5.
  static constexpr double sharpness = 2;

  /// Symmetric coordinates.
  static SimplexMap symmetric(std::size_t categories);
  /// Category `reference` (0-based) as reference.
  static SimplexMap with_reference(std::size_t categories, std::size_t reference);
  /// One slope and one knee per category (those of the reference are not used). Throws Error
  /// (config) for fewer than 2 categories, slopes outside [1, 1e290], knees that are not finite, or
  /// a reference that does not exist.
  static SimplexMap stretched(std::vector<double> slopes, std::vector<double> knees,
                              std::optional<std::size_t> reference = std::nullopt);
  /// Stretched for a law like Dirichlet(weights): slopes k/a_i where a_i < k, knees so that the
  /// categories that share the mass stand right of them. Weights finite and positive.
  static SimplexMap for_weights(std::span<const double> weights,
                                std::optional<std::size_t> reference = std::nullopt);

  std::string name() const;
  std::size_t primal_dim() const { return categories_; }
  std::size_t dual_dim() const { return categories_ - 1; }
  std::optional<std::size_t> reference() const { return reference_; }
  bool is_stretched() const { return !slopes_.empty(); }
  std::span<const double> slopes() const { return slopes_; }
  std::span<const double> knees() const { return knees_; }

  void to_primal(ConstBlock y, Block x, Workspace& ws) const;
  void to_dual(ConstBlock x, Block y, Workspace& ws) const;
  void pull_back(ConstBlock y, ConstBlock x, ConstBlock gx, Block gy, Workspace& ws) const;
  void add_log_det(ConstBlock y, ConstBlock x, std::span<double> value, Block gy,
                   Workspace& ws) const;
  bool contains(std::span<const double> x) const;  ///< x_i > 0 and |sum x - 1| <= 1e-9
  /// Equal shares; stretched: categories spread over both sides of their knees.
  void centre(std::span<double> x) const;
  /// log x_i = u_i - log-sum-exp(u), n rows.
  void log_primal(ConstBlock y, Block log_x, Workspace& ws) const;
  /// max(x_i - tau, 0), tau such that the sum is 1: with u sorted downwards and rho the largest k
  /// with u_k > (u_1 + ... + u_k - 1)/k, tau = (u_1 + ... + u_rho - 1)/rho; one lane after another.
  Projection projection() const;
  Projection hull_projection() const;
  Outline outline() const;

  // Not stretched.
  /// y -> logits u (n rows; any logits with softmax(u) = x; reference coordinates give u_k = 0).
  void logits(ConstBlock y, Block u) const;
  /// Gradient in the logits -> gradient in y (the transpose of `logits`).
  void logit_pull_back(ConstBlock gu, Block gy) const;

  // Stretched.
  /// Logits u (n rows) with their slopes phi'(y) and 1/phi'(y); the reference has u = 0, slope 1.
  /// Blocks taken from ws: valid as long as the caller's scope.
  lanes::Stretched stretched_logits(ConstBlock z, Workspace& ws) const;
  /// A function of the logits with gradient gu becomes one of z with the stretch's own log det:
  /// value += - sum log phi' - log mean 1/phi' (the mean in symmetric coordinates only), gz = its
  /// gradient. Overwrites gu, which may be the block of logits.
  void from_logits(const lanes::Stretched& stretched, Block gu, std::span<double> value, Block gz,
                   Workspace& ws) const;

 private:
  SimplexMap(std::size_t categories, std::optional<std::size_t> reference);
  void stretched_to_dual(ConstBlock x, Block z, Workspace& ws) const;
  void stretched_pull_back(ConstBlock z, ConstBlock x, ConstBlock gx, Block gz,
                           Workspace& ws) const;
  void stretched_log_det(ConstBlock z, ConstBlock x, std::span<double> value, Block gz,
                         Workspace& ws) const;
  void stretched_centre(std::span<double> x) const;
  void spread_transposed(ConstBlock gy, Block gz, Workspace& ws) const;  // gradient in y to z
  void invert_logits(std::span<const double> log_x, std::span<double> y) const;
  void add_log_slopes(const lanes::Stretched& stretched, std::span<double> value,
                      std::span<double> inverse_total, Workspace& ws) const;

  std::size_t categories_;
  std::optional<std::size_t> reference_;
  std::size_t added_;                   // row of the logits that is not a row of y
  double weight_;                       // and its value as a multiple of sum y
  double root_;                         // sqrt(n)
  std::vector<double> slopes_, knees_;  // empty: not stretched
};

static_assert(MirrorMap<SimplexMap>);

}  // namespace tain
