// Mini-batches: laws of tain/kernels/batch.hpp. False-alarm rate of every statistical assertion:
// 1e-8 (support/statistics.hpp).
#include "kernels/batch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <set>

#include "support/statistics.hpp"

namespace tain::batch_test {
namespace {

constexpr Batching with(std::uint64_t size) { return {size, Replacement::with}; }
constexpr Batching without(std::uint64_t size) { return {size, Replacement::without}; }

std::vector<std::vector<std::uint64_t>> batches_of(std::uint64_t seed, std::uint64_t t,
                                                   std::uint32_t first, std::size_t lanes,
                                                   std::uint64_t terms, const Batching& batching) {
  Workspace ws;
  const Batches drawn = draw_batches(NoiseField(seed), t, first, lanes, terms, batching, ws);
  std::vector<std::vector<std::uint64_t>> result;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    result.emplace_back(drawn.of(lane).begin(), drawn.of(lane).end());
  }
  return result;
}

using Batch = std::vector<std::uint64_t>;
using Sorter = std::function<std::size_t(const Batch&)>;

/// How often batches fall into the categories that `sorter` sorts them into. Half of the chains
/// side by side, half of the steps one after the other.
testing::Counts counted(std::uint64_t terms, Batching batching, std::size_t categories,
                        Sorter sorter) {
  return [=](std::uint64_t stream, std::size_t n) {
    std::vector<std::size_t> counts(categories);
    for (std::uint64_t t = 0; t * 64 < n; ++t) {
      const std::size_t lanes = padded_lanes(std::min<std::size_t>(64, n - t * 64));
      for (const Batch& batch : batches_of(11 + stream, t, 0, lanes, terms, batching)) {
        ++counts[sorter(batch)];
      }
    }
    return counts;
  };
}

std::vector<double> uniform_law(std::size_t categories) {
  return std::vector<double>(categories, 1.0 / static_cast<double>(categories));
}

TEST(BatchLaw, WithReplacementPairsAreUniform) {
  // Positions 0 and 1, 1 and 2 and 0 and 3 of batches of 4 of 7 terms: 49 pairs each.
  for (const auto& [i, j] : {std::pair{0, 1}, {1, 2}, {0, 3}}) {
    const auto sorter = [i = i, j = j](const Batch& b) { return std::size_t(b[i] * 7 + b[j]); };
    testing::expect_counts(counted(7, with(4), 49, sorter), uniform_law(49));
  }
}

TEST(BatchLaw, WithoutReplacementSubsetsAreUniform) {
  // All 35 subsets of 3 of 7 terms, and of 4 of 7, which are drawn as their complements.
  for (const std::uint64_t size : {3, 4}) {
    std::vector<unsigned> masks;
    for (unsigned mask = 0; mask < 128; ++mask) {
      if (std::popcount(mask) == int(size)) {
        masks.push_back(mask);
      }
    }
    const auto sorter = [masks](const Batch& b) {
      unsigned mask = 0;
      for (const std::uint64_t i : b) {
        mask |= 1U << i;
      }
      return std::size_t(std::ranges::find(masks, mask) - masks.begin());
    };
    testing::expect_counts(counted(7, without(size), masks.size(), sorter),
                           uniform_law(masks.size()));
  }
}

TEST(BatchLaw, LargeBoundsAreUniform) {
  // Sevenths of 7 * 2^37 (64-bit products). Of the 2^32 words, 3 * 2^30 indices could take 4/3
  // each: modulo the bound the first third would come twice as often, by products without
  // rejection every third index would.
  const std::uint64_t terms = 7 * (std::uint64_t{1} << 37);
  testing::expect_counts(
      counted(terms, with(2), 7, [](const Batch& b) { return std::size_t(b[1] >> 37); }),
      uniform_law(7));
  testing::expect_counts(counted(3 * (std::uint64_t{1} << 30), without(1), 3,
                                 [](const Batch& b) { return std::size_t(b[0] >> 30); }),
                         uniform_law(3));
  testing::expect_counts(counted(3 * (std::uint64_t{1} << 30), with(1), 3,
                                 [](const Batch& b) { return std::size_t(b[0] % 3); }),
                         uniform_law(3));
}

// Saboteurs: the classical mistakes, seen by the same tests.
TEST(BatchLaw, TheTestsSeeAModuloAndAWalkInsteadOfADraw) {
  const auto modulo = [](std::uint64_t stream, std::size_t n) {
    std::vector<std::size_t> counts(3);
    Stream words(NoiseField(stream), Purpose::batch, 0, 0);
    for (std::size_t k = 0; k < n; ++k) {
      ++counts[(words.word() % (3 * (std::uint64_t{1} << 30))) >> 30];
    }
    return counts;
  };
  EXPECT_TRUE(testing::detects_counts(modulo, uniform_law(3)));
  // Consecutive terms from a random place: every term as likely as it should be, pairs are not.
  const auto consecutive = [](std::uint64_t stream, std::size_t n) {
    std::vector<std::size_t> counts(49);
    Stream words(NoiseField(stream), Purpose::batch, 0, 0);
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t first = words.word() % 7;
      ++counts[first * 7 + (first + 1) % 7];
    }
    return counts;
  };
  EXPECT_TRUE(testing::detects_counts(consecutive, uniform_law(49)));
}

