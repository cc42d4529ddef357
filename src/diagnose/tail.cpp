#include "diagnose/tail.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace tain::diagnostics {
namespace {

/// Mean of log(1 - theta x): products of a few factors, their exponents apart, before a logarithm.
double mean_log(double theta, std::span<const double> x) {
  constexpr std::size_t together = 8;
  double sum = 0, product = 1;
  std::size_t held = 0;
  for (const double value : x) {
    const double factor = 1 - theta * value;
    if (factor < 1e-30 || factor > 1e30) {  // a few of these would leave the range of numbers
      sum += std::log(factor);
      continue;
    }
    product *= factor;
    if (++held == together) {
      sum += std::log(product);
      product = 1;
      held = 0;
    }
  }
  return (sum + std::log(product)) / static_cast<double>(x.size());
}

}  // namespace

std::size_t tail_length(std::size_t count) {
  const auto n = static_cast<double>(count);
  return static_cast<std::size_t>(std::min(std::ceil(3 * std::sqrt(n)), std::floor(n / 5)));
}

double generalised_pareto_k(std::span<const double> exceedances) {
  const std::size_t count = exceedances.size();
  const auto n = static_cast<double>(count);
  const double largest = exceedances.back();
  const double quartile =
      exceedances[static_cast<std::size_t>(std::max(1.0, std::floor(n / 4 + 0.5))) - 1];
  if (!(quartile > exceedances.front()) || !(largest / quartile < 1e150)) {
    return quartile > exceedances.front() ? std::numeric_limits<double>::infinity()
                                          : std::numeric_limits<double>::quiet_NaN();
  }
  // In units of the quartile, so that nothing depends on the scale of the values.
  std::vector<double> x(exceedances.begin(), exceedances.end());
  for (double& v : x) {
    v /= quartile;
  }
  constexpr double prior_quartiles = 3;
  const auto points = static_cast<std::size_t>(30 + std::floor(std::sqrt(n)));
  const auto m = static_cast<double>(points);
  std::vector<double> thetas(points), profile(points);
  for (std::size_t j = 0; j < points; ++j) {
    const double theta =
        1 / x.back() + (1 - std::sqrt(m / (static_cast<double>(j) + 0.5))) / prior_quartiles;
    const double k = mean_log(theta, x);
    thetas[j] = theta;
    profile[j] = n * (std::log(-theta / k) - k - 1);
  }
  const double highest = *std::ranges::max_element(profile);
  double weights = 0, weighted = 0;
  for (std::size_t j = 0; j < points; ++j) {
    const double weight = std::exp(profile[j] - highest);
    weights += weight;
    weighted += weight * thetas[j];
  }
  constexpr double prior_count = 10, prior_k = 0.5;
  return (n * mean_log(weighted / weights, x) + prior_count * prior_k) / (n + prior_count);
}

double pareto_k_gate(std::size_t count) {
  return std::min(1 - 1 / std::log10(static_cast<double>(std::max<std::size_t>(count, 2))), 0.7);
}

}  // namespace tain::diagnostics
