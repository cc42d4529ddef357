// The paper's posterior and its extremes: moments of long runs against closed forms.
//
// z is in Monte Carlo standard errors. Limits: for m moments the largest |z| of correct draws
// exceeds limit with probability below 2 m Phi(-limit), a thousand times that for the skewness of
// rare-category moments.
#include "targets/dirichlet.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "diagnose/convergence.hpp"
#include "draws/table.hpp"
#include "maps/simplex.hpp"
#include "run/sampler.hpp"

namespace tain::dirichlet_test {
namespace {

struct Result {
  double worst_z = 0, worst_rhat = 0;
  bool finite = true;
};

// |z| of every mean and variance of log x, and of x, over all coordinates `step` apart.
Result check(const Problem& problem, const SamplePlan& plan) {
  Threads threads(2);
  const std::size_t n = problem.map.primal_dim(), d = problem.map.dual_dim();
  DrawTable table = DrawTable::in_memory({plan.chains, plan.draws, n, d});
  Sampler(problem, plan, threads).run(table);
  const TargetFacts facts = problem.target.facts(problem.map);
  const auto log_primal = [&](ConstBlock y, Block log_x, Workspace& ws) {
    problem.map.log_primal(y, log_x, ws);
  };
  const std::size_t total = plan.chains * plan.draws;
  // log x from the dual, as x may underflow.
  std::vector<double> log_x(total * n);
  Workspace ws;
  BlockStorage y(d, lane_group), u(n, lane_group);
  for (std::size_t k = 0; k < total; ++k) {
    for (std::size_t i = 0; i < d; ++i) {
      std::fill_n(y.view().row(i), lane_group, table.dual()[k * d + i]);
    }
    log_primal(y.view(), u.view(), ws);
    for (std::size_t i = 0; i < n; ++i) {
      log_x[k * n + i] = u.view().at(i, 0);
    }
  }
  Result result;
  const auto compare = [&](std::vector<double>& series, double mean, double variance) {
    const Series s{series, plan.chains, plan.draws};
    double m = 0;
    for (const double v : series) {
      result.finite = result.finite && std::isfinite(v);
      m += v / double(total);
    }
    result.worst_rhat = std::max(result.worst_rhat, rhat(s));
    result.worst_z = std::max(result.worst_z, std::abs(m - mean) / mcse_mean(s));
    for (double& v : series) {
      v = (v - mean) * (v - mean);
    }
    double second = 0;
    for (const double v : series) {
      second += v / double(total);
    }
    result.worst_z = std::max(result.worst_z, std::abs(second - variance) / mcse_mean(s));
  };
  std::vector<double> series(total);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < total; ++k) {
      series[k] = log_x[k * n + i];
    }
    compare(series, facts.log_mean[i], facts.log_variance[i]);
    for (std::size_t k = 0; k < total; ++k) {
      series[k] = table.primal()[k * n + i];
    }
    compare(series, facts.mean[i], facts.variance[i]);
  }
  return result;
}

Problem paper_posterior() {
  return {
      SimplexMap::with_reference(11, 0),
      DirichletPosterior({10000, 10, 10, 0, 0, 0, 0, 0, 0, 0, 0}, std::vector<double>(11, 0.1))};
}

TEST(PaperPosterior, HmcGetsEveryMomentRight) {
  const Result r =
      check(paper_posterior(), {.kernel = "hmc", .chains = 64, .warmup = 500, .draws = 500});
  EXPECT_TRUE(r.finite);
  EXPECT_LT(r.worst_z, 4.5);
  EXPECT_LT(r.worst_rhat, 1.01);
}

TEST(PaperPosterior, MalaGetsEveryMomentRight) {
  const Result r =
      check(paper_posterior(), {.kernel = "mala", .chains = 64, .warmup = 500, .draws = 500});
  EXPECT_TRUE(r.finite);
  EXPECT_LT(r.worst_z, 4.5);
  EXPECT_LT(r.worst_rhat, 1.01);
}

TEST(PaperPosterior, TheCheckSeesALargeStep) {
  const Result r = check(paper_posterior(), {.kernel = "mld",
                                             .chains = 64,
                                             .warmup = 500,
                                             .draws = 500,
                                             .thin = 20,
                                             .step_size = Schedule{.a = 0.05}});
  EXPECT_GT(r.worst_z, 4.5);
}

TEST(PaperPosterior, StretchedCoordinatesGiveTheSameLaw) {
  Problem problem = paper_posterior();
  std::vector<double> weights(11, 0.1);
  weights[0] += 10000;
  weights[1] += 10;
  weights[2] += 10;
  problem.map = SimplexMap::for_weights(weights, 0);
  for (const std::string kernel : {"hmc", "mala"}) {
    const Result r = check(problem, {.kernel = kernel, .chains = 64, .warmup = 500, .draws = 1000});
    EXPECT_TRUE(r.finite);
    EXPECT_LT(r.worst_z, 4.5) << kernel;
    EXPECT_LT(r.worst_rhat, 1.01) << kernel;
  }
}

TEST(PaperPosterior, TheLastCategoryAsReferenceGivesTheSameLaw) {
  Problem problem = paper_posterior();
  problem.map = SimplexMap::with_reference(11, 10);
  const Result r = check(problem, {.kernel = "hmc", .chains = 64, .warmup = 1000, .draws = 500});
  EXPECT_TRUE(r.finite);
  EXPECT_LT(r.worst_z, 4.5);
}

TEST(ExtremePosterior, CountsUpToABillion) {
  const Problem problem{SimplexMap::with_reference(5, 0),
                        DirichletPosterior({1e9, 1e6, 1e3, 1, 0}, std::vector<double>(5, 0.3))};
  const Result r = check(problem, {.kernel = "hmc", .chains = 64, .warmup = 500, .draws = 500});
  EXPECT_TRUE(r.finite);
  EXPECT_LT(r.worst_z, 4.5);
  EXPECT_LT(r.worst_rhat, 1.01);
}

// Dirichlet(0.01) in dimension 10,000. Single coordinates have a coefficient of variation of 10, so
// means are checked on sums over groups of 200 categories, which are Beta(2, 98): mean 0.02, light
// tails.
TEST(ExtremePosterior, TenThousandCategoriesOfOneHundredth) {
  const std::size_t n = 10000, group = 200;
  const Problem problem{
      SimplexMap::for_weights(std::vector<double>(n, 0.01)),
      DirichletPosterior(std::vector<double>(n, 0.0), std::vector<double>(n, 0.01))};
  const SamplePlan plan{.kernel = "hmc", .chains = 8, .warmup = 300, .draws = 60};
  Threads threads(2);
  DrawTable table = DrawTable::in_memory({plan.chains, plan.draws, n, n - 1});
  const RunSummary run = Sampler(problem, plan, threads).run(table);
  EXPECT_EQ(run.divergences, 0u);
  const std::size_t total = plan.chains * plan.draws;
  double worst = 0;
  for (std::size_t g = 0; g < n / group; ++g) {
    std::vector<double> sums(total);
    for (std::size_t k = 0; k < total; ++k) {
      for (std::size_t i = g * group; i < (g + 1) * group; ++i) {
        ASSERT_TRUE(std::isfinite(table.primal()[k * n + i]));
        sums[k] += table.primal()[k * n + i];
      }
    }
    double mean = 0;
    for (const double v : sums) {
      mean += v / double(total);
    }
    worst = std::max(worst, std::abs(mean - 0.02) / mcse_mean({sums, plan.chains, plan.draws}));
  }
  EXPECT_LT(worst, 5.5);
}

}  // namespace
}  // namespace tain::dirichlet_test
