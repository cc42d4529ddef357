#include "maps/box.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "support/map_laws.hpp"
#include "tain/core/error.hpp"

namespace tain::box_test {
namespace {

using map_laws::column;
using map_laws::epsilon;
using testing::HasSubstr;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// x of one coordinate at one y.
double at(const BoxMap& box, double y) {
  BlockStorage block(1, lane_group);
  block.view().at(0, 0) = y;
  return map_laws::to_primal(box, block.view()).view().at(0, 0);
}

TEST(BoxMap, FormulasOfEveryKind) {
  EXPECT_DOUBLE_EQ(at(BoxMap({-1}, {1}), 0.5), std::tanh(0.5));
  EXPECT_DOUBLE_EQ(at(BoxMap({1}, {5}), 0.5), 3 + 2 * std::tanh(0.5));
  EXPECT_DOUBLE_EQ(at(BoxMap({-5}, {-1}), 0.5), -3 + 2 * std::tanh(0.5));
  EXPECT_DOUBLE_EQ(at(BoxMap({2}, {infinity}), 0.5), 2 + std::exp(0.5));
  EXPECT_DOUBLE_EQ(at(BoxMap({-infinity}, {2}), 0.5), 2 - std::exp(-0.5));
  EXPECT_DOUBLE_EQ(at(BoxMap::identity(1), 0.5), 0.5);
}

TEST(BoxMap, GrowsWithYWhateverTheKind) {
  for (const auto& [l, u] : {std::pair{-1.0, 1.0},
                             {0.0, 3.0},
                             {-3.0, 0.0},
                             {2.0, infinity},
                             {-infinity, 2.0},
                             {-infinity, infinity}}) {
    EXPECT_LT(at(BoxMap({l}, {u}), -1), at(BoxMap({l}, {u}), 1)) << l << ' ' << u;
  }
}

TEST(BoxMap, StrictlyInsideFarOut) {
  for (const double y : {-1e300, -1e6, -1e3, -40.0, 40.0, 1e3, 1e6, 1e300}) {
    for (const auto& [l, u] : {std::pair{-1.0, 1.0},
                               {0.0, 1.0},
                               {-1.0, 0.0},
                               {1e6, 1e6 + 1},
                               {0.0, infinity},
                               {-infinity, 0.0},
                               {-1e308, 1e308},
                               {1.0, infinity},
                               {-1e308, 1.7e308}}) {
      const double x = at(BoxMap({l}, {u}), y);
      EXPECT_TRUE(std::isfinite(x)) << l << ' ' << u << ' ' << y;
      EXPECT_TRUE(l < x && x < u) << l << ' ' << u << ' ' << y;
    }
  }
}

// tanh alone would stop at 1e-16 and lose the left tail of, e.g., a Beta(0.1, 1) target.
TEST(BoxMap, DistanceToABoundAtZeroKeepsItsRelativePrecision) {
  EXPECT_NEAR(at(BoxMap({0}, {1}), -100) / std::exp(-200.0), 1, 8 * epsilon);
  EXPECT_NEAR(at(BoxMap({-1}, {0}), 100) / -std::exp(-200.0), 1, 8 * epsilon);
  EXPECT_TRUE(std::isfinite(1 / at(BoxMap({0}, {1}), -1e6)));
  EXPECT_TRUE(std::isfinite(1 / at(BoxMap::orthant(1), -1e6)));
}

TEST(BoxMap, LogDetKeepsGrowingWhereXStandsStill) {
  BlockStorage y(4, lane_group);
  for (std::size_t i = 0; i < 4; ++i) {
    y.view().at(i, 0) = 1e3;
  }
  const BoxMap box({-2, 0, 0, -infinity}, {2, 1, infinity, 0});
  const map_laws::LogDet log_det = map_laws::log_det(box, y.view());
  // 2 log cosh y = 2 |y| - 2 log 2; radii 2 and 1/2 cancel; -y and +y cancel.
  EXPECT_DOUBLE_EQ(log_det.value[0], 2 * (2e3 - 2 * std::log(2.0)));
  // A centred interval's slope is 2 x / r, and x the last double inside: an ULP below 2.
  EXPECT_THAT(column(log_det.slope.view(), 0),
              testing::ElementsAre(testing::DoubleEq(2), 2, -1, 1));
}

TEST(BoxMap, NaNStaysNaN) {
  for (const auto& [l, u] : {std::pair{-1.0, 1.0},
                             {0.0, 1.0},
                             {-1.0, 0.0},
                             {0.0, infinity},
                             {-infinity, 0.0},
                             {-infinity, infinity}}) {
    EXPECT_TRUE(std::isnan(at(BoxMap({l}, {u}), not_a_number)));
  }
}

// h(x) + h*(y) >= <x, y>, with equality at y = grad h(x); h of appendix B.1, h* = sum log cosh.
TEST(BoxMap, FenchelYoung) {
  const BoxMap box({-1, -1}, {1, 1});
  const BlockStorage y = map_laws::points(2, 3, 2), x = map_laws::to_primal(box, y.view());
  for (std::size_t from = 0; from < lane_group; ++from) {
    for (std::size_t lane = 0; lane < lane_group; ++lane) {
      double gap = 0;
      for (std::size_t i = 0; i < 2; ++i) {
        const double v = x.view().at(i, from), w = y.view().at(i, lane);
        gap += 0.5 * ((1 + v) * std::log1p(v) + (1 - v) * std::log1p(-v));
        gap += std::log(std::cosh(w)) - v * w;
      }
      if (from == lane) {
        EXPECT_NEAR(gap, 0, 64 * epsilon);
      } else {
        EXPECT_GT(gap, 0);
      }
    }
  }
}

TEST(BoxMap, ContainsTheInteriorOnly) {
  const BoxMap box({0, -infinity}, {1, 5});
  EXPECT_TRUE(box.contains(std::vector<double>{0.5, -1e300}));
  EXPECT_FALSE(box.contains(std::vector<double>{0, 0}));
  EXPECT_FALSE(box.contains(std::vector<double>{0.5, 5}));
  EXPECT_FALSE(box.contains(std::vector<double>{0.5, not_a_number}));
  EXPECT_FALSE(box.contains(std::vector<double>{0.5}));
}

TEST(BoxMap, Names) {
  EXPECT_EQ(BoxMap({0, 0}, {1, 1}).name(), "box(2)");
  EXPECT_EQ(BoxMap::orthant(3).name(), "orthant(3)");
  EXPECT_EQ(BoxMap::identity(4).name(), "identity(4)");
}

// The message names the coordinate as users count.
void expect_refused(std::vector<double> lower, std::vector<double> upper, const char* part) {
  try {
    const BoxMap box(std::move(lower), std::move(upper));
    FAIL() << "accepted " << part;
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::config);
    EXPECT_THAT(error.what(), HasSubstr(part));
  }
}

TEST(BoxMap, RefusesEmptyIntervalsAndNaN) {
  expect_refused({0, 1}, {1, 1}, "of coordinate 2");
  expect_refused({0, 2}, {1, 1}, "of coordinate 2");
  expect_refused({not_a_number}, {1}, "of coordinate 1");
  expect_refused({0}, {not_a_number}, "of coordinate 1");
  expect_refused({infinity}, {infinity}, "of coordinate 1");
  expect_refused({-infinity}, {-infinity}, "of coordinate 1");
  expect_refused({1}, {std::nextafter(1, 2)}, "of coordinate 1");
  expect_refused({0, 1}, {1}, "2 lower bounds and 1 upper bounds");
  expect_refused({}, {}, "0 lower bounds");
}

}  // namespace
}  // namespace tain::box_test
