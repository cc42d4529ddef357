#include <algorithm>
#include <cmath>

#include "reproduce/findings.hpp"

namespace tain {
namespace {

constexpr std::size_t least_looks = 5;
constexpr double power_law_gate = 0.9;  // R^2

}  // namespace

bool is_power_law(const SlopeFit& fit) {
  return fit.looks >= least_looks && fit.r_squared >= power_law_gate;
}

std::optional<SlopeFit> fit_slope(const Curve& curve, std::size_t marginal) {
  double largest = 0;
  for (const CurvePoint& point : curve.points) {
    largest = std::max(largest, point.distance[marginal]);
  }
  const double end = curve.points.back().distance[marginal];
  std::vector<double> x, y;
  SlopeFit fit{.key = curve.key, .marginal = marginal};
  bool falling = false;
  std::size_t last = 0;
  for (std::size_t k = 0; k < curve.points.size(); ++k) {
    last = curve.points[k].distance[marginal] > 1.5 * end ? k : last;
  }
  for (std::size_t k = 0; k <= last; ++k) {
    const CurvePoint& point = curve.points[k];
    falling |= point.distance[marginal] < 0.8 * largest;
    if (falling) {
      fit.first = x.empty() ? point.iteration : fit.first;
      fit.last = point.iteration;
      x.push_back(std::log(double(point.iteration)));
      y.push_back(std::log(point.distance[marginal]));
    }
  }
  fit.looks = x.size();
  if (x.size() < 3) {
    return std::nullopt;
  }
  const double n = double(x.size());
  double mean_x = 0, mean_y = 0, xx = 0, xy = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += x[i] / n;
    mean_y += y[i] / n;
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
    yy += (y[i] - mean_y) * (y[i] - mean_y);
  }
  fit.slope = xy / xx;
  const double residual = std::max(yy - fit.slope * xy, 0.0);
  fit.error = std::sqrt(residual / (n - 2) / xx);
  fit.r_squared = yy > 0 ? 1 - residual / yy : 0;
  return fit;
}

bool is_inverse_root(const SlopeFit& fit) {
  return is_power_law(fit) && std::abs(fit.slope + 0.5) <= std::max(0.1, 2 * fit.error);
}

}  // namespace tain
