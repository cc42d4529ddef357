// Laws of gammas and of steps of the process at many draws. False-alarm rate of every assertion:
// 1e-8 (support/statistics.hpp).
#include <gtest/gtest.h>

#include <cmath>

#include "gamma_law.hpp"

namespace tain::gamma_slow_test {
namespace {

using testing::Way;

// Kolmogorov and Smirnov at ten million draws see a distance of 0.0011.
class GammaDistance : public ::testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Shapes, GammaDistance,
                         ::testing::Values(0.001, 0.003, 0.01, 0.03, 0.05, 0.1, 0.3, 0.5, 0.7, 1.0,
                                           1.05, 2.05, 5.0, 10.0, 30.0, 100.0, 1e3, 1e4, 1e5, 1e6));

TEST_P(GammaDistance, IsThatOfChance) {
  const double shape = GetParam();
  for (const Way way : {Way::common, Way::logarithms}) {
    if (shape > 1 && way == Way::common) {
      testing::expect_distribution(testing::uniforms_of(Way::listed, shape), testing::uniform_cdf,
                                   10'000'000);
      continue;
    }
    testing::expect_distribution(testing::uniforms_of(way, shape), testing::uniform_cdf,
                                 10'000'000);
  }
}

// Chi-square of a thousand cells at fifty million draws sees cells that are 1 % off.
struct Setting {
  Way way;
  double shape;
};
class GammaCounts : public ::testing::TestWithParam<Setting> {};
INSTANTIATE_TEST_SUITE_P(Shapes, GammaCounts,
                         ::testing::Values(Setting{Way::common, 0.05}, Setting{Way::common, 0.5},
                                           Setting{Way::listed, 1.05}, Setting{Way::listed, 10.05},
                                           Setting{Way::listed, 1e5},
                                           Setting{Way::logarithms, 0.01}));

TEST_P(GammaCounts, AreThoseOfChance) {
  const auto [way, shape] = GetParam();
  const auto cells = testing::gamma_cells(shape, 1000, testing::least_log(way));
  testing::expect_counts(testing::counts_of(way, shape, cells), cells.probabilities, 50'000'000);
}

// d (1 + w)^3 in float: 1 + w has steps of 2^-24 or 2^-23, three times as many of theta.
TEST(GammaCounts, StepsOfTheCubeInFloatAreDetected) {
  const double shape = 1e5, d = shape - 1.0 / 3;
  const auto cells = testing::gamma_cells(shape, 1000, testing::least_log(Way::logarithms));
  const testing::Counts counts = [&](std::uint64_t stream, std::size_t n) {
    std::vector<std::size_t> own(cells.probabilities.size());
    testing::draw_gammas(Way::logarithms, shape, stream, n, [&](double y) {
      const auto v = static_cast<float>(std::exp((y - std::log(d)) / 3));
      cells.add(std::log(double(static_cast<float>(d) * (v * v * v))), own);
    });
    return own;
  };
  EXPECT_TRUE(testing::detects_counts(counts, cells.probabilities, 5'000'000));
}

struct StepSetting {
  Way way;
  double shape, theta, h;
};
class StepCounts : public ::testing::TestWithParam<StepSetting> {};
INSTANTIATE_TEST_SUITE_P(
    Steps, StepCounts,
    ::testing::Values(
        StepSetting{Way::common, 0.05, 0.3, 0.3}, StepSetting{Way::common, 0.01, 5, 1},
        StepSetting{Way::common, 0.5, 2, 3}, StepSetting{Way::common, 0.9, 0.5, 0.1},
        StepSetting{Way::listed, 0.3, 1, 0.5}, StepSetting{Way::listed, 0.7, 0.2, 0.1},
        StepSetting{Way::listed, 1.05, 3, 0.3}, StepSetting{Way::listed, 5, 30, 0.1},
        StepSetting{Way::listed, 1e3, 900, 1}, StepSetting{Way::logarithms, 0.1, 2, 0.1},
        StepSetting{Way::logarithms, 3, 0.01, 0.5}, StepSetting{Way::logarithms, 1e4, 1.1e4, 2}));

TEST_P(StepCounts, AreThoseOfChance) {
  const auto [way, shape, theta, h] = GetParam();
  const auto cells = testing::step_cells(shape, theta, h, 1000, testing::least_log(way));
  ASSERT_GT(cells.probabilities.size(), 250U);
  testing::expect_counts(testing::counts_of(way, shape, cells, theta, h), cells.probabilities,
                         20'000'000);
}

}  // namespace
}  // namespace tain::gamma_slow_test
