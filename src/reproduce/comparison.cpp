#include "reproduce/comparison.hpp"

#include <fmt/format.h>

#include <cmath>

namespace tain {
namespace {

// Errors of two distances add up; beyond this many of them one is lower than the other.
constexpr double sure = 3;

}  // namespace

Curves curves_of(const std::vector<Curve>& curves, std::string_view sampler,
                 std::string_view coordinates) {
  Curves found;
  for (const Curve& curve : curves) {
    if (curve.key.sampler == sampler && curve.key.coordinates == coordinates) {
      found.push_back(&curve);
    }
  }
  return found;
}

Lowest lowest(const Curves& curves, std::size_t marginal, std::size_t back) {
  Lowest best;
  for (const Curve* curve : curves) {
    if (curve->points.size() <= back) {
      continue;
    }
    const CurvePoint& point = curve->points[curve->points.size() - 1 - back];
    if (point.distance[marginal] < best.distance) {
      best = {curve, point.distance[marginal], point.error[marginal]};
    }
  }
  return best;
}

bool clearly_lower(const Lowest& a, const Lowest& b) {
  return a.distance + sure * std::hypot(a.error, b.error) < b.distance;
}

std::optional<std::uint64_t> last_clear_lead(const Curves& a, const Curves& b,
                                             std::size_t marginal) {
  const std::vector<CurvePoint>& looks = a.front()->points;
  for (std::size_t back = 0; back < looks.size(); ++back) {
    if (clearly_lower(lowest(a, marginal, back), lowest(b, marginal, back))) {
      return looks[looks.size() - 1 - back].iteration;
    }
  }
  return std::nullopt;
}

std::string number(double value) { return fmt::format("{:.3g}", value); }

std::string coordinate_name(const Marginal& m) {
  return fmt::format("coordinate {}", m.category + 1);
}

}  // namespace tain
