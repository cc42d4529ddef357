// Kernels against exact laws. False-alarm rate of every assertion: 1e-8 (support/statistics.hpp).
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/hamiltonian.hpp"
#include "kernels/lane_steps.hpp"
#include "kernels/langevin.hpp"
#include "kernels/quadratic.hpp"
#include "support/statistics.hpp"

namespace tain::kernel_law_test {
namespace {

using testing::last_states;
using testing::Logistic;
using testing::Quadratic;

const Langevin mld(Langevin::Adjust::none);
const Langevin mala(Langevin::Adjust::metropolis);
const Hamiltonian hmc;

double logistic_cdf(double y) { return 1 / (1 + std::exp(-y)); }

testing::Draws draws_of(const Kernel& kernel, AnyPotential W, Tuning tuning, std::uint64_t steps,
                        std::size_t coordinate = 0) {
  return [=, &kernel](std::uint64_t stream, std::size_t n) {
    return last_states(kernel, W, tuning, 0.5, steps, 100 + stream, n, coordinate);
  };
}

// A step of size beta contracts y by (1 - beta a) and adds variance 2 beta, so the stationary law
// of mld on a quadratic is N(0, 1/(a (1 - beta a/2))) exactly; 60 steps forget the start to below
// 1e-9.
TEST(LangevinLaw, UnadjustedVarianceIsTheExactBiasedOne) {
  const double a = 2, beta = 0.3;
  const double biased = 1 / (a * (1 - beta * a / 2));
  const auto draws = draws_of(mld, Quadratic{{a}}, {.step_size = beta}, 60);
  testing::expect_mean(draws, 0, std::sqrt(biased));
  testing::expect_variance(draws, 0, std::sqrt(biased));
  // The test can tell it from the unbiased law, and from a kernel with sqrt(beta) noise.
  EXPECT_TRUE(testing::detects_variance(draws, 0, std::sqrt(1 / a)));
  EXPECT_TRUE(testing::detects_variance(draws, 0, std::sqrt(biased / 2)));
}

TEST(LangevinLaw, PreconditionerChangesTheDynamicsNotTheTarget) {
  // With P = s^2 the same formula holds for beta s^2.
  const double a = 0.02, s = 7, beta = 0.3;
  const double biased = 1 / (a * (1 - beta * s * s * a / 2));
  const auto draws = draws_of(mld, Quadratic{{a, 3.0}}, {.step_size = beta, .scale = {s, 0.6}}, 80);
  testing::expect_variance(draws, 0, std::sqrt(biased));
  EXPECT_TRUE(testing::detects_variance(draws, 0, std::sqrt(1 / a)));
}

TEST(LangevinLaw, BiasHalvesWithTheStep) {
  // Richardson: E y^2 at beta minus twice that at beta/2 plus the exact value vanishes to second
  // order.
  const double a = 1;
  for (const double beta : {0.4, 0.2, 0.1}) {
    const double biased = 1 / (a * (1 - beta * a / 2));
    testing::expect_variance(draws_of(mld, Quadratic{{a}}, {.step_size = beta}, 150), 0,
                             std::sqrt(biased), 3.0, 50'000);
  }
}

TEST(MalaLaw, IsExactOnALogisticLaw) {
  const Tuning tuning{.step_size = 1.5};
  testing::expect_distribution(draws_of(mala, Logistic{3}, tuning, 60, 1), logistic_cdf);
  // Without the Metropolis test the same steps are visibly wrong.
  EXPECT_TRUE(
      testing::detects_distribution(draws_of(mld, Logistic{3}, tuning, 60, 1), logistic_cdf));
}

TEST(MalaLaw, IsExactWithAPreconditioner) {
  const Tuning tuning{.step_size = 0.7, .scale = {1.4, 0.9}};
  testing::expect_distribution(draws_of(mala, Logistic{2}, tuning, 80), logistic_cdf);
}

TEST(HmcLaw, IsExactOnALogisticLaw) {
  const Tuning tuning{.step_size = 1.1, .trajectory_length = 4};
  testing::expect_distribution(draws_of(hmc, Logistic{3}, tuning, 30, 2), logistic_cdf);
}

TEST(HmcLaw, IsExactWithAPreconditioner) {
  const Tuning tuning{.step_size = 0.6, .scale = {1.7, 0.8}, .trajectory_length = 2};
  testing::expect_distribution(draws_of(hmc, Logistic{2}, tuning, 40, 1), logistic_cdf);
}

// Saboteur: leapfrog without the Metropolis test.
class Unadjusted final : public Kernel {
 public:
  std::string_view name() const override { return "saboteur"; }
  bool exact() const override { return false; }
  double relaxation(std::span<const double>, const Tuning&) const override { return 0; }
  double target_acceptance() const override { return 1; }
  std::uint64_t gradients(std::uint64_t, const Tuning&) const override { return 1; }
  void advance(const AnyPotential& W, const NoiseField& noise, std::uint64_t t,
               const Tuning& tuning, ChainBlock& chains, StepInfo&, Workspace& ws) const override {
    Workspace::Scope scope(ws);
    const FloatBlock xi = ws.float_block(W.dim(), chains.lanes());
    const Block p = ws.block(W.dim(), chains.lanes());
    noise.normals(Purpose::proposal, t, chains.first_chain, xi);
    lanes::widen(xi, p);
    for (int s = 0; s < 3; ++s) {
      lanes::kick(chains.grad.view(), 0.5 * tuning.step_size, {}, p);
      lanes::drift(p, tuning.step_size, {}, chains.y.view());
      evaluate(W, chains, ws);
      lanes::kick(chains.grad.view(), 0.5 * tuning.step_size, {}, p);
    }
  }
};

TEST(HmcLaw, TheTestSeesAMissingMetropolisStep) {
  const Unadjusted saboteur;
  EXPECT_TRUE(testing::detects_distribution(
      draws_of(saboteur, Logistic{3}, {.step_size = 1.6}, 30, 2), logistic_cdf));
}

TEST(Kernels, AcceptanceOfMldIsThatOfMala) {
  // The bias indicator: the same state and noise give the same acceptance probability.
  const AnyPotential W = Logistic{4};
  const NoiseField noise(3);
  Workspace ws;
  ChainBlock one(0, 16, 4), two(0, 16, 4);
  evaluate(W, one, ws);
  evaluate(W, two, ws);
  StepInfo first(16), second(16);
  mld.advance(W, noise, 5, {.step_size = 1.0}, one, first, ws);
  mala.advance(W, noise, 5, {.step_size = 1.0}, two, second, ws);
  EXPECT_EQ(first.acceptance, second.acceptance);
  EXPECT_LT(*std::min_element(first.acceptance.begin(), first.acceptance.end()), 1.0);
}

class Protocol : public ::testing::TestWithParam<const Kernel*> {};

TEST_P(Protocol, AStepIsAFunctionOfItsArguments) {
  const AnyPotential W = Logistic{5};
  const NoiseField noise(9);
  const Tuning tuning{.step_size = 0.9, .trajectory_length = 3};
  Workspace ws;
  // A block of 24 lanes against three blocks of 8, the last of them with other history in its
  // scratch.
  ChainBlock whole(0, 24, 5);
  evaluate(W, whole, ws);
  StepInfo info(24);
  for (std::uint64_t t = 0; t < 7; ++t) {
    GetParam()->advance(W, noise, t, tuning, whole, info, ws);
  }
  for (std::uint32_t first = 0; first < 24; first += 8) {
    ChainBlock part(first, 8, 5);
    evaluate(W, part, ws);
    StepInfo part_info(8);
    for (std::uint64_t t = 0; t < 7; ++t) {
      GetParam()->advance(W, noise, t, tuning, part, part_info, ws);
    }
    for (std::size_t i = 0; i < 5; ++i) {
      for (std::size_t l = 0; l < 8; ++l) {
        EXPECT_EQ(whole.y.view().at(i, first + l), part.y.view().at(i, l));
      }
    }
    for (std::size_t l = 0; l < 8; ++l) {
      EXPECT_EQ(info.acceptance[first + l], part_info.acceptance[l]);
    }
  }
}

TEST_P(Protocol, ValueAndGradientBelongToTheState) {
  const AnyPotential W = Logistic{3};
  const NoiseField noise(9);
  Workspace ws;
  ChainBlock chains(0, 16, 3);
  evaluate(W, chains, ws);
  StepInfo info(16);
  for (std::uint64_t t = 0; t < 20; ++t) {
    GetParam()->advance(W, noise, t, {.step_size = 1.9, .trajectory_length = 4}, chains, info, ws);
  }
  const std::vector<double> value = chains.value;
  const std::span<double> grad = chains.grad.view().flat();
  const std::vector<double> slope(grad.begin(), grad.end());
  evaluate(W, chains, ws);
  EXPECT_EQ(value, chains.value);
  EXPECT_TRUE(std::equal(slope.begin(), slope.end(), chains.grad.view().flat().begin()));
}

TEST_P(Protocol, NonFiniteProposalsAreReportedAndRefused) {
  // W grows so fast that a huge step overflows.
  struct Steep {
    std::size_t dim() const { return 1; }
    double value_and_grad(std::span<const double> y, std::span<double> grad) const {
      grad[0] = std::sinh(y[0]) * 1e300;
      return std::cosh(y[0]) * 1e300;
    }
  };
  const AnyPotential W = PointTarget("steep", Steep{});
  Workspace ws;
  ChainBlock chains(0, 8, 1);
  lanes::fill(0.5, chains.y.view().flat());
  evaluate(W, chains, ws);
  StepInfo info(8);
  GetParam()->advance(W, NoiseField(1), 0, {.step_size = 1e9, .trajectory_length = 1e9}, chains,
                      info, ws);
  for (std::size_t l = 0; l < 8; ++l) {
    EXPECT_EQ(info.divergent[l], 1.0);
    EXPECT_EQ(info.acceptance[l], 0.0);
    EXPECT_EQ(chains.y.view().at(0, l), 0.5);
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Protocol, ::testing::Values(&mld, &mala, &hmc),
                         [](const auto& test) { return std::string(test.param->name()); });

TEST(Hmc, JitterIsTheVanDerCorputSequence) {
  EXPECT_EQ(Hamiltonian::jitter(0), 0.625);
  EXPECT_EQ(Hamiltonian::jitter(1), 0.4375);
  EXPECT_EQ(Hamiltonian::jitter(2), 0.8125);
  EXPECT_EQ(Hamiltonian::jitter(3), 0.34375);
}

TEST(Hmc, LengthSlopeIsTheDerivativeOfTheCriterion) {
  // One lane, quadratic W: the criterion along the leapfrog path is a function of the number of
  // steps; its slope in tau is compared with the difference over two lengths, small steps making
  // both nearly continuous.
  const AnyPotential W = Quadratic{{1.0, 2.5}};
  const NoiseField noise(4);
  Workspace ws;
  const double epsilon = 1e-3, u = Hamiltonian::jitter(0);
  const auto run = [&](double tau, std::vector<double>& slope) {
    ChainBlock chains(0, 8, 2);
    lanes::fill(0.7, chains.y.view().flat());
    evaluate(W, chains, ws);
    StepInfo info(8);
    hmc.advance(W, noise, 0,
                {.step_size = epsilon, .trajectory_length = tau, .centre = {0.1, -0.2}}, chains,
                info, ws);
    slope = info.length_slope;
    std::vector<double> criterion(8);
    for (std::size_t l = 0; l < 8; ++l) {
      const auto square = [&](const Block& y) {
        return std::pow(y.at(0, l) - 0.1, 2) + std::pow(y.at(1, l) + 0.2, 2);
      };
      const double start = std::pow(0.6, 2) + std::pow(0.9, 2);
      criterion[l] = 0.25 * std::pow(square(chains.y.view()) - start, 2);
    }
    return criterion;
  };
  std::vector<double> slope, unused;
  const double tau = 1.0, h = 4 * epsilon / u;
  const auto below = run(tau - h, unused), above = run(tau + h, unused);
  const auto middle = run(tau, slope);
  for (std::size_t l = 0; l < 8; ++l) {
    const double numeric = tau * (above[l] - below[l]) / (2 * h) - middle[l] / 2;
    // Error: O(h^2) of the difference and O(epsilon) of rounding tau u to whole steps.
    EXPECT_NEAR(slope[l], numeric, 0.02 * (1 + std::abs(numeric)));
  }
}

}  // namespace
}  // namespace tain::kernel_law_test
