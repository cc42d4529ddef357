
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "core/special.hpp"
#include "maps/simplex.hpp"
#include "support/map_laws.hpp"
#include "tain/core/error.hpp"

namespace tain::stretched_simplex_test {
namespace {

using map_laws::column;
using map_laws::epsilon;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// Weights of all sizes: slopes from 1 (weight 2 and more) to 200.
std::vector<double> weights(std::size_t n) {
  std::vector<double> result(n);
  for (std::size_t i = 0; i < n; ++i) {
    result[i] = std::vector<double>{0.01, 0.1, 3, 0.5, 20}[i % 5];
  }
  return result;
}

struct Case {
  SimplexMap map;
  double steepest;  // bounds slopes: derivatives in z are those of the logits times its powers
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const std::size_t n : {2, 5, 11, 101}) {
    all.push_back({SimplexMap::for_weights(weights(n)), 200});
    all.push_back({SimplexMap::for_weights(weights(n), 0), 200});
    all.push_back({SimplexMap::for_weights(weights(n), n - 1), 200});
    all.push_back(
        {SimplexMap::stretched(std::vector<double>(n, 4.0), std::vector<double>(n, 0.5)), 4});
  }
  return all;
}

// ---- laws of MirrorMap --------------------------------------------------------------------------

// phi^-1 has slopes below 1, so z is as exact as log x: an ULP of values below 700, n of them
// summed.
TEST(StretchedSimplex, ToDualUndoesToPrimal) {
  for (const Case& c : cases()) {
    const BlockStorage z = map_laws::points(c.map.dual_dim(), 1, 5);
    EXPECT_TRUE(map_laws::inverse(c.map, z.view(), 1e3 * epsilon));
  }
}

// Fifth derivatives of x in z grow with the fifth power of k s q; s q <= 4 keeps five-point
// differences meaningful, so gentle slopes are checked at all points, and steep ones by the
// Jacobian's determinant below.
TEST(StretchedSimplex, PullBackIsTheTransposedJacobian) {
  for (const std::size_t n : {2, 5, 11, 101}) {
    const std::vector<double> slopes(n, 4.0), knees(n, 0.5);
    for (const auto& map :
         {SimplexMap::stretched(slopes, knees), SimplexMap::stretched(slopes, knees, n / 2),
          SimplexMap::stretched(slopes, knees, 0)}) {
      const BlockStorage z = map_laws::points(n - 1, 1, 6);
      EXPECT_TRUE(map_laws::transposed_jacobian(map, z.view(), std::pow(8.0, 5) / 16));
      EXPECT_TRUE(map_laws::log_determinant_slope(map, z.view(), std::pow(2.0, 5)));
    }
  }
}

// Steep slopes lead near the vertices, where 1 - x in the Jacobian cancels. The condition of the
// matrix, which the law allows for, shows it but for n = 2, where the matrix is a number.
TEST(StretchedSimplex, LogDetIsThatOfTheJacobian) {
  for (const Case& c : cases()) {
    if (c.map.primal_dim() == 2 && c.steepest > 4) {
      continue;
    }
    const BlockStorage z = map_laws::points(c.map.dual_dim(), 1, 7);
    EXPECT_TRUE(map_laws::log_determinant(c.map, z.view()));
  }
}

TEST(StretchedSimplex, InsideAndLanesIndependent) {
  for (const Case& c : cases()) {
    const BlockStorage z = map_laws::points(c.map.dual_dim(), 1, 8);
    EXPECT_TRUE(map_laws::inside(c.map, z.view()));
    EXPECT_TRUE(map_laws::independent_lanes(c.map, z.view()));
  }
}

TEST(StretchedSimplex, FarPointsAreFiniteAndInside) {
  std::vector<Case> all = cases();
  all.push_back({SimplexMap::stretched({1e290, 1, 1e290}, {0, 0, 5}), 1e290});
  for (const Case& c : all) {
    for (const double reach : {30.0, 1e3, 1e6}) {
      const BlockStorage z = map_laws::points(c.map.dual_dim(), reach, 9);
      EXPECT_TRUE(map_laws::finite_far_out(
          c.map, z.view(), [&](std::span<const double> x) { return c.map.contains(x); }))
          << "|z_i| up to " << reach;
    }
  }
}

// The gradient of log det along one direction against the difference of values, slopes up to 200: a
// step h of 1e-4 errs by (k s h)^4 / 30 of the largest term, 7e-8 n s, and by rounding.
TEST(StretchedSimplex, SteepLogDetSlope) {
  for (const Case& c : cases()) {
    const BlockStorage z = map_laws::points(c.map.dual_dim(), 1, 10);
    const BlockStorage along = map_laws::points(c.map.dual_dim(), 1, 11);
    const double h = 1e-4;
    double slope = 0, difference = 0;
    const auto at = [&](double by) {
      BlockStorage moved(z.rows(), z.lanes());
      for (std::size_t k = 0; k < z.view().size(); ++k) {
        moved.view().flat()[k] = z.view().flat()[k] + by * along.view().flat()[k];
      }
      return map_laws::log_det(c.map, moved.view());
    };
    const auto here = at(0);
    for (std::size_t j = 0; j < z.rows(); ++j) {
      slope += here.slope.view().at(j, 3) * along.view().at(j, 3);
    }
    for (const auto& [steps, weight] : {std::pair{-2, 1.0}, {-1, -8.0}, {1, 8.0}, {2, -1.0}}) {
      difference += weight * at(steps * h).value[3] / (12 * h);
    }
    const double n = static_cast<double>(c.map.primal_dim());
    EXPECT_NEAR(slope, difference, 1e-7 * n * c.steepest) << c.map.name();
  }
}

TEST(StretchedSimplex, ThousandCategories) {
  const std::size_t n = 1000;
  const std::vector<double> sparse(n, 0.01);
  for (const auto& map :
       {SimplexMap::for_weights(sparse), SimplexMap::for_weights(weights(n), 4)}) {
    const BlockStorage z = map_laws::points(n - 1, 2, 12);
    EXPECT_TRUE(map_laws::inside(map, z.view()));
    // x below the floor cannot come back: compare log x where it has not underflowed.
    const BlockStorage x = map_laws::to_primal(map, z.view());
    BlockStorage back(n - 1, lane_group), log_x(n, lane_group), again(n, lane_group);
    Workspace ws;
    map.to_dual(x.view(), back.view(), ws);
    map.log_primal(z.view(), log_x.view(), ws);
    map.log_primal(back.view(), again.view(), ws);
    for (std::size_t i = 0; i < n; ++i) {
      if (log_x.view().at(i, 1) > -600) {
        EXPECT_NEAR(again.view().at(i, 1), log_x.view().at(i, 1), 1e-9) << i;
      }
    }
  }
}

// ---- its own ------------------------------------------------------------------------------------

TEST(StretchedSimplex, WithoutStretchIsTheSimplex) {
  const std::size_t n = 7;
  const std::vector<double> ones(n, 1.0), knees(n, 0.3);
  const BlockStorage z = map_laws::points(n - 1, 3, 13);
  const auto same = [&](const AnyMap& one, const AnyMap& other) {
    const BlockStorage x = map_laws::to_primal(one, z.view());
    const BlockStorage wanted = map_laws::to_primal(other, z.view());
    const auto log_det = map_laws::log_det(one, z.view());
    const auto wanted_log_det = map_laws::log_det(other, z.view());
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_NEAR(x.view().at(i, 2), wanted.view().at(i, 2), 16 * epsilon);
    }
    EXPECT_NEAR(log_det.value[2], wanted_log_det.value[2], 1e3 * epsilon);
    for (std::size_t j = 0; j + 1 < n; ++j) {
      EXPECT_NEAR(log_det.slope.view().at(j, 2), wanted_log_det.slope.view().at(j, 2),
                  1e3 * epsilon);
    }
  };
  same(SimplexMap::stretched(ones, knees), SimplexMap::symmetric(n));
  same(SimplexMap::stretched(ones, knees, 2), SimplexMap::with_reference(n, 2));
}

