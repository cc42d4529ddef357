// Every map goes through every law, in dimensions 1, 2, 10 and 100.
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "legendre_functions.hpp"
#include "maps/affine.hpp"
#include "maps/ball.hpp"
#include "maps/box.hpp"
#include "maps/product.hpp"
#include "maps/simplex.hpp"
#include "support/map_laws.hpp"
#include "tain/maps/newton.hpp"

namespace tain::laws_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A map, points for it, and what is known about rounding there.
struct Case {
  AnyMap map;
  double reach;      ///< |y_i| of moderate points
  double condition;  ///< bound on |x| |dy/dx| there: rounding of x moves y by epsilon times this
  double size = 1;   ///< bound on |x|, and on its fifth derivatives in y over 16
  double loss = 1;   ///< log det's digits lost beyond those of closed forms
  bool gradient = true;  ///< is law 4 meant?
  double nearest = 0;    ///< |y| at least this: 1 keeps away from the paper's kink
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.map.name(); }

// Coordinates in [-reach, reach], moved out along their direction where they have to stay away
// from 0.
BlockStorage moderate(const Case& c) {
  BlockStorage y = map_laws::points(c.map.dual_dim(), c.reach, 5);
  for (std::size_t lane = 0; lane < lane_group; ++lane) {
    double square = 0;
    for (const double v : map_laws::column(y.view(), lane)) {
      square += v * v;
    }
    for (std::size_t i = 0; i < y.rows(); ++i) {
      y.view().at(i, lane) *= 1 + c.nearest / std::sqrt(square);
    }
  }
  return y;
}

// |artanh'| <= e^(2 reach) on the box, times |x| / r.
Case box_case(std::size_t d) {
  return {BoxMap(std::vector<double>(d, -1.0), std::vector<double>(d, 1.0)), 3, std::exp(6.0)};
}

// All kinds of coordinates, in runs of different length.
Case mixed_case(std::size_t d) {
  std::vector<double> lower, upper;
  for (std::size_t i = 0; i < d; ++i) {
    const std::size_t kind = (i / 3 + i) % 6;
    lower.push_back(std::vector<double>{-2, 0, -7, 0.5, -infinity, -infinity}[kind]);
    upper.push_back(std::vector<double>{2, 3, -1, infinity, 4, infinity}[kind]);
  }
  return {BoxMap(lower, upper), 3, 8 * std::exp(6.0), 32};
}

Case ball_case(std::size_t d, BallForm form) {
  std::vector<double> centre(d);
  for (std::size_t i = 0; i < d; ++i) {
    centre[i] = 0.25 * static_cast<double>(i % 5);
  }
  const double reach = 2 / std::sqrt(static_cast<double>(d));   // |y| <= 2
  const double weight = 1 + std::sqrt(static_cast<double>(d));  // |c| / R
  return form == BallForm::tanh
             ? Case{BallMap(centre, 1.5, form), reach, weight * std::exp(4.0), 4}
             : Case{BallMap(centre, 1.5, form), reach, weight * 16, 16, 4, true, 1};
}

