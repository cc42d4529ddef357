#include "targets/gaussian.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "errors.hpp"
#include "maps/box.hpp"
#include "maps/simplex.hpp"
#include "points.hpp"
#include "support/potential_laws.hpp"
#include "targets/truncated_normal.hpp"

namespace tain::gaussian_test {
namespace {

using testing_support::evaluate;
using testing_support::fails;
using testing_support::keeps_potential_laws;
using testing_support::normal_points;

constexpr double inf = std::numeric_limits<double>::infinity();

std::vector<double> autoregressive(std::size_t d, double rho) {
  std::vector<double> c(d * d);
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      c[i * d + j] = std::pow(rho, std::abs(static_cast<double>(i) - static_cast<double>(j)));
    }
  }
  return c;
}

TEST(Gaussian, KeepsTheLaws) {
  const auto x = normal_points(5, 16, 1, 0, 2);
  const std::vector<double> mean = {1, -1, 0, 2, 0.5};
  EXPECT_TRUE(keeps_potential_laws(Gaussian::diagonal(mean, std::vector<double>{0.5, 1, 2, 3, 0.1}),
                                   x.view()));
  EXPECT_TRUE(
      keeps_potential_laws(Gaussian::with_covariance(mean, autoregressive(5, 0.7)), x.view()));
  EXPECT_TRUE(
      keeps_potential_laws(Gaussian::with_precision(mean, autoregressive(5, 0.7)), x.view()));
}

TEST(Gaussian, CovarianceOfAnAutoregressionHasATridiagonalPrecision) {
  for (const double rho : {0.5, 0.9, 0.99, 0.999}) {
    const std::size_t d = 200;
    const Gaussian target =
        Gaussian::with_covariance(std::vector<double>(d), autoregressive(d, rho));
    EXPECT_EQ(target.form().stored_entries(), 3 * d - 2) << rho;
    // Known inverse: (1 + rho^2) / (1 - rho^2) on the diagonal, -rho / (1 - rho^2) beside it. An
    // inverse is good to eps times the condition number ((1 + rho) / (1 - rho))^2 at most.
    const double tolerance = 1e-15 * std::pow((1 + rho) / (1 - rho), 2);
    const double diagonal = (1 + rho * rho) / (1 - rho * rho);
    EXPECT_NEAR(target.form().entry(7, 7), diagonal, tolerance * diagonal);
    EXPECT_NEAR(target.form().entry(7, 8), -rho / (1 - rho * rho), tolerance * diagonal);
    EXPECT_EQ(target.form().entry(7, 9), 0);
  }
}

TEST(Gaussian, UnitsDoNotDecideWhatIsNoise) {
  // Coordinate 2 is measured in units 1e9 times larger: the same law, nothing may be dropped.
  const Gaussian target =
      Gaussian::with_covariance({0, 0}, std::vector<double>{1, 0.5e-9, 0.5e-9, 1e-18});
  EXPECT_EQ(target.form().stored_entries(), 4u);
  EXPECT_NEAR(target.form().entry(0, 1), -0.5 / 0.75 * 1e9, 1e-3);
}

TEST(Gaussian, DiagonalMatricesStoreOnlyTheirDiagonal) {
  EXPECT_TRUE(
      Gaussian::with_covariance({0, 0}, std::vector<double>{4, 0, 0, 9}).form().is_diagonal());
  EXPECT_DOUBLE_EQ(
      Gaussian::with_covariance({0, 0}, std::vector<double>{4, 0, 0, 9}).form().entry(1, 1),
      1.0 / 9);
  EXPECT_TRUE(Gaussian::with_precision({0}, std::vector<double>{4}).form().is_diagonal());
}

TEST(Gaussian, KnowsItsMomentsWithoutConstraint) {
  const std::vector<double> c = {2, 0.6, 0.6, 1};
  const Gaussian target = Gaussian::with_covariance({0.3, -4}, c);
  const TargetFacts facts = target.facts(BoxMap::identity(2));
  EXPECT_EQ(facts.mean, (std::vector<double>{0.3, -4}));
  EXPECT_EQ(facts.variance, (std::vector<double>{2, 1}));
  // Largest eigenvalue of P = 1 / smallest of C; the row-sum bound may only be larger.
  const double smallest = 1.5 - std::hypot(0.5, 0.6);
  EXPECT_GE(*facts.dual_lipschitz, 1 / smallest);
  const TargetFacts precision = Gaussian::with_precision({0, 0}, c).facts(BoxMap::identity(2));
  EXPECT_NEAR(precision.variance[0], 1 / (2 * 1 - 0.36), 1e-14);
  EXPECT_TRUE(target.facts(BoxMap::orthant(2)).mean.empty());
  EXPECT_TRUE(target.facts(BoxMap::orthant(2)).start.empty());
  EXPECT_TRUE(target.facts(SimplexMap::symmetric(2)).mean.empty());
}

