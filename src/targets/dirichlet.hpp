// Dirichlet posterior: categorical counts n_l under a Dirichlet(alpha) prior (paper 3.5 to 3.7).
//
// Definition: with a_l = n_l + alpha_l, A = sum_l a_l = N + Gamma, on the simplex
//     V(x) = -sum_l (a_l - 1) log x_l
//   and under the entropic map, in logits u (any u with x = softmax(u)),
//     W    = -sum_l a_l log x_l = A lse(u) - sum_l a_l u_l,     dW/du_l = A x_l - a_l     (3.7)
//   convex whatever n and alpha are. The closed dual gives W - W(mode), mode x = m = a / A; under
//   a stretched one the stretch's own log det is added.
// Laws: those of Potential; the gradient of the closed dual is that of the generic one.
// Lipschitz constant: v' hess W v = A Var_x(v), the variance of v_L for a category L drawn from x,
//   and Var <= (max v - min v)^2 / 4 <= |v|^2 / 2 (Popoviciu). So L = A / 2, half of the paper's
//   N + Gamma; for two categories and one of them as reference, range v = |v| and L = A / 4. The
//   symmetric coordinates are an isometry of the zero-sum logits, so the same bound holds there.
// Numerics: with t_l = log(x_l / m_l), W - W(mode) = sum_l a_l (e^t_l - 1 - t_l): no term is
//   negative, and an error common to all t_l (that of lse) has no effect to first order. Rounding
//   of e^t leaves an absolute error of about 5e-16 a_l per term: categories of least weight, up to
//   1e8 in sum, so contribute 5e-8 at most; for the others, terms with small t are summed from
//   their Taylor series and the error is that of t alone, about 1e-15 |dW/du|, 1e-9 near the mode
//   at A = 1e10. Finite for every finite y below 1e300 / A.
// Terms (paper, appendix G): N = sum n_l observations, V_i = -log x_c(i) - sum_l (alpha_l - 1)/N
//   log x_l, term i in the category c(i) that the running sums of the counts say. A batch of b
//   terms with m_l of them in category l has the gradient -(N m_l/b + alpha_l) + A x_l in the
//   logits (4.4). Counts that are not whole, or 2^53 and more in sum, have no terms.
// Cost: closed dual n exp and 2 passes over n rows (stretched: 2 n exp, n log and 4 passes); V n
//   log and 2 passes. Batches: log2 n comparisons per term, 2 passes besides the exponentials.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tain/targets/potential.hpp"

namespace tain {

class DirichletPosterior {
 public:
  static constexpr bool unimodal = true;
  /// Throws Error (config) unless both have the same size of 2 or more, counts are finite and not
  /// negative, and alpha is finite and positive.
  DirichletPosterior(std::vector<double> counts, std::vector<double> alpha);

  std::string name() const;
  std::size_t dim() const { return weights_.size(); }
  /// n_l
  std::span<const double> counts() const { return counts_; }
  /// alpha_l
  std::span<const double> alpha() const { return alpha_; }
  /// a_l = n_l + alpha_l
  std::span<const double> weights() const { return weights_; }
  /// A = N + Gamma
  double total() const { return total_; }

  void evaluate(ConstBlock x, std::span<double> value, Block grad, Workspace& ws) const;
  /// N; 0 where the counts are no whole numbers of observations.
  std::uint64_t terms() const { return ends_.empty() ? 0 : ends_.back(); }
  void batch_gradient(ConstBlock x, const Batches& batches, Block grad, Workspace& ws) const;
  /// m[l] = terms of the batch that are observations of category l; m has dim() elements.
  void count_categories(std::span<const std::uint64_t> batch, std::span<double> m) const;
  /// The same for every lane: m(l, lane), dim() rows.
  void count_categories(const Batches& batches, Block m) const;
  /// Known under Simplex in any coordinates.
  std::optional<AnyPotential> closed_dual(const AnyMap& map) const;
  /// Everything under Simplex (start: the mean); primal moments where it is stretched; nothing
  /// under other maps.
  TargetFacts facts(const AnyMap& map) const;

 private:
  std::size_t category(std::uint64_t term) const;

  std::vector<double> counts_, alpha_, weights_;
  double total_ = 0;
  std::vector<std::uint64_t> ends_;  // running sums of the counts; empty: no terms
};

static_assert(Decomposable<DirichletPosterior> && DualAware<DirichletPosterior> &&
              Informed<DirichletPosterior>);

}  // namespace tain