Case affine_case(std::size_t d) {
  std::vector<double> matrix(d * d, 0.0), shift(d);
  for (std::size_t i = 0; i < d; ++i) {  // bidiagonal, well-conditioned
    matrix[i * d + i] = 2 + 0.01 * static_cast<double>(i);
    if (i > 0) {
      matrix[i * d + i - 1] = -0.5;
    }
    shift[i] = 0.1 * static_cast<double>(i);
  }
  return {AffineMap(box_case(d).map, matrix, shift), 2, 20 * std::exp(4.0), 16, 1, false};
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const std::size_t d : {1, 2, 10, 100}) {
    all.push_back({SimplexMap::symmetric(d + 1), 3, 64, 1, 1, false});
    all.push_back({SimplexMap::with_reference(d + 1, d), 3, 64});
    all.push_back({SimplexMap::with_reference(d + 1, d / 3), 3, 64});
    all.push_back(box_case(d));
    all.push_back(mixed_case(d));
    all.push_back({BoxMap::orthant(d), 3, 8, 32});
    all.push_back({BoxMap::identity(d), 3, 8, 4});
    all.push_back(ball_case(d, BallForm::tanh));
    all.push_back(ball_case(d, BallForm::paper));
    all.push_back({ProductMap({SimplexMap::symmetric(d + 1), mixed_case(d).map,
                               SimplexMap::with_reference(3, 0), ball_case(d, BallForm::tanh).map}),
                   1 / std::sqrt(static_cast<double>(d)), 20 * std::exp(6.0), 32, 1, false});
    all.push_back(affine_case(d));
  }
  // Central differences of step epsilon^(1/3) inside five-point differences: see newton.hpp.
  all.push_back({NewtonMap(testing_maps::triangle(), "triangle"), 4, 1e3, 16, 1e3});
  all.push_back({NewtonMap(testing_maps::cut_cube(2), "cut square"), 4, 1e3, 16, 1e3});
  all.push_back({NewtonMap(testing_maps::cut_cube(6), "cut cube"), 4, 1e3, 16, 1e3});
  return all;
}

class MapLaws : public testing::TestWithParam<Case> {};

TEST_P(MapLaws, ToDualUndoesToPrimal) {
  const Case& c = GetParam();
  EXPECT_TRUE(map_laws::inverse(c.map, moderate(c).view(), 8 * map_laws::epsilon * c.condition));
}

TEST_P(MapLaws, PullBackIsTheTransposedJacobian) {
  const Case& c = GetParam();
  EXPECT_TRUE(map_laws::transposed_jacobian(c.map, moderate(c).view(), c.size));
}

TEST_P(MapLaws, LogDetIsThatOfTheJacobian) {
  const Case& c = GetParam();
  EXPECT_TRUE(map_laws::log_determinant(c.map, moderate(c).view()));
}

TEST_P(MapLaws, LogDetSlopeIsItsDerivative) {
  const Case& c = GetParam();
  EXPECT_TRUE(map_laws::log_determinant_slope(c.map, moderate(c).view(), c.loss));
}

TEST_P(MapLaws, ModeratePointsAndTheCentreAreInside) {
  const Case& c = GetParam();
  EXPECT_TRUE(map_laws::inside(c.map, moderate(c).view()));
}

TEST_P(MapLaws, LanesAreIndependent) {
  const Case& c = GetParam();
  EXPECT_TRUE(map_laws::independent_lanes(c.map, moderate(c).view()));
}

// Stronger than law 5: strictly inside, however far out. Affine images round A x0 + b, so that only
// finiteness can be asked of them.
TEST_P(MapLaws, FarPointsAreFiniteAndInside) {
  const Case& c = GetParam();
  const bool rounds = c.map.as<AffineMap>() != nullptr;
  for (const double reach : {30.0, 1e3, 1e6}) {
    const BlockStorage y = map_laws::points(c.map.dual_dim(), reach, 9);
    EXPECT_TRUE(map_laws::finite_far_out(
        c.map, y.view(), [&](std::span<const double> x) { return rounds || c.map.contains(x); }))
        << "|y_i| up to " << reach;
  }
}

INSTANTIATE_TEST_SUITE_P(All, MapLaws, testing::ValuesIn(cases()));

class GradientMapLaws : public testing::TestWithParam<Case> {};

TEST_P(GradientMapLaws, JacobianIsSymmetricPositive) {
  const Case& c = GetParam();
  EXPECT_TRUE(map_laws::symmetric_positive(c.map, moderate(c).view()));
}

std::vector<Case> gradient_cases() {
  std::vector<Case> all = cases();
  std::erase_if(all, [](const Case& c) { return !c.gradient; });
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, GradientMapLaws, testing::ValuesIn(gradient_cases()));

}  // namespace
}  // namespace tain::laws_test
