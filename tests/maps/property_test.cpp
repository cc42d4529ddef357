// Laws at random sizes, bounds and points, shrunk by RapidCheck when they fail.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>  // after gtest.h, which it does not include

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "maps/ball.hpp"
#include "maps/box.hpp"
#include "maps/simplex.hpp"
#include "support/map_laws.hpp"

namespace tain::property_test {
namespace {

constexpr double epsilon = map_laws::epsilon;

// The same point in every lane.
BlockStorage everywhere(const std::vector<double>& point) {
  BlockStorage block(point.size(), lane_group);
  for (std::size_t i = 0; i < point.size(); ++i) {
    std::fill_n(block.view().row(i), lane_group, point[i]);
  }
  return block;
}

std::vector<double> primal(const AnyMap& map, const std::vector<double>& y) {
  return map_laws::column(map_laws::to_primal(map, everywhere(y).view()).view(), 0);
}

// Multiples of 1/64 in [-reach, reach], which shrink towards 0.
std::vector<double> a_point(std::size_t dim, int reach) {
  const auto whole =
      *rc::gen::container<std::vector<int>>(dim, rc::gen::inRange(-64 * reach, 64 * reach + 1));
  std::vector<double> point;
  for (const int value : whole) {
    point.push_back(value / 64.0);
  }
  return point;
}

SimplexMap a_simplex(std::size_t n) {
  const auto reference = *rc::gen::inRange<std::size_t>(0, n + 1);
  return reference == n ? SimplexMap::symmetric(n) : SimplexMap::with_reference(n, reference);
}

RC_GTEST_PROP(SimplexProperty, SumsToOneAndStaysPositive, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(2, 40);
  const std::vector<double> x = primal(a_simplex(n), a_point(n - 1, 2000));
  const double sum = std::accumulate(x.begin(), x.end(), 0.0);
  RC_ASSERT(std::abs(sum - 1) <= 4 * static_cast<double>(n) * epsilon);
  RC_ASSERT(*std::min_element(x.begin(), x.end()) >= 1e-290);
}

RC_GTEST_PROP(SimplexProperty, LogPrimalIsTheLogarithmWhereThereIsOne, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(2, 40);
  const SimplexMap map = a_simplex(n);
  const BlockStorage y = everywhere(a_point(n - 1, 100));
  const BlockStorage x = map_laws::to_primal(map, y.view());
  BlockStorage log_x(n, lane_group);
  Workspace ws;
  map.log_primal(y.view(), log_x.view(), ws);
  for (std::size_t i = 0; i < n; ++i) {
    const double value = x.view().at(i, 0), logarithm = log_x.view().at(i, 0);
    if (value > 1e-289) {  // logits reach a few thousand: rounded to that
      RC_ASSERT(std::abs(logarithm - std::log(value)) <= 1e4 * epsilon);
    } else {
      RC_ASSERT(logarithm < -660);
    }
  }
}

// Renaming the categories renames the coordinates of x (the reference is renamed with them).
RC_GTEST_PROP(SimplexProperty, PermutingCategoriesPermutesX, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(3, 20);
  const auto reference = *rc::gen::inRange<std::size_t>(0, n);
  const auto shift = *rc::gen::inRange<std::size_t>(1, n);  // a rotation moves every category
  const auto renamed = [&](std::size_t i) { return (i + shift) % n; };
  const std::vector<double> y = a_point(n - 1, 20);
  std::vector<double> logits(n), moved(n), moved_y;
  for (std::size_t i = 0, j = 0; i < n; ++i) {
    logits[i] = i == reference ? 0.0 : y[j++];
  }
  for (std::size_t i = 0; i < n; ++i) {
    moved[renamed(i)] = logits[i];
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (i != renamed(reference)) {
      moved_y.push_back(moved[i]);
    }
  }
  const std::vector<double> x = primal(SimplexMap::with_reference(n, reference), y);
  const std::vector<double> moved_x =
      primal(SimplexMap::with_reference(n, renamed(reference)), moved_y);
  for (std::size_t i = 0; i < n; ++i) {
    RC_ASSERT(std::abs(moved_x[renamed(i)] - x[i]) <= 16 * epsilon * x[i] * static_cast<double>(n));
  }
}

// Any finite y at all, any bounds: strictly inside and finite.
RC_GTEST_PROP(BoxProperty, StrictlyInsideForEveryFiniteY, (double y, double one, double other)) {
  const double low = std::min(one, other), high = std::max(one, other);
  RC_PRE(std::isfinite(y) && std::isfinite(one) && std::isfinite(other) && low < high);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double l : {low, -infinity}) {
    for (const double u : {high, infinity}) {
      const BoxMap box({l}, {u});
      const double x = primal(box, {y})[0];
      RC_ASSERT(std::isfinite(x));
      RC_ASSERT(l < x && x < u);
    }
  }
}

RC_GTEST_PROP(BoxProperty, PermutingCoordinatesPermutesX, ()) {
  const auto d = *rc::gen::inRange<std::size_t>(2, 12);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto kinds = *rc::gen::container<std::vector<int>>(d, rc::gen::inRange(0, 5));
  std::vector<double> y = a_point(d, 20), lower, upper;
  for (const int kind : kinds) {
    lower.push_back(std::vector<double>{-1, 0, 2, -infinity, -infinity}[kind]);
    upper.push_back(std::vector<double>{1, 5, infinity, 3, infinity}[kind]);
  }
  std::vector<double> x = primal(BoxMap(lower, upper), y);
  for (auto* values : {&y, &lower, &upper, &x}) {
    std::rotate(values->begin(), values->begin() + 1, values->end());
  }
  RC_ASSERT(primal(BoxMap(lower, upper), y) == x);
}

RC_GTEST_PROP(BallProperty, StrictlyInsideAtAnyDistance, (bool papers)) {
  const auto d = *rc::gen::inRange<std::size_t>(1, 30);
  const auto power = *rc::gen::inRange(-300, 300);
  const std::vector<double> centre = a_point(d, 3);
  std::vector<double> y = a_point(d, 1);
  for (double& value : y) {
    value *= std::pow(10.0, power);
  }
  const BallMap ball(centre, 2, papers ? BallForm::paper : BallForm::tanh);
  RC_ASSERT(ball.contains(primal(ball, y)));
}

// Reflections generate the rotations: h depends on |x - c| only.
RC_GTEST_PROP(BallProperty, ReflectionsCommute, (bool papers)) {
  const auto d = *rc::gen::inRange<std::size_t>(2, 12);
  const std::vector<double> y = a_point(d, 2), normal = a_point(d, 1);
  const double square = std::inner_product(normal.begin(), normal.end(), normal.begin(), 0.0);
  RC_PRE(square > 0);
  const auto reflect = [&](std::vector<double> point) {
    const double along =
        2 * std::inner_product(point.begin(), point.end(), normal.begin(), 0.0) / square;
    for (std::size_t i = 0; i < d; ++i) {
      point[i] -= along * normal[i];
    }
    return point;
  };
  const BallMap ball(std::vector<double>(d, 0.0), 3, papers ? BallForm::paper : BallForm::tanh);
  const std::vector<double> one = primal(ball, reflect(y)), other = reflect(primal(ball, y));
  for (std::size_t i = 0; i < d; ++i) {  // coordinates below 3, d products rounded
    RC_ASSERT(std::abs(one[i] - other[i]) <= 32 * static_cast<double>(d) * epsilon);
  }
}

}  // namespace
}  // namespace tain::property_test
