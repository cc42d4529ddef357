// The two leading eigenvectors of a symmetric matrix.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "core/parallel.hpp"

namespace tain {

struct LeadingAxis {
  double value = 0;            ///< eigenvalue
  std::vector<double> vector;  ///< of length 1; zeros if there are fewer eigenvectors than axes
};

/// Of an n x n matrix that is symmetric and has no negative eigenvalues, largest first; the entry
/// of largest size is positive. Bits do not depend on threads.
std::array<LeadingAxis, 2> leading_axes(std::span<const double> matrix, std::size_t n,
                                        Threads& threads);

}  // namespace tain
