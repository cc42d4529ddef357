// The promises of Theorem 4 (tain/kernels/theory.hpp), and the facts they rest on.
#include "kernels/theory.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "maps/simplex.hpp"
#include "support/gammas.hpp"
#include "support/statistics.hpp"
#include "targets/dirichlet.hpp"

namespace tain::theory_test {
namespace {

double bound(const ProblemConstants& d, double beta, double steps) {
  return d.start_distance / (2 * beta * steps) + beta * (d.lipschitz * d.dim + d.gradient_variance);
}

const ProblemConstants cases[] = {{50, 10, 0, 3},
                                  {50, 10, 700, 3},
                                  {0.2, 3, 0, 1e4},
                                  {5010.55, 10, 3962, 1920.8},
                                  {2, 1, 0, 1e-6}};

TEST(Theory, AccuracyIsWhatTheProofAsksFor) {
  for (const ProblemConstants& d : cases) {
    for (const double epsilon : {100.0, 1.0, 0.1, 1e-3}) {
      const ErrorBound p = bound_for_accuracy(d, epsilon);
      const double S = d.lipschitz * d.dim + d.gradient_variance;
      EXPECT_LE(p.step_size, epsilon / (2 * S) * (1 + 1e-15));
      EXPECT_LE(p.step_size, 1 / d.lipschitz * (1 + 1e-15));
      EXPECT_GE(p.steps, d.start_distance / (p.step_size * epsilon));
      EXPECT_LE(p.relative_entropy, epsilon * (1 + 1e-12));
      EXPECT_DOUBLE_EQ(p.relative_entropy, bound(d, p.step_size, p.steps));
      EXPECT_EQ(p.steps, std::floor(p.steps));
      EXPECT_DOUBLE_EQ(p.total_variation, std::min(1.0, std::sqrt(p.relative_entropy / 2)));
    }
  }
}

TEST(Theory, NoAllowedStepHasASmallerBound) {
  for (const ProblemConstants& d : cases) {
    for (const double steps : {1.0, 1e3, 1e9}) {
      const ErrorBound p = bound_for_steps(d, steps);
      EXPECT_DOUBLE_EQ(p.relative_entropy, bound(d, p.step_size, steps));
      for (double beta = 1e-12; beta <= 1 / d.lipschitz; beta *= 1.1) {
        EXPECT_GE(bound(d, beta, steps), p.relative_entropy * (1 - 1e-12));
      }
      const double S = d.lipschitz * d.dim + d.gradient_variance;
      const bool inner = std::sqrt(d.start_distance / (2 * steps * S)) < 1 / d.lipschitz;
      EXPECT_NEAR(p.relative_entropy,
                  inner ? std::sqrt(2 * d.start_distance * S / steps)
                        : d.start_distance * d.lipschitz / (2 * steps) + S / d.lipschitz,
                  1e-12 * p.relative_entropy);
    }
  }
  // The printed theorem's step is another one as soon as R_0 is not 1, and its bound is worse.
  const ProblemConstants d = cases[0];
  const double printed = 1 / std::sqrt(2 * 1e6 * d.start_distance * d.lipschitz * d.dim);
  EXPECT_GT(bound(d, printed, 1e6), 1.05 * bound_for_steps(d, 1e6).relative_entropy);
}

TEST(Theory, BatchVarianceIsThatOfAllBatches) {
  // Terms g_i = N grad W_i in one dimension; all pairs, with and without replacement.
  const std::vector<double> g{3, -1, 4, 1, -5};
  const double mean = testing::mean_of(g);
  double one = 0, with = 0, without = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    one += (g[i] - mean) * (g[i] - mean) / 5;
    for (std::size_t j = 0; j < 5; ++j) {
      const double deviation = (g[i] + g[j]) / 2 - mean;
      with += deviation * deviation / 25;
      without += i == j ? 0 : deviation * deviation / 20;
    }
  }
  EXPECT_NEAR(batch_variance(one, 5, {2, Replacement::with}), with, 1e-13);
  EXPECT_NEAR(batch_variance(one, 5, {2, Replacement::without}), without, 1e-13);
  EXPECT_EQ(batch_variance(one, 5, {5, Replacement::without}), 0);
  EXPECT_EQ(batch_variance(one, 5, {}), 0);
  EXPECT_NEAR(batch_variance(one, 5, {5, Replacement::with}), one / 5, 1e-13);
}

TEST(Theory, StartDistanceOfAPointIsTheMeanSquaredDistance) {
  const std::vector<double> mean{1, 2}, variance{0.5, 4}, start{0, 4};
  EXPECT_DOUBLE_EQ(start_distance(mean, variance, start), 0.5 + 4 + 1 + 4);
}

/// Coordinate j of y for exact draws of the posterior.
testing::Draws exact_dual(const DirichletPosterior& posterior, const SimplexMap& map,
                          std::size_t j) {
  return [&posterior, map, j](std::uint64_t stream, std::size_t n) {
    const std::size_t k = posterior.dim();
    BlockStorage x(k, lane_group), y(k - 1, lane_group);
    Workspace ws;
    std::vector<double> result;
    for (std::size_t draw = 0; draw < n; ++draw) {
      testing::GammaSource gamma(NoiseField(stream + 1), Purpose::direct, draw, 0);
      double total = 0;
      for (std::size_t i = 0; i < k; ++i) {
        x.view().at(i, 0) = gamma(posterior.weights()[i]);
        total += x.view().at(i, 0);
      }
      for (std::size_t i = 0; i < k; ++i) {
        std::fill_n(x.view().row(i), lane_group, x.view().at(i, 0) / total);
      }
      map.to_dual(x.view(), y.view(), ws);
      result.push_back(y.view().at(j, 0));
    }
    return result;
  };
}

TEST(Theory, DirichletKnowsTheMomentsOfItsDual) {
  const DirichletPosterior posterior({3, 0, 6, 1}, {1.5, 2, 0.7, 1.1});
  for (const SimplexMap& map : {SimplexMap::with_reference(4, 2), SimplexMap::symmetric(4)}) {
    const TargetFacts facts = posterior.facts(map);
    ASSERT_EQ(facts.dual_mean.size(), 3U);
    for (std::size_t j = 0; j < 3; ++j) {
      const auto draws = exact_dual(posterior, map, j);
      const double sd = std::sqrt(facts.dual_variance[j]);
      testing::expect_mean(draws, facts.dual_mean[j], sd, 5000);
      // Sums of log-gammas of shapes 2 and more have kurtosis below 3 + psi'''(2)/psi'(2)^2 = 4.2.
      testing::expect_variance(draws, facts.dual_mean[j], sd, 4.2, 5000);
      EXPECT_TRUE(testing::detects_mean(draws, facts.dual_mean[j] + 0.15 * sd, sd, 5000));
      EXPECT_TRUE(testing::detects_variance(draws, facts.dual_mean[j], 1.15 * sd, 4.2, 5000));
    }
  }
}

}  // namespace
}  // namespace tain::theory_test
