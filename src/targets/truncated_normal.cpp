#include "targets/truncated_normal.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tain {
namespace {

constexpr double log_density_range = 40;  // e^-40 = 4e-18 of the largest density is left out
constexpr int num_panels = 32;

// Gauss-Legendre rule with 8 nodes on [-1, 1]: the positive nodes and their weights.
constexpr std::array<double, 4> nodes = {0.18343464249564980494, 0.52553240991632898582,
                                         0.79666647741362673959, 0.96028985649753623168};
constexpr std::array<double, 4> weights = {0.36268378337836198297, 0.31370664587788728734,
                                           0.22238103445337447054, 0.10122853629037625915};

/// Integral of f over [low, high].
template <class F>
double integrate(double low, double high, F f) {
  double sum = 0;
  const double half = (high - low) / (2 * num_panels);
  for (int panel = 0; panel < num_panels; ++panel) {
    const double middle = low + half * (2 * panel + 1);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      sum += weights[k] * (f(middle - half * nodes[k]) + f(middle + half * nodes[k]));
    }
  }
  return sum * half;
}

}  // namespace

Moments truncated_normal_moments(double mean, double sd, double lower, double upper) {
  // In standard units about the mode w: density exp(-w s - s^2 / 2) at w + s, low <= s <= high.
  const double w = std::clamp(0.0, (lower - mean) / sd, (upper - mean) / sd);
  const double mode = std::clamp(mean, lower, upper);
  const double reach_up = std::sqrt(std::max(w, 0.0) * std::max(w, 0.0) + 2 * log_density_range);
  const double reach_down = std::sqrt(std::min(w, 0.0) * std::min(w, 0.0) + 2 * log_density_range);
  // Where e^-range is reached: s^2/2 + |w| s = range, in the form that does not cancel.
  const double high =
      std::min((upper - mode) / sd, 2 * log_density_range / (std::max(w, 0.0) + reach_up));
  const double low =
      std::max((lower - mode) / sd, -2 * log_density_range / (std::max(-w, 0.0) + reach_down));
  const auto density = [w](double s) { return std::exp(-s * (w + 0.5 * s)); };
  const double mass = integrate(low, high, density);
  const double shift = integrate(low, high, [&](double s) { return s * density(s); }) / mass;
  const double variance =
      integrate(low, high, [&](double s) { return (s - shift) * (s - shift) * density(s); }) / mass;
  return {mode + sd * shift, sd * sd * variance};
}

}  // namespace tain
