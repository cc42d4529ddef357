// Reference draws of a Gaussian restricted to a convex set, by a method that shares nothing with
// ours.
//
// Definition: from x, pick directions in turn; along direction u the Gaussian is one-dimensional
//   and the set is an interval, so the next point is an exact draw of a truncated normal (Gibbs
//   sampling on lines). Directions: coordinates (box, ball), differences of two coordinates
//   (simplex).
// Scalar, slow, simple. Precision matrices are given by rows with their non-zero columns.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "core/special.hpp"
#include "random/noise.hpp"

namespace tain::testing {

/// Standard normal restricted to [a, b], by inversion from the nearer tail.
inline double truncated_normal(double a, double b, double u) {
  if (a > 0) {
    return -truncated_normal(-b, -a, 1 - u);
  }
  const double low = normal_cdf(a), high = normal_cdf(b);
  const double p = low + u * (high - low);
  if (!(p > 0)) {  // both ends beyond 37 standard deviations: exponential from the upper end
    return std::clamp(b + std::log(u) / -b, a, b);
  }
  return std::clamp(normal_quantile(std::min(p, 1 - 1e-16)), a, b);
}

struct GaussianReference {
  std::vector<double> mean;
  /// Row i: (column, value) of the precision matrix.
  std::vector<std::vector<std::pair<std::size_t, double>>> precision;

  double force(std::size_t i, const std::vector<double>& x) const {  // (P (x - m))_i
    double sum = 0;
    for (const auto& [j, p] : precision[i]) {
      sum += p * (x[j] - mean[j]);
    }
    return sum;
  }
  double at(std::size_t i, std::size_t j) const {
    for (const auto& [k, p] : precision[i]) {
      if (k == j) {
        return p;
      }
    }
    return 0;
  }
};

/// One sweep over all coordinates of a box [low, high]^d.
inline void sweep_box(const GaussianReference& g, double low, double high, std::vector<double>& x,
                      Stream& stream) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double p = g.at(i, i), sd = 1 / std::sqrt(p), m = x[i] - g.force(i, x) / p;
    x[i] = m + sd * truncated_normal((low - m) / sd, (high - m) / sd, stream.uniform());
  }
}

/// One sweep over all coordinates of the unit ball.
inline void sweep_ball(const GaussianReference& g, std::vector<double>& x, Stream& stream) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    double rest = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      rest += j == i ? 0 : x[j] * x[j];
    }
    const double edge = std::sqrt(std::max(0.0, 1 - rest));
    const double p = g.at(i, i), sd = 1 / std::sqrt(p), m = x[i] - g.force(i, x) / p;
    x[i] = m + sd * truncated_normal((-edge - m) / sd, (edge - m) / sd, stream.uniform());
  }
}

/// x.size() exchanges of mass between two random coordinates of the simplex.
inline void sweep_simplex(const GaussianReference& g, std::vector<double>& x, Stream& stream) {
  const std::size_t n = x.size();
  for (std::size_t step = 0; step < n; ++step) {
    const auto i = static_cast<std::size_t>(stream.uniform() * double(n)) % n;
    const auto j = (i + 1 + static_cast<std::size_t>(stream.uniform() * double(n - 1))) % n;
    if (i == j) {
      continue;
    }
    // x_i + s, x_j - s: curvature u'Pu, slope u'P(x - m), s in [-x_i, x_j].
    const double p = g.at(i, i) + g.at(j, j) - 2 * g.at(i, j);
    const double sd = 1 / std::sqrt(p), m = -(g.force(i, x) - g.force(j, x)) / p;
    const double total = x[i] + x[j];
    const double s = m + sd * truncated_normal((-x[i] - m) / sd, (x[j] - m) / sd, stream.uniform());
    x[i] = std::clamp(x[i] + s, 0.0, total);
    x[j] = total - x[i];
  }
}

/// Independent chains; each gives the average of x and of x^2 over its last `kept` sweeps.
struct ChainAverages {
  std::vector<std::vector<double>> x, x_squared;  ///< [chain][coordinate]
};
inline ChainAverages run_reference(
    std::size_t chains, std::size_t warmup, std::size_t kept, const std::vector<double>& start,
    std::uint64_t seed, const std::function<void(std::vector<double>&, Stream&)>& sweep) {
  ChainAverages result;
  for (std::size_t c = 0; c < chains; ++c) {
    Stream stream(NoiseField(seed), Purpose::direct, 0, static_cast<std::uint32_t>(c));
    std::vector<double> x = start, sum(start.size()), squares(start.size());
    for (std::size_t k = 0; k < warmup + kept; ++k) {
      sweep(x, stream);
      for (std::size_t i = 0; k >= warmup && i < x.size(); ++i) {
        sum[i] += x[i] / double(kept);
        squares[i] += x[i] * x[i] / double(kept);
      }
    }
    result.x.push_back(std::move(sum));
    result.x_squared.push_back(std::move(squares));
  }
  return result;
}

/// Precision of the AR(1) covariance rho^|i-j|: tridiagonal in closed form.
inline GaussianReference ar1_reference(std::size_t d, double mean, double rho) {
  GaussianReference g{std::vector<double>(d, mean), {}};
  const double c = 1 / (1 - rho * rho);
  for (std::size_t i = 0; i < d; ++i) {
    std::vector<std::pair<std::size_t, double>> row;
    if (i > 0) {
      row.emplace_back(i - 1, -rho * c);
    }
    row.emplace_back(i, d == 1 ? 1.0 : (i == 0 || i + 1 == d) ? c : (1 + rho * rho) * c);
    if (i + 1 < d) {
      row.emplace_back(i + 1, -rho * c);
    }
    g.precision.push_back(std::move(row));
  }
  return g;
}

inline GaussianReference diagonal_reference(std::vector<double> mean,
                                            const std::vector<double>& sd) {
  GaussianReference g{std::move(mean), {}};
  for (std::size_t i = 0; i < sd.size(); ++i) {
    g.precision.push_back({{i, 1 / (sd[i] * sd[i])}});
  }
  return g;
}

}  // namespace tain::testing
