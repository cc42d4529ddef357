// Quadratic form about a point: what Gaussian targets and linear regression have in common.
//
// Definition: V(x) = 1/2 (x - m)' P (x - m), grad V = P (x - m), P symmetric.
// Laws: those of Potential; nothing is allocated.
// Cost: one multiply by P (only its row ranges: diagonal, banded and dense P each at its own cost)
//   and 2 passes. A diagonal P is one pass and stores no matrix.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/lanes.hpp"
#include "tain/targets/potential.hpp"

namespace tain {

class QuadraticForm {
 public:
  /// P = diag(diagonal).
  static QuadraticForm diagonal(std::vector<double> centre, std::vector<double> diagonal);
  /// P row-major, dim x dim; rows keep the range of columns from their first to their last non-zero
  /// entry.
  static QuadraticForm full(std::vector<double> centre, std::vector<double> matrix);

  std::size_t dim() const { return centre_.size(); }
  std::span<const double> centre() const { return centre_; }
  bool is_diagonal() const { return values_.size() == centre_.size(); }
  double entry(std::size_t i, std::size_t j) const;
  /// Entries a multiply touches.
  std::size_t stored_entries() const;
  /// Largest sum of |P_ij| over a row: bounds the largest eigenvalue, so the Lipschitz constant.
  double row_sum_norm() const;

  void evaluate(ConstBlock x, std::span<double> value, Block grad, Workspace& ws) const;

 private:
  QuadraticForm(std::vector<double> centre, std::vector<double> values)
      : centre_(std::move(centre)), values_(std::move(values)) {}
  std::vector<double> centre_;
  std::vector<double> values_;               // dim (diagonal) or dim x dim
  std::vector<std::uint32_t> first_, last_;  // per row; empty if diagonal
};

}  // namespace tain
