// What the theory promises for Langevin steps on the dual (paper, Theorem 4 and its proof in
// appendix F).
//
// Definition: 0 <= hess W <= L in d coordinates, gradients with variance sigma^2, start at distance
//   R_0 = W_2^2(y_0, exp(-W)), S = L d + sigma^2. For a constant step beta <= 1/L, an iterate
//   picked at random among T has
//     KL <= R_0 / (2 beta T) + beta S                      (Durmus et al. 2019, Corollary 18)
//   and what holds for KL and total variation in the dual holds for x = grad h*(y) (Theorem 2).
//     for an accuracy epsilon:  beta = min(epsilon / (2 S), 1/L),   T = ceil(R_0 / (beta epsilon))
//     for T steps:              beta = min(sqrt(R_0 / (2 T S)), 1/L)
//   The second minimises the bound, which is sqrt(2 R_0 S / T) where the root is the smaller and
//   R_0 L / (2 T) + S / L otherwise. The printed theorem has [2 T R_0 S]^(-1/2) in its place, which
//   is the same only if R_0 = 1: docs/explanation/deviations.md.
//   Pinsker: TV <= sqrt(KL / 2), and never above 1.
// These are upper bounds, loose by orders of magnitude in practice: docs/explanation/theory.md.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/batch.hpp"

namespace tain {

struct ProblemConstants {
  double lipschitz = 1;          ///< L
  double dim = 1;                ///< d, of the dual
  double gradient_variance = 0;  ///< sigma^2; 0 for whole gradients
  double start_distance = 1;     ///< R_0
};

struct ErrorBound {
  double step_size = 0;
  double steps = 0;             ///< a whole number, maybe beyond any run
  double relative_entropy = 0;  ///< KL is at most this
  double total_variation = 0;   ///< and the total variation this
};

/// All numbers of `difficulty` and epsilon positive (gradient_variance may be 0).
ErrorBound bound_for_accuracy(const ProblemConstants& constants, double epsilon);
ErrorBound bound_for_steps(const ProblemConstants& constants, double steps);

/// sigma^2 of a batch from E |N grad W_i - grad W|^2 of one random term: over b, and times
/// (N - b)/(N - 1) without replacement; 0 for all terms.
double batch_variance(double term_variance, std::uint64_t terms, const Batching& batching);

/// R_0 of a start at one point: sum of the variances plus the squared distance to the mean.
double start_distance(std::span<const double> mean, std::span<const double> variance,
                      std::span<const double> start);

}  // namespace tain
