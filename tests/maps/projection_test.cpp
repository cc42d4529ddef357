// Laws of Euclidean projections at random points, and mistakes they must see.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>  // after gtest.h, which it does not include

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "maps/affine.hpp"
#include "maps/ball.hpp"
#include "maps/box.hpp"
#include "maps/product.hpp"
#include "maps/simplex.hpp"
#include "support/map_laws.hpp"
#include "support/projections.hpp"

namespace tain::projection_test {
namespace {

using Point = std::vector<double>;
constexpr double inf = std::numeric_limits<double>::infinity();

Point projected(const Projection& project, const Point& x) {
  BlockStorage block(x.size(), lane_group);
  for (std::size_t i = 0; i < x.size(); ++i) {
    std::fill_n(block.view().row(i), lane_group, x[i]);
  }
  Workspace ws;
  project(block.view(), block.view(), ws);  // in place
  return map_laws::column(block.view(), 3);
}

Point a_point(std::size_t dim, double reach) {
  const auto whole = *rc::gen::container<std::vector<int>>(dim, rc::gen::inRange(-6400, 6401));
  Point point;
  for (const int value : whole) {
    point.push_back(reach * value / 6400.0);
  }
  return point;
}

double dot(const Point& a, const Point& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}
Point minus(Point a, const Point& b) {
  std::transform(a.begin(), a.end(), b.begin(), a.begin(), std::minus<>());
  return a;
}

// Largest violation of the laws at x, with z = P(of another point) as a point of the set: of
// idempotence, and of (x - Px)'(z - Px) <= 0 (which, for every z, says that Px is the nearest).
// Products of numbers up to 2 reach, n of them, each good to a few epsilon.
bool keeps_laws(const Projection& project, const Point& x, const Point& other, double reach) {
  const Point near = projected(project, x), z = projected(project, other);
  const double unit =
      16 * std::numeric_limits<double>::epsilon() * static_cast<double>(x.size()) * reach;
  const Point again = minus(projected(project, near), near);
  for (const double d : again) {
    if (!(std::abs(d) <= unit)) {
      return false;
    }
  }
  return dot(minus(x, near), minus(z, near)) <= 4 * unit * reach;
}

bool in_simplex(std::span<const double> x) {
  const double sum = std::accumulate(x.begin(), x.end(), 0.0);
  return *std::min_element(x.begin(), x.end()) >= 0 &&
         std::abs(sum - 1) <= 4 * static_cast<double>(x.size()) * map_laws::epsilon;
}

RC_GTEST_PROP(Projection, OntoTheSimplexIsTheNearestPoint, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(2, 30);
  const double reach = *rc::gen::element(1.0, 3.0, 1000.0);
  const Projection project = *projection_onto(SimplexMap::symmetric(n));
  const Point x = a_point(n, reach);
  RC_ASSERT(in_simplex(projected(project, x)));
  RC_ASSERT(keeps_laws(project, x, a_point(n, 1), reach));
  // Only the part in the hull counts.
  const Projection hull = *projection_onto_hull(SimplexMap::symmetric(n));
  const Point flat = projected(hull, x),
              difference = minus(projected(project, flat), projected(project, x));
  RC_ASSERT(std::abs(std::accumulate(flat.begin(), flat.end(), -1.0)) <=
            8 * static_cast<double>(n) * map_laws::epsilon * reach);
  for (const double d : difference) {
    RC_ASSERT(std::abs(d) <= 16 * static_cast<double>(n) * map_laws::epsilon * reach);
  }
}

RC_GTEST_PROP(Projection, OntoABoxIsTheNearestPoint, ()) {
  const BoxMap box({-1, 0, -inf, -inf}, {2, inf, 0.5, inf});
  const Projection project = *projection_onto(box);
  const Point x = a_point(4, 10), near = projected(project, x);
  for (std::size_t i = 0; i < 4; ++i) {
    RC_ASSERT(near[i] >= box.lower()[i] && near[i] <= box.upper()[i]);
    RC_ASSERT(near[i] == x[i] || x[i] < box.lower()[i] || x[i] > box.upper()[i]);
  }
  RC_ASSERT(keeps_laws(project, x, a_point(4, 10), 10));
}

RC_GTEST_PROP(Projection, OntoABallIsTheNearestPoint, ()) {
  const BallMap ball({1, -2, 0.5}, 1.5);
  const Projection project = *projection_onto(ball);
  const Point x = a_point(3, 20), near = projected(project, x);
  const Point from_centre = minus(near, {1, -2, 0.5});
  RC_ASSERT(std::sqrt(dot(from_centre, from_centre)) <= 1.5 * (1 + 8 * map_laws::epsilon));
  RC_ASSERT(keeps_laws(project, x, a_point(3, 20), 20));
}

RC_GTEST_PROP(Projection, OntoAProductIsFactorByFactor, ()) {
  const AnyMap simplex = SimplexMap::with_reference(3, 1), ball = BallMap({0, 0}, 2);
  const AnyMap product = ProductMap({simplex, ball});
  const Point x = a_point(5, 4);
  const Point whole = projected(*projection_onto(product), x);
  Point parts = projected(*projection_onto(simplex), {x[0], x[1], x[2]});
  const Point second = projected(*projection_onto(ball), {x[3], x[4]});
  parts.insert(parts.end(), second.begin(), second.end());
  RC_ASSERT(whole == parts);
  const Point hull = projected(*projection_onto_hull(product), x);
  RC_ASSERT(std::abs(hull[0] + hull[1] + hull[2] - 1) < 64 * map_laws::epsilon);
  RC_ASSERT(hull[3] == x[3] && hull[4] == x[4]);
}

TEST(Projection, KnownPoints) {
  const Projection simplex = *projection_onto(SimplexMap::symmetric(3));
  EXPECT_EQ(projected(simplex, {5, 0, -3}), (Point{1, 0, 0}));
  EXPECT_EQ(projected(simplex, {1, 1, 0}), (Point{0.5, 0.5, 0}));
  EXPECT_EQ(projected(simplex, {0.25, 0.25, 0.5}), (Point{0.25, 0.25, 0.5}));
  EXPECT_EQ(projected(*projection_onto(SimplexMap::for_weights(Point{0.1, 0.1, 5})), {5, 0, -3}),
            (Point{1, 0, 0}));
  const Point far = projected(*projection_onto(BallMap({0, 0}, 1)), {3e200, 4e200});
  EXPECT_NEAR(far[0], 0.6, 4 * map_laws::epsilon);
  EXPECT_NEAR(far[1], 0.8, 4 * map_laws::epsilon);
  EXPECT_EQ(projected(*projection_onto(BallMap({1, 1}, 1)), {1, 1}), (Point{1, 1}));
}

TEST(Projection, NanStaysNan) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const AnyMap& map : {AnyMap(SimplexMap::symmetric(2)), AnyMap(BoxMap({0, 0}, {1, 1})),
                            AnyMap(BallMap({0, 0}, 1))}) {
    const Point out = projected(*projection_onto(map), {0.3, nan});
    EXPECT_TRUE(std::isnan(out[0]) || std::isnan(out[1])) << map.name();
  }
}

