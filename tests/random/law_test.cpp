// Laws of the draws, each with a saboteur the same test must catch. Levels and power:
// support/statistics.hpp. Means are tested to delta = 1 % (n = 400,000) where draws are cheap.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/special.hpp"
#include "random/noise.hpp"
#include "support/statistics.hpp"

namespace tain::law_test {
namespace {

using testing::Draws;

constexpr std::size_t many = 400'000;

// n normals of one step: rows x 64 chains.
std::vector<double> normals(std::uint64_t seed, std::uint64_t step, std::uint32_t first_chain,
                            std::size_t n) {
  const std::size_t rows = (n + 63) / 64;
  FloatBlockStorage block(rows, 64);
  NoiseField(seed).normals(Purpose::proposal, step, first_chain, block.view());
  return {block.view().data(), block.view().data() + n};
}

std::vector<double> uniforms(std::uint64_t seed, std::size_t n) {
  std::vector<double> u((n + 7) / 8 * 8);
  NoiseField(seed).uniforms(Purpose::acceptance, 17, 0, u);
  u.resize(n);
  return u;
}

Draws mapped(const Draws& draws, const std::function<double(double)>& f) {
  return [=](std::uint64_t stream, std::size_t n) {
    std::vector<double> x = draws(stream, n);
    for (double& v : x) {
      v = f(v);
    }
    return x;
  };
}

const Draws normal_draws = [](std::uint64_t stream, std::size_t n) {
  return normals(1000 + stream, 0, 0, n);
};
const Draws uniform_draws = [](std::uint64_t stream, std::size_t n) {
  return uniforms(2000 + stream, n);
};

Draws stream_draws(const std::function<double(Stream&)>& draw) {
  return [=](std::uint64_t stream, std::size_t n) {
    std::vector<double> x(n);
    for (std::size_t i = 0; i < n; ++i) {
      Stream position(NoiseField(3000 + stream), Purpose::direct, 0, static_cast<std::uint32_t>(i));
      x[i] = draw(position);
    }
    return x;
  };
}

TEST(Normals, HaveTheMomentsOfNormals) {
  testing::expect_mean(normal_draws, 0.0, 1.0, many);
  testing::expect_variance(normal_draws, 0.0, 1.0, 3.0, many);
  const auto cubes = mapped(normal_draws, [](double x) { return x * x * x; });
  testing::expect_mean(cubes, 0.0, std::sqrt(15.0), many);
  const auto fourths = mapped(normal_draws, [](double x) { return x * x * x * x; });
  testing::expect_mean(fourths, 3.0, std::sqrt(96.0), many);
}

TEST(Normals, FollowTheNormalDistribution) {
  testing::expect_distribution(normal_draws, normal_cdf, many);
}

TEST(Normals, SaboteursAreDetected) {
  const auto shifted = mapped(normal_draws, [](double x) { return x + 0.011; });
  EXPECT_TRUE(testing::detects_mean(shifted, 0.0, 1.0, many));
  const auto wide = mapped(normal_draws, [](double x) { return 1.01 * x; });
  EXPECT_TRUE(testing::detects_variance(wide, 0.0, 1.0, 3.0, many));
  // Box-Muller with sqrt(-log u) for sqrt(-2 log u).
  const auto small = mapped(normal_draws, [](double x) { return x / std::sqrt(2.0); });
  EXPECT_TRUE(testing::detects_distribution(small, normal_cdf));
  // The sum of twelve uniforms has two right moments and too little kurtosis (2.9).
  const Draws twelve = [](std::uint64_t stream, std::size_t n) {
    const std::vector<double> u = uniforms(2000 + stream, 12 * n);
    std::vector<double> x(n, -6.0);
    for (std::size_t i = 0; i < u.size(); ++i) {
      x[i / 12] += u[i];
    }
    return x;
  };
  const auto fourths = mapped(twelve, [](double x) { return x * x * x * x; });
  EXPECT_TRUE(testing::detects_mean(fourths, 3.0, std::sqrt(96.0), many));
}

// Pairs (normal at a position, normal at its neighbour), and of their squares, since dependence
// need not be correlation.
void expect_independent(const Draws& a, const Draws& b) {
  testing::expect_uncorrelated(a, b, many);
  const auto square = [](double x) { return x * x; };
  testing::expect_uncorrelated(mapped(a, square), mapped(b, square), many);
}

TEST(Normals, AreIndependentAcrossSteps) {
  const Draws next = [](std::uint64_t stream, std::size_t n) {
    return normals(1000 + stream, 1, 0, n);
  };
  expect_independent(normal_draws, next);
  const Draws far = [](std::uint64_t stream, std::size_t n) {
    return normals(1000 + stream, std::uint64_t{1} << 32, 0, n);
  };
  expect_independent(normal_draws, far);
}

TEST(Normals, AreIndependentAcrossChainsAndSeeds) {
  const Draws other_chains = [](std::uint64_t stream, std::size_t n) {
    return normals(1000 + stream, 0, 64, n);
  };
  expect_independent(normal_draws, other_chains);
  const Draws other_seed = [](std::uint64_t stream, std::size_t n) {
    return normals(1002 + stream, 0, 0, n);
  };
  expect_independent(normal_draws, other_seed);
}

// Rows of one chain: all four normals of an index against each other.
TEST(Normals, AreIndependentAcrossRows) {
  for (std::size_t offset = 1; offset <= 4; ++offset) {
    const auto row = [](std::size_t r) -> Draws {
      return [=](std::uint64_t stream, std::size_t n) {
        FloatBlockStorage block(r + 1, (n + 7) / 8 * 8);
        NoiseField(4000 + stream).normals(Purpose::start, 0, 0, block.view());
        return std::vector<double>(block.view().row(r), block.view().row(r) + n);
      };
    };
    expect_independent(row(0), row(offset));
  }
}

TEST(Normals, SharedNoiseIsDetected) {
  // A saboteur whose next step reuses 2 % of the last step's noise.
  const Draws leaky = [](std::uint64_t stream, std::size_t n) {
    std::vector<double> x = normals(1000 + stream, 1, 0, n);
    const std::vector<double> old = normals(1000 + stream, 0, 0, n);
    for (std::size_t i = 0; i < n; i += 50) {
      x[i] = old[i];
    }
    return x;
  };
  EXPECT_TRUE(testing::detects_correlation(normal_draws, leaky, many));
}

TEST(Uniforms, FollowTheUniformDistribution) {
  testing::expect_distribution(uniform_draws, [](double u) { return u; }, many);
  testing::expect_mean(uniform_draws, 0.5, std::sqrt(1.0 / 12.0), many);
  const auto doubles = stream_draws([](Stream& s) { return s.uniform(); });
  testing::expect_distribution(doubles, [](double u) { return u; });
  // Low bits count too: u 2^20 mod 1 is uniform as well.
  const auto low =
      mapped(uniform_draws, [](double u) { return u * 0x1p20 - std::floor(u * 0x1p20); });
  testing::expect_mean(low, 0.5, std::sqrt(1.0 / 12.0), many);
}

TEST(Uniforms, SaboteurIsDetected) {
  const auto skewed = mapped(uniform_draws, [](double u) { return std::pow(u, 1.02); });
  EXPECT_TRUE(testing::detects_distribution(skewed, [](double u) { return u; }, many));
  EXPECT_TRUE(testing::detects_mean(skewed, 0.5, std::sqrt(1.0 / 12.0), many));
}

TEST(StreamNormal, FollowsTheNormalDistribution) {
  testing::expect_distribution(stream_draws([](Stream& s) { return s.normal(); }), normal_cdf);
}

testing::Counts categorical_counts(const std::vector<double>& weights) {
  return [=](std::uint64_t stream, std::size_t n) {
    std::vector<std::size_t> counts(weights.size());
    for (std::size_t i = 0; i < n; ++i) {
      Stream position(NoiseField(5000 + stream), Purpose::batch, i, 0);
      ++counts[position.categorical(weights)];
    }
    return counts;
  };
}

TEST(Categorical, FollowsItsWeights) {
  const std::vector<double> probabilities{0.5, 0.25, 0.2, 0.04, 0.01};
  testing::expect_counts(categorical_counts({5.0, 2.5, 2.0, 0.4, 0.1}), probabilities);
  EXPECT_TRUE(
      testing::detects_counts(categorical_counts({5.0, 2.5, 2.0, 0.3, 0.2}), probabilities));
}

// The statistical tools themselves: exact p-values of known statistics.
TEST(Statistics, PValuesAreThoseOfTheTables) {
  EXPECT_NEAR(testing::p_of_normal(1.959963984540054), 0.05, 1e-12);
  // Kolmogorov's limit: P(K > 1.3581) = 0.05, P(K > 1.6276) = 0.01 (1e12 draws: no correction).
  EXPECT_NEAR(testing::p_of_kolmogorov(1.358098848e-6, 1e12), 0.05, 1e-6);
  EXPECT_NEAR(testing::p_of_kolmogorov(1.627623611e-6, 1e12), 0.01, 1e-6);
  const std::vector<std::size_t> counts{60, 40};
  const std::vector<double> halves{0.5, 0.5};
  EXPECT_NEAR(testing::p_of_counts(counts, halves), 0.04550026389635842, 1e-12);
}

// Stage 1 of a right test alarms at its level: 1,000 tests of 200 draws, level 0.05.
TEST(Statistics, LevelsAreKept) {
  std::size_t rejected = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const double p = testing::p_of_distribution(normals(6000 + i, 0, 0, 200), normal_cdf);
    rejected += p < 0.05 ? 1 : 0;
  }
  // Binomial(1000, 0.05): mean 50, sd 6.9; 5.7 sd either side for a level of 1e-8.
  EXPECT_GT(rejected, 11u);
  EXPECT_LT(rejected, 89u);
}

}  // namespace
}  // namespace tain::law_test
