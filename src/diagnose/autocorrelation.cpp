#include "diagnose/autocorrelation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "diagnose/autocovariance.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

/// Each chain less its own mean, scaled by the largest value so that squares neither vanish nor
/// overflow; empty where a value is not finite.
std::vector<double> centred(const Series& s) {
  double largest = 0;
  for (const double v : s.values) {
    if (!std::isfinite(v)) {
      return {};
    }
    largest = std::max(largest, std::abs(v));
  }
  std::vector<double> u(s.values.begin(), s.values.end());
  for (std::size_t chain = 0; chain < s.chains; ++chain) {
    const std::span<double> own = std::span(u).subspan(chain * s.draws, s.draws);
    for (double& v : own) {
      v = largest > 0 ? v / largest : 0.0;
    }
    const auto n = static_cast<double>(s.draws);
    // In two passes: the second takes back the rounding of the first.
    for (int pass = 0; pass < 2; ++pass) {
      const double mean = std::accumulate(own.begin(), own.end(), 0.0) / n;
      for (double& v : own) {
        v -= mean;
      }
    }
  }
  return u;
}

/// What is left of a constant after centring is rounding, no movement.
bool moves(double variance) {
  constexpr double rounding = 16 * std::numeric_limits<double>::epsilon();
  return variance > rounding * rounding;
}

std::vector<double> correlations(std::span<const double> u, std::size_t draws, std::size_t lags,
                                 diagnostics::Autocovariance& covariance) {
  covariance.load(u, draws);
  std::vector<double> r(lags + 1, std::numeric_limits<double>::quiet_NaN());
  const double variance = covariance(0);
  if (moves(variance)) {
    for (std::size_t t = 0; t <= lags; ++t) {
      r[t] = covariance(t) / variance;
    }
  }
  return r;
}

/// Linear interpolation between order statistics (R's type 7).
double quantile_of(std::span<const double> ascending, double p) {
  const double position = static_cast<double>(ascending.size() - 1) * p;
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, ascending.size() - 1);
  return std::lerp(ascending[below], ascending[above], position - static_cast<double>(below));
}

}  // namespace

std::vector<double> autocorrelation(const Series& s, std::size_t lags) {
  TAIN_EXPECTS(s.values.size() == s.chains * s.draws && lags < s.draws, "lags beyond the chains");
  const std::vector<double> u = centred(s);
  if (u.empty()) {
    return std::vector<double>(lags + 1, std::numeric_limits<double>::quiet_NaN());
  }
  diagnostics::Autocovariance covariance;
  return correlations(u, s.draws, lags, covariance);
}

AutocorrelationSpread autocorrelation_spread(const Series& s, std::size_t lags, double low,
                                             double high) {
  TAIN_EXPECTS(s.values.size() == s.chains * s.draws && lags < s.draws, "lags beyond the chains");
  const std::vector<double> u = centred(s);
  if (u.empty()) {
    return {};
  }
  std::vector<std::vector<double>> at_lag(lags + 1);
  diagnostics::Autocovariance covariance;
  for (std::size_t chain = 0; chain < s.chains; ++chain) {
    const std::vector<double> r =
        correlations(std::span(u).subspan(chain * s.draws, s.draws), s.draws, lags, covariance);
    for (std::size_t t = 0; t <= lags && !std::isnan(r[0]); ++t) {
      at_lag[t].push_back(r[t]);
    }
  }
  AutocorrelationSpread spread;
  for (std::vector<double>& values : at_lag) {
    if (values.empty()) {
      return {};
    }
    std::ranges::sort(values);
    spread.low.push_back(quantile_of(values, low));
    spread.high.push_back(quantile_of(values, high));
  }
  return spread;
}

}  // namespace tain