TEST(StretchedSimplex, SlopesAreThoseOnEitherSideOfTheKnee) {
  const SimplexMap map = SimplexMap::stretched({5, 3, 1}, {0.5, -1, 0}, 2);
  BlockStorage z(2, lane_group);
  z.view().at(0, 0) = -100;  // far left of both
  z.view().at(1, 0) = -100;
  z.view().at(0, 1) = 100;
  z.view().at(1, 1) = 100;
  z.view().at(0, 2) = 0.5;  // at the knees
  z.view().at(1, 2) = -1;
  Workspace ws;
  const auto [u, slope, inverse] = map.stretched_logits(z.view(), ws);
  const double log2 = std::log(2.0), k = SimplexMap::sharpness;
  const double wanted[][3] = {{-100 - 4 * 100.5, 100, 0.5 - 4 * log2 / k},
                              {-100 - 2 * 99.0, 100, -1 - 2 * log2 / k}};
  const double slopes[][3] = {{5, 1, 3}, {3, 1, 2}};
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t lane = 0; lane < 3; ++lane) {
      EXPECT_NEAR(u.at(i, lane), wanted[i][lane], 1e-12);
      EXPECT_NEAR(slope.at(i, lane), slopes[i][lane], 1e-12);
      EXPECT_NEAR(inverse.at(i, lane), 1 / slopes[i][lane], 1e-12);
    }
  }
  EXPECT_EQ(u.at(2, 0), 0);
  EXPECT_EQ(slope.at(2, 0), 1);
}

