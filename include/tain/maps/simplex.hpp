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
// Laws: those of MirrorMap; gradient given in logits u goes to y by logit_pull_back.
// Numerics: logits are shifted by their maximum; log x_i = u_i - log-sum-exp(u) is exact where x_i
//   underflows. x is floored at 1e-290 so that 1/x and log x stay finite; values of log x must come
//   from log_primal, never from x. NaN gives NaN.
// Cost: n exp per lane for to_primal. Any n from 2 to 1e6 and beyond.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "tain/maps/mirror_map.hpp"

namespace tain {

class Simplex {
 public:
  /// Symmetric coordinates.
  static Simplex symmetric(std::size_t categories);
  /// Category `reference` (0-based) as reference.
  static Simplex with_reference(std::size_t categories, std::size_t reference);

  std::string name() const;
  std::size_t primal_dim() const { return categories_; }
  std::size_t dual_dim() const { return categories_ - 1; }
  std::optional<std::size_t> reference() const { return reference_; }

  void to_primal(ConstBlock y, Block x, Workspace& ws) const;
  void to_dual(ConstBlock x, Block y, Workspace& ws) const;
  void pull_back(ConstBlock y, ConstBlock x, ConstBlock gx, Block gy, Workspace& ws) const;
  void add_log_det(ConstBlock y, ConstBlock x, std::span<double> value, Block gy,
                   Workspace& ws) const;
  bool contains(std::span<const double> x) const;  ///< x_i > 0 and |sum x - 1| <= 1e-9
  void centre(std::span<double> x) const;

  /// y -> logits u (n rows; any logits with softmax(u) = x; reference coordinates give u_k = 0).
  void logits(ConstBlock y, Block u) const;
  /// Gradient in the logits -> gradient in y (the transpose of `logits`).
  void logit_pull_back(ConstBlock gu, Block gy) const;
  /// log x_i = u_i - log-sum-exp(u), n rows.
  void log_primal(ConstBlock y, Block log_x, Workspace& ws) const;

 private:
  Simplex(std::size_t categories, std::optional<std::size_t> reference);
  std::size_t categories_;
  std::optional<std::size_t> reference_;
  std::size_t added_;  // row of the logits that is not a row of y
  double weight_;      // and its value as a multiple of sum y
};

static_assert(MirrorMap<Simplex>);

}  // namespace tain
