// Statistical assertions with a stated false-alarm rate.
//
// Definition: an assertion computes a p-value from n independent draws of stream 0. Only if it is
//   below 1e-3, it computes a second one from 4 n draws of stream 1, and alarms if that is below
//   1e-5. Right code alarms with probability 1e-3 * 1e-5 = 1e-8; when all is well, only n draws
//   are paid for.
// Power: a wrong mean is seen with probability 0.998 when it is off by delta standard deviations
//   with delta >= (3.29 + 3.09) / sqrt(n): 4.5 % for n = 20,000, 1 % for n = 400,000. A wrong
//   distribution is seen when its distance sup |F - G| exceeds (1.95 + 1.6) / sqrt(n): 2.5 % for
//   n = 20,000.
// Draws: a function (stream, n) -> n INDEPENDENT draws; different streams must be independent (use
//   another seed, or other chains). Never a thinned chain. Draws that are not finite alarm.
// Saboteurs: every expect_X has a detects_X that says whether it would alarm: run it on code with
//   one deliberate mistake, and expect true.
// Numerics: p-values of means and correlations from the normal limit, good to a few per cent at
//   1e-5 for n >= 1,000 and finite sixth moments; Kolmogorov-Smirnov from the limit series with
//   Stephens' correction, good to a few per cent for n >= 20.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/special.hpp"

namespace tain::testing {

using Draws = std::function<std::vector<double>(std::uint64_t stream, std::size_t n)>;
using Counts = std::function<std::vector<std::size_t>(std::uint64_t stream, std::size_t n)>;
using Cdf = std::function<double(double)>;
/// (stream, n) -> p-value.
using PValue = std::function<double(std::uint64_t stream, std::size_t n)>;

inline constexpr std::size_t default_draws = 20'000;

/// Whether the two-stage test alarms.
inline bool alarms(const PValue& p_value, std::size_t n) {
  return p_value(0, n) < 1e-3 && p_value(1, 4 * n) < 1e-5;
}

// ---- p-values ----------------------------------------------------------------------------------

/// Two-sided, of a standard normal; 0 for NaN.
inline double p_of_normal(double z) { return std::isnan(z) ? 0.0 : 2.0 * normal_cdf(-std::abs(z)); }

/// P(sqrt(n) D > t) = 2 sum_k (-1)^(k-1) exp(-2 k^2 t^2), with t corrected for finite n
/// (Stephens 1970).
inline double p_of_kolmogorov(double distance, double n) {
  if (std::isnan(distance)) {
    return 0.0;
  }
  const double root = std::sqrt(n);
  const double t = (root + 0.12 + 0.11 / root) * distance;
  if (t < 0.3) {
    return 1.0;  // P > 0.99999, and the series converges slowly
  }
  double sum = 0.0;
  for (int k = 1; k <= 20; ++k) {
    sum += (k % 2 == 1 ? 2.0 : -2.0) * std::exp(-2.0 * k * k * t * t);
  }
  return std::clamp(sum, 0.0, 1.0);
}

inline double mean_of(std::span<const double> x) {
  double sum = 0.0;
  for (const double v : x) {
    sum += v;
  }
  return sum / static_cast<double>(x.size());
}

inline bool sort_finite(std::vector<double>& x) {
  if (!std::all_of(x.begin(), x.end(), [](double v) { return std::isfinite(v); })) {
    return false;
  }
  std::sort(x.begin(), x.end());
  return true;
}

/// Mean of independent draws whose exact mean and standard deviation are known.
inline double p_of_mean(std::span<const double> x, double mean, double sd) {
  return p_of_normal((mean_of(x) - mean) / sd * std::sqrt(static_cast<double>(x.size())));
}

/// One-sample Kolmogorov-Smirnov; the law must be continuous.
inline double p_of_distribution(std::vector<double> x, const Cdf& cdf) {
  if (!sort_finite(x)) {
    return 0.0;
  }
  const auto n = static_cast<double>(x.size());
  double distance = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double p = cdf(x[i]);
    const auto below = static_cast<double>(i);
    distance = std::max({distance, p - below / n, (below + 1.0) / n - p});
  }
  return p_of_kolmogorov(distance, n);
}

/// Two-sample Kolmogorov-Smirnov; ties make it cautious.
inline double p_of_two_samples(std::vector<double> a, std::vector<double> b) {
  if (!sort_finite(a) || !sort_finite(b)) {
    return 0.0;
  }
  const auto n = static_cast<double>(a.size());
  const auto m = static_cast<double>(b.size());
  double distance = 0.0;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    const double value = std::min(a[i], b[j]);
    while (i < a.size() && a[i] == value) {
      ++i;
    }
    while (j < b.size() && b[j] == value) {
      ++j;
    }
    distance =
        std::max(distance, std::abs(static_cast<double>(i) / n - static_cast<double>(j) / m));
  }
  return p_of_kolmogorov(distance, n * m / (n + m));
}

