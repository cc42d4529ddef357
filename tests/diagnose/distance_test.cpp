// Distances against closed forms.
#include "diagnose/distance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "core/special.hpp"

namespace tain::distance_test {
namespace {

double uniform_cdf(double x) { return std::fmin(std::fmax(x, 0.0), 1.0); }

TEST(Distance, BinsKeepEveryDraw) {
  const std::vector<double> draws = {-100, 0.0, 0.1, 0.25, 0.6, 0.75, 5, 7};
  const auto shares = histogram(draws, equal_width_bins(0, 1, 4));  // an edge opens its bin
  EXPECT_EQ(shares, (std::vector<double>{3 / 8., 1 / 8., 1 / 8., 3 / 8.}));
}

TEST(Distance, EqualProbabilityBinsAreEquallyProbable) {
  const auto edges = equal_probability_bins(normal_quantile, 8);
  for (const double p : bin_probabilities(normal_cdf, edges)) {
    EXPECT_NEAR(p, 0.125, 1e-14);  // two evaluations, each exact to 1e-13 relative of at most 1/8
  }
}

TEST(Distance, EqualShareBinsSkipTies) {
  const std::vector<double> draws = {1, 1, 1, 1, 2, 3, 4, 5};
  EXPECT_EQ(equal_share_bins(draws, 4), (BinEdges{2, 4}));
  EXPECT_EQ(equal_share_bins(std::vector<double>(9, 3.0), 4), BinEdges{});
}

TEST(Distance, TotalVariationOfShiftedUniforms) {
  // Uniform on [0, 1] against uniform on [1/4, 5/4]: a quarter of the mass lies elsewhere.
  const auto shifted = [](double x) { return uniform_cdf(x - 0.25); };
  const BinEdges edges = equal_width_bins(0, 1.25, 5);
  EXPECT_NEAR(
      total_variation(bin_probabilities(uniform_cdf, edges), bin_probabilities(shifted, edges)),
      0.25, 1e-15);
  const std::vector<double> far = {10, 11}, near = {-3, -2, -1};
  EXPECT_EQ(two_sample_total_variation(far, near, {0.0}), 1);
  EXPECT_EQ(two_sample_total_variation(far, far, {0.0}), 0);
}

TEST(Distance, TotalVariationAgainstALaw) {
  const std::vector<double> draws = {0.1, 0.2, 0.3, 0.9};  // 3/4 and 1/4 instead of halves
  EXPECT_EQ(total_variation(draws, uniform_cdf, {0.5}), 0.25);
}

TEST(Distance, KullbackLeibler) {
  const std::vector<double> p = {0.5, 0.5, 0}, q = {0.25, 0.25, 0.5};
  EXPECT_NEAR(kl_divergence(p, q), std::numbers::ln2, 1e-15);
  EXPECT_EQ(kl_divergence(q, p), std::numeric_limits<double>::infinity());
  EXPECT_EQ(kl_divergence(p, p), 0);
}

TEST(Distance, ExpectedNoiseOfACoin) {
  // One fair bit, n tosses: E |share - 1/2| = C(n, n/2) / 2^(n+1) for even n; n = 1000 is close
  // to its normal limit, by 1/(4n) relative.
  const std::vector<double> coin = {0.5, 0.5};
  const double n = 1000;
  const double exact =
      0.5 * std::exp(std::lgamma(n + 1) - 2 * std::lgamma(n / 2 + 1) - n * std::numbers::ln2);
  EXPECT_NEAR(expected_total_variation(coin, 1000), exact, exact / n);
}

TEST(Distance, WassersteinOfShiftsAndUnequalSizes) {
  const std::vector<double> a = {3, 1, 2}, shifted = {4, 6, 5};
  EXPECT_EQ(wasserstein(a, shifted), 3);
  EXPECT_EQ(wasserstein(a, a), 0);
  // {0, 1} against {0, 0, 1}: the quantile functions differ, by 1, for u in (1/2, 2/3).
  EXPECT_NEAR(wasserstein(std::vector<double>{0, 1}, std::vector<double>{0, 0, 1}), 1 / 6., 1e-16);
  // Against a point: the mean distance to it.
  EXPECT_NEAR(wasserstein(a, std::vector<double>{1}), 1, 1e-15);
}

TEST(Distance, NanStaysVisible) {
  const std::vector<double> bad = {1, std::nan("")}, good = {1, 2};
  EXPECT_TRUE(std::isnan(wasserstein(bad, good)));
  EXPECT_TRUE(std::isnan(two_sample_total_variation(bad, good, {1.5})));
}

}  // namespace
}  // namespace tain::distance_test
