// Sums of x log x, which divergences between topics are made of.
#pragma once

#include <cstddef>

namespace tain {

/// sum_i m_i log m_i with m = (p + q) / 2 and 0 log 0 = 0, for p and q that are distributions:
/// aligned to 64 bytes, `length` a multiple of 64. Logarithms are float; each 64 terms become 16
/// sums in float, which are added up in double: the result errs by less than 1e-6, as tested.
/// Same bits for AVX2 and AVX-512; with q = p the same as for p alone.
double mixture_log_sum(const float* p, const float* q, std::size_t length);

/// Of `length`.
inline constexpr std::size_t log_sum_granule = 64;

}  // namespace tain
