#include "tain/maps/dense.hpp"

#include <Eigen/Cholesky>
#include <cmath>

namespace tain::dense {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Map<const RowMajor> view(std::span<const double> matrix, std::size_t dim) {
  const auto d = static_cast<Eigen::Index>(dim);
  return {matrix.data(), d, d};
}

}  // namespace

bool cholesky(std::span<double> matrix, std::size_t dim) {
  const auto d = static_cast<Eigen::Index>(dim);
  Eigen::Map<RowMajor> a(matrix.data(), d, d);
  const Eigen::LLT<Eigen::Ref<RowMajor>> in_place(a);  // no copy: `a` holds the factor
  return in_place.info() == Eigen::Success && a.diagonal().allFinite();
}

void solve(std::span<const double> factor, std::size_t dim, std::span<double> b) {
  Eigen::Map<Eigen::VectorXd> x(b.data(), static_cast<Eigen::Index>(dim));
  const auto lower = view(factor, dim);
  lower.triangularView<Eigen::Lower>().solveInPlace(x);
  lower.transpose().triangularView<Eigen::Upper>().solveInPlace(x);
}

double log_det(std::span<const double> factor, std::size_t dim) {
  return 2 * view(factor, dim).diagonal().array().log().sum();
}

}  // namespace tain::dense
