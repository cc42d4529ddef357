#include "lda/engine/topics.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tain/core/error.hpp"

namespace tain::topics_test {
namespace {

TopicWeights ramp(std::uint32_t topics, std::uint32_t words) {
  TopicWeights weights(topics, words);
  for (std::uint32_t w = 0; w < words; ++w) {
    for (std::uint32_t k = 0; k < topics; ++k) {
      weights.weights().at(w, k) = static_cast<float>(w % 7 + 1) / static_cast<float>(k + 1);
    }
  }
  return weights;
}

TEST(TopicWeights, SumsAreThoseOfTheWeightsOnAnyNumberOfThreads) {
  TopicWeights one = ramp(21, 1000), two = ramp(21, 1000);
  Threads single(1), several(3);
  one.sum(single);
  two.sum(several);
  for (std::uint32_t k = 0; k < 21; ++k) {
    double total = 0;
    for (std::uint32_t w = 0; w < 1000; ++w) {
      total += static_cast<double>(one.weights().at(w, k));
    }
    EXPECT_NEAR(one.inverse_sums()[k] * total, 1, 1e-6) << k;
    EXPECT_EQ(one.inverse_sums()[k], two.inverse_sums()[k]);
  }
  for (std::size_t k = 21; k < one.row_length(); ++k) {
    EXPECT_EQ(one.inverse_sums()[k], 0);
  }
}

TEST(TopicWeights, RefusesTopicsWithoutWordsAndNaN) {
  Threads threads(1);
  TopicWeights empty(3, 100);
  EXPECT_THROW(empty.sum(threads), Error);
  TopicWeights broken = ramp(3, 100);
  broken.weights().at(50, 1) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(broken.sum(threads), Error);
}

}  // namespace
}  // namespace tain::topics_test
