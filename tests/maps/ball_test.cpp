#include "maps/ball.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "maps/box.hpp"
#include "support/map_laws.hpp"
#include "tain/core/error.hpp"

namespace tain::ball_test {
namespace {

using map_laws::column;
using map_laws::epsilon;
using testing::HasSubstr;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

TEST(BallMap, InOneDimensionTheTanhFormIsTheInterval) {
  const BallMap ball({0}, 2);
  const BoxMap box({-2}, {2});
  const BlockStorage y = map_laws::points(1, 5, 1);
  const BlockStorage in_ball = map_laws::to_primal(ball, y.view());
  const BlockStorage in_box = map_laws::to_primal(box, y.view());
  const map_laws::LogDet one = map_laws::log_det(ball, y.view());
  const map_laws::LogDet other = map_laws::log_det(box, y.view());
  for (std::size_t lane = 0; lane < lane_group; ++lane) {
    EXPECT_NEAR(in_ball.view().at(0, lane), in_box.view().at(0, lane), 8 * epsilon);
    EXPECT_NEAR(one.value[lane], other.value[lane], 32 * epsilon);
    EXPECT_NEAR(one.slope.view().at(0, lane), other.slope.view().at(0, lane), 16 * epsilon);
  }
}

// The formulas of the design table in long double, where s^2 < 1e-6 or s > 20 leaves them digits.
TEST(BallMap, LogDetSlopeIsPreciseAtEveryRadius) {
  const std::size_t d = 50;
  const BallMap ball(std::vector<double>(d, 0.0), 1);
  for (const double s : {1e-9, 1e-6, 1e-3, 0.1, 0.5, 0.99, 1.01, 3.0, 20.0, 700.0, 1e3}) {
    BlockStorage y(d, lane_group);
    y.view().at(7, 0) = s;
    const long double t = s;
    // 1/s - 2/sinh 2s, by its series where it cancels.
    const long double radial = s < 1e-2 ? 2 * t / 3 - 14 * t * t * t / 45 + 124 * powl(t, 5) / 945
                                        : 1 / t - 2 / sinhl(2 * t);
    const long double wanted = 2 * tanhl(t) + (static_cast<double>(d) - 1) * radial;
    const double got = map_laws::log_det(ball, y.view()).slope.view().at(7, 0);
    EXPECT_NEAR(got / static_cast<double>(wanted), 1, 16 * epsilon) << s;
  }
}

TEST(BallMap, SmoothThroughZero) {
  const BallMap ball({0, 0, 0}, 1);
  const BlockStorage zero(3, lane_group);
  EXPECT_TRUE(map_laws::transposed_jacobian(ball, zero.view()));
  EXPECT_TRUE(map_laws::log_determinant_slope(ball, zero.view()));
  EXPECT_THAT(column(map_laws::to_primal(ball, zero.view()).view(), 0),
              testing::ElementsAre(0, 0, 0));
}

// Why it is not the default: the gradient of log det jumps from -(d+1) to d+1 across y = 0.
TEST(BallMap, PapersFormHasAKink) {
  const BallMap ball({0, 0, 0}, 1, BallForm::paper);
  BlockStorage y(3, lane_group);
  y.view().at(0, 0) = 1e-9;
  y.view().at(0, 1) = -1e-9;
  const map_laws::LogDet log_det = map_laws::log_det(ball, y.view());
  EXPECT_NEAR(log_det.slope.view().at(0, 0), 4, 1e-8);
  EXPECT_NEAR(log_det.slope.view().at(0, 1), -4, 1e-8);
  EXPECT_EQ(log_det.slope.view().at(0, 2), 0);
}

TEST(BallMap, FiniteAndInsideBeyondTheSquareRootOfTheLargestDouble) {
  for (const BallForm form : {BallForm::tanh, BallForm::paper}) {
    const BallMap ball({1, -1}, 0.5, form);
    BlockStorage y(2, lane_group);
    y.view().at(0, 0) = 1e200;
    y.view().at(1, 0) = -1e200;
    EXPECT_TRUE(map_laws::finite_far_out(
        ball, y.view(), [&](std::span<const double> x) { return ball.contains(x); }));
    const BlockStorage x = map_laws::to_primal(ball, y.view());
    EXPECT_NEAR(x.view().at(0, 0), 1 + 0.5 * std::sqrt(0.5), 1e-13);
    EXPECT_NEAR(x.view().at(1, 0), -1 - 0.5 * std::sqrt(0.5), 1e-13);
  }
}

TEST(BallMap, NaNStaysNaN) {
  for (const BallForm form : {BallForm::tanh, BallForm::paper}) {
    const BallMap ball({0, 0}, 1, form);
    BlockStorage y(2, lane_group);
    y.view().at(0, 0) = not_a_number;
    EXPECT_TRUE(std::isnan(map_laws::to_primal(ball, y.view()).view().at(1, 0)));
    EXPECT_TRUE(std::isnan(map_laws::log_det(ball, y.view()).value[0]));
  }
}

// h + h* >= <x, y>, with equality at y = grad h(x).
TEST(BallMap, FenchelYoung) {
  for (const BallForm form : {BallForm::tanh, BallForm::paper}) {
    const std::size_t d = 3;
    const BallMap ball(std::vector<double>(d, 0.0), 1, form);
    const BlockStorage y = map_laws::points(d, 2, 6), x = map_laws::to_primal(ball, y.view());
    for (std::size_t from = 0; from < lane_group; ++from) {
      for (std::size_t lane = 0; lane < lane_group; ++lane) {
        double rr = 0, ss = 0, product = 0;
        for (std::size_t i = 0; i < d; ++i) {
          rr += x.view().at(i, from) * x.view().at(i, from);
          ss += y.view().at(i, lane) * y.view().at(i, lane);
          product += x.view().at(i, from) * y.view().at(i, lane);
        }
        const double r = std::sqrt(rr), s = std::sqrt(ss);
        const double h = form == BallForm::tanh ? r * std::atanh(r) + 0.5 * std::log1p(-rr)
                                                : -std::log1p(-r) - r;
        const double conjugate =
            form == BallForm::tanh ? std::log(std::cosh(s)) : s - std::log1p(s);
        if (from == lane) {
          EXPECT_NEAR(h + conjugate - product, 0, 1e3 * epsilon);  // artanh' <= e^(2 s) / 4
        } else {
          EXPECT_GT(h + conjugate - product, 0);
        }
      }
    }
  }
}

TEST(BallMap, ContainsTheInteriorOnly) {
  const BallMap ball({1, 0}, 2);
  EXPECT_TRUE(ball.contains(std::vector<double>{2.9, 0}));
  EXPECT_FALSE(ball.contains(std::vector<double>{3, 0}));
  EXPECT_FALSE(ball.contains(std::vector<double>{2.5, 1.5}));
  EXPECT_FALSE(ball.contains(std::vector<double>{not_a_number, 0}));
  EXPECT_FALSE(ball.contains(std::vector<double>{1}));
}

TEST(BallMap, Names) {
  EXPECT_EQ(BallMap({0, 0}, 1).name(), "ball(2)");
  EXPECT_EQ(BallMap({0, 0}, 1, BallForm::paper).name(), "ball(2, paper)");
}

void expect_refused(std::vector<double> centre, double radius, const char* part) {
  try {
    const BallMap ball(std::move(centre), radius);
    FAIL() << "accepted " << part;
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::config);
    EXPECT_THAT(error.what(), HasSubstr(part));
  }
}

TEST(BallMap, RefusesWhatIsNoBall) {
  expect_refused({}, 1, "no coordinates");
  expect_refused({0}, 0, "radius: 0");
  expect_refused({0}, -1, "radius: -1");
  expect_refused({0}, not_a_number, "radius: nan");
  expect_refused({0}, infinity, "radius: inf");
  expect_refused({0, infinity}, 1, "coordinate 2");
  expect_refused({1e15}, 1, "lost in rounding");
}

}  // namespace
}  // namespace tain::ball_test
