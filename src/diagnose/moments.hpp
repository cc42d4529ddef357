// Mean and variance of a list of numbers.
#pragma once

#include <numeric>
#include <span>

namespace tain::diagnostics {

/// In two passes: the second takes back the rounding of the first.
inline double mean_of(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  const double rough = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double rest = 0;
  for (const double v : values) {
    rest += v - rough;
  }
  return rough + rest / n;
}

/// Sum of squared deviations over (n - 1).
inline double variance_of(std::span<const double> values, double mean) {
  double sum = 0;
  for (const double v : values) {
    sum += (v - mean) * (v - mean);
  }
  return sum / static_cast<double>(values.size() - 1);
}

}  // namespace tain::diagnostics
