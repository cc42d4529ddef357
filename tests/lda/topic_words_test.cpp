// Words of topics, their exclusivity and their coherence, by hand.
#include "lda/model/topic_words.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

#include "lda/explore/coherence.hpp"
#include "text/corpus_writer.hpp"
#include "text/vocabulary.hpp"
#include "tiny_model.hpp"

namespace tain::topic_words_test {
namespace {

TopicWeights weights_of(const test::Rows& rows) {
  TopicWeights topics(static_cast<std::uint32_t>(rows.size()),
                      static_cast<std::uint32_t>(rows.front().size()));
  const FloatBlockStorage cells = test::word_major(rows);
  std::ranges::copy(cells.view().flat(), topics.weights().flat().begin());
  Threads threads(1);
  topics.sum(threads);
  return topics;
}

std::vector<std::uint32_t> words_of(const std::vector<RankedWord>& ranked) {
  std::vector<std::uint32_t> words;
  for (const RankedWord& word : ranked) {
    words.push_back(word.word);
  }
  return words;
}

// phi = (8, 4, 2, 2, 0)/16 and (8, 0, 0, 4, 4)/16, shares 3/4 and 1/4:
// p = (8, 3, 1.5, 2.5, 1)/16, so that lift of topic 1 is (1, 4/3, 4/3, 4/5) for words 0 to 3.
class Words : public ::testing::Test {
 protected:
  const TopicWeights topics_ = weights_of({{8, 4, 2, 2, 0}, {16, 0, 0, 8, 8}});
  const std::vector<double> shares_{0.75, 0.25};
  const TopicWords words_{topics_, shares_};
};

TEST_F(Words, ByProbabilityTiesByNumber) {
  const std::vector<RankedWord> ranked = words_.ranked(0, 3, 1);
  EXPECT_EQ(words_of(ranked), (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_DOUBLE_EQ(ranked[0].probability, 0.5);
  EXPECT_DOUBLE_EQ(ranked[2].relevance, std::log(0.125));
}

TEST_F(Words, ByRelevance) {
  EXPECT_EQ(words_of(words_.ranked(0, 4, 0)), (std::vector<std::uint32_t>{1, 2, 0, 3}));
  const std::vector<RankedWord> half = words_.ranked(0, 4, 0.5);
  EXPECT_EQ(words_of(half), (std::vector<std::uint32_t>{0, 1, 2, 3}));
  // lambda log phi + (1 - lambda) log(phi / p) for word 1: phi = 1/4, phi / p = 4/3.
  EXPECT_NEAR(half[1].relevance, 0.5 * std::log(0.25) + 0.5 * std::log(4.0 / 3), 1e-12);
  // A weight near 1 orders words as probability does where these differ.
  EXPECT_EQ(words_of(words_.ranked(1, 3, 0.999)), (std::vector<std::uint32_t>{0, 4, 3}));
}

// The union of what ranked() gives for each lambda.
TEST(RelevantWords, AreThoseOfAllLambdas) {
  test::Rows rows(3, std::vector<double>(200));
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t w = 0; w < 200; ++w) {
      const double x = std::sin(static_cast<double>((k + 2) * (w + 1)) * 1.3);
      rows[k][w] = w % 17 == k ? 0 : std::exp(4 * x) / static_cast<double>(w + 1);
    }
  }
  rows[2][5] = rows[2][7] = 0;
  rows[0][5] = rows[0][7] = rows[1][5] = rows[1][7] = 0.1;  // ties
  const TopicWeights topics = weights_of(rows);
  const TopicWords words(topics, std::vector<double>{0.2, 0.8, 0});
  for (std::uint32_t k = 0; k < 3; ++k) {
    std::set<std::uint32_t> expected;
    for (int part = 0; part <= 10; ++part) {
      for (const RankedWord& word : words.ranked(k, 6, static_cast<double>(part) / 10)) {
        expected.insert(word.word);
      }
    }
    EXPECT_EQ(words.judged(k), words_of(words.ranked(k, judged_words, 1)));
    const std::vector<std::uint32_t> relevant = words.relevant(k, 6);
    EXPECT_EQ(std::set(relevant.begin(), relevant.end()), expected) << k;
    EXPECT_EQ(relevant.size(), expected.size());
    EXPECT_GT(relevant.size(), 6U);
    for (std::size_t i = 1; i < relevant.size(); ++i) {
      EXPECT_GE(words.phi(relevant[i - 1], k), words.phi(relevant[i], k));
    }
  }
}

TEST_F(Words, WithoutWeightAreNoWordsOfATopic) {
  EXPECT_EQ(words_of(words_.ranked(0, 10, 1)).size(), 4U);
  EXPECT_EQ(words_of(words_.ranked(1, 10, 0.3)).size(), 3U);
}

TEST_F(Words, ExclusivityIsTheMeanPart) {
  // Topic 1: words 0 to 3 have 8/16, 4/4, 2/2 and 2/6 of all topics' probability.
  EXPECT_NEAR(words_.exclusivity(0), (0.5 + 1 + 1 + 2.0 / 6) / 4, 1e-12);
  EXPECT_NEAR(words_.exclusivity(1), (0.5 + 4.0 / 6 + 1) / 3, 1e-12);
}

TEST(WordsOfEqualTopics, HaveExclusivityOneByK) {
  const TopicWeights topics = weights_of({{1, 2, 3}, {1, 2, 3}, {1, 2, 3}});
  const TopicWords words(topics, std::vector<double>{0.2, 0.3, 0.5});
  EXPECT_NEAR(words.exclusivity(1), 1.0 / 3, 1e-12);
}

TEST(Shares, OfThePrior) {
  const std::vector<double> shares = prior_shares(std::vector<float>{0.5F, 1.5F});
  EXPECT_EQ(shares, (std::vector<double>{0.25, 0.75}));
}

TEST(Information, OfPairs) {
  EXPECT_EQ(normalised_information(0, 5, 5, 10), -1);
  EXPECT_EQ(normalised_information(0, 0, 5, 10), -1);
  EXPECT_EQ(normalised_information(10, 10, 10, 10), 1);
  EXPECT_DOUBLE_EQ(normalised_information(4, 4, 4, 10), 1);    // only together
  EXPECT_NEAR(normalised_information(2, 4, 5, 10), 0, 1e-15);  // independent
  EXPECT_NEAR(normalised_information(3, 4, 4, 8), std::log(1.5) / std::log(8.0 / 3), 1e-15);
}

class CoherenceTest : public ::testing::Test {
 protected:
  Corpus corpus_of(const std::vector<std::vector<std::uint32_t>>& documents,
                   std::uint32_t word_count) {
    CorpusWriter writer(folder_.path() / "corpus", Order::text, Overwrite::yes);
    for (const std::vector<std::uint32_t>& document : documents) {
      writer.add(document, "", "");
    }
    writer.finish(test::words(word_count), "{}");
    return Corpus::open(folder_.path() / "corpus");
  }
  test::Folder folder_{"coherence"};
};

// a, b, c are in 4 of 8 documents each; a and b in 3, a and c in 1, b and c in 2. Then
// npmi = log(3/2)/log(8/3), log(1/2)/log(8) = -1/3 and 0.
TEST_F(CoherenceTest, ByHand) {
  const Corpus corpus =
      corpus_of({{0, 1, 0, 0}, {1, 0}, {0, 3}, {1, 2, 2}, {2}, {}, {2, 1, 0}, {2, 3, 3}}, 5);
  Threads threads(2);
  const std::vector<std::vector<std::uint32_t>> topics{{0, 1, 2}, {1, 0}, {2},
                                                       {},        {0, 4}, {0, Vocabulary::none}};
  const std::vector<double> found = coherence(corpus, topics, threads);
  const double ab = std::log(1.5) / std::log(8.0 / 3);
  EXPECT_NEAR(found[0], (ab - 1.0 / 3 + 0) / 3, 1e-14);
  EXPECT_NEAR(found[1], ab, 1e-14);
  EXPECT_EQ(found[2], 0);
  EXPECT_EQ(found[3], 0);
  EXPECT_EQ(found[4], -1);  // word 4 never occurs
  EXPECT_EQ(found[5], -1);  // a word that the corpus does not have
}

/// The definition, pair by pair.
double plain_coherence(const std::vector<std::vector<std::uint32_t>>& documents,
                       const std::vector<std::uint32_t>& words) {
  const auto count = [&](std::vector<std::uint32_t> wanted) {
    return static_cast<std::uint64_t>(
        std::ranges::count_if(documents, [&](const std::vector<std::uint32_t>& document) {
          return std::ranges::all_of(wanted, [&](std::uint32_t word) {
            return std::ranges::find(document, word) != document.end();
          });
        }));
  };
  double sum = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      sum += normalised_information(count({words[i], words[j]}), count({words[i]}),
                                    count({words[j]}), documents.size());
    }
  }
  return sum / (0.5 * static_cast<double>(words.size() * (words.size() - 1)));
}

TEST_F(CoherenceTest, OfTenWordsByTheDefinitionForAnyThreads) {
  std::vector<std::vector<std::uint32_t>> documents(200);
  std::uint32_t state = 1;
  for (std::vector<std::uint32_t>& document : documents) {
    for (int i = 0; i < 12; ++i) {
      state = state * 1664525U + 1013904223U;
      document.push_back((state >> 24) % 30);
    }
  }
  const Corpus corpus = corpus_of(documents, 30);
  std::vector<std::vector<std::uint32_t>> topics(3, std::vector<std::uint32_t>(10));
  for (std::uint32_t k = 0; k < 3; ++k) {
    std::iota(topics[k].begin(), topics[k].end(), 7 * k);  // overlapping
  }
  for (const std::size_t count : {1, 3}) {
    Threads threads(count);
    const std::vector<double> found = coherence(corpus, topics, threads);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(found[k], plain_coherence(documents, topics[k]), 1e-12);
    }
  }
}

}  // namespace
}  // namespace tain::topic_words_test
