// Whole runs against exact laws: map, target, kernel, warm-up and draws together. Draws are the
// last states of independent chains, so every assertion's false-alarm rate is 1e-8
// (support/statistics.hpp).
#include <gtest/gtest.h>

#include <cmath>

#include "core/special.hpp"
#include "draws/table.hpp"
#include "maps/ball.hpp"
#include "maps/box.hpp"
#include "maps/product.hpp"
#include "maps/simplex.hpp"
#include "run/sampler.hpp"
#include "support/statistics.hpp"
#include "targets/dirichlet.hpp"
#include "targets/gaussian.hpp"
#include "targets/uniform.hpp"

namespace tain::exactness_test {
namespace {

using Quantity = std::function<double(std::span<const double> x)>;

// The last draw of each of n chains, seen through one quantity.
testing::Draws last_draws(Problem problem, SamplePlan plan, Quantity quantity) {
  return [=](std::uint64_t stream, std::size_t n) {
    SamplePlan own = plan;
    own.chains = static_cast<std::uint32_t>(n);
    own.draws = 1;
    own.seed = plan.seed + 1000 * stream;
    Threads threads(1);
    DrawTable table =
        DrawTable::in_memory({own.chains, 1, problem.map.primal_dim(), problem.map.dual_dim()});
    Sampler(problem, own, threads).run(table);
    std::vector<double> result(n);
    for (std::size_t c = 0; c < n; ++c) {
      result[c] =
          quantity(table.primal().subspan(c * problem.map.primal_dim(), problem.map.primal_dim()));
    }
    return result;
  };
}

Quantity coordinate(std::size_t i) {
  return [i](std::span<const double> x) { return x[i]; };
}

constexpr std::size_t chains = 4000;

// Saboteur: a target of the wrong power, as if log det were forgotten or counted twice.
struct Tilted {
  std::size_t size;
  std::string name() const { return "tilted"; }
  std::size_t dim() const { return size; }
  void evaluate(ConstBlock x, std::span<double> value, Block grad, Workspace&) const {
    for (std::size_t l = 0; l < x.lanes(); ++l) {
      value[l] = 0;
      for (std::size_t i = 0; i < size; ++i) {
        value[l] -= 0.2 * std::log(x.at(i, l));
        grad.at(i, l) = -0.2 / x.at(i, l);
      }
    }
  }
};

class ExactKernel : public ::testing::TestWithParam<std::string> {
 protected:
  SamplePlan plan(std::uint64_t warmup) const {
    return {.kernel = GetParam(), .seed = 3, .warmup = warmup};
  }
};

TEST_P(ExactKernel, UniformOnABoxIsUniform) {
  const Problem problem{BoxMap({-1, 2, 0}, {1, 7, 0.01}), Uniform(3)};
  testing::expect_distribution(
      last_draws(problem, plan(150), coordinate(1)), [](double x) { return (x - 2) / 5; }, chains);
  const Problem wrong{BoxMap({0, 2, 0}, {1, 7, 0.01}), Tilted{3}};
  EXPECT_TRUE(testing::detects_distribution(
      last_draws(wrong, plan(150), coordinate(0)), [](double x) { return x; }, chains));
}

TEST_P(ExactKernel, UniformInABallHasTheRightRadius) {
  const std::size_t d = 5;
  const auto radius = [](std::span<const double> x) {
    double sum = 0;
    for (const double v : x) {
      sum += (v - 1) * (v - 1);
    }
    return std::sqrt(sum) / 3;
  };
  const Problem problem{BallMap(std::vector<double>(d, 1.0), 3.0), Uniform(d)};
  testing::expect_distribution(
      last_draws(problem, plan(200), radius), [](double r) { return std::pow(r, 5); }, chains);
  EXPECT_TRUE(testing::detects_distribution(
      last_draws(problem, plan(200), radius), [](double r) { return std::pow(r, 6); }, chains));
}

TEST_P(ExactKernel, ThePapersBallMapGivesTheSameLaw) {
  const std::size_t d = 3;
  const auto radius = [](std::span<const double> x) {
    return std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
  };
  const Problem problem{BallMap(std::vector<double>(d, 0.0), 1.0, BallForm::paper), Uniform(d)};
  // Polynomial tails in the dual: mala diffuses slowly, hmc takes long trajectories.
  const SamplePlan longer = plan(GetParam() == "mala" ? 3000 : 200);
  testing::expect_distribution(
      last_draws(problem, longer, radius), [](double r) { return r * r * r; }, chains);
}

TEST_P(ExactKernel, UniformOnTheSimplexIsDirichletOne) {
  for (const SimplexMap& map : {SimplexMap::symmetric(5), SimplexMap::with_reference(5, 2)}) {
    const Problem problem{map, Uniform(5)};
    testing::expect_distribution(
        last_draws(problem, plan(200), coordinate(3)),
        [](double x) { return 1 - std::pow(1 - x, 4); }, chains);
  }
}

TEST_P(ExactKernel, ExponentialOnTheHalfLine) {
  struct Exponential {
    std::size_t dim() const { return 1; }
    double value_and_grad(std::span<const double> x, std::span<double> grad) const {
      grad[0] = 2;
      return 2 * x[0];
    }
  };
  const Problem problem{BoxMap({1}, {INFINITY}), PointTarget("exponential", Exponential{})};
  testing::expect_distribution(
      last_draws(problem, plan(150), coordinate(0)),
      [](double x) { return 1 - std::exp(-2 * (x - 1)); }, chains);
}

TEST_P(ExactKernel, ProductOfASimplexAndABox) {
  const Problem problem{ProductMap({SimplexMap::symmetric(3), BoxMap({0}, {2})}), Uniform(4)};
  testing::expect_distribution(
      last_draws(problem, plan(200), coordinate(0)), [](double x) { return 1 - (1 - x) * (1 - x); },
      chains);
  testing::expect_distribution(
      last_draws(problem, plan(200), coordinate(3)), [](double x) { return x / 2; }, chains);
}

TEST_P(ExactKernel, ClosedAndGenericDualGiveTheSameLaw) {
  // Dirichlet(2, 1, 1): x_1 ~ Beta(2, 2).
  for (const DualForm form : {DualForm::closed, DualForm::generic}) {
    const Problem problem{SimplexMap::symmetric(3), DirichletPosterior({1, 0, 0}, {1, 1, 1}), form};
    testing::expect_distribution(
        last_draws(problem, plan(200), coordinate(0)), [](double x) { return x * x * (3 - 2 * x); },
        chains);
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, ExactKernel, ::testing::Values("mala", "hmc"),
                         [](const auto& test) { return test.param; });

// mld on a uniform box target: W = 2 log cosh y, bias of order beta, falling with it.
TEST(UnadjustedRun, BiasFallsInProportionToTheStep) {
  const Problem problem{BoxMap({-1}, {1}), Uniform(1)};
  std::vector<double> bias;
  for (const double beta : {0.4, 0.2, 0.1}) {
    const auto draws = last_draws(
        problem,
        {.kernel = "mld", .seed = 3, .warmup = 120, .thin = 1, .step_size = Schedule{.a = beta}},
        coordinate(0))(0, 400'000);
    double second = 0;
    for (const double x : draws) {
      second += x * x / double(draws.size());
    }
    bias.push_back(second - 1.0 / 3);  // exact second moment of U(-1, 1)
  }
  // Standard error of the second moment: sqrt(4/45 / 400000) = 4.7e-4. The halving is checked
  // within 6 standard errors of the ratio and the O(beta) deviation from proportionality.
  EXPECT_GT(bias[0], 6 * 4.7e-4);
  EXPECT_NEAR(bias[0] / bias[1], 2, 0.6);
  EXPECT_NEAR(bias[1] / bias[2], 2, 0.6);
}

TEST(UnadjustedRun, IndicatorSeesATooLargeStep) {
  const Problem problem{SimplexMap::with_reference(4, 0),
                        DirichletPosterior({100, 10, 0, 0}, {0.1, 0.1, 0.1, 0.1})};
  Threads threads(1);
  double previous = 0;
  for (const double beta : {0.15, 0.05, 0.005}) {
    DrawTable table = DrawTable::in_memory({64, 100, 4, 3});
    const RunSummary run = Sampler(problem,
                                   {.kernel = "mld",
                                    .chains = 64,
                                    .warmup = 100,
                                    .draws = 100,
                                    .step_size = Schedule{.a = beta}},
                                   threads)
                               .run(table);
    ASSERT_TRUE(run.bias_indicator.has_value());
    EXPECT_GT(*run.bias_indicator, previous);
    previous = *run.bias_indicator;
  }
  EXPECT_GT(previous, 0.95);
}

TEST(AutomaticStep, KeepsTheBiasIndicatorAboveItsLevel) {
  const Problem dirichlet{
      SimplexMap::with_reference(11, 0),
      DirichletPosterior({10000, 10, 10, 0, 0, 0, 0, 0, 0, 0, 0}, std::vector<double>(11, 0.1))};
  const Problem box{BoxMap(std::vector<double>(20, -1.0), std::vector<double>(20, 1.0)),
                    Gaussian::diagonal(std::vector<double>(20, 0.3), std::vector<double>(20, 0.2))};
  Threads threads(1);
  for (const Problem& problem : {dirichlet, box}) {
    DrawTable table =
        DrawTable::in_memory({32, 50, problem.map.primal_dim(), problem.map.dual_dim()});
    const RunSummary run =
        Sampler(problem, {.kernel = "mld", .chains = 32, .warmup = 1000, .draws = 50}, threads)
            .run(table);
    EXPECT_GT(run.bias_indicator.value_or(0), 0.9);
    EXPECT_LT(run.bias_indicator.value_or(1), 0.995);  // and the step is not needlessly small
  }
}

}  // namespace
}  // namespace tain::exactness_test
