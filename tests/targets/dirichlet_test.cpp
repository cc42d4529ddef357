#include "targets/dirichlet.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/special.hpp"
#include "errors.hpp"
#include "maps/box.hpp"
#include "maps/simplex.hpp"
#include "points.hpp"
#include "support/potential_laws.hpp"
#include "targets/mirrored.hpp"
#include "targets/uniform.hpp"

namespace tain::dirichlet_test {
namespace {

using testing_support::evaluate;
using testing_support::fails;
using testing_support::keeps_potential_laws;
using testing_support::normal_points;
using testing_support::uniform_points;

/// The paper's synthetic experiment: 11 categories, three of them seen.
DirichletPosterior synthetic() {
  return {{10000, 10, 10, 0, 0, 0, 0, 0, 0, 0, 0}, std::vector<double>(11, 0.1)};
}

std::vector<SimplexMap> all_coordinates(std::size_t n) {
  return {SimplexMap::symmetric(n), SimplexMap::with_reference(n, n - 1),
          SimplexMap::with_reference(n, 0), SimplexMap::with_reference(n, n / 2)};
}

TEST(Dirichlet, KeepsTheLawsInside) {
  const auto x = uniform_points(11, 16, 1, 0.1, 1.0);
  EXPECT_TRUE(keeps_potential_laws(synthetic(), x.view(), 0.1));
}

TEST(Dirichlet, ClosedDualKeepsTheLaws) {
  for (const SimplexMap& simplex : all_coordinates(11)) {
    const auto y = normal_points(10, 24, 2, 0, 2);
    EXPECT_TRUE(keeps_potential_laws(mirrored(simplex, synthetic(), DualForm::closed), y.view()))
        << simplex.name();
  }
}

/// Two ways to the same W: 3.7 and the second line of 3.3. Values differ by a constant. `steepest`
/// bounds the slopes of stretched logits, which multiply the gradient.
void expect_closed_is_generic(const DirichletPosterior& target, const AnyMap& simplex, ConstBlock y,
                              double steepest = 1) {
  const auto closed = evaluate(mirrored(simplex, target, DualForm::closed), y);
  const auto generic = evaluate(mirrored(simplex, target, DualForm::generic), y);
  // All values are sums over n categories of terms that together are as large as (A + n) max
  // |log x|, good to 4 eps each, though the sums may be near 0.
  const double n = double(simplex.primal_dim());
  Workspace ws;
  const Block x = ws.block(simplex.primal_dim(), y.lanes());
  simplex.to_primal(y, x, ws);
  const double least = std::ranges::min(x.flat());
  const double error = (n + 4) * std::numeric_limits<double>::epsilon() * (target.total() + n) *
                       std::max(1.0, -std::log(least));
  for (std::size_t l = 0; l < y.lanes(); ++l) {
    EXPECT_NEAR(closed.value[l] - closed.value[0], generic.value[l] - generic.value[0], 4 * error);
    for (std::size_t j = 0; j < y.rows(); ++j) {
      EXPECT_NEAR(closed.grad.view().at(j, l), generic.grad.view().at(j, l),
                  1e-12 * target.total() * steepest);
    }
  }
}

TEST(Dirichlet, ClosedDualIsTheGenericDual) {
  for (const SimplexMap& simplex : all_coordinates(11)) {
    expect_closed_is_generic(synthetic(), simplex, normal_points(10, 16, 3, 0, 1.5).view());
  }
  for (const SimplexMap& simplex : all_coordinates(2)) {
    expect_closed_is_generic({{3, 0}, {0.5, 2}}, simplex, normal_points(1, 16, 4, 0, 1.5).view());
  }
}

/// Sparse, with weights on either side of the limit of stretching, in both kinds of coordinates.
std::vector<SimplexMap> stretched(const DirichletPosterior& target) {
  return {SimplexMap::for_weights(target.weights()), SimplexMap::for_weights(target.weights(), 0)};
}

TEST(Dirichlet, StretchedClosedDualIsTheGenericDual) {
  const DirichletPosterior few({3, 0}, {0.5, 0.2});
  for (const DirichletPosterior& target : {synthetic(), few}) {
    const auto y = normal_points(target.dim() - 1, 16, 13, 0, 0.5);
    for (const SimplexMap& map : stretched(target)) {
      expect_closed_is_generic(target, map, y.view(), 20);
      EXPECT_TRUE(keeps_potential_laws(mirrored(map, target, DualForm::closed), y.view(), 0.1))
          << map.name();
    }
  }
}

TEST(Dirichlet, StretchedDualIsFiniteFarOutAndInHighDimension) {
  const std::size_t n = 10000;
  const DirichletPosterior sparse(std::vector<double>(n, 0.0), std::vector<double>(n, 0.01));
  for (const DirichletPosterior& target : {synthetic(), sparse}) {
    for (const SimplexMap& map : stretched(target)) {
      for (const double spread : {2.0, 1e3, 1e6}) {
        const auto y = normal_points(target.dim() - 1, 8, 14, 0, spread);
        const auto result = evaluate(mirrored(map, target), y.view());
        for (std::size_t l = 0; l < 8; ++l) {
          EXPECT_TRUE(std::isfinite(result.value[l]));
        }
        EXPECT_TRUE(std::ranges::all_of(result.grad.view().flat(),
                                        [](double g) { return std::isfinite(g); }));
      }
    }
  }
}

TEST(Dirichlet, StretchedCoordinatesKeepTheMoments) {
  const TargetFacts plain = synthetic().facts(SimplexMap::symmetric(11));
  const TargetFacts facts = synthetic().facts(stretched(synthetic())[0]);
  EXPECT_EQ(facts.mean, plain.mean);
  EXPECT_EQ(facts.log_variance, plain.log_variance);
  EXPECT_TRUE(facts.start.empty());    // the map's centre is the better start
  EXPECT_FALSE(facts.dual_lipschitz);  // none is known
}

RC_GTEST_PROP(DirichletProperty, ClosedIsGenericForAnyCounts, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(2, 40);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto power = *rc::gen::inRange(-2, 6);
  const auto raw = uniform_points(n, 1, seed, 0, 1);
  std::vector<double> counts(n), alpha(n, std::pow(10.0, std::min(power, 1)));
  for (std::size_t i = 0; i < n; ++i) {
    counts[i] = std::floor(raw.view().at(i, 0) * std::pow(10.0, power));
  }
  const auto y = normal_points(n - 1, 8, seed + 1, 0, 1.5);
  const DirichletPosterior target(counts, alpha);
  expect_closed_is_generic(target, SimplexMap::symmetric(n), y.view());
  expect_closed_is_generic(target, SimplexMap::with_reference(n, seed % n), y.view());
}

TEST(Dirichlet, ClosedDualIsFiniteFarOut) {
  for (const SimplexMap& simplex : all_coordinates(11)) {
    const AnyPotential W = mirrored(simplex, synthetic());
    for (const double spread : {1e3, 1e4, 1e6, 1e12}) {
      const auto y = normal_points(10, 16, 5, 0, spread);
      const auto result = evaluate(W, y.view());
      for (std::size_t l = 0; l < 16; ++l) {
        EXPECT_TRUE(std::isfinite(result.value[l]) && result.value[l] >= 0);
      }
      for (const double g : result.grad.view().flat()) {
        // |A x_l - a_l| <= A, and the change of coordinates is an isometry of the n logits.
        EXPECT_LE(std::abs(g), synthetic().total() * std::sqrt(11.0));
      }
    }
  }
}

TEST(Dirichlet, LargeDimensionAndTinyAlpha) {
  const std::size_t n = 10000;
  const DirichletPosterior target(std::vector<double>(n, 0.0), std::vector<double>(n, 0.01));
  const auto y = normal_points(n - 1, 8, 6, 0, 100);
  for (const SimplexMap& simplex : {SimplexMap::symmetric(n), SimplexMap::with_reference(n, 7)}) {
    const auto result = evaluate(mirrored(simplex, target), y.view());
    for (std::size_t l = 0; l < 8; ++l) {
      EXPECT_TRUE(std::isfinite(result.value[l]));
      EXPECT_GT(result.value[l], 0);
    }
  }
}

/// W - W(mode) at y = mode + z / sqrt(A), against the same in long double.
double worst_value_error(double N, const SimplexMap& simplex) {
  std::vector<double> counts = {0.7 * N, 0.2 * N, 0.1 * N, 0, 3};
  const std::size_t n = counts.size();
  const DirichletPosterior target(counts, std::vector<double>(n, 0.01));
  const AnyPotential W = mirrored(simplex, target);
  BlockStorage x(n, 16), y(n - 1, 16), u(n, 16);
  for (std::size_t i = 0; i < n; ++i) {
    std::fill_n(x.view().row(i), 16, target.weights()[i] / target.total());
  }
  Workspace ws;
  simplex.to_dual(x.view(), y.view(), ws);
  const auto z = normal_points(n - 1, 16, 8, 0, 1 / std::sqrt(N));
  for (std::size_t k = 0; k < y.view().size(); ++k) {
    y.view().flat()[k] += z.view().flat()[k];
  }
  const auto result = evaluate(W, y.view());
  simplex.logits(y.view(), u.view());
  double worst = 0;
  for (std::size_t l = 0; l < 16; ++l) {
    // The logits, and hence x, as long double arithmetic sees them.
    long double sum = 0, exact = 0;
    for (std::size_t i = 0; i < n; ++i) {
      sum += std::exp(static_cast<long double>(u.view().at(i, l)));
    }
    for (std::size_t i = 0; i < n; ++i) {
      const long double a = target.weights()[i];
      const long double t = static_cast<long double>(u.view().at(i, l)) - std::log(sum) -
                            std::log(a / static_cast<long double>(target.total()));
      exact += a * (std::expm1(t) - t);
    }
    worst = std::max(worst, static_cast<double>(std::abs(result.value[l] - exact)));
  }
  return worst;
}

TEST(Dirichlet, ValuesKeepTheirDigitsAtHugeCounts) {
  // Bounds of the header: 5e-16 A up to A = 1e8, beyond it 1e-15 |dW/du| ~ 1e-15 sqrt(A) and the
  // long double reference's own A eps_long = 1e-19 A; both with a factor of 4 for the 5 terms.
  for (const auto& simplex : all_coordinates(5)) {
    EXPECT_LE(worst_value_error(1e4, simplex), 4 * 5e-12);
    EXPECT_LE(worst_value_error(9e7, simplex), 4 * 5e-8);
    EXPECT_LE(worst_value_error(1e9, simplex), 1e-8);
    EXPECT_LE(worst_value_error(1e10, simplex), 1e-8);
    EXPECT_LE(worst_value_error(1e12, simplex), 4e-6);
  }
}

TEST(Dirichlet, SeriesAndDirectFormAgreeWhereTheyMeet) {
  const auto y = normal_points(4, 32, 9, 0, 0.15);
  const auto value = [&](double N) {
    return evaluate(mirrored(SimplexMap::with_reference(5, 4),
                             DirichletPosterior(std::vector<double>(5, N / 5),
                                                std::vector<double>(5, 1e-9))),
                    y.view())
        .value;
  };
  const auto direct = value(0.99e8), series = value(1.01e8);
  for (std::size_t l = 0; l < 32; ++l) {
    EXPECT_NEAR(direct[l] / 0.99e8, series[l] / 1.01e8, 2e-15);
  }
}

TEST(Dirichlet, CurvatureStaysBelowTheLipschitzConstant) {
  const DirichletPosterior target({50, 50, 0}, {0.01, 0.01, 0.01});
  for (const SimplexMap& simplex : all_coordinates(3)) {
    const AnyPotential W = mirrored(simplex, target);
    const double L = *target.facts(simplex).dual_lipschitz;
    EXPECT_DOUBLE_EQ(L, target.total() / 2);
    const auto y = normal_points(2, 64, 10, 0, 3);
    const auto z = normal_points(2, 64, 11, 0, 3);
    const auto gy = evaluate(W, y.view()), gz = evaluate(W, z.view());
    for (std::size_t l = 0; l < 64; ++l) {
      const double dy =
          std::hypot(y.view().at(0, l) - z.view().at(0, l), y.view().at(1, l) - z.view().at(1, l));
      const double dg = std::hypot(gy.grad.view().at(0, l) - gz.grad.view().at(0, l),
                                   gy.grad.view().at(1, l) - gz.grad.view().at(1, l));
      EXPECT_LE(dg, L * dy * (1 + 1e-12));
    }
  }
  // Sharp: half of each of two categories, moved against each other.
  const AnyPotential W = mirrored(SimplexMap::with_reference(3, 2), target);
  BlockStorage y(2, 8);
  std::fill_n(y.view().row(0), 8, 40.0);
  std::fill_n(y.view().row(1), 8, 40.0);
  const double h = 1e-3;
  y.view().at(0, 1) += h;
  y.view().at(1, 1) -= h;
  const auto g = evaluate(W, y.view()).grad;
  const double slope = (g.view().at(0, 1) - g.view().at(0, 0)) / h;
  EXPECT_NEAR(slope, target.total() / 2, 1e-4 * target.total());
}

struct LogMoments {
  double a, b, mean, variance;
};

TEST(Dirichlet, ExactMomentsOfLogarithms) {
  // digamma(a) - digamma(a + b), trigamma(a) - trigamma(a + b), by mpmath with 60 digits.
  const LogMoments table[] = {
      {0.01, 2.02, -101.00283815699101099, 10000.988184522078567},
      {1.5, 0.53, -0.40546272514375996805, 0.30177319431002640873},
      {0.52, 1.51, -2.3100075076197079429, 3.983699372319022176},
      {1000000000.01, 1.01, -1.00999999998485e-9, 1.0099999999697e-18},
      {0.01, 1000000001.01, -121.28415129533508565, 10001.62121352731322},
      {1.0, 1000000000.02, -21.300481502367944017, 1.644934065848226437},
      {75.5, 4.75, -0.061407772069723725604, 0.00079411514862215440372},
      {60, 1.5, -0.024896979969924949843, 0.00041325159808354848334},
      {59.5, 2.0, -0.033335648308910340996, 0.00055567130969351786083},
  };
  for (const LogMoments& row : table) {
    const DirichletPosterior target({0, 0}, {row.a, row.b});
    const TargetFacts facts = target.facts(SimplexMap::symmetric(2));
    // Below the asymptotic range two functions good to 1e-13 are subtracted: at most 60 times that.
    EXPECT_NEAR(facts.log_mean[0], row.mean, 1e-11 * std::abs(row.mean)) << row.a;
    EXPECT_NEAR(facts.log_variance[0], row.variance, 1e-11 * row.variance) << row.a;
    const double total = row.a + row.b;
    EXPECT_DOUBLE_EQ(facts.mean[0], row.a / total);
    EXPECT_NEAR(facts.variance[0], row.a * row.b / (total * total * (total + 1)),
                1e-14 * facts.variance[0]);
  }
}

TEST(Dirichlet, EveryCategoryHasItsMoments) {
  const DirichletPosterior target({3, 0, 200, 5}, {0.5, 0.25, 1, 2});
  const TargetFacts facts = target.facts(SimplexMap::with_reference(4, 1));
  const double A = target.total();
  EXPECT_DOUBLE_EQ(A, 211.75);
  for (std::size_t i = 0; i < 4; ++i) {
    const double a = target.weights()[i];
    EXPECT_DOUBLE_EQ(facts.mean[i], a / A);
    EXPECT_NEAR(facts.variance[i], a * (A - a) / (A * A * (A + 1)), 1e-13 * facts.variance[i]);
    // Subtracting two functions good to 1e-13 each.
    EXPECT_NEAR(facts.log_mean[i], digamma(a) - digamma(A), 2e-13 * std::abs(digamma(A)));
    EXPECT_NEAR(facts.log_variance[i], trigamma(a) - trigamma(A), 2e-13 * trigamma(a));
  }
}

TEST(Dirichlet, StartIsStrictlyInside) {
  const DirichletPosterior target({1e10, 0, 0}, {0.01, 1e-300, 0.01});
  const SimplexMap simplex = SimplexMap::symmetric(3);
  const TargetFacts facts = target.facts(simplex);
  EXPECT_TRUE(simplex.contains(facts.start));
  EXPECT_TRUE(target.facts(BoxMap::orthant(3)).mean.empty());
}

TEST(Dirichlet, OutsideTheSupportIsInfinite) {
  BlockStorage x(2, 8);
  std::ranges::fill(x.view().flat(), 0.5);
  x.view().at(0, 1) = 0;
  x.view().at(1, 2) = -0.25;
  const auto result = evaluate(DirichletPosterior({0, 3}, {0.5, 0.5}), x.view());
  EXPECT_TRUE(std::isfinite(result.value[0]));
  EXPECT_EQ(result.value[1], std::numeric_limits<double>::infinity());
  EXPECT_EQ(result.value[2], std::numeric_limits<double>::infinity());
}

TEST(Dirichlet, RefusesWrongNumbers) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto make = [](std::vector<double> counts, std::vector<double> alpha) {
    return [=] { DirichletPosterior(counts, alpha); };
  };
  EXPECT_TRUE(fails(make({1, -1}, {1, 1}), Fault::config, "counts: number 2 is -1"));
  EXPECT_TRUE(fails(make({nan, 1}, {1, 1}), Fault::config, "counts: number 1 is nan"));
  EXPECT_TRUE(fails(make({1, 1}, {1, 0}), Fault::config, "alpha: number 2 is 0"));
  EXPECT_TRUE(fails(make({1, 1}, {nan, 1}), Fault::config, "alpha: number 1 is nan"));
  EXPECT_TRUE(fails(make({1, 1}, {1, 1, 1}), Fault::config, "2 counts but 3"));
  EXPECT_TRUE(fails(make({1}, {1}), Fault::config, "1 categories"));
}

TEST(Uniform, BorrowsTheDirichletOnTheSimplex) {
  const Uniform uniform(4);
  const SimplexMap simplex = SimplexMap::symmetric(4);
  const auto y = normal_points(3, 8, 12, 0, 1);
  const auto closed = evaluate(mirrored(simplex, uniform), y.view());
  const auto generic = evaluate(mirrored(simplex, uniform, DualForm::generic), y.view());
  for (std::size_t l = 0; l < 8; ++l) {
    EXPECT_NEAR(closed.value[l] - closed.value[0], generic.value[l] - generic.value[0], 1e-12);
    EXPECT_NEAR(closed.grad.view().at(1, l), generic.grad.view().at(1, l), 1e-12);
  }
  EXPECT_DOUBLE_EQ(uniform.facts(simplex).mean[2], 0.25);
  const TargetFacts box = Uniform(1).facts(BoxMap({-1}, {5}));
  EXPECT_DOUBLE_EQ(box.mean[0], 2);
  EXPECT_DOUBLE_EQ(box.variance[0], 3);
  EXPECT_TRUE(Uniform(1).facts(BoxMap::orthant(1)).mean.empty());
}

}  // namespace
}  // namespace tain::dirichlet_test