TEST(Batch, ChainsAndStepsAreIndependent) {
  // Same index in two neighbouring chains, and in two consecutive steps, one time in five.
  const std::vector<double> law{0.2, 0.8};
  const auto equal_chains = [](std::uint64_t stream, std::size_t n) {
    std::vector<std::size_t> counts(2);
    for (std::uint64_t t = 0; t < n; ++t) {
      const auto drawn = batches_of(stream, t, 0, 8, 5, with(1));
      ++counts[drawn[0] == drawn[1] ? 0 : 1];
    }
    return counts;
  };
  const auto equal_steps = [](std::uint64_t stream, std::size_t n) {
    std::vector<std::size_t> counts(2);
    for (std::uint64_t t = 0; t < n; ++t) {
      ++counts[batches_of(stream, 2 * t, 0, 8, 5, with(1))[0] ==
                       batches_of(stream, 2 * t + 1, 0, 8, 5, with(1))[0]
                   ? 0
                   : 1];
    }
    return counts;
  };
  testing::expect_counts(equal_chains, law, 5000);
  testing::expect_counts(equal_steps, law, 5000);
}

TEST(Batch, IsAFunctionOfSeedChainAndStep) {
  for (const Batching& batching : {with(9), without(9), without(60)}) {
    const auto whole = batches_of(3, 17, 0, 24, 100, batching);
    for (std::uint32_t first = 0; first < 24; first += 8) {
      const auto part = batches_of(3, 17, first, 8, 100, batching);
      for (std::size_t lane = 0; lane < 8; ++lane) {
        EXPECT_EQ(part[lane], whole[first + lane]);
      }
    }
    EXPECT_NE(whole, batches_of(4, 17, 0, 24, 100, batching));
    EXPECT_NE(whole, batches_of(3, 18, 0, 24, 100, batching));
  }
}

TEST(Batch, WithoutReplacementNoTermComesTwice) {
  for (const std::uint64_t terms : {1, 2, 31, 1000}) {
    for (std::uint64_t size = 1; size <= terms; size += 1 + terms / 7) {
      for (const Batch& batch : batches_of(1, 2, 3, 8, terms, without(size))) {
        EXPECT_EQ(batch.size(), size);
        EXPECT_TRUE(std::ranges::is_sorted(batch));
        EXPECT_EQ(std::set(batch.begin(), batch.end()).size(), size);
        EXPECT_LT(batch.back(), terms);
      }
    }
  }
}

TEST(BatchLaw, SparseSubsetsAreUniformToo) {
  // 2 of 3,000 terms: a list instead of bits. Both in one third with probability 999/2999.
  const auto together = [](const Batch& b) { return std::size_t(b[0] / 1000 == b[1] / 1000); };
  const std::vector<double> law{1 - 999.0 / 2999, 999.0 / 2999};
  testing::expect_counts(counted(3000, without(2), 2, together), law);
  // All but one: which third is it of?
  const auto missing = [](const Batch& b) {
    std::size_t k = 0;
    while (k < b.size() && b[k] == k) {
      ++k;
    }
    return k / 1000;
  };
  testing::expect_counts(counted(3000, without(2999), 3, missing), uniform_law(3), 4000);
}

TEST(Batch, AllTermsComeInOrder) {
  Batch all(50);
  std::iota(all.begin(), all.end(), std::uint64_t{0});
  for (const Batching& batching : {without(50), without(0), with(0)}) {
    EXPECT_TRUE(batching.whole(50));
    for (const Batch& batch : batches_of(1, 2, 3, 8, 50, batching)) {
      EXPECT_EQ(batch, all);
    }
  }
  EXPECT_FALSE(with(50).whole(50));
}

}  // namespace
}  // namespace tain::batch_test