/// Pearson correlation of pairs (a_i, b_i), zero under independence.
inline double p_of_correlation(std::span<const double> a, std::span<const double> b) {
  const double mean_a = mean_of(a);
  const double mean_b = mean_of(b);
  double ab = 0.0;
  double aa = 0.0;
  double bb = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - mean_a) * (b[i] - mean_b);
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
  }
  return p_of_normal(ab / std::sqrt(aa * bb) * std::sqrt(static_cast<double>(a.size())));
}

/// Pearson's chi-square of counts against probabilities (each n p >= 5).
inline double p_of_counts(std::span<const std::size_t> counts,
                          std::span<const double> probabilities) {
  double n = 0.0;
  for (const std::size_t count : counts) {
    n += static_cast<double>(count);
  }
  double statistic = 0.0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double expected = n * probabilities[i];
    const double excess = static_cast<double>(counts[i]) - expected;
    statistic += excess * excess / expected;
  }
  return chi_square_sf(statistic, static_cast<double>(counts.size() - 1));
}

// ---- assertions --------------------------------------------------------------------------------

inline bool detects_mean(const Draws& draws, double mean, double sd,
                         std::size_t n = default_draws) {
  return alarms([&](auto stream, auto m) { return p_of_mean(draws(stream, m), mean, sd); }, n);
}
inline void expect_mean(const Draws& draws, double mean, double sd, std::size_t n = default_draws) {
  EXPECT_FALSE(detects_mean(draws, mean, sd, n))
      << "mean of " << 4 * n << " draws: " << mean_of(draws(1, 4 * n)) << ", expected " << mean
      << " +- " << sd / std::sqrt(4.0 * static_cast<double>(n));
}

/// Variance about the known mean; kurtosis E(x - mean)^4 / sd^4 of the law (3 for normals).
inline bool detects_variance(const Draws& draws, double mean, double sd, double kurtosis = 3.0,
                             std::size_t n = default_draws) {
  const auto squares = [&](std::uint64_t stream, std::size_t m) {
    std::vector<double> x = draws(stream, m);
    for (double& v : x) {
      v = (v - mean) / sd * ((v - mean) / sd);
    }
    return x;
  };
  return detects_mean(squares, 1.0, std::sqrt(kurtosis - 1.0), n);
}
inline void expect_variance(const Draws& draws, double mean, double sd, double kurtosis = 3.0,
                            std::size_t n = default_draws) {
  EXPECT_FALSE(detects_variance(draws, mean, sd, kurtosis, n))
      << "variance differs from " << sd * sd;
}

inline bool detects_distribution(const Draws& draws, const Cdf& cdf,
                                 std::size_t n = default_draws) {
  return alarms([&](auto stream, auto m) { return p_of_distribution(draws(stream, m), cdf); }, n);
}
inline void expect_distribution(const Draws& draws, const Cdf& cdf, std::size_t n = default_draws) {
  EXPECT_FALSE(detects_distribution(draws, cdf, n)) << "draws do not follow the distribution";
}

/// Same law? The two functions must use independent randomness.
inline bool detects_two_sample(const Draws& a, const Draws& b, std::size_t n = default_draws) {
  return alarms([&](auto stream, auto m) { return p_of_two_samples(a(stream, m), b(stream, m)); },
                n);
}
inline void two_sample(const Draws& a, const Draws& b, std::size_t n = default_draws) {
  EXPECT_FALSE(detects_two_sample(a, b, n)) << "the two samples follow different distributions";
}

/// Element i of a(stream, n) and of b(stream, n) form a pair; pairs are independent draws.
inline bool detects_correlation(const Draws& a, const Draws& b, std::size_t n = default_draws) {
  return alarms([&](auto stream, auto m) { return p_of_correlation(a(stream, m), b(stream, m)); },
                n);
}
inline void expect_uncorrelated(const Draws& a, const Draws& b, std::size_t n = default_draws) {
  EXPECT_FALSE(detects_correlation(a, b, n)) << "the pairs are correlated";
}

/// counts(stream, n): how often each category came up in n independent draws.
inline bool detects_counts(const Counts& counts, std::span<const double> probabilities,
                           std::size_t n = default_draws) {
  return alarms([&](auto stream, auto m) { return p_of_counts(counts(stream, m), probabilities); },
                n);
}
inline void expect_counts(const Counts& counts, std::span<const double> probabilities,
                          std::size_t n = default_draws) {
  EXPECT_FALSE(detects_counts(counts, probabilities, n)) << "counts do not follow the law";
}

}  // namespace tain::testing
