// Laws of gammas and of steps of the process. False-alarm rate of every assertion: 1e-8
// (support/statistics.hpp). The same at twenty to a hundred times as many draws: gamma_slow_test.cpp.
#include "gamma_law.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tain::gamma_law_test {
namespace {

using testing::Way;

constexpr std::size_t many = 400'000;

struct Setting {
  Way way;
  double shape;
};

class GammaLaw : public ::testing::TestWithParam<Setting> {};
INSTANTIATE_TEST_SUITE_P(Shapes, GammaLaw,
                         ::testing::Values(Setting{Way::common, 0.001}, Setting{Way::common, 0.05},
                                           Setting{Way::common, 0.5}, Setting{Way::common, 1.0},
                                           Setting{Way::listed, 0.3}, Setting{Way::listed, 0.5},
                                           Setting{Way::listed, 1.05}, Setting{Way::listed, 10.05},
                                           Setting{Way::listed, 1e4},
                                           Setting{Way::logarithms, 0.01},
                                           Setting{Way::logarithms, 3.0},
                                           Setting{Way::logarithms, 1e3},
                                           Setting{Way::logarithms, 1e6}));

TEST_P(GammaLaw, FollowsTheGammaDistribution) {
  const auto [way, shape] = GetParam();
  testing::expect_distribution(testing::uniforms_of(way, shape), testing::uniform_cdf, many);
  const auto cells = testing::gamma_cells(shape, 200, testing::least_log(way));
  testing::expect_counts(testing::counts_of(way, shape, cells), cells.probabilities, many);
}

// Off by what moves the mean by a fiftieth of a standard deviation; tiny shapes by a tenth of
// themselves, since most of what they give is at the floor.
TEST_P(GammaLaw, AWrongShapeIsDetected) {
  const auto [way, shape] = GetParam();
  const double wrong = shape + std::min(0.02 * std::sqrt(shape), 0.1 * shape);
  const auto cells = testing::gamma_cells(wrong, 200, testing::least_log(way));
  EXPECT_TRUE(
      testing::detects_counts(testing::counts_of(way, shape, cells), cells.probabilities, many));
}

// Far to the left: -A log theta of shape 1e-300 is exponential to all digits.
TEST(GammaLaw, TinyShapesAreExponentialInTheLogarithm) {
  const testing::Draws draws = [](std::uint64_t stream, std::size_t n) {
    std::vector<double> x;
    testing::draw_gammas(Way::logarithms, 1e-300, stream, n,
                         [&](double y) { x.push_back(-1e-300 * y); });
    return x;
  };
  testing::expect_distribution(draws, [](double x) { return -std::expm1(-x); });
}

// One after the other in double, as the definition says, with a mistake: where the byte leaves open
// whether a trial is kept, another trial takes its place.
TEST(GammaLaw, AFreshTrialInsteadOfTheSameOneIsDetected) {
  using testing::CellReference;
  const auto counts = [](const testing::LawCells& cells, CellReference::Mistake mistake) {
    return testing::Counts([=](std::uint64_t stream, std::size_t n) {
      std::vector<std::size_t> own(cells.probabilities.size());
      for (std::size_t i = 0; i < n; ++i) {
        const CellReference cell(NoiseField(9000 + stream), Purpose::direct, i,
                                 static_cast<std::uint32_t>(i % 7), 0, mistake);
        cells.add(cell.log_draw(0.5), own);
      }
      return own;
    });
  };
  const auto cells = testing::gamma_cells(0.5, 200, -HUGE_VAL);
  EXPECT_FALSE(testing::detects_counts(counts(cells, CellReference::Mistake::none),
                                       cells.probabilities, many));
  EXPECT_TRUE(
      testing::detects_counts(counts(cells, CellReference::Mistake::fresh_trial_for_the_uncertain),
                              cells.probabilities, many));
}

struct StepSetting {
  Way way;
  double shape, theta, h;
};

class StepLaw : public ::testing::TestWithParam<StepSetting> {};
INSTANTIATE_TEST_SUITE_P(Steps, StepLaw,
                         ::testing::Values(StepSetting{Way::common, 0.05, 0.3, 0.3},
                                           StepSetting{Way::common, 0.5, 2, 3},
                                           StepSetting{Way::listed, 0.3, 1, 0.5},
                                           StepSetting{Way::listed, 0.7, 0.2, 0.1},
                                           StepSetting{Way::listed, 1.05, 3, 0.3},
                                           StepSetting{Way::listed, 50, 20, 3},
                                           StepSetting{Way::logarithms, 0.1, 2, 0.1},
                                           StepSetting{Way::logarithms, 3, 0.01, 0.5},
                                           StepSetting{Way::logarithms, 1e4, 1.1e4, 1}));

TEST_P(StepLaw, FollowsTheTransition) {
  const auto [way, shape, theta, h] = GetParam();
  const auto cells = testing::step_cells(shape, theta, h, 100, testing::least_log(way));
  ASSERT_GT(cells.probabilities.size(), 25U);
  testing::expect_counts(testing::counts_of(way, shape, cells, theta, h), cells.probabilities,
                         many);
}

// From a theta that moves the mean by a thirtieth of a standard deviation.
TEST_P(StepLaw, AnotherStartIsDetected) {
  const auto [way, shape, theta, h] = GetParam();
  const double e = std::exp(-h), mean = theta * e + shape * (1 - e);
  const double sd = std::sqrt((1 - e) * (mean + theta * e));
  const auto cells =
      testing::step_cells(shape, theta + sd / e / 30, h, 100, testing::least_log(way));
  EXPECT_TRUE(testing::detects_counts(testing::counts_of(way, shape, cells, theta, h),
                                      cells.probabilities, many));
}

}  // namespace
}  // namespace tain::gamma_law_test
