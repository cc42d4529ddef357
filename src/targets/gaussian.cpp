#include "targets/gaussian.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

#include "maps/box.hpp"
#include "tain/core/error.hpp"
#include "targets/truncated_normal.hpp"
#include "targets/whole_space.hpp"

namespace tain {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Index = Eigen::Index;

constexpr std::string_view where = "target gaussian";

void check_mean(std::span<const double> mean) {
  if (mean.empty()) {
    fail(Fault::config, where, "dimension 0", "give a mean with 1 or more numbers");
  }
  for (std::size_t i = 0; i < mean.size(); ++i) {
    if (!std::isfinite(mean[i])) {
      fail(Fault::config, Field{"mean"}, fmt::format("number {} is {}", i + 1, mean[i]),
           "means must be finite");
    }
  }
}

/// The numbers as a symmetric matrix; what is "covariance" or "precision" in messages.
Matrix symmetric_matrix(std::span<const double> mean, std::span<const double> numbers,
                        std::string_view what) {
  check_mean(mean);
  const auto d = static_cast<Index>(mean.size());
  if (numbers.size() != mean.size() * mean.size()) {
    fail(Fault::config, where,
         fmt::format("{} has {} numbers but the mean has {}", what, numbers.size(), mean.size()),
         fmt::format("give {} x {} numbers", d, d));
  }
  const Matrix m = Eigen::Map<const Matrix>(numbers.data(), d, d);
  for (Index i = 0; i < d; ++i) {
    for (Index j = 0; j < d; ++j) {
      if (!std::isfinite(m(i, j))) {
        fail(Fault::config, Field{std::string(what)},
             fmt::format("({}, {}) is {}", i + 1, j + 1, m(i, j)), "numbers must be finite");
      }
    }
    if (m(i, i) <= 0) {
      fail(Fault::config, Field{std::string(what)},
           fmt::format("is not positive definite: ({}, {}) is {}", i + 1, i + 1, m(i, i)),
           "the diagonal must be positive");
    }
  }
  for (Index i = 0; i < d; ++i) {
    for (Index j = 0; j < i; ++j) {
      if (std::abs(m(i, j) - m(j, i)) > 1e-8 * std::sqrt(m(i, i) * m(j, j))) {
        fail(Fault::config, Field{std::string(what)},
             fmt::format("is not symmetric: ({}, {}) is {}, ({}, {}) is {}", i + 1, j + 1, m(i, j),
                         j + 1, i + 1, m(j, i)),
             "give a symmetric matrix");
      }
    }
  }
  return 0.5 * (m + m.transpose());
}

/// An inverse, the condition number of the matrix scaled to unit diagonal, and the scales.
struct Inverse {
  Matrix matrix;
  double condition = 1;
};

/// Inverse through Cholesky of D^-1/2 M D^-1/2, D the diagonal: units of the coordinates do not
/// matter.
Inverse invert(const Matrix& m, std::string_view what) {
  const Eigen::VectorXd scale = m.diagonal().cwiseSqrt();
  const Matrix scaled = scale.cwiseInverse().asDiagonal() * m * scale.cwiseInverse().asDiagonal();
  const Eigen::LLT<Matrix> llt(scaled);
  const double rcond = llt.info() == Eigen::Success ? llt.rcond() : 0.0;
  if (!(rcond > std::numeric_limits<double>::epsilon())) {
    fail(Fault::config, Field{std::string(what)}, "is not positive definite",
         "all its eigenvalues must be positive");
  }
  Matrix inverse = llt.solve(Matrix::Identity(m.rows(), m.cols()));
  inverse = 0.5 * (inverse + inverse.transpose()).eval();
  return {scale.cwiseInverse().asDiagonal() * inverse * scale.cwiseInverse().asDiagonal(),
          1 / rcond};
}

/// Sets to zero what is noise of the inversion (see Numerics in the header).
void drop_noise(Inverse& p) {
  const double epsilon = std::numeric_limits<double>::epsilon();
  const double threshold = std::max(1e-13, 8 * epsilon * p.condition);
  const Eigen::VectorXd scale = p.matrix.diagonal().cwiseSqrt();
  for (Index i = 0; i < p.matrix.rows(); ++i) {
    for (Index j = 0; j < p.matrix.cols(); ++j) {
      if (i != j && std::abs(p.matrix(i, j)) < threshold * scale(i) * scale(j)) {
        p.matrix(i, j) = 0;
      }
    }
  }
}

std::vector<double> numbers_of(const Matrix& m) { return {m.data(), m.data() + m.size()}; }
std::vector<double> diagonal_of(const Matrix& m) {
  std::vector<double> diagonal(static_cast<std::size_t>(m.rows()));
  for (std::size_t i = 0; i < diagonal.size(); ++i) {
    diagonal[i] = m(static_cast<Index>(i), static_cast<Index>(i));
  }
  return diagonal;
}

}  // namespace

Gaussian Gaussian::diagonal(std::vector<double> mean, std::span<const double> sd) {
  check_mean(mean);
  if (sd.size() != mean.size()) {
    fail(Fault::config, where,
         fmt::format("{} standard deviations but {} means", sd.size(), mean.size()),
         "give one standard deviation per coordinate");
  }
  std::vector<double> precision, variance;
  for (std::size_t i = 0; i < sd.size(); ++i) {
    variance.push_back(sd[i] * sd[i]);
    precision.push_back(1 / variance[i]);
    if (!(sd[i] > 0) || !std::isnormal(variance[i]) || !std::isnormal(precision[i])) {
      fail(Fault::config, Field{"sd"}, fmt::format("number {} is {}", i + 1, sd[i]),
           "standard deviations must be positive and finite, and so must their squares");
    }
  }
  return {QuadraticForm::diagonal(std::move(mean), std::move(precision)), std::move(variance)};
}

Gaussian Gaussian::with_covariance(std::vector<double> mean, std::span<const double> covariance) {
  const Matrix c = symmetric_matrix(mean, covariance, "covariance");
  Inverse precision = invert(c, "covariance");
  drop_noise(precision);
  return {QuadraticForm::full(std::move(mean), numbers_of(precision.matrix)), diagonal_of(c)};
}

Gaussian Gaussian::with_precision(std::vector<double> mean, std::span<const double> precision) {
  const Matrix p = symmetric_matrix(mean, precision, "precision");
  const Inverse covariance = invert(p, "precision");
  return {QuadraticForm::full(std::move(mean), numbers_of(p)), diagonal_of(covariance.matrix)};
}

std::string Gaussian::name() const { return fmt::format("gaussian({})", dim()); }

TargetFacts Gaussian::facts(const AnyMap& map) const {
  TargetFacts facts;
  if (map.primal_dim() != dim()) {
    return facts;
  }
  const std::span<const double> mean = form_.centre();
  if (map.contains(mean)) {
    facts.start.assign(mean.begin(), mean.end());
  }
  if (is_whole_space(map)) {
    facts.mean.assign(mean.begin(), mean.end());
    facts.variance = variance_;
    facts.dual_mean = facts.mean;
    facts.dual_variance = facts.variance;
    facts.dual_lipschitz = form_.row_sum_norm();
  } else if (const BoxMap* box = map.as<BoxMap>(); box && form_.is_diagonal()) {
    for (std::size_t i = 0; i < dim(); ++i) {
      const Moments moments = truncated_normal_moments(mean[i], std::sqrt(variance_[i]),
                                                       box->lower()[i], box->upper()[i]);
      facts.mean.push_back(moments.mean);
      facts.variance.push_back(moments.variance);
    }
  }
  return facts;
}

}  // namespace tain
