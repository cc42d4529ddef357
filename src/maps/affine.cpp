#include "maps/affine.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "tain/core/error.hpp"

namespace tain {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

std::vector<double> entries(const RowMajor& matrix) {
  return {matrix.data(), matrix.data() + matrix.size()};
}

// A x for one point.
void multiply(const std::vector<double>& matrix, std::span<const double> x, std::span<double> out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      out[i] += matrix[i * x.size() + j] * x[j];
    }
  }
}

}  // namespace

AffineMap::Matrix::Matrix(std::vector<double> entries, std::size_t dim)
    : values(std::move(entries)) {
  for (std::size_t i = 0; i < dim; ++i) {
    std::size_t begin = 0, end = dim;
    while (end > 0 && values[i * dim + end - 1] == 0) {
      --end;
    }
    while (begin < end && values[i * dim + begin] == 0) {
      ++begin;
    }
    first.push_back(static_cast<std::uint32_t>(begin));
    last.push_back(static_cast<std::uint32_t>(end));
  }
}

AffineMap::AffineMap(AnyMap inner, std::vector<double> matrix, std::vector<double> shift)
    : inner_(std::move(inner)), shift_(std::move(shift)) {
  check_sizes(matrix.size());
  factorise(matrix);
  matrix_ = Matrix(std::move(matrix), primal_dim());
}

void AffineMap::check_sizes(std::size_t num_entries) const {
  const std::size_t d = inner_.primal_dim();
  if (inner_.dual_dim() != d) {
    fail(
        Fault::config, name(),
        fmt::format("the inner map has {} coordinates, but only {} are free", d, inner_.dual_dim()),
        "use a map whose coordinates are all free, e.g. a box");
  }
  if (num_entries != d * d || shift_.size() != d) {
    fail(Fault::config, Field{num_entries != d * d ? "matrix" : "shift"},
         fmt::format("{} matrix entries and {} shifts for {} coordinates", num_entries,
                     shift_.size(), d),
         fmt::format("give {} entries, row by row, and {} shifts", d * d, d));
  }
  for (std::size_t i = 0; i < d; ++i) {
    if (!std::isfinite(shift_[i])) {
      fail(Fault::config, Field{"shift"}, fmt::format("coordinate {} is {}", i + 1, shift_[i]),
           "give finite numbers");
    }
  }
}

void AffineMap::factorise(const std::vector<double>& matrix) {
  const auto d = static_cast<Eigen::Index>(primal_dim());
  const Eigen::Map<const RowMajor> a(matrix.data(), d, d);
  const double threshold = static_cast<double>(d) * std::numeric_limits<double>::epsilon();
  if (!a.allFinite()) {
    fail(Fault::config, Field{"matrix"}, "has an entry that is not finite", "give finite numbers");
  }
  const Eigen::PartialPivLU<RowMajor> lu(a);
  if (!(lu.rcond() >= threshold)) {
    fail(Fault::config, Field{"matrix"},
         fmt::format("is singular (reciprocal condition {:.1e})", lu.rcond()),
         "give one that can be inverted, or a map of lower dimension");
  }
  log_det_ = lu.matrixLU().diagonal().array().abs().log().sum();
  transposed_ = Matrix(entries(a.transpose()), primal_dim());
  inverse_ = Matrix(entries(lu.inverse()), primal_dim());
}

void AffineMap::to_primal(ConstBlock y, Block x, Workspace& ws) const {
  Workspace::Scope scope(ws);
  const Block inner_x = ws.block(primal_dim(), y.lanes());
  inner_.to_primal(y, inner_x, ws);
  lanes::multiply(matrix_.view(), inner_x, x);
  lanes::affine_rows({}, shift_, x);
}

void AffineMap::to_dual(ConstBlock x, Block y, Workspace& ws) const {
  Workspace::Scope scope(ws);
  const Block centred = ws.block(primal_dim(), x.lanes()),
              inner_x = ws.block(primal_dim(), x.lanes());
  for (std::size_t i = 0; i < primal_dim(); ++i) {
    lanes::affine(x.slice(i, 1).flat(), 1.0, -shift_[i], centred.slice(i, 1).flat());
  }
  lanes::multiply(inverse_.view(), centred, inner_x);
  inner_.to_dual(inner_x, y, ws);
}

void AffineMap::pull_back(ConstBlock y, ConstBlock, ConstBlock gx, Block gy, Workspace& ws) const {
  Workspace::Scope scope(ws);
  const Block inner_x = ws.block(primal_dim(), y.lanes()),
              inner_gx = ws.block(primal_dim(), y.lanes());
  inner_.to_primal(y, inner_x, ws);
  lanes::multiply(transposed_.view(), gx, inner_gx);
  inner_.pull_back(y, inner_x, inner_gx, gy, ws);
}

void AffineMap::add_log_det(ConstBlock y, ConstBlock, std::span<double> value, Block gy,
                            Workspace& ws) const {
  Workspace::Scope scope(ws);
  const Block inner_x = ws.block(primal_dim(), y.lanes());
  inner_.to_primal(y, inner_x, ws);
  inner_.add_log_det(y, inner_x, value, gy, ws);
  for (double& v : value) {
    v -= log_det_;
  }
}

bool AffineMap::contains(std::span<const double> x) const {
  if (x.size() != primal_dim()) {
    return false;
  }
  std::vector<double> centred(x.begin(), x.end()), inner_x(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    centred[i] -= shift_[i];
  }
  multiply(inverse_.values, centred, inner_x);
  return inner_.contains(inner_x);
}

void AffineMap::centre(std::span<double> x) const {
  std::vector<double> inner_x(x.size());
  inner_.centre(inner_x);
  multiply(matrix_.values, inner_x, x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] += shift_[i];
  }
}

}  // namespace tain