TEST(Gaussian, KnowsTruncatedMomentsOnABox) {
  const Gaussian target = Gaussian::diagonal({0, 0.3}, std::vector<double>{1, 0.7});
  const TargetFacts facts = target.facts(BoxMap({8, -1}, {inf, inf}));
  EXPECT_NEAR(facts.mean[0], 8.1213681122361126807, 1e-13);
  EXPECT_NEAR(facts.variance[1], 0.42052572448984976722, 1e-13);
  EXPECT_FALSE(facts.dual_lipschitz);
}

struct TruncatedCase {
  double mean, sd, lower, upper, expected_mean, expected_variance;
};

TEST(TruncatedNormal, MomentsAgreeWithMpmath) {
  const TruncatedCase table[] = {
      {0, 1, -1, 1, 0.0, 0.29112509477279321119},
      {0.3, 0.7, -1, inf, 0.35140877917955249442, 0.42052572448984976722},
      {0, 1, 8, inf, 8.1213681122361126807, 0.014324883443340910176},
      {0, 1, -inf, -30, -30.033259667433677037, 0.0011037715118900910011},
      {5, 0.01, -1, 1, 0.99997500031249023483, 6.2497656372062409053e-10},
      {0.5, 2, 0.1, 0.1001, 0.10005000008332291666, 8.3333333325972326383e-10},
      {-3, 0.5, -inf, inf, -3.0, 0.25},
      {0, 1, -40, 38, 0.0, 1.0},
      {1000, 1, -1, 1, 0.99899900100500096895, 1.0019969799951863273e-6},
      {0, 1e6, 0, 1, 0.49999999999995833333, 0.083333333333330555556},
  };
  for (const TruncatedCase& row : table) {
    const Moments moments = truncated_normal_moments(row.mean, row.sd, row.lower, row.upper);
    const double sd = std::sqrt(row.expected_variance);
    EXPECT_NEAR(moments.mean, row.expected_mean, 1e-12 * sd + 2e-16 * std::abs(row.expected_mean));
    EXPECT_NEAR(moments.variance, row.expected_variance, 1e-12 * row.expected_variance);
  }
}

TEST(Gaussian, RefusesWrongNumbers) {
  using V = std::vector<double>;
  EXPECT_TRUE(fails([] { Gaussian::diagonal({0, 0}, V{1}); }, Fault::config, "1 standard"));
  EXPECT_TRUE(
      fails([] { Gaussian::diagonal({0, 0}, V{1, 0}); }, Fault::config, "sd: number 2 is 0"));
  EXPECT_TRUE(
      fails([] { Gaussian::diagonal({0, NAN}, V{1, 1}); }, Fault::config, "mean: number 2 is nan"));
  EXPECT_TRUE(fails([] { Gaussian::diagonal({}, V{}); }, Fault::config, "dimension 0"));
  EXPECT_TRUE(fails([] { Gaussian::with_covariance({0, 0}, V{1, 0.5, 0.4, 1}); }, Fault::config,
                    "covariance: is not symmetric: (2, 1) is 0.4, (1, 2) is 0.5"));
  EXPECT_TRUE(fails([] { Gaussian::with_covariance({0, 0}, V{1, 2, 2, 1}); }, Fault::config,
                    "covariance: is not positive definite"));
  EXPECT_TRUE(fails([] { Gaussian::with_covariance({0, 0}, V{1, 1, 1, 1}); }, Fault::config,
                    "covariance: is not positive definite"));
  EXPECT_TRUE(fails([] { Gaussian::with_precision({0, 0}, V{1, 0, 0, -1}); }, Fault::config,
                    "(2, 2) is -1"));
  EXPECT_TRUE(fails([] { Gaussian::with_precision({0, 0}, V{1, 0, 0}); }, Fault::config,
                    "precision has 3 numbers"));
}

}  // namespace
}  // namespace tain::gaussian_test