// Draws of the law itself: the knees put g = 1 where they should, and E sum y = 0.
TEST(StretchedSimplex, KneesCentreTheLaw) {
  const std::size_t n = 40, draws = 4096;
  std::vector<double> a(n, 0.1);
  std::fill_n(a.begin(), 10, 1.5);
  std::fill_n(a.begin(), 3, 30);
  const SimplexMap map = SimplexMap::for_weights(a);
  // log g for all categories at the map's own level: y_i = phi_i^-1(log g_i + level), where the
  // level is that of an unstretched category, whose knee is log a + level.
  const double level = map.knees()[0] - std::log(a[0]);
  std::mt19937_64 engine(3);
  double sum = 0, squares = 0;
  for (std::size_t k = 0; k < draws; ++k) {
    double total = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double log_g = std::log(std::gamma_distribution<>(a[i] + 1)(engine)) +
                           std::log(std::uniform_real_distribution<>()(engine)) / a[i];
      double low = -1e5, high = 1e5;
      for (int halving = 0; halving < 80; ++halving) {
        const double y = 0.5 * (low + high), s = map.slopes()[i];
        const double t = SimplexMap::sharpness * (map.knees()[i] - y);
        const double softplus = std::max(t, 0.0) + std::log1p(std::exp(-std::abs(t)));
        (y - (s - 1) / SimplexMap::sharpness * softplus < log_g + level ? low : high) = y;
      }
      total += low;
    }
    sum += total;
    squares += total * total;
  }
  const double mean = sum / draws, error = std::sqrt((squares / draws - mean * mean) / draws);
  EXPECT_LT(std::abs(mean), 4 * error + 1e-6 * n);
}

TEST(StretchedSimplex, LogPrimalIsExactWhereXUnderflows) {
  const SimplexMap map = SimplexMap::stretched({1000, 1}, {0, 0}, 1);
  BlockStorage z(1, lane_group), log_x(2, lane_group);
  z.view().at(0, 0) = -50;
  Workspace ws;
  map.log_primal(z.view(), log_x.view(), ws);
  EXPECT_NEAR(log_x.view().at(0, 0), -50000, 1e-9);
  EXPECT_EQ(map_laws::to_primal(map, z.view()).view().at(0, 0), 1e-290);
}

TEST(StretchedSimplex, TinyWeightsHaveFiniteKnees) {
  const std::vector<double> a{1e-300, 1, 1e-12, 5};
  for (const auto& map : {SimplexMap::for_weights(a), SimplexMap::for_weights(a, 3)}) {
    std::vector<double> x(4);
    map.centre(x);
    EXPECT_TRUE(map.contains(x));
    BlockStorage block(4, lane_group), z(3, lane_group);
    for (std::size_t i = 0; i < 4; ++i) {
      std::fill_n(block.view().row(i), lane_group, x[i]);
    }
    Workspace ws;
    map.to_dual(block.view(), z.view(), ws);
    for (const double value : z.view().flat()) {
      EXPECT_TRUE(std::isfinite(value));
    }
  }
}

TEST(StretchedSimplex, NaNStaysInItsLane) {
  const SimplexMap map = SimplexMap::for_weights(weights(4));
  BlockStorage z(3, lane_group);
  z.view().at(1, 2) = not_a_number;
  const BlockStorage x = map_laws::to_primal(map, z.view());
  EXPECT_TRUE(std::isnan(x.view().at(0, 2)));
  EXPECT_TRUE(std::isfinite(x.view().at(0, 3)));
  EXPECT_TRUE(std::isnan(map_laws::log_det(map, z.view()).value[2]));
  BlockStorage lost(4, lane_group), back(3, lane_group);
  std::fill(lost.view().flat().begin(), lost.view().flat().end(), not_a_number);
  Workspace ws;
  map.to_dual(lost.view(), back.view(), ws);
  EXPECT_TRUE(std::isnan(back.view().at(0, 0)));
}

TEST(StretchedSimplex, NamesAndRefusals) {
  EXPECT_EQ(SimplexMap::for_weights(weights(11)).name(), "simplex(11, stretched)");
  EXPECT_EQ(SimplexMap::for_weights(weights(11), 0).name(), "simplex(11, stretched, reference 1)");
  EXPECT_THROW(SimplexMap::stretched({2}, {0}), Error);
  EXPECT_THROW(SimplexMap::stretched({2, 2}, {0}), Error);
  EXPECT_THROW(SimplexMap::stretched({2, 0.5}, {0, 0}), Error);
  EXPECT_THROW(SimplexMap::stretched({2, not_a_number}, {0, 0}), Error);
  EXPECT_THROW(SimplexMap::stretched({2, 2}, {0, not_a_number}), Error);
  EXPECT_THROW(SimplexMap::stretched({2, 2}, {0, 0}, 2), Error);
}

}  // namespace
}  // namespace tain::stretched_simplex_test
