#include "lda/explore/leading_axes.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace tain {
namespace {

using Vector = Eigen::VectorXd;

/// Of the residual, relative to the largest eigenvalue.
constexpr double tolerance = 1e-10;
constexpr std::size_t steps_between_looks = 10;

/// A direction that no one would think of: fractional parts of multiples of the golden section.
Vector direction(std::size_t n, std::size_t number) {
  Vector v(static_cast<Eigen::Index>(n));
  for (std::size_t i = 0; i < n; ++i) {
    const double x = static_cast<double>(i + 1) * std::numbers::phi * static_cast<double>(number);
    v[static_cast<Eigen::Index>(i)] = x - std::floor(x) - 0.5;
  }
  return v;
}

/// The Lanczos process: an orthonormal basis in which the matrix is tridiagonal.
class Lanczos {
 public:
  Lanczos(std::span<const double> matrix, std::size_t n, Threads& threads)
      : matrix_(matrix), n_(n), threads_(threads) {
    begin(1);
  }

  /// One vector more; false once the basis is that of the whole space.
  bool extend() {
    const Vector& last = basis_.back();
    Vector next = times(last);
    diagonal_.push_back(last.dot(next));
    scale_ = std::max(scale_, std::abs(diagonal_.back()));
    orthogonalise(next);
    if (basis_.size() == n_) {
      return false;
    }
    const double norm = next.norm();
    if (norm > 1e-14 * static_cast<double>(n_) * scale_) {
      off_diagonal_.push_back(norm);
      basis_.push_back(next / norm);
      return true;
    }
    // The basis is closed under the matrix: eigenvectors outside it need another start.
    off_diagonal_.push_back(0);
    begin(basis_.size() + 1);
    return true;
  }

  /// Eigenvalues within the basis, ascending, with their vectors in its coordinates.
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> within() const {
    const auto m = static_cast<Eigen::Index>(diagonal_.size());
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(m);
    solver.computeFromTridiagonal(Eigen::Map<const Vector>(diagonal_.data(), m),
                                  Eigen::Map<const Vector>(off_diagonal_.data(), m - 1));
    return solver;
  }
  /// The entry by which the last vector leads out of the basis.
  double outward() const {
    return off_diagonal_.size() < diagonal_.size() ? 0 : off_diagonal_.back();
  }
  Vector in_full(const Vector& coordinates) const {
    Vector sum = Vector::Zero(static_cast<Eigen::Index>(n_));
    for (Eigen::Index i = 0; i < coordinates.size(); ++i) {
      sum += coordinates[i] * basis_[static_cast<std::size_t>(i)];
    }
    return sum;
  }
  std::size_t starts() const { return starts_; }

 private:
  void begin(std::size_t number) {
    Vector start = direction(n_, number);
    while (true) {
      const double before = start.norm();
      orthogonalise(start);
      if (start.norm() > 1e-8 * before) {
        break;
      }
      start = Vector::Unit(static_cast<Eigen::Index>(n_), static_cast<Eigen::Index>(starts_ % n_));
      ++starts_;
    }
    ++starts_;
    basis_.push_back(start.normalized());
  }
  /// Twice is enough (Parlett 1980, 6-9).
  void orthogonalise(Vector& v) const {
    for (int time = 0; time < 2; ++time) {
      for (const Vector& other : basis_) {
        v -= other.dot(v) * other;
      }
    }
  }
  Vector times(const Vector& v) const {
    Vector product(static_cast<Eigen::Index>(n_));
    constexpr std::size_t together = 64;
    threads_.for_each((n_ + together - 1) / together, [&](std::size_t task) {
      const std::size_t end = std::min(n_, (task + 1) * together);
      for (std::size_t row = task * together; row < end; ++row) {
        product[static_cast<Eigen::Index>(row)] =
            Eigen::Map<const Vector>(matrix_.data() + row * n_, static_cast<Eigen::Index>(n_))
                .dot(v);
      }
    });
    return product;
  }

  std::span<const double> matrix_;
  std::size_t n_;
  Threads& threads_;
  std::vector<Vector> basis_;
  std::vector<double> diagonal_, off_diagonal_;
  double scale_ = 0;
  std::size_t starts_ = 0;
};

std::vector<double> with_sign(const Vector& vector) {
  std::vector<double> entries(vector.data(), vector.data() + vector.size());
  const auto largest = std::ranges::max_element(
      entries, [](double a, double b) { return std::abs(a) < std::abs(b); });
  if (*largest < 0) {
    std::ranges::transform(entries, entries.begin(), std::negate<>());
  }
  return entries;
}

}  // namespace

std::array<LeadingAxis, 2> leading_axes(std::span<const double> matrix, std::size_t n,
                                        Threads& threads) {
  Lanczos process(matrix, n, threads);
  const auto count = static_cast<Eigen::Index>(std::min<std::size_t>(2, n));
  bool more = true;
  while (true) {
    for (std::size_t i = 0; i < steps_between_looks && more; ++i) {
      more = process.extend();
    }
    const auto found = process.within();
    const Eigen::Index size = found.eigenvalues().size();
    double residual = 0;
    for (Eigen::Index i = 1; i <= std::min(count, size); ++i) {
      residual = std::max(residual,
                          std::abs(process.outward() * found.eigenvectors()(size - 1, size - i)));
    }
    // Right after a restart there is no residual, and nothing of what the new start may meet: a
    // second vector of the largest eigenvalue. The first few starts find it.
    const bool just_begun = process.outward() == 0 && process.starts() < 4;
    if (more &&
        (just_begun || size < count || residual > tolerance * found.eigenvalues()[size - 1])) {
      continue;
    }
    std::array<LeadingAxis, 2> axes;
    for (Eigen::Index i = 0; i < 2; ++i) {
      LeadingAxis& axis = axes[static_cast<std::size_t>(i)];
      axis.vector.assign(n, 0.0);
      if (i < size) {
        const double value = found.eigenvalues()[size - 1 - i];
        // What is left of a zero by rounding is no axis.
        const double noise = 1e-15 * static_cast<double>(n) * found.eigenvalues()[size - 1];
        axis.value = value > noise ? value : 0;
        axis.vector = with_sign(process.in_full(found.eigenvectors().col(size - 1 - i)));
      }
    }
    return axes;
  }
}

}  // namespace tain
