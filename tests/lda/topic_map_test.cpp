// Topics on a plane: distances, axes, and what they do not depend on.
#include "lda/explore/topic_map.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "lda/explore/divergence_pass.hpp"
#include "support/isa.hpp"
#include "tain/core/error.hpp"
#include "tiny_model.hpp"

namespace tain::topic_map_test {
namespace {

using test::Rows;

TopicWeights weights_of(const Rows& rows) {
  Threads threads(1);
  TopicWeights topics(static_cast<std::uint32_t>(rows.size()),
                      static_cast<std::uint32_t>(rows.front().size()));
  const FloatBlockStorage cells = test::word_major(rows);
  std::ranges::copy(cells.view().flat(), topics.weights().flat().begin());
  topics.sum(threads);
  return topics;
}

TopicMap map_of(const Rows& rows, const TopicMapPlan& plan = {}) {
  Threads threads(1);
  return map_topics(weights_of(rows), threads, plan);
}

/// By the definition, in double.
double divergence(const std::vector<double>& p, const std::vector<double>& q) {
  const auto term = [](double x, double m) { return x > 0 ? x * std::log(x / m) : 0; };
  const double of_p = std::accumulate(p.begin(), p.end(), 0.0),
               of_q = std::accumulate(q.begin(), q.end(), 0.0);
  double sum = 0;
  for (std::size_t w = 0; w < p.size(); ++w) {
    const double a = p[w] / of_p, b = q[w] / of_q, m = (a + b) / 2;
    sum += 0.5 * (term(a, m) + term(b, m));
  }
  return sum;
}

/// Topics of many words, none of them empty, of which some are rare.
Rows some_topics(std::size_t topics, std::size_t words) {
  Rows rows(topics, std::vector<double>(words));
  for (std::size_t k = 0; k < topics; ++k) {
    for (std::size_t w = 0; w < words; ++w) {
      const double x = std::sin(static_cast<double>((k + 1) * (w + 3)) * 0.7) +
                       std::cos(static_cast<double>(k * 7 + w * 13));
      rows[k][w] = std::exp(3 * x) / static_cast<double>(w + 1);
    }
  }
  return rows;
}

double distance(const TopicMap& map, std::size_t i, std::size_t j) {
  return std::hypot(map.places[i][0] - map.places[j][0], map.places[i][1] - map.places[j][1]);
}

// Of float probabilities p (1 + e), |e| <= 2^-24: JS moves by no more than sum p |e| log(p/m) and
// its like, below 2^-23 times the largest logarithm, here about 20.
constexpr double rounding = 20 * 0x1p-23;

using TopicDistances = testing::OnEveryIsa;

TEST_P(TopicDistances, AreJensenShannonDivergences) {
  const Rows rows = some_topics(7, 83);  // neither is a multiple of a vector
  Threads threads(2);
  const std::vector<double> squares = squared_distances(weights_of(rows), threads);
  for (std::size_t i = 0; i < 7; ++i) {
    for (std::size_t j = 0; j < 7; ++j) {
      EXPECT_NEAR(squares[i * 7 + j], divergence(rows[i], rows[j]), rounding) << i << " " << j;
    }
  }
}

// Against double, for probabilities from 1e-30 to nearly 1, and zeros.
TEST_P(TopicDistances, SumsOfLogarithmsErrByLessThanAMillionth) {
  constexpr std::size_t words = 8192;
  static_assert(words % log_sum_granule == 0);
  for (const double exponent : {0.3, 1.0, 2.0, 4.0, 8.0}) {
    FloatBlockStorage rows(2, words);
    for (std::size_t k = 0; k < 2; ++k) {
      double sum = 0;
      for (std::size_t w = 0; w < words; ++w) {
        const double place = static_cast<double>((w * (k == 0 ? 1 : 5) + 1) % words);
        rows.view().at(k, w) =
            w % 11 == 3 ? 0.0F : static_cast<float>(std::pow(place + 1, -exponent));
        sum += static_cast<double>(rows.view().at(k, w));
      }
      for (std::size_t w = 0; w < words; ++w) {
        rows.view().at(k, w) /= static_cast<float>(sum);
      }
    }
    double expected = 0;
    for (std::size_t w = 0; w < words; ++w) {
      const double m = 0.5 * (static_cast<double>(rows.view().at(0, w)) +
                              static_cast<double>(rows.view().at(1, w)));
      expected += m > 0 ? m * std::log(m) : 0;
    }
    EXPECT_NEAR(mixture_log_sum(rows.view().row(0), rows.view().row(1), words), expected, 1e-6)
        << exponent;
  }
}

INSTANTIATE_TEST_SUITE_P(EveryIsa, TopicDistances, ::testing::ValuesIn(supported_isas()),
                         testing::isa_label);

TEST(TopicMap, TopicsWithoutACommonWordAreFarthest) {
  Threads threads(1);
  const std::vector<double> squares =
      squared_distances(weights_of({{1, 1, 0, 0}, {0, 0, 3, 1}}), threads);
  EXPECT_NEAR(squares[1], std::numbers::ln2, 1e-7);
}

TEST(TopicMap, OneTwoAndEqualTopicsHavePlaces) {
  const TopicMap one = map_of({{1, 2, 3}});
  EXPECT_EQ(one.places[0][0], 0);
  EXPECT_EQ(one.places[0][1], 0);
  EXPECT_TRUE(one.nearest[0].empty());
  const Rows pair{{1, 2, 3}, {3, 1, 1}};
  const TopicMap two = map_of(pair);
  EXPECT_NEAR(distance(two, 0, 1), std::sqrt(divergence(pair[0], pair[1])), 1e-5);
  EXPECT_NEAR(two.explained[0], 1, 1e-12);
  EXPECT_NEAR(two.explained[1], 0, 1e-12);
  EXPECT_EQ(two.nearest[0], std::vector<std::uint32_t>{1});
  const TopicMap equal = map_of({{1, 2, 3}, {1, 2, 3}, {1, 2, 3}});
  for (const auto& place : equal.places) {
    EXPECT_EQ(place[0], 0);
    EXPECT_EQ(place[1], 0);
  }
  EXPECT_EQ(equal.explained[0], 0);
  const TopicMap twins = map_of({{1, 2, 3}, {3, 1, 1}, {1, 2, 3}});
  EXPECT_NEAR(distance(twins, 0, 2), 0, 1e-9);
  EXPECT_EQ(twins.nearest[0], (std::vector<std::uint32_t>{2, 1}));
}

// All distances equal: the largest eigenvalue has as many vectors as there are topics but one, and
// a Krylov space holds only one of them.
TEST(TopicMap, EqualDistancesHaveTwoAxesToo) {
  Rows rows(12, std::vector<double>(12, 0.0));
  for (std::size_t k = 0; k < 12; ++k) {
    rows[k][k] = 1;
  }
  const TopicMap map = map_of(rows);
  EXPECT_NEAR(map.explained[0], 1.0 / 11, 1e-9);
  EXPECT_NEAR(map.explained[1], 1.0 / 11, 1e-9);
  double product = 0;
  for (const auto& place : map.places) {
    product += place[0] * place[1];
  }
  EXPECT_NEAR(product, 0, 1e-9);
}

// numpy.linalg.eigh of -1/2 J D J, float64: the same topics, to the digits shown.
TEST(TopicMap, PlacesAreThoseOfNumpy) {
  const TopicMap map = map_of({{9, 4, 2, 1, 1},
                               {1, 7, 4, 2, 1},
                               {1, 1, 8, 3, 2},
                               {2, 1, 1, 6, 5},
                               {3, 1, 1, 1, 8},
                               {1, 1, 1, 1, 1}});
  const std::array<std::array<double, 2>, 6> expected{{{-0.0882817, 0.2588974},
                                                       {-0.2294325, -0.0216849},
                                                       {-0.0952544, -0.2094117},
                                                       {0.1856148, -0.0853725},
                                                       {0.2417940, 0.0570222},
                                                       {-0.0144402, 0.0005497}}};
  for (std::size_t k = 0; k < 6; ++k) {
    for (std::size_t axis = 0; axis < 2; ++axis) {
      EXPECT_NEAR(map.places[k][axis], expected[k][axis], 1e-5) << k << " " << axis;
    }
  }
  EXPECT_NEAR(map.explained[0], 0.4495644, 1e-5);
  EXPECT_NEAR(map.explained[1], 0.3369455, 1e-5);
}

TEST(TopicMap, SameBitsForAnyThreads) {
  const TopicWeights topics = weights_of(some_topics(70, 300));
  Threads one(1), three(3);
  const TopicMap a = map_topics(topics, one), b = map_topics(topics, three);
  EXPECT_EQ(a.places, b.places);
  EXPECT_EQ(a.explained, b.explained);
  EXPECT_EQ(a.nearest, b.nearest);
}

// Axes may turn round, and where two eigenvalues are near each other, the plane may turn: distances
// of places stay.
RC_GTEST_PROP(TopicMap, DoesNotDependOnTheOrderOfTopics, ()) {
  const auto topics = *rc::gen::inRange<std::size_t>(2, 40);
  const Rows rows = some_topics(topics, 60);
  std::vector<std::size_t> order(topics);
  std::iota(order.begin(), order.end(), 0U);
  const auto seed = *rc::gen::inRange<std::size_t>(1, 1000);
  for (std::size_t i = topics; i > 1; --i) {
    std::swap(order[i - 1], order[(seed * 2654435761U + i * 40503U) % i]);
  }
  Rows shuffled;
  for (const std::size_t k : order) {
    shuffled.push_back(rows[k]);
  }
  const TopicMap a = map_of(rows), b = map_of(shuffled);
  for (std::size_t axis = 0; axis < 2; ++axis) {
    RC_ASSERT(std::abs(a.explained[axis] - b.explained[axis]) < 1e-9);
    double same = 0, turned = 0;
    for (std::size_t i = 0; i < topics; ++i) {
      same = std::max(same, std::abs(b.places[i][axis] - a.places[order[i]][axis]));
      turned = std::max(turned, std::abs(b.places[i][axis] + a.places[order[i]][axis]));
    }
    RC_ASSERT(std::min(same, turned) < 1e-6);
  }
  for (std::size_t i = 0; i < topics; ++i) {
    std::vector<std::uint32_t> nearest;
    for (const std::uint32_t k : b.nearest[i]) {
      nearest.push_back(static_cast<std::uint32_t>(order[k]));
    }
    RC_ASSERT(nearest == a.nearest[order[i]]);
  }
}

// Scaling leaves no stress in a plane, so that all distances are there if the axes explain all.
TEST(TopicMap, AxesExplainWhatTheyShow) {
  const Rows rows = some_topics(9, 50);
  const TopicMap map = map_of(rows);
  double all = 0, shown = 0;
  for (std::size_t i = 0; i < 9; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      all += divergence(rows[i], rows[j]);
      shown += distance(map, i, j) * distance(map, i, j);
      EXPECT_LE(distance(map, i, j), std::sqrt(divergence(rows[i], rows[j])) + 1e-5);
    }
  }
  EXPECT_NEAR(shown / all, map.explained[0] + map.explained[1], 1e-6);
}

// 3,000 words and room for 1,024 cells: rare words are merged.
TEST(TopicMap, MergingRareWordsLowersDivergencesWithinTheBound) {
  const Rows rows = some_topics(20, 3000);
  const TopicMapPlan few{.most_terms = 1};
  Threads threads(1);
  const TopicWeights topics = weights_of(rows);
  const std::vector<double> exact = squared_distances(topics, threads),
                            merged = squared_distances(topics, threads, few);
  const double bound = map_topics(topics, threads, few).merged * std::numbers::ln2;
  EXPECT_GT(bound, 0.001);
  EXPECT_LT(bound, 0.3);
  double largest = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    EXPECT_LE(merged[i], exact[i] + rounding);
    EXPECT_GE(merged[i], exact[i] - bound - rounding);
    largest = std::max(largest, exact[i] - merged[i]);
  }
  EXPECT_GT(largest, rounding);
  EXPECT_EQ(map_topics(topics, threads).merged, 0);
}

TEST(TopicMap, TooManyTopicsAreRefused) {
  Threads threads(1);
  TopicWeights topics(most_mapped_topics + 1, 2);
  std::ranges::fill(topics.weights().flat(), 1.0F);
  topics.sum(threads);
  try {
    map_topics(topics, threads);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::config);
  }
}

}  // namespace
}  // namespace tain::topic_map_test
