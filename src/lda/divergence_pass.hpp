// Sums of x log x, which divergences between topics are made of.
#pragma once

#include <cstddef>

namespace tain {

/// sum_i m_i log m_i with m = (p + q) / 2 and 0 log 0 = 0. `p` and `q` are aligned to 64 bytes,
/// `length` is a multiple of 16. Eight running sums whatever the instruction set, added up in
/// order; with q = p the same bits as for p alone.
double mixture_log_sum(const float* p, const float* q, std::size_t length);

}  // namespace tain
