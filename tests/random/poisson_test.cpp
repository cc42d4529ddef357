// The Poisson law against its probabilities. Levels and power: support/statistics.hpp.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/special.hpp"
#include "random/noise.hpp"
#include "support/statistics.hpp"

namespace tain::poisson_test {
namespace {

using testing::Draws;

Draws draws_of(const std::function<double(Stream&)>& draw) {
  return [=](std::uint64_t stream, std::size_t n) {
    std::vector<double> x(n);
    for (std::size_t i = 0; i < n; ++i) {
      Stream position(NoiseField(7000 + stream), Purpose::direct, 0, static_cast<std::uint32_t>(i));
      x[i] = draw(position);
    }
    return x;
  };
}

// P(K <= k) = P(Gamma(k + 1) > mean) = P(chi-square(2 k + 2) > 2 mean).
double poisson_cdf(double k, double mean) {
  return k < 0 ? 0.0 : chi_square_sf(2 * mean, 2 * k + 2);
}

// Cells between consecutive bounds, each of probability 0.5 % or more.
struct Cells {
  std::vector<double> last;  // largest k of a cell; the last cell is open
  std::vector<double> probability;
};
Cells cells_of(double mean) {
  Cells cells;
  double below = 0;
  const double width = std::max(1.0, std::floor(std::sqrt(mean) / 8));
  for (double k = std::floor(std::max(0.0, mean - 6 * std::sqrt(mean))); below < 0.995;
       k += width) {
    const double cdf = poisson_cdf(k, mean);
    if (cdf - below >= 0.005 && 1 - cdf >= 0.005) {
      cells.last.push_back(k);
      cells.probability.push_back(cdf - below);
      below = cdf;
    } else if (1 - cdf < 0.005) {
      break;
    }
  }
  cells.last.push_back(HUGE_VAL);
  cells.probability.push_back(1 - below);
  return cells;
}

testing::Counts counts_of(const Draws& draws, const Cells& cells) {
  return [=](std::uint64_t stream, std::size_t n) {
    std::vector<std::size_t> counts(cells.last.size());
    for (const double k : draws(stream, n)) {
      const auto cell = std::lower_bound(cells.last.begin(), cells.last.end(), k);
      ++counts[static_cast<std::size_t>(cell - cells.last.begin())];
    }
    return counts;
  };
}

class PoissonMean : public ::testing::TestWithParam<double> {};
// Both sides of the switch at 10; where the published hat fails; the range of chi_square_sf.
INSTANTIATE_TEST_SUITE_P(Means, PoissonMean,
                         ::testing::Values(0.05, 1.0, 9.999, 10.0, 13.25, 40.0, 3e4));

TEST_P(PoissonMean, FollowsItsProbabilities) {
  const double mean = GetParam();
  const Cells cells = cells_of(mean);
  ASSERT_GE(cells.last.size(), 2u);
  const auto draws = draws_of([=](Stream& s) { return s.poisson(mean); });
  testing::expect_counts(counts_of(draws, cells), cells.probability, 200'000);
  testing::expect_mean(draws, mean, std::sqrt(mean), 200'000);
}

TEST_P(PoissonMean, AWrongMeanIsDetected) {
  const double mean = GetParam(), wrong = mean + 0.03 * std::sqrt(mean);
  const Cells cells = cells_of(mean);
  const auto draws = draws_of([=](Stream& s) { return s.poisson(wrong); });
  EXPECT_TRUE(testing::detects_counts(counts_of(draws, cells), cells.probability, 200'000));
}

// Large means: nearly normal, with a skewness of mean^-1/2. Third moments tell a normal draw apart
// only where the mean is moderate; variances tell everything else.
TEST(Poisson, HasItsMomentsAtLargeMeans) {
  for (const double mean : {1e6, 1e9, 1e15}) {
    const double sd = std::sqrt(mean);
    const auto z = draws_of([=](Stream& s) { return (s.poisson(mean) - mean) / sd; });
    testing::expect_mean(z, 0, 1, 100'000);
    testing::expect_variance(z, 0, 1, 3 + 1 / mean, 100'000);
    testing::expect_distribution(z, normal_cdf, 20'000);  // off by 0.07/sqrt(mean): not seen
    const auto narrow = draws_of([=](Stream& s) { return (s.poisson(mean) - mean) / (1.02 * sd); });
    EXPECT_TRUE(testing::detects_variance(narrow, 0, 1, 3, 100'000));
  }
}

TEST(Poisson, IsZeroForMeanZeroAndForMeansBelowResolution) {
  Stream stream(NoiseField(1), Purpose::direct, 0, 0);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(stream.poisson(0.0), 0.0);
    EXPECT_EQ(stream.poisson(1e-300), 0.0);
  }
}

TEST(Poisson, IsWholeAndFiniteAtEveryMean) {
  for (double mean = 1e-3; mean < 1e30; mean *= 7.3) {
    Stream stream(NoiseField(2), Purpose::direct, 0, 0);
    for (int i = 0; i < 50; ++i) {
      const double k = stream.poisson(mean);
      EXPECT_TRUE(k >= 0 && k == std::floor(k) && std::isfinite(k)) << mean;
      // 12 standard deviations: probability below 1e-32 above means of 1, 1e-12 below.
      EXPECT_LE(std::abs(k - mean), 12 * std::sqrt(mean) + 12) << mean;
    }
  }
}

TEST(Poisson, IsAFunctionOfItsPosition) {
  const auto draw = [](std::uint32_t chain) {
    return Stream(NoiseField(3), Purpose::proposal, 5, chain, 256).poisson(1000);
  };
  EXPECT_EQ(draw(4), draw(4));
  EXPECT_NE(draw(4), draw(5));
}

}  // namespace
}  // namespace tain::poisson_test
