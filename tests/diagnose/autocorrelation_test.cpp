// Autocorrelation: closed forms, R's acf, laws.
#include "diagnose/autocorrelation.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "random/noise.hpp"

namespace tain::autocorrelation_test {
namespace {

// R: acf(c(1, 4, 2, 8, 5, 7), plot = FALSE, lag.max = 5)$acf, to 15 digits.
TEST(Autocorrelation, AgreesWithR) {
  const std::vector<double> x = {1, 4, 2, 8, 5, 7};
  const std::vector<double> expected = {1,
                                        -0.0733333333333333,
                                        0.386666666666667,
                                        -0.500000000000000,
                                        -0.0800000000000000,
                                        -0.233333333333333};
  const auto r = autocorrelation({x, 1, x.size()}, 5);
  for (std::size_t t = 0; t < r.size(); ++t) {
    EXPECT_NEAR(r[t], expected[t], 1e-14) << "lag " << t;
  }
}

// x_t = a x_{t-1} + e_t has r(t) = a^t. With S = 200,000 draws the error of r(t) has the standard
// deviation sqrt((1 + a^2)/((1 - a^2) S)) at most (Bartlett), 0.0048 at a = 0.8; five of them.
TEST(Autocorrelation, IsGeometricForAutoregression) {
  const double a = 0.8;
  constexpr std::size_t chains = 4, draws = 50'000;
  std::vector<double> x;
  const NoiseField noise(7);
  for (std::uint32_t chain = 0; chain < chains; ++chain) {
    Stream stream(noise, Purpose::check, 0, chain);
    double state = stream.normal() / std::sqrt(1 - a * a);
    for (std::size_t i = 0; i < draws; ++i) {
      x.push_back(state = a * state + stream.normal());
    }
  }
  const Series s{x, chains, draws};
  const auto r = autocorrelation(s, 100);  // beyond the lags that are summed directly
  const AutocorrelationSpread spread = autocorrelation_spread(s, 100);
  const double sd = std::sqrt((1 + a * a) / ((1 - a * a) * chains * draws));
  for (std::size_t t = 0; t < r.size(); ++t) {
    EXPECT_NEAR(r[t], std::pow(a, static_cast<double>(t)), 5 * sd) << "lag " << t;
    EXPECT_LE(spread.low[t], r[t] + 1e-12);
    EXPECT_GE(spread.high[t], r[t] - 1e-12);
  }
}

RC_GTEST_PROP(Autocorrelation, ObeysItsLaws, ()) {
  const auto chains = *rc::gen::inRange<std::size_t>(1, 4);
  const auto draws = *rc::gen::inRange<std::size_t>(2, 150);
  const auto x = *rc::gen::container<std::vector<double>>(
      chains * draws, rc::gen::map(rc::gen::inRange(-1000, 1000), [](int i) { return i * 1.0; }));
  const std::size_t lags = draws - 1;
  const auto r = autocorrelation({x, chains, draws}, lags);
  std::vector<double> other = x, reversed = x;
  for (double& v : other) {
    v = 1e-150 * (v + 300);
  }
  for (std::size_t c = 0; c < chains; ++c) {
    const auto first = reversed.begin() + static_cast<std::ptrdiff_t>(c * draws);
    std::reverse(first, first + static_cast<std::ptrdiff_t>(draws));
  }
  const auto scaled = autocorrelation({other, chains, draws}, lags);
  const auto backward = autocorrelation({reversed, chains, draws}, lags);
  if (std::isnan(r[0])) {
    return;  // constant
  }
  RC_ASSERT(r[0] == 1);
  for (std::size_t t = 0; t <= lags; ++t) {
    RC_ASSERT(std::abs(r[t]) <= 1 + 1e-12);
    RC_ASSERT(std::abs(backward[t] - r[t]) <= 1e-12);
    // Values of up to 1300 whose spread may be 1: 1e-16 of the former are 1e-13 of the latter, and
    // squares of spreads over 150 draws take what is left.
    RC_ASSERT(std::abs(scaled[t] - r[t]) <= 1e-8);
  }
}

TEST(Autocorrelation, IsNotDefinedWithoutMovement) {
  const std::vector<double> constant(12, 0.1);
  EXPECT_TRUE(std::isnan(autocorrelation({constant, 2, 6}, 3)[0]));
  EXPECT_TRUE(autocorrelation_spread({constant, 2, 6}, 3).low.empty());
  const std::vector<double> broken = {1, NAN, 3, 4};
  EXPECT_TRUE(std::isnan(autocorrelation({broken, 1, 4}, 2)[2]));
  // One chain stands still: the other is heard.
  const std::vector<double> half = {1, 1, 1, 1, 1, 2, 1, 2};
  EXPECT_DOUBLE_EQ(autocorrelation_spread({half, 2, 4}, 1).high[1], -0.75);
}

}  // namespace
}  // namespace tain::autocorrelation_test
