#include "targets/expanded_mean.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "support/potential_laws.hpp"
#include "targets/points.hpp"

namespace tain::expanded_mean_test {
namespace {

using testing_support::evaluate;
using testing_support::keeps_potential_laws;
using testing_support::normal_points;
using testing_support::uniform_points;

const DirichletPosterior posterior({3, 1, 0, 2}, {0.7, 0.2, 1.5, 0.1});

TEST(ExpandedMean, KeepsTheLawsOfPotentials) {
  EXPECT_TRUE(
      keeps_potential_laws(ExpandedMean(posterior), uniform_points(4, 16, 1, 0.2, 3).view(), 0.1));
  EXPECT_TRUE(keeps_potential_laws(LogGammas(posterior), normal_points(4, 16, 2, 0.5, 1).view()));
}

// U and V of the posterior, both known up to a constant: U(theta) - [Gamma prior of the sum and
// Dirichlet of the shares] is constant, which ties the expanded mean to the posterior it expands.
TEST(ExpandedMean, IsTheGammaSumTimesThePosterior) {
  const BlockStorage theta = uniform_points(4, 16, 3, 0.1, 2);
  BlockStorage x(4, 16);
  std::vector<double> sum(16);
  for (std::size_t l = 0; l < 16; ++l) {
    for (std::size_t i = 0; i < 4; ++i) {
      sum[l] += theta.view().at(i, l);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      x.view().at(i, l) = theta.view().at(i, l) / sum[l];
    }
  }
  const std::vector<double> v = evaluate(posterior, x.view()).value;
  const double gamma = 2.5;  // sum of alpha
  const auto expect_constant = [&](const std::vector<double>& u, double shape) {
    std::vector<double> difference;
    for (std::size_t l = 0; l < 16; ++l) {
      // Volume: d theta = sum^(n-1) d sum dx.
      difference.push_back(u[l] - 3 * std::log(sum[l]) -
                           (sum[l] - (shape - 1) * std::log(sum[l]) + v[l]));
      EXPECT_NEAR(difference[l], difference[0], 1e-12 * (1 + std::abs(u[l])));
    }
  };
  expect_constant(evaluate(ExpandedMean(posterior), theta.view()).value, gamma);
  // LogGammas is a density of y = log theta: minus log theta per coordinate makes it one of theta.
  BlockStorage y(4, 16);
  for (std::size_t k = 0; k < 64; ++k) {
    y.view().data()[k] = std::log(theta.view().data()[k]);
  }
  std::vector<double> w = evaluate(LogGammas(posterior), y.view()).value;
  for (std::size_t l = 0; l < 16; ++l) {
    for (std::size_t i = 0; i < 4; ++i) {
      w[l] += y.view().at(i, l);
    }
  }
  expect_constant(w, gamma + 6);
}

TEST(ExpandedMean, ItsTermsAddUp) {
  const ExpandedMean potential(posterior);
  ASSERT_EQ(potential.terms(), 6u);
  const BlockStorage theta = uniform_points(4, 8, 4, 0.1, 2);
  const auto whole = evaluate(potential, theta.view());
  Workspace ws;
  BlockStorage grad(4, 8), mean(4, 8);
  // All batches of one term: their mean is the gradient.
  for (std::uint64_t term = 0; term < 6; ++term) {
    const std::vector<std::uint64_t> indices(8, term);
    potential.batch_gradient(theta.view(), {1, indices}, grad.view(), ws);
    for (std::size_t k = 0; k < 32; ++k) {
      mean.view().data()[k] += grad.view().data()[k] / 6;
    }
  }
  std::vector<std::uint64_t> all;
  for (int lane = 0; lane < 8; ++lane) {
    for (std::uint64_t term = 0; term < 6; ++term) {
      all.push_back(term);
    }
  }
  potential.batch_gradient(theta.view(), {6, all}, grad.view(), ws);
  for (std::size_t k = 0; k < 32; ++k) {
    const double g = whole.grad.view().data()[k];
    EXPECT_NEAR(mean.view().data()[k], g, 1e-13 * (1 + std::abs(g)));
    EXPECT_NEAR(grad.view().data()[k], g, 1e-13 * (1 + std::abs(g)));
  }
}

TEST(ExpandedMean, OutsideThereIsNothingAndTinyThetaIsFinite) {
  BlockStorage theta(4, 8);
  for (double& t : theta.view().flat()) {
    t = 1;
  }
  theta.view().at(1, 2) = -0.5;
  theta.view().at(2, 3) = 0;
  theta.view().at(0, 4) = 1e-290;
  const auto at = evaluate(ExpandedMean(posterior), theta.view());
  EXPECT_EQ(at.value[2], HUGE_VAL);
  EXPECT_EQ(at.value[3], HUGE_VAL);
  EXPECT_TRUE(std::isfinite(at.value[4]) && std::isfinite(at.grad.view().at(0, 4)));
}

}  // namespace
}  // namespace tain::expanded_mean_test
