// Legendre functions without a closed conjugate, for the tests of NewtonMap.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace tain::testing_maps {

/// Log barrier of the polytope a_i x < b_i: h(x) = - sum_i log(b_i - a_i x).
struct LogBarrier {
  std::size_t columns;
  std::vector<double> a;  // row-major
  std::vector<double> b;
  std::vector<double> middle;

  std::size_t dim() const { return columns; }
  double slack(std::size_t row, std::span<const double> x) const {
    double left = b[row];
    for (std::size_t j = 0; j < columns; ++j) {
      left -= a[row * columns + j] * x[j];
    }
    return left;
  }
  double value(std::span<const double> x) const {
    double sum = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
      const double left = slack(i, x);
      if (!(left > 0)) {
        return std::numeric_limits<double>::infinity();
      }
      sum -= std::log(left);
    }
    return sum;
  }
  void gradient(std::span<const double> x, std::span<double> g) const {
    std::fill(g.begin(), g.end(), 0.0);
    for (std::size_t i = 0; i < b.size(); ++i) {
      const double left = slack(i, x);
      for (std::size_t j = 0; j < columns; ++j) {
        g[j] += a[i * columns + j] / left;
      }
    }
  }
  void hessian(std::span<const double> x, std::span<double> matrix) const {
    std::fill(matrix.begin(), matrix.end(), 0.0);
    for (std::size_t i = 0; i < b.size(); ++i) {
      const double left = slack(i, x);
      for (std::size_t j = 0; j < columns; ++j) {
        for (std::size_t k = 0; k < columns; ++k) {
          matrix[j * columns + k] += a[i * columns + j] / left * (a[i * columns + k] / left);
        }
      }
    }
  }
  void centre(std::span<double> x) const { std::copy(middle.begin(), middle.end(), x.begin()); }
};

/// x > 0, y > 0, x + y < 1
inline LogBarrier triangle() { return {2, {-1, 0, 0, -1, 1, 1}, {0, 0, 1}, {1.0 / 3, 1.0 / 3}}; }

/// A cube of side 2 with one corner cut off, in `dim` dimensions, and a slanted wall.
inline LogBarrier cut_cube(std::size_t dim) {
  LogBarrier barrier{dim, {}, {}, std::vector<double>(dim, 0.0)};
  const auto wall = [&](const std::vector<double>& row, double bound) {
    barrier.a.insert(barrier.a.end(), row.begin(), row.end());
    barrier.b.push_back(bound);
  };
  for (std::size_t j = 0; j < dim; ++j) {
    std::vector<double> row(dim, 0.0);
    row[j] = 1;
    wall(row, 1);
    row[j] = -1;
    wall(row, 1);
  }
  wall(std::vector<double>(dim, 1.0), 0.75 * static_cast<double>(dim));
  std::vector<double> slanted(dim, -0.3);
  slanted[0] = 2;
  wall(slanted, 1.5);
  return barrier;
}

/// The entropy of the box [-1, 1]^d (paper, appendix B.1), as if its conjugate were not known.
struct BoxEntropy {
  std::size_t size;
  std::size_t dim() const { return size; }
  double value(std::span<const double> x) const {
    double sum = 0;
    for (const double v : x) {
      if (!(std::abs(v) < 1)) {
        return std::numeric_limits<double>::infinity();
      }
      sum += 0.5 * ((1 + v) * std::log1p(v) + (1 - v) * std::log1p(-v));
    }
    return sum;
  }
  void gradient(std::span<const double> x, std::span<double> g) const {
    for (std::size_t i = 0; i < size; ++i) {
      g[i] = std::atanh(x[i]);
    }
  }
  void hessian(std::span<const double> x, std::span<double> matrix) const {
    std::fill(matrix.begin(), matrix.end(), 0.0);
    for (std::size_t i = 0; i < size; ++i) {
      matrix[i * size + i] = 1 / ((1 - x[i]) * (1 + x[i]));
    }
  }
  void centre(std::span<double> x) const { std::fill(x.begin(), x.end(), 0.0); }
};

/// The same, and it knows the gradient of log det: d/dx -log(1 - x^2).
struct InformedBoxEntropy : BoxEntropy {
  void log_det_gradient(std::span<const double> x, std::span<double> g) const {
    for (std::size_t i = 0; i < size; ++i) {
      g[i] = 2 * x[i] / ((1 - x[i]) * (1 + x[i]));
    }
  }
};

}  // namespace tain::testing_maps