TEST(Projection, SetsWithoutOneSaySo) {
  const AnyMap affine = AffineMap(BoxMap({0, 0}, {1, 1}), {2, 0, 0, 1}, {0, 0});
  EXPECT_FALSE(projection_onto(affine).has_value());
  EXPECT_FALSE(projection_onto_hull(affine).has_value());
  EXPECT_FALSE(projection_onto(ProductMap({BoxMap::identity(1), affine})).has_value());
}

// Points of the simplex that are not the nearest: clipping and dividing, and a threshold from all
// coordinates instead of the largest ones.
TEST(Projection, SaboteursAreDetected) {
  const Projection divide = [](ConstBlock x, Block out, Workspace&) {
    for (std::size_t l = 0; l < x.lanes(); ++l) {
      double sum = 0;
      for (std::size_t i = 0; i < x.rows(); ++i) {
        out.at(i, l) = std::max(x.at(i, l), 0.0);
        sum += out.at(i, l);
      }
      for (std::size_t i = 0; i < x.rows(); ++i) {
        out.at(i, l) /= sum;
      }
    }
  };
  EXPECT_FALSE(keeps_laws(divide, {0.9, 0.8, -0.5}, {1, 0, 0}, 1));
  const Projection all = [](ConstBlock x, Block out, Workspace&) {
    for (std::size_t l = 0; l < x.lanes(); ++l) {
      const double tau = (x.at(0, l) + x.at(1, l) + x.at(2, l) - 1) / 3;
      for (std::size_t i = 0; i < 3; ++i) {
        out.at(i, l) = std::max(x.at(i, l) - tau, 0.0);
      }
    }
  };
  EXPECT_FALSE(in_simplex(projected(all, {0.9, 0.8, -0.9})));
  EXPECT_TRUE(
      keeps_laws(*projection_onto(SimplexMap::symmetric(3)), {0.9, 0.8, -0.5}, {1, 0, 0}, 1));
}

}  // namespace
}  // namespace tain::projection_test
