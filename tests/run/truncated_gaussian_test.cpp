// Gaussians restricted to a box, a ball and a simplex against a Gibbs sampler on lines that shares
// nothing with ours (support/directional_gibbs.hpp).
//
// Test: chains are independent, so the averages of x_i and of x_i^2 over a chain are independent
//   draws; those of ours and of the reference are compared by Welch's t, the largest over
//   coordinates with Bonferroni's correction. Two stages as in support/statistics.hpp: false-alarm
//   rate 1e-8. Power: with 48 chains a difference of 8.5 standard errors of a chain average over
//   sqrt(48) is always seen.
#include <gtest/gtest.h>

#include <cmath>

#include "draws/table.hpp"
#include "maps/ball.hpp"
#include "maps/box.hpp"
#include "maps/simplex.hpp"
#include "run/sampler.hpp"
#include "support/directional_gibbs.hpp"
#include "support/statistics.hpp"
#include "targets/gaussian.hpp"

namespace tain::truncated_gaussian_test {
namespace {

using testing::ChainAverages;

ChainAverages averages_of(const Problem& problem, SamplePlan plan) {
  Threads threads(1);
  const std::size_t n = problem.map.primal_dim();
  DrawTable table = DrawTable::in_memory({plan.chains, plan.draws, n, problem.map.dual_dim()});
  Sampler(problem, plan, threads).run(table);
  ChainAverages result;
  for (std::size_t c = 0; c < plan.chains; ++c) {
    std::vector<double> sum(n), squares(n);
    for (std::size_t k = 0; k < plan.draws; ++k) {
      for (std::size_t i = 0; i < n; ++i) {
        const double x = table.primal()[(c * plan.draws + k) * n + i];
        sum[i] += x / double(plan.draws);
        squares[i] += x * x / double(plan.draws);
      }
    }
    result.x.push_back(sum);
    result.x_squared.push_back(squares);
  }
  return result;
}

// Two-sided p of Student's t by Wallace's normal approximation (within 2 % down to 1e-10 for 30
// degrees and more).
double p_of_student(double t, double degrees) {
  const double shrink = (8 * degrees + 1) / (8 * degrees + 3);
  return testing::p_of_normal(shrink * std::sqrt(degrees * std::log1p(t * t / degrees)));
}

double smallest_p(const std::vector<std::vector<double>>& a,
                  const std::vector<std::vector<double>>& b) {
  double smallest = 1;
  const std::size_t d = a[0].size();
  for (std::size_t i = 0; i < d; ++i) {
    const auto moments = [i](const std::vector<std::vector<double>>& chains) {
      double mean = 0, variance = 0;
      for (const auto& c : chains) {
        mean += c[i] / double(chains.size());
      }
      for (const auto& c : chains) {
        variance += (c[i] - mean) * (c[i] - mean) / double(chains.size() - 1);
      }
      return std::pair(mean, variance / double(chains.size()));
    };
    const auto [mean_a, error_a] = moments(a);
    const auto [mean_b, error_b] = moments(b);
    const double t = (mean_a - mean_b) / std::sqrt(error_a + error_b);
    const double degrees = double(std::min(a.size(), b.size()) - 1);
    smallest = std::min(smallest, p_of_student(t, degrees));
  }
  return std::min(1.0, 2 * double(d) * smallest);
}

using Sweep = std::function<void(std::vector<double>&, Stream&)>;

bool differ(const Problem& problem, const std::vector<double>& start, const Sweep& sweep,
            std::uint32_t chains = 48) {
  return testing::alarms(
      [&](std::uint64_t stream, std::size_t n) {
        const auto ours = averages_of(problem, {.seed = 11 + stream,
                                                .chains = static_cast<std::uint32_t>(n),
                                                .warmup = 300,
                                                .draws = 200});
        const auto theirs = testing::run_reference(n, 300, 300, start, 77 + stream, sweep);
        return std::min(smallest_p(ours.x, theirs.x), smallest_p(ours.x_squared, theirs.x_squared));
      },
      chains);
}

Problem box_problem(std::size_t d, double rho) {
  std::vector<double> covariance(d * d);
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      covariance[i * d + j] = std::pow(rho, std::abs(double(i) - double(j)));
    }
  }
  return {BoxMap(std::vector<double>(d, -1.0), std::vector<double>(d, 1.0)),
          Gaussian::with_covariance(std::vector<double>(d, 0.5), covariance)};
}

class TruncatedOnABox : public ::testing::TestWithParam<std::size_t> {};

TEST_P(TruncatedOnABox, AgreesWithTheReference) {
  const std::size_t d = GetParam();
  const auto g = testing::ar1_reference(d, 0.5, 0.9);
  const auto sweep = [&](std::vector<double>& x, Stream& s) { testing::sweep_box(g, -1, 1, x, s); };
  EXPECT_FALSE(differ(box_problem(d, 0.9), std::vector<double>(d, 0.0), sweep, d > 500 ? 24 : 48));
}

INSTANTIATE_TEST_SUITE_P(Dimensions, TruncatedOnABox, ::testing::Values(10, 100, 1000));

TEST(TruncatedOnABox, TheTestSeesAWrongCorrelation) {
  const auto g = testing::ar1_reference(10, 0.5, 0.9);
  const auto sweep = [&](std::vector<double>& x, Stream& s) { testing::sweep_box(g, -1, 1, x, s); };
  EXPECT_TRUE(differ(box_problem(10, 0.7), std::vector<double>(10, 0.0), sweep));
}

TEST(TruncatedInABall, AgreesWithTheReference) {
  const std::size_t d = 100;
  std::vector<double> mean(d, 0.05), sd(d);
  for (std::size_t i = 0; i < d; ++i) {
    sd[i] = 0.05 + 0.45 * double(i) / double(d - 1);
  }
  const auto g = testing::diagonal_reference(mean, sd);
  const auto sweep = [&](std::vector<double>& x, Stream& s) { testing::sweep_ball(g, x, s); };
  const AnyMap map = BallMap(std::vector<double>(d, 0.0), 1.0);
  const std::vector<double> start(d, 0.0);
  EXPECT_FALSE(differ({map, Gaussian::diagonal(mean, sd)}, start, sweep));
  std::vector<double> wrong = sd;
  wrong[0] *= 1.5;
  EXPECT_TRUE(differ({map, Gaussian::diagonal(mean, wrong)}, start, sweep));
}

TEST(TruncatedOnASimplex, AgreesWithTheReference) {
  const std::size_t n = 51;
  std::vector<double> mean(n), sd(n, 0.03);
  for (std::size_t i = 0; i < n; ++i) {
    mean[i] = -0.02 + 0.08 * double(i) / 50;
  }
  const auto g = testing::diagonal_reference(mean, sd);
  const auto sweep = [&](std::vector<double>& x, Stream& s) { testing::sweep_simplex(g, x, s); };
  const std::vector<double> start(n, 1.0 / double(n));
  EXPECT_FALSE(differ({SimplexMap::symmetric(n), Gaussian::diagonal(mean, sd)}, start, sweep));
  mean[40] += 0.01;
  EXPECT_TRUE(differ({SimplexMap::symmetric(n), Gaussian::diagonal(mean, sd)}, start, sweep));
}

}  // namespace
}  // namespace tain::truncated_gaussian_test
