// Baselines on the expanded mean of a Dirichlet posterior against its exact marginals, Beta(a_l,
// A - a_l). False-alarm rate of every assertion: 1e-8 (support/statistics.hpp).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/special.hpp"
#include "kernels/baseline_ensemble.hpp"
#include "kernels/baselines/scir.hpp"
#include "kernels/baselines/sgrhmc.hpp"
#include "kernels/baselines/sgrld.hpp"
#include "support/statistics.hpp"
#include "targets/expanded_mean.hpp"

namespace tain::expanded_law_test {
namespace {

using testing::Ensemble;
using testing::TestKernel;

// a = (4.5, 2.5, 1.5). With weights below 1 the bias falls slower than the step, like
// (step)^(a_l), and no affordable step would pass.
const DirichletPosterior mild({3, 1, 0}, {1.5, 1.5, 1.5});

testing::Draws share(const Ensemble& chains, std::size_t i) {
  return chains.of([i](std::span<const double> theta) {
    double sum = 0;
    for (const double t : theta) {
      sum += t;
    }
    return std::log(theta[i] / sum);
  });
}

testing::Cdf marginal(const DirichletPosterior& posterior, std::size_t i) {
  const double a = posterior.weights()[i], b = posterior.total() - a;
  return [a, b](double log_x) { return log_x < 0 ? beta_cdf(log_x, a, b) : 1.0; };
}

// Steps over a time: sgrld forgets at rate 1, sgrhmc at about 0.4.
Ensemble expanded(std::shared_ptr<const Kernel> kernel, double epsilon, double time,
                  const DirichletPosterior& posterior = mild) {
  return {std::move(kernel),
          ExpandedMean(posterior),
          {{1.5, 1.5, 1.5}, {.step_size = epsilon}, static_cast<std::uint64_t>(time / epsilon)}};
}

bool any_marginal_detected(const Ensemble& chains, const DirichletPosterior& posterior = mild) {
  bool detected = false;
  for (std::size_t i = 0; i < 3; ++i) {
    detected = detected || testing::detects_distribution(share(chains, i), marginal(posterior, i));
  }
  return detected;
}

void expect_marginals(const Ensemble& chains, const DirichletPosterior& posterior = mild) {
  for (std::size_t i = 0; i < 3; ++i) {
    testing::expect_distribution(share(chains, i), marginal(posterior, i));
  }
}

TEST(SgrldLaw, TendsToThePosteriorAsTheStepShrinks) {
  EXPECT_TRUE(any_marginal_detected(expanded(std::make_shared<Sgrld>(), 0.2, 8)));
  expect_marginals(expanded(std::make_shared<Sgrld>(), 0.01, 8));
}

// Sgrld with mistakes: `ito` for the 1 of the drift, `noise` for the 2 under the root.
std::shared_ptr<const Kernel> wrong_sgrld(double ito, double noise) {
  return std::make_shared<TestKernel>(
      [=](ConstBlock grad, ConstFloatBlock xi, double epsilon, ChainBlock& chains) {
        const Block theta = chains.y.view();
        for (std::size_t k = 0; k < theta.size(); ++k) {
          double& t = theta.data()[k];
          t = std::abs(t + epsilon * (ito - t * grad.data()[k]) +
                       std::sqrt(noise * epsilon * t) * double(xi.data()[k]));
        }
      });
}

TEST(SgrldLaw, SaboteursAreDetected) {
  EXPECT_TRUE(any_marginal_detected(expanded(wrong_sgrld(0, 2), 0.02, 5)));
  EXPECT_TRUE(any_marginal_detected(expanded(wrong_sgrld(1, 1), 0.02, 5)));
  // The twin without a mistake is the kernel.
  const std::size_t n = 256;
  EXPECT_EQ(share(expanded(wrong_sgrld(1, 2), 0.01, 0.5), 0)(0, n),
            share(expanded(std::make_shared<Sgrld>(), 0.01, 0.5), 0)(0, n));
}

TEST(SgrhmcLaw, TendsToThePosteriorAsTheStepShrinks) {
  EXPECT_TRUE(any_marginal_detected(expanded(std::make_shared<Sgrhmc>(), 0.2, 20)));
  expect_marginals(expanded(std::make_shared<Sgrhmc>(), 0.02, 20));
}

struct HmcMistakes {
  double flip = -1, divergence = 0.5, noise = 2;
};
std::shared_ptr<const Kernel> wrong_sgrhmc(HmcMistakes m) {
  return std::make_shared<TestKernel>(
      [=](ConstBlock grad, ConstFloatBlock xi, double epsilon, ChainBlock& chains) {
        const Block theta = chains.y.view(), r = chains.memory.view();
        for (std::size_t k = 0; k < theta.size(); ++k) {
          double &t = theta.data()[k], &p = r.data()[k];
          const double root = std::sqrt(t);
          const double force = m.divergence / root - root * grad.data()[k] - t * p;
          p = p + epsilon * force + std::sqrt(m.noise * epsilon) * root * double(xi.data()[k]);
          const double moved = t + epsilon * root * p;
          p = moved < 0 ? m.flip * p : p;
          t = std::abs(moved);
        }
      },
      1);
}

TEST(SgrhmcLaw, SaboteursAreDetected) {
  EXPECT_TRUE(any_marginal_detected(expanded(wrong_sgrhmc({.divergence = 0}), 0.05, 10)));
  EXPECT_TRUE(any_marginal_detected(expanded(wrong_sgrhmc({.noise = 1}), 0.05, 10)));
  const std::size_t n = 256;
  EXPECT_EQ(share(expanded(wrong_sgrhmc({}), 0.02, 1), 0)(0, n),
            share(expanded(std::make_shared<Sgrhmc>(), 0.02, 1), 0)(0, n));
}

// From theta = 0.01 (all three) with r = -3 a step of 0.1 leads below 0 for every noise: dU/dtheta
// is 84.3, p = -3 + 0.1 (5 - 8.43 + 0.03) + 0.045 xi is below -3, and 0.01 + 0.01 p is negative.
TEST(SgrhmcLaw, ReflectsAtZeroAndFlipsTheMomentum) {
  const AnyPotential U = ExpandedMean(mild);
  Workspace ws;
  ChainBlock chains(0, 256, 3, 3);
  std::ranges::fill(chains.y.view().flat(), 0.01);
  evaluate(U, chains, ws);
  const Sgrhmc kernel;
  kernel.prepare(chains);
  std::ranges::fill(chains.memory.view().slice(2, 1).flat(), -3.0);
  StepInfo info(256);
  kernel.advance(U, NoiseField(1), 0, {.step_size = 0.1}, chains, info, ws);
  for (std::size_t l = 0; l < 256; ++l) {
    const double theta = chains.y.view().at(2, l), r = chains.memory.view().at(2, l);
    EXPECT_GT(r, 3.0);
    EXPECT_NEAR(theta, -(0.01 + 0.01 * -r), 1e-15);
  }
}

// ---- scir --------------------------------------------------------------------------------------

DirichletPosterior sparse(double alpha) {
  std::vector<double> counts(11, 0.0);
  counts[0] = 10000;
  counts[1] = counts[2] = 10;
  return {counts, std::vector<double>(11, alpha)};
}

// States are log theta. The start is 90 standard deviations away in the first coordinate; after a
// time of 14 a ten-thousandth of one is left.
Ensemble process(const DirichletPosterior& posterior, double h, Batching batching = {}) {
  return {std::make_shared<Scir>(posterior, batching),
          LogGammas(posterior),
          {std::vector<double>(posterior.dim(), std::log(posterior.total() / 11)),
           {.step_size = h},
           static_cast<std::uint64_t>(14 / h)}};
}

testing::Draws log_share(const Ensemble& chains, std::size_t i) {
  return chains.of([i](std::span<const double> y) {
    const double largest = *std::max_element(y.begin(), y.end());
    double sum = 0;
    for (const double v : y) {
      sum += std::exp(v - largest);
    }
    return y[i] - largest - std::log(sum);
  });
}

TEST(ScirLaw, IsExactOnThePapersSparsePosteriorAtAnyStep) {
  const DirichletPosterior posterior = sparse(0.1);
  EXPECT_TRUE(Scir(posterior).exact());
  for (const double h : {0.5, 2.0}) {
    const Ensemble chains = process(posterior, h);
    for (const std::size_t i : {0, 1, 8}) {
      testing::expect_distribution(log_share(chains, i), marginal(posterior, i));
    }
  }
}

TEST(ScirLaw, AWrongShapeIsDetected) {
  const DirichletPosterior posterior = sparse(0.1);
  const Ensemble wrong = process(sparse(0.2), 2.0);
  EXPECT_TRUE(testing::detects_distribution(log_share(wrong, 8), marginal(posterior, 8), 5'000));
}

// Where theta itself underflows in every category, its shares are still right: the smaller of the
// two of Dirichlet(1e-3, 1e-3) (the larger is 1 but for less than a double can say).
TEST(ScirLaw, TinyShapesKeepTheirLaw) {
  const DirichletPosterior posterior({0, 0}, {1e-3, 1e-3});
  const Ensemble chains{std::make_shared<Scir>(posterior),
                        LogGammas(posterior),
                        {{0.0, 0.0}, {.step_size = 1.0}, 14}};
  const auto first = log_share(chains, 0), second = log_share(chains, 1);
  const auto smaller = [&](std::uint64_t stream, std::size_t n) {
    std::vector<double> values = first(stream, n);
    const std::vector<double> others = second(stream, n);
    for (std::size_t c = 0; c < n; ++c) {
      values[c] = std::min(values[c], others[c]);
    }
    return values;
  };
  const auto cdf = [](double log_x) { return 2 * beta_cdf(log_x, 1e-3, 1e-3); };
  testing::expect_distribution(smaller, cdf);
  const auto floored = [&](std::uint64_t stream, std::size_t n) {
    std::vector<double> values = smaller(stream, n);
    for (double& v : values) {
      v = std::max(v, std::log(1e-290));
    }
    return values;
  };
  EXPECT_TRUE(testing::detects_distribution(floored, cdf));
}

// One step from theta: mean theta e^-h + A (1 - e^-h), variance (1 - e^-h)^2 (A + 2 theta/(e^h -
// 1)).
TEST(ScirLaw, TheTransitionHasTheMomentsOfTheProcess) {
  const DirichletPosterior posterior({2, 0}, {0.5, 0.5});
  const double h = 0.3, theta = 4, a = 2.5, e = std::exp(-h);
  const Ensemble chains{std::make_shared<Scir>(posterior),
                        LogGammas(posterior),
                        {{std::log(theta), 0.0}, {.step_size = h}, 1}};
  const auto draws = chains.of([](std::span<const double> y) { return std::exp(y[0]); });
  const double mean = theta * e + a * (1 - e);
  const double variance = (1 - e) * (1 - e) * (a + 2 * theta * e / (1 - e));
  testing::expect_mean(draws, mean, std::sqrt(variance));
  // Fourth cumulant of Gamma(A + K): 6 A + 24 mean(K), times (1 - e^-h)^4.
  const double kurtosis =
      3 + std::pow(1 - e, 4) * (6 * a + 24 * theta * e / (1 - e)) / (variance * variance);
  testing::expect_variance(draws, mean, std::sqrt(variance), kurtosis);
  // A Poisson mean of theta e^-h, or of theta / (1 - e^-h), is seen.
  for (const double wrong : {theta * e, theta / (1 - e)}) {
    EXPECT_TRUE(testing::detects_mean(draws, (1 - e) * (a + wrong), std::sqrt(variance)));
  }
}

// The drift is linear in A, so the mean of theta is right with any batch; its variance v solves
// v = e^-2h v + (1 - e^-h)^2 (a + 2 a e^-h/(1 - e^-h) + Var A), Var A = (N/b)^2 times that of the
// hypergeometric law.
TEST(ScirLaw, BatchesKeepTheMeanAndWidenTheLaw) {
  const DirichletPosterior posterior({30, 10, 0}, {0.5, 0.5, 0.5});
  const double h = 0.4, e = std::exp(-h), n = 40, b = 10, p = 0.75, a = 30.5;
  const double var_a = (n / b) * (n / b) * b * p * (1 - p) * (n - b) / (n - 1);
  const double one = 1 - e;
  const double v = one * one * (a + 2 * a * e / one + var_a) / (1 - e * e);
  constexpr std::size_t draws = 8'000;
  const Batching batching{.size = 10};
  EXPECT_FALSE(Scir(posterior, batching).exact());
  const Ensemble chains = process(posterior, h, batching);
  const auto theta = chains.of([](std::span<const double> y) { return std::exp(y[0]); });
  testing::expect_mean(theta, a, std::sqrt(v), draws);
  // Batches add a tenth to the variance of 30.5; kurtosis 3.2 of a gamma law that wide.
  EXPECT_GT(v, 1.1 * a);
  testing::expect_variance(theta, a, std::sqrt(v), 3.2, draws);
  EXPECT_TRUE(testing::detects_variance(theta, a, std::sqrt(a), 3.2, draws));
  // b for N/b, the mistake of a forgotten factor.
  EXPECT_TRUE(testing::detects_mean(theta, 0.5 + 30 * b / n, std::sqrt(v), draws));
}

}  // namespace
}  // namespace tain::expanded_law_test
