#include "tain/maps/newton.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "legendre_functions.hpp"
#include "maps/box.hpp"
#include "support/map_laws.hpp"

namespace tain::newton_test {
namespace {

using map_laws::epsilon;
using testing_maps::BoxEntropy;
using testing_maps::cut_cube;
using testing_maps::InformedBoxEntropy;
using testing_maps::triangle;

static_assert(LegendreFunction<testing_maps::LogBarrier>);
static_assert(MirrorMap<NewtonMap<testing_maps::LogBarrier>>);
static_assert(!KnowsLogDetGradient<BoxEntropy> && KnowsLogDetGradient<InformedBoxEntropy>);

// Log det's gradient by central differences: relative error about epsilon^(2/3) = 4e-11, times the
// third derivatives of log cosh (at most 2) and a factor 4 for the differences of a Cholesky sum.
const double central = 8 * std::pow(epsilon, 2.0 / 3);

template <class H>
void expect_same_as_box(const H& entropy, double slope_tolerance) {
  const NewtonMap newton(entropy, "box entropy");
  const BoxMap box(std::vector<double>(entropy.dim(), -1.0),
                   std::vector<double>(entropy.dim(), 1.0));
  const BlockStorage y = map_laws::points(entropy.dim(), 4, 1);
  const BlockStorage x = map_laws::to_primal(box, y.view());
  const BlockStorage found = map_laws::to_primal(newton, y.view());
  const map_laws::LogDet wanted = map_laws::log_det(box, y.view());
  const map_laws::LogDet got = map_laws::log_det(newton, y.view());
  const BlockStorage gx = map_laws::points(entropy.dim(), 1, 2);
  BlockStorage one(entropy.dim(), lane_group), other(entropy.dim(), lane_group);
  Workspace ws;
  box.pull_back(y.view(), x.view(), gx.view(), one.view(), ws);
  newton.pull_back(y.view(), found.view(), gx.view(), other.view(), ws);
  // |y| <= 4: 1 - x^2 >= e^-8, so rounding of x moves log det by epsilon e^8 per coordinate.
  const double lost = epsilon * std::exp(8.0) * static_cast<double>(entropy.dim());
  for (std::size_t lane = 0; lane < lane_group; ++lane) {
    EXPECT_NEAR(got.value[lane], wanted.value[lane], 4 * lost);
    for (std::size_t i = 0; i < entropy.dim(); ++i) {
      EXPECT_NEAR(found.view().at(i, lane), x.view().at(i, lane), 8 * epsilon);
      EXPECT_NEAR(other.view().at(i, lane), one.view().at(i, lane), 8 * epsilon);
      EXPECT_NEAR(got.slope.view().at(i, lane), wanted.slope.view().at(i, lane), slope_tolerance);
    }
  }
}

TEST(NewtonMap, OfTheBoxEntropyIsTheBox) {
  for (const std::size_t d : {1, 3, 10}) {
    expect_same_as_box(BoxEntropy{d}, central * std::exp(8.0));  // differences in x, 1 - x >= e^-8
    expect_same_as_box(InformedBoxEntropy{{d}}, 64 * epsilon * std::exp(8.0));
  }
}

// The analytic centre is where the gradient vanishes: y = 0 leads there, by symmetry to (1/3, 1/3).
TEST(NewtonMap, ZeroLeadsToTheAnalyticCentre) {
  const NewtonMap map(triangle(), "triangle");
  const BlockStorage zero(2, lane_group);
  const BlockStorage x = map_laws::to_primal(map, zero.view());
  EXPECT_NEAR(x.view().at(0, 0), 1.0 / 3, 4 * epsilon);
  EXPECT_NEAR(x.view().at(1, 0), 1.0 / 3, 4 * epsilon);
}

// On the half-line -log x has the conjugate's gradient -1/y.
TEST(NewtonMap, HalfLineHasAClosedForm) {
  const NewtonMap map(testing_maps::LogBarrier{1, {-1}, {0}, {1}}, "half-line");
  BlockStorage y(1, lane_group);
  const double values[lane_group] = {-1e-6, -1e-3, -0.5, -1, -2, -1e3, -1e6, -1e12};
  std::copy(values, values + lane_group, y.view().row(0));
  const BlockStorage x = map_laws::to_primal(map, y.view());
  for (std::size_t lane = 0; lane < lane_group; ++lane) {
    EXPECT_NEAR(x.view().at(0, lane) * -values[lane], 1, 4 * epsilon) << values[lane];
  }
}

TEST(NewtonMap, FarPointsOfAPolytopeAreInsideAndAccurate) {
  for (const double reach : {1e2, 1e4, 1e6}) {
    const NewtonMap map(cut_cube(5), "cut cube");
    const BlockStorage y = map_laws::points(5, reach, 3);
    EXPECT_TRUE(map_laws::inside(map, y.view()));
    // Slacks near 1/|y| are known to epsilon, gradients to epsilon |y|^2.
    EXPECT_TRUE(map_laws::inverse(map, y.view(), 64 * epsilon * reach * reach));
  }
}

// Where doubles cannot tell the points of the set apart, NaN in that lane and only there.
TEST(NewtonMap, GivesNaNWhereItCannotKnow) {
  const NewtonMap map(BoxEntropy{2}, "box entropy");
  BlockStorage y(2, lane_group);
  y.view().at(0, 1) = 1e3;
  y.view().at(1, 2) = std::numeric_limits<double>::quiet_NaN();
  y.view().at(1, 3) = std::numeric_limits<double>::infinity();
  const BlockStorage x = map_laws::to_primal(map, y.view());
  for (const std::size_t lane : {1, 2, 3}) {
    EXPECT_TRUE(std::isnan(x.view().at(0, lane)));
    EXPECT_TRUE(std::isnan(map_laws::log_det(map, y.view()).value[lane]));
  }
  EXPECT_EQ(x.view().at(0, 0), 0);
}

TEST(NewtonMap, RefusesACentreOutside) {
  testing_maps::LogBarrier barrier = triangle();
  barrier.middle = {1, 1};
  EXPECT_THROW(NewtonMap(barrier, "triangle"), Error);
}

}  // namespace
}  // namespace tain::newton_test
