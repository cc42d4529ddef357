// Mirror descent of topics: against a plain implementation, closed cases, bits, and what it finds.
#include "lda/engine/topic_descent.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "random/noise.hpp"
#include "text/corpus_writer.hpp"
#include "tiny_model.hpp"

namespace tain::topic_descent_test {
namespace {

/// Documents as bags, in storage of their own.
struct Bags {
  std::vector<std::vector<std::uint32_t>> ids, counts;
  std::vector<DocumentWords> view() const {
    std::vector<DocumentWords> documents;
    for (std::size_t d = 0; d < ids.size(); ++d) {
      documents.push_back({ids[d], counts[d]});
    }
    return documents;
  }
};

Bags some_bags(std::uint32_t words, std::size_t documents) {
  Bags bags;
  Stream stream(NoiseField(5), Purpose::holdout, 0, 0);
  for (std::size_t d = 0; d < documents; ++d) {
    auto& ids = bags.ids.emplace_back();
    auto& counts = bags.counts.emplace_back();
    for (std::uint32_t w = 0; w < words; ++w) {
      if (stream.uniform() < 0.3) {
        ids.push_back(w);
        counts.push_back(1 + static_cast<std::uint32_t>(4 * stream.uniform()));
      }
    }
  }
  return bags;
}

TopicWeights some_topics(std::uint32_t topics, std::uint32_t words) {
  TopicWeights weights(topics, words);
  Stream stream(NoiseField(6), Purpose::holdout, 0, 0);
  for (std::uint32_t w = 0; w < words; ++w) {
    for (std::uint32_t k = 0; k < topics; ++k) {
      weights.weights().at(w, k) = static_cast<float>(0.1 + 5 * stream.uniform());
    }
  }
  Threads one(1);
  weights.sum(one);
  return weights;
}

/// The definition in the header, word for word, in double.
std::vector<std::vector<double>> plain_step(const TopicWeights& topics, const Bags& bags,
                                            std::span<const float> alpha,
                                            const DescentOptions& options, double scale,
                                            double rate) {
  const std::size_t K = topics.topics(), W = topics.words();
  std::vector<double> sums(K, 0.0);
  for (std::size_t w = 0; w < W; ++w) {
    for (std::size_t k = 0; k < K; ++k) {
      sums[k] += double(topics.weights().at(w, k));
    }
  }
  std::vector<std::vector<double>> counts(W, std::vector<double>(K, 0.0)), result = counts;
  for (std::size_t d = 0; d < bags.ids.size(); ++d) {
    const double tokens = std::accumulate(bags.counts[d].begin(), bags.counts[d].end(), 0.0);
    std::vector<double> n(K, tokens / static_cast<double>(K));
    for (std::uint32_t round = 0; round < options.rounds; ++round) {
      std::vector<double> next(K, 0.0);
      for (std::size_t i = 0; i < bags.ids[d].size(); ++i) {
        const std::uint32_t w = bags.ids[d][i];
        std::vector<double> q(K);
        for (std::size_t k = 0; k < K; ++k) {
          q[k] = (std::max(n[k] - options.discount, 0.0) + double(alpha[k])) *
                 double(topics.weights().at(w, k)) / sums[k];
        }
        const double total = std::accumulate(q.begin(), q.end(), 0.0);
        for (std::size_t k = 0; k < K; ++k) {
          const double share = bags.counts[d][i] * q[k] / total;
          next[k] += share;
          if (round + 1 == options.rounds) {
            counts[w][k] += share;
          }
        }
      }
      n = next;
    }
  }
  for (std::size_t w = 0; w < W; ++w) {
    for (std::size_t k = 0; k < K; ++k) {
      result[w][k] = (1 - rate) * double(topics.weights().at(w, k)) +
                     rate * (options.eta + scale * counts[w][k]);
    }
  }
  return result;
}

// Floats: ten rounds of sums of some 60 terms err by at most 10 x 60 x 2^-24 = 3.6e-5 of a value,
// if rounding always went the same way.
TEST(TopicDescent, StepsAsDefined) {
  for (const std::uint32_t topics : {1U, 3U, 16U, 37U}) {
    const Bags bags = some_bags(60, 9);
    const std::vector<float> alpha(topics, 0.2F);
    TopicWeights weights = some_topics(topics, 60);
    const DescentOptions options{.eta = 0.05, .rounds = 10, .discount = 1.5};
    const auto expected = plain_step(weights, bags, alpha, options, 40, 0.3);
    Threads threads(2);
    TopicDescent descent(weights, options);
    ASSERT_FALSE(descent.step(bags.view(), alpha, 40, 0.3, threads));
    std::vector<double> sums(topics, 0.0);
    for (std::uint32_t w = 0; w < 60; ++w) {
      for (std::uint32_t k = 0; k < weights.row_length(); ++k) {
        const double weight = weights.weights().at(w, k);
        if (k < topics) {
          EXPECT_NEAR(weight / expected[w][k], 1, 3.6e-5) << topics << " " << w << " " << k;
          sums[k] += weight;
        } else {
          EXPECT_EQ(weight, 0);
        }
      }
    }
    for (std::uint32_t k = 0; k < topics; ++k) {
      EXPECT_NEAR(double(weights.inverse_sums()[k]) * sums[k], 1, 1e-6);
    }
  }
}

// Another discount must be noticed: the test above is not blind to it.
TEST(TopicDescent, TheDiscountMatters) {
  const Bags bags = some_bags(60, 9);
  const std::vector<float> alpha(3, 0.2F);
  TopicWeights weights = some_topics(3, 60);
  const auto expected = plain_step(weights, bags, alpha, {.eta = 0.05, .discount = 1.4}, 40, 0.3);
  Threads threads(1);
  TopicDescent descent(weights, {.eta = 0.05, .discount = 1.5});
  ASSERT_FALSE(descent.step(bags.view(), alpha, 40, 0.3, threads));
  double worst = 0;
  for (std::uint32_t w = 0; w < 60; ++w) {
    worst = std::max(worst, std::abs(double(weights.weights().at(w, 0)) / expected[w][0] - 1));
  }
  EXPECT_GT(worst, 1e-3);
}

TEST(TopicDescent, OneTopicGetsTheCounts) {
  const Bags bags = some_bags(20, 5);
  std::vector<double> counts(20, 0.0);
  for (std::size_t d = 0; d < 5; ++d) {
    for (std::size_t i = 0; i < bags.ids[d].size(); ++i) {
      counts[bags.ids[d][i]] += bags.counts[d][i];
    }
  }
  TopicWeights weights = some_topics(1, 20);
  Threads threads(1);
  TopicDescent descent(weights, {.eta = 0.5});
  ASSERT_FALSE(descent.step(bags.view(), std::vector<float>{1.0F}, 7, 1, threads));
  for (std::uint32_t w = 0; w < 20; ++w) {
    EXPECT_NEAR(double(weights.weights().at(w, 0)) / (0.5 + 7 * counts[w]), 1, 1e-5);
  }
}

TEST(TopicDescent, SameBitsForAnyThreadsAndForTextOrBags) {
  const Bags bags = some_bags(500, 64);
  const std::vector<float> alpha(20, 0.1F);
  std::vector<std::vector<std::uint32_t>> texts;
  std::vector<DocumentWords> as_text;
  for (std::size_t d = 0; d < bags.ids.size(); ++d) {
    auto& text = texts.emplace_back();
    for (std::size_t i = bags.ids[d].size(); i-- > 0;) {
      text.insert(text.end(), bags.counts[d][i], bags.ids[d][i]);
    }
  }
  for (const auto& text : texts) {
    as_text.push_back({text, {}});
  }
  std::vector<float> first;
  for (const std::size_t count : {1, 2, 3}) {
    for (const bool text : {false, true}) {
      Threads threads(count);
      TopicWeights weights = some_topics(20, 500);
      TopicDescent descent(weights, {});
      for (int t = 0; t < 3; ++t) {
        ASSERT_FALSE(descent.step(text ? as_text : bags.view(), alpha, 10, 0.3, threads));
      }
      const auto flat = weights.weights().flat();
      const std::vector<float> now(flat.begin(), flat.end());
      first = first.empty() ? now : first;
      EXPECT_EQ(now, first) << count << text;
    }
  }
}

// What would be a division by zero: documents of words without weight, and empty ones.
TEST(TopicDescent, EmptyDocumentsAndWordsWithoutWeightCountForNothing) {
  TopicWeights weights = some_topics(2, 4);
  weights.weights().at(3, 0) = weights.weights().at(3, 1) = 0;
  Threads threads(1);
  weights.sum(threads);
  Bags bags;
  bags.ids = {{}, {3}, {0, 3}};
  bags.counts = {{}, {5}, {2, 1}};
  TopicDescent descent(weights, {.eta = 0.1});
  ASSERT_FALSE(descent.step(bags.view(), std::vector<float>{0.1F, 0.1F}, 1, 0.5, threads));
  EXPECT_FLOAT_EQ(weights.weights().at(3, 0), 0.05F);
  for (const float weight : weights.weights().flat()) {
    EXPECT_TRUE(std::isfinite(weight));
  }
}

TEST(TopicDescent, OverflowIsReported) {
  TopicWeights weights = some_topics(2, 4);
  Bags bags;
  bags.ids = {{0}};
  bags.counts = {{1000}};
  Threads threads(1);
  TopicDescent descent(weights, {.eta = 0.1});
  EXPECT_TRUE(descent.step(bags.view(), std::vector<float>{0.1F, 0.1F}, 3e38, 1, threads));
}

TEST(TopicDescent, StartsAtTheScaleOfTheCorpus) {
  const test::Folder folder("descent");
  const Bags bags = some_bags(50, 30);
  CorpusWriter writer(folder.path() / "corpus", Order::none, Overwrite::no);
  for (std::size_t d = 0; d < 30; ++d) {
    writer.add(bags.ids[d], bags.counts[d], "", "");
  }
  std::vector<std::string> vocabulary;
  for (int w = 0; w < 50; ++w) {
    vocabulary.push_back("w" + std::to_string(w));
  }
  writer.finish(vocabulary, "{}");
  const Corpus corpus = Corpus::open(folder.path() / "corpus");
  std::vector<std::uint32_t> documents(30);
  std::iota(documents.begin(), documents.end(), 0U);
  TopicWeights topics(40, 50);  // more than documents
  Threads threads(1);
  topics_from_documents(corpus, documents, 0.1, NoiseField(3), threads, topics);
  const double mass = static_cast<double>(corpus.tokens()) / 40 + 50 * 0.1;
  for (std::uint32_t k = 0; k < 40; ++k) {
    EXPECT_NEAR(1 / double(topics.inverse_sums()[k]) / mass, 1, 1e-5);
  }
  EXPECT_NE(topics.weights().at(0, 0), topics.weights().at(0, 1));
}

}  // namespace
}  // namespace tain::topic_descent_test
