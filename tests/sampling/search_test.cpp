// What the search before a run, and a look at the draws after it, tell the verdict.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tain/tain.hpp"

namespace tain::search_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// -log of sum_k weight_k N(mean_k, 1) in one dimension.
Target mixture(std::vector<std::pair<double, double>> parts) {
  return potential(
      [parts](std::span<const double> x, std::span<double> gradient) {
        double top = -INFINITY;
        for (const auto& [weight, mean] : parts) {
          top = std::max(top, std::log(weight) - 0.5 * (x[0] - mean) * (x[0] - mean));
        }
        double sum = 0, slope = 0;
        for (const auto& [weight, mean] : parts) {
          const double d = x[0] - mean, p = std::exp(std::log(weight) - 0.5 * d * d - top);
          sum += p;
          slope += p * d;
        }
        gradient[0] = slope / sum;
        return -top - std::log(sum);
      },
      1);
}

std::string verdict_of(const Set& set, const Target& target, const SamplePlan& plan = {}) {
  return format_verdict(sample(set, target, plan).verdict());
}

TEST(Search, OneStartIsSaid) {
  const Target normal = mixture({{1, 0}});
  EXPECT_THAT(verdict_of(real(1), normal, {.start = Numbers{0.5}}),
              HasSubstr("note  All chains began at one place"));
  EXPECT_THAT(verdict_of(real(1), normal), Not(HasSubstr("began at one place")));
  EXPECT_THAT(verdict_of(real(1), normal, {.chains = 1, .start = Numbers{0.5}}),
              Not(HasSubstr("All chains began at one place")));
}

TEST(Search, ModesThatNoDrawVisitsAreMissed) {
  EXPECT_THAT(verdict_of(real(1), mixture({{0.6, 0}, {0.4, 30}}), {.start = Numbers{0.5}}),
              HasSubstr("FAIL  The draws miss a mode that was found (at x[1] = 30, about 40 % of "
                        "the mass)"));
}

// A ten-thousandth of the mass, 60 sd away, makes the sd 1.17 instead of 1; one 4 sd away nothing.
TEST(Search, LightModesCountByWhatTheyChange) {
  EXPECT_THAT(verdict_of(real(1), mixture({{0.9999, 0}, {0.0001, 60}})),
              HasSubstr("FAIL  The draws miss a mode that was found (at x[1] = 60, about 0.01 %"));
  EXPECT_THAT(verdict_of(real(1), mixture({{0.9999, 0}, {0.0001, 15}})), HasSubstr("\nTrust"));
}

TEST(Search, ChainsThatStayInModesDoNotTellTheirShares) {
  EXPECT_THAT(verdict_of(real(1), mixture({{0.5, 0}, {0.5, 30}}), {.chains = 8}),
              HasSubstr("FAIL  The chains stay in different modes, 2 of them ("));
}

TEST(Search, DrawsWithoutEndAreImproper) {
  const Target flat = potential(
      [](std::span<const double>, std::span<double> gradient) {
        gradient[0] = 0;
        return 0.0;
      },
      1);
  EXPECT_THAT(verdict_of(real(1), flat), HasSubstr("FAIL  The draws run to where numbers end: x"));
}

// x^-0.99 on (0, 1) has a tenth of its mass below 1e-100; x = 1 - t of the same is lost at 1e-16.
TEST(Search, DrawsThatAWallSwallowsAreNamed) {
  const Target wall = potential(
      [](std::span<const double> x, std::span<double> gradient) {
        gradient[0] = -0.99 / (1 - x[0]);
        return 0.99 * std::log1p(-x[0]);
      },
      1);
  EXPECT_THAT(verdict_of(box(0, 1, 1), wall),
              HasSubstr("% of the draws are nearer to the edge of the set than numbers tell"));
}

TEST(Search, AWrongSignIsSuspected) {
  const auto log_p = [](double sign) {
    return potential(
        [sign](std::span<const double> x, std::span<double> gradient) {
          gradient[0] = -sign * 4 * x[0];
          gradient[1] = -sign * 4 * x[1];
          return -sign * 2 * (x[0] * x[0] + x[1] * x[1]);
        },
        2);
  };
  EXPECT_THAT(verdict_of(box(-1, 1, 2), log_p(1)),
              HasSubstr("note  The density is least inside the set"));
  EXPECT_THAT(verdict_of(box(-1, 1, 2), log_p(-1)), Not(HasSubstr("The density is least")));
}

}  // namespace
}  // namespace tain::search_test
