// Special functions against tables of 40-digit values (tools/make_golden_special.py).
#include "core/special.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "special_golden.inc"

namespace tain::special_test {
namespace {

constexpr double bound = 1e-13;  // stated in special.hpp

double relative(double got, double exact) {
  return exact == 0.0 ? std::abs(got) : std::abs(got / exact - 1.0);
}

TEST(Digamma, MatchesTheTable) {
  for (const auto& [x, exact] : digamma_golden) {
    EXPECT_LT(relative(digamma(x), exact), bound) << x;
  }
}

// Near its zero the error is absolute: 1.5e-15 is an ulp of the logarithm it is a difference of.
TEST(Digamma, IsNearZeroAtItsZero) { EXPECT_LT(std::abs(digamma(1.4616321449683623)), 3e-15); }

TEST(Trigamma, MatchesTheTable) {
  for (const auto& [x, exact] : trigamma_golden) {
    EXPECT_LT(relative(trigamma(x), exact), bound) << x;
  }
}

TEST(NormalCdf, MatchesTheTable) {
  for (const auto& [z, exact] : normal_cdf_golden) {
    EXPECT_LT(relative(normal_cdf(z), exact), bound) << z;
  }
  EXPECT_EQ(normal_cdf(-std::numeric_limits<double>::infinity()), 0.0);
  EXPECT_EQ(normal_cdf(std::numeric_limits<double>::infinity()), 1.0);
  EXPECT_TRUE(std::isnan(normal_cdf(std::numeric_limits<double>::quiet_NaN())));
}

TEST(NormalQuantile, MatchesTheTable) {
  for (const auto& [p, exact] : normal_quantile_golden) {
    EXPECT_LT(relative(normal_quantile(p), exact), bound) << p;
  }
}

TEST(ChiSquare, MatchesTheTable) {
  for (const auto& [x, k, exact] : chi_square_golden) {
    EXPECT_LT(relative(chi_square_sf(x, k), exact), bound) << x << " with " << k;
  }
  EXPECT_EQ(chi_square_sf(0.0, 3.0), 1.0);
  EXPECT_EQ(chi_square_sf(std::numeric_limits<double>::infinity(), 3.0), 0.0);
}

TEST(Beta, MatchesTheTable) {
  for (const auto& [log_x, a, b, exact] : beta_golden) {
    // Stated in special.hpp. An error of log_x in its last bit counts a times (1 - F)/F more.
    const double rounding = 4e-16 * std::abs(log_x) * a / exact;
    EXPECT_LT(relative(beta_cdf(log_x, a, b), exact), 1e-13 * (a + b + 1) + rounding)
        << log_x << " with " << a << ", " << b;
  }
  EXPECT_EQ(beta_cdf(0.0, 2.0, 3.0), 1.0);
}

TEST(Beta, QuantileInvertsTheDistribution) {
  for (const auto& [a, b] : {std::pair{0.1, 10020.9}, {10000.1, 21.0}, {2.0, 1.0}}) {
    for (const double p : {0.001, 0.01, 0.3, 0.5, 0.99, 0.9999}) {
      EXPECT_LT(relative(beta_cdf(beta_log_quantile(p, a, b), a, b), p), 1e-9) << p << a;
    }
  }
}

}  // namespace
}  // namespace tain::special_test
