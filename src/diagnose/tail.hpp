// How heavy a tail is: the shape k of a generalised Pareto law fitted to its exceedances.
//
// Definition: exceedances over the threshold beyond which tail_length(S) of S values lie; k by the
//   profile posterior mean of Zhang and Stephens 2009, drawn towards 1/2 as ten values of that
//   shape would (Vehtari, Simpson, Gelman, Yao and Gabry 2024, as R's posterior has it). Moments of
//   an order beyond 1/k do not exist: k >= 1/2 no variance, k >= 1 no mean.
// Laws: a positive factor changes nothing but roundings; k of a law that ends is below 0 but for
//   its pull towards 1/2.
// Numerics: NaN where ties leave no tail to speak of. Error of k about (1 + k) / sqrt(length).
// Cost: O(length^(3/2)), one logarithm for several values.
#pragma once

#include <cstddef>
#include <span>

namespace tain::diagnostics {

inline constexpr std::size_t fewest_in_tail = 5;

/// 3 sqrt(count), at most a fifth of all.
std::size_t tail_length(std::size_t count);

/// Ascending, none negative.
double generalised_pareto_k(std::span<const double> exceedances);

/// Beyond it, the mean of so many values has no error that could be told: min(1 - 1/log10 S, 0.7).
double pareto_k_gate(std::size_t count);

}  // namespace tain::diagnostics
