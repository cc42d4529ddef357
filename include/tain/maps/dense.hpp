// Small dense positive definite systems, for maps whose Hessian has no structure.
//
// Laws: matrices are row-major, dim x dim; only the lower triangle of a factor is used.
// Cost: dim^3 / 3 for cholesky, dim^2 for the solves.
#pragma once

#include <cstddef>
#include <span>

namespace tain::dense {

/// Replaces a symmetric matrix by its Cholesky factor L. False if it is not positive definite to
/// rounding, or not finite.
[[nodiscard]] bool cholesky(std::span<double> matrix, std::size_t dim);
/// b <- (L L')^-1 b
void solve(std::span<const double> factor, std::size_t dim, std::span<double> b);
/// log det L L'
double log_det(std::span<const double> factor, std::size_t dim);

}  // namespace tain::dense
