// Document Gibbs bit by bit: against the definition of its draws, for any threads, order and
// interruption; sums, extreme weights, edges.
#include "lda/engine/document_gibbs.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "document_gibbs_support.hpp"
#include "support/isa.hpp"
#include "tain/core/error.hpp"

namespace tain::document_gibbs_test {
namespace {

using testing::random_texts;
using testing::small_model;
using testing::SmallModel;
using testing::Texts;
using Topics = std::vector<std::vector<std::uint16_t>>;

constexpr std::uint64_t seed = 77, visit = 5'000'000'000;

Topics run(const SmallModel& model, Texts& texts, const GibbsPlan& plan, GibbsAlgorithm algorithm,
           std::size_t threads = 1, const GibbsSums& sums = {}) {
  Threads pool(threads);
  DocumentGibbs(model.topics, model.alpha, NoiseField(seed), algorithm)
      .run(texts.fill(), plan, visit, pool, sums);
  return texts.topics;
}

// ---- the definition, in plain code --------------------------------------------------------------

float uniform(std::uint32_t document, std::uint32_t index, std::uint32_t word) {
  const auto words = NoiseField(seed).words(Purpose::assignment, visit, document, index);
  return std::min((static_cast<float>(words[word] >> 1) + 0.5F) * 0x1p-31F, 1 - 0x1p-24F);
}

// Dense: lane sums block by block, prefix sums over the 16 lanes, first lane and block above.
std::uint16_t plain_draw(const SmallModel& model, const std::vector<int>& n, std::uint32_t word,
                         float u) {
  const std::size_t blocks = model.topics.row_length() / 16;
  std::vector<std::array<float, 16>> s(blocks);
  for (std::size_t b = 0; b < blocks; ++b) {
    for (std::size_t l = 0; l < 16; ++l) {
      const std::size_t k = 16 * b + l;
      float product = 0;
      if (k < model.alpha.size()) {
        const float m =
            (model.alpha[k] + static_cast<float>(n[k])) * model.topics.inverse_sums()[k];
        product = m * model.topics.weights().at(word, k);
      }
      s[b][l] = b == 0 ? product : s[b - 1][l] + product;
    }
  }
  std::array<float, 17> P{};  // P[l + 1]: up to lane l
  const std::array<float, 16>& a = s[blocks - 1];
  for (std::size_t l = 0; l < 16; l += 4) {
    P[l + 1] = a[l];
    P[l + 2] = a[l + 1] + a[l];
    P[l + 3] = (a[l + 2] + a[l + 1]) + a[l];
    P[l + 4] = (a[l + 3] + a[l + 2]) + (a[l + 1] + a[l]);
  }
  for (const std::size_t four : {4, 12}) {
    for (std::size_t l = four; l < four + 4; ++l) {
      P[l + 1] += P[four];
    }
  }
  for (std::size_t l = 8; l < 16; ++l) {
    P[l + 1] += P[8];
  }
  const float target = u * P[16];
  std::size_t lane = 0, block = 0;
  while (!(P[lane + 1] > target)) {
    ++lane;
  }
  while (!(s[block][lane] > target - P[lane])) {
    ++block;
  }
  return static_cast<std::uint16_t>(16 * block + lane);
}

std::vector<std::uint16_t> plain_sweeps(const SmallModel& model,
                                        const std::vector<std::uint32_t>& words,
                                        std::uint32_t document, std::uint32_t sweeps) {
  std::vector<int> n(model.alpha.size());
  std::vector<std::uint16_t> z(words.size());
  const auto indices = static_cast<std::uint32_t>((words.size() + 3) / 4);
  for (std::uint32_t s = 0; s < sweeps; ++s) {
    for (std::uint32_t i = 0; i < words.size(); ++i) {
      n[z[i]] -= s > 0 ? 1 : 0;
      z[i] = plain_draw(model, n, words[i], uniform(document, s * indices + i / 4, i % 4));
      ++n[z[i]];
    }
  }
  return z;
}

class DocumentGibbsOn : public testing::OnEveryIsa {};
INSTANTIATE_TEST_SUITE_P(Isa, DocumentGibbsOn, ::testing::ValuesIn(supported_isas()),
                         testing::isa_label);

TEST_P(DocumentGibbsOn, DrawsWhatTheDefinitionSays) {
  for (const std::uint32_t topics : {1u, 2u, 16u, 17u, 45u, 60u, 80u, 96u, 100u, 128u, 150u}) {
    const SmallModel model = small_model(topics, 30, 0.5, topics);
    Texts texts = random_texts(20, 70, 30, topics);
    const Topics drawn = run(model, texts, {.sweeps = 3}, GibbsAlgorithm::dense);
    for (std::uint32_t d = 0; d < drawn.size(); ++d) {
      EXPECT_EQ(drawn[d], plain_sweeps(model, texts.words[d], d, 3)) << topics << " " << d;
    }
  }
}

// Longer than the uniforms made at a time, beside short ones.
TEST_P(DocumentGibbsOn, WalksLongDocuments) {
  const SmallModel model = small_model(40, 50, 0.3, 2);
  Texts texts = random_texts(3, 20, 50, 1);
  texts.words.emplace_back(2'500);
  for (std::uint32_t i = 0; i < 2'500; ++i) {
    texts.words.back()[i] = (i * i / 7) % 50;
  }
  const Topics drawn = run(model, texts, {.sweeps = 2}, GibbsAlgorithm::dense);
  for (std::uint32_t d = 0; d < drawn.size(); ++d) {
    EXPECT_EQ(drawn[d], plain_sweeps(model, texts.words[d], d, 2)) << d;
  }
}

TEST_P(DocumentGibbsOn, SparseBitsAreThoseOfEveryInstructionSet) {
  const SmallModel model = small_model(90, 40, 0.1, 3);
  Texts texts = random_texts(30, 100, 40, 3);
  const Topics here = run(model, texts, {.sweeps = 4}, GibbsAlgorithm::sparse);
  pin_isa(Isa::baseline);
  EXPECT_EQ(here, run(model, texts, {.sweeps = 4}, GibbsAlgorithm::sparse));
}

// Weights over all of float's range, among them 0: a topic is drawn only if its product is not 0,
// and if all are 0, any.
TEST_P(DocumentGibbsOn, NeverDrawsTopicsWithoutWeight) {
  rc::check([] {
    const auto topics = *rc::gen::inRange<std::uint32_t>(1, 40);
    const std::uint32_t words = 4;
    SmallModel model = small_model(topics, words + 1, 1, 1);
    const auto some = rc::gen::element(0.0F, 0.0F, 1e-45F, 1e-38F, 1e-20F, 1.0F, 1e20F, 1e38F);
    for (std::uint32_t w = 0; w < words; ++w) {
      for (std::uint32_t k = 0; k < topics; ++k) {
        model.topics.weights().at(w, k) = *some;
      }
    }
    for (std::uint32_t k = 0; k < topics; ++k) {
      model.topics.weights().at(words, k) = *rc::gen::element(1e-38F, 1.0F, 3e38F);
    }
    Threads one(1);
    model.topics.sum(one);
    Texts texts = random_texts(12, 12, words, *rc::gen::inRange(1, 1000));
    for (const GibbsAlgorithm algorithm : {GibbsAlgorithm::dense, GibbsAlgorithm::sparse}) {
      const Topics drawn = run(model, texts, {.sweeps = 3}, algorithm);
      for (std::size_t d = 0; d < drawn.size(); ++d) {
        for (std::size_t i = 0; i < drawn[d].size(); ++i) {
          const auto mass = [&](std::size_t k) {
            return model.topics.inverse_sums()[k] > 0 &&
                   model.topics.weights().at(texts.words[d][i], k) > 0;
          };
          bool any = false;
          for (std::uint32_t k = 0; k < topics; ++k) {
            any = any || mass(k);
          }
          RC_ASSERT(drawn[d][i] < topics);
          RC_ASSERT(!any || mass(drawn[d][i]));
        }
      }
    }
  });
}

// ---- laws of both algorithms --------------------------------------------------------------------

class DocumentGibbsBy : public ::testing::TestWithParam<GibbsAlgorithm> {};
INSTANTIATE_TEST_SUITE_P(Algorithm, DocumentGibbsBy,
                         ::testing::Values(GibbsAlgorithm::dense, GibbsAlgorithm::sparse),
                         [](const auto& algorithm) {
                           return algorithm.param == GibbsAlgorithm::dense ? "dense" : "sparse";
                         });

struct Outcome {
  Topics last;
  std::vector<std::uint32_t> words;
  std::vector<std::uint32_t> sums;       // of the words, row by row
  std::vector<std::uint32_t> documents;  // of the documents, row by row
  bool operator==(const Outcome&) const = default;
};

Outcome outcome(const SmallModel& model, Texts texts, const GibbsPlan& plan,
                GibbsAlgorithm algorithm, std::size_t threads = 1) {
  TopicCounts counts;
  BasicBlockStorage<std::uint32_t> documents(texts.words.size(), model.topics.row_length());
  Outcome result;
  result.last = run(model, texts, plan, algorithm, threads,
                    {.counts = &counts, .documents = documents.view()});
  EXPECT_EQ(counts.kept, plan.sweeps - plan.burn_in);
  result.words = counts.words;
  const auto rows = counts.sums.view();
  result.sums.assign(rows.data(), rows.row(counts.words.size()));
  result.documents.assign(documents.view().data(),
                          documents.view().data() + documents.view().size());
  return result;
}

TEST_P(DocumentGibbsBy, BitsDoNotDependOnThreads) {
  const SmallModel model = small_model(50, 200, 0.1, 4);
  const Texts texts = random_texts(60, 150, 200, 4);
  const GibbsPlan plan{.sweeps = 6, .burn_in = 2};
  const Outcome one = outcome(model, texts, plan, GetParam(), 1);
  EXPECT_EQ(one, outcome(model, texts, plan, GetParam(), 2));
  EXPECT_EQ(one, outcome(model, texts, plan, GetParam(), 3));
}

TEST_P(DocumentGibbsBy, BitsDoNotDependOnTheOtherDocuments) {
  const SmallModel model = small_model(37, 60, 0.1, 5);
  Texts texts = random_texts(33, 60, 60, 5);
  const Topics together = run(model, texts, {.sweeps = 4}, GetParam());
  Threads pool(2);
  DocumentGibbs gibbs(model.topics, model.alpha, NoiseField(seed), GetParam());
  std::vector<GibbsDocument> documents = texts.fill();
  std::reverse(documents.begin(), documents.end());
  for (std::size_t begin = 0, size = 1; begin < documents.size(); begin += size++) {
    const std::size_t count = std::min(size, documents.size() - begin);
    gibbs.run(std::span(documents).subspan(begin, count), {.sweeps = 4}, visit, pool, {});
  }
  EXPECT_EQ(texts.topics, together);
}

TEST_P(DocumentGibbsBy, GoesOnWhereItStopped) {
  const SmallModel model = small_model(70, 60, 0.1, 6);
  Texts texts = random_texts(25, 80, 60, 6);
  const Topics whole = run(model, texts, {.sweeps = 7}, GetParam());
  Threads pool(2);
  DocumentGibbs gibbs(model.topics, model.alpha, NoiseField(seed), GetParam());
  gibbs.run(texts.fill(), {.sweeps = 3}, visit, pool, {});
  EXPECT_NE(texts.topics, whole);
  gibbs.run(texts.go_on(), {.sweeps = 4, .first_sweep = 3}, visit, pool, {});
  EXPECT_EQ(texts.topics, whole);
}

// A run that keeps sweeps 2, 3, 4 adds up what runs of 3, 4, 5 sweeps end with.
TEST_P(DocumentGibbsBy, SumsAreThoseOfTheSweepsKept) {
  const SmallModel model = small_model(33, 40, 0.2, 7);
  Texts texts = random_texts(20, 50, 40, 7);
  texts.words[3].clear();
  std::map<std::uint32_t, std::vector<std::uint32_t>> of_word;
  std::vector<std::uint32_t> of_document(20 * model.topics.row_length());
  for (const std::uint32_t sweeps : {3u, 4u, 5u}) {
    const Topics last = run(model, texts, {.sweeps = sweeps}, GetParam());
    for (std::size_t d = 0; d < last.size(); ++d) {
      for (std::size_t i = 0; i < last[d].size(); ++i) {
        auto& row = of_word[texts.words[d][i]];
        row.resize(model.topics.row_length());
        ++row[last[d][i]];
        ++of_document[d * model.topics.row_length() + last[d][i]];
      }
    }
  }
  const Outcome kept = outcome(model, texts, {.sweeps = 5, .burn_in = 2}, GetParam());
  std::vector<std::uint32_t> words, sums;
  for (const auto& [word, row] : of_word) {
    words.push_back(word);
    sums.insert(sums.end(), row.begin(), row.end());
  }
  EXPECT_EQ(kept.words, words);
  EXPECT_EQ(kept.sums, sums);
  EXPECT_EQ(kept.documents, of_document);
  EXPECT_EQ(kept.last, run(model, texts, {.sweeps = 5}, GetParam()));
}

TEST_P(DocumentGibbsBy, MemoryOfOlderSumsIsReused) {
  const SmallModel model = small_model(20, 300, 0.2, 8);
  Threads pool(1);
  DocumentGibbs gibbs(model.topics, model.alpha, NoiseField(seed), GetParam());
  TopicCounts counts;
  Texts large = random_texts(30, 60, 300, 8), small = random_texts(5, 30, 300, 9);
  gibbs.run(large.fill(), {.sweeps = 2}, visit, pool, {.counts = &counts});
  const auto* const memory = counts.sums.view().data();
  gibbs.run(small.fill(), {.sweeps = 3, .burn_in = 1}, visit, pool, {.counts = &counts});
  EXPECT_EQ(memory, counts.sums.view().data());
  const Outcome fresh = outcome(model, small, {.sweeps = 3, .burn_in = 1}, GetParam());
  EXPECT_EQ(counts.words, fresh.words);
  EXPECT_TRUE(std::equal(fresh.sums.begin(), fresh.sums.end(), memory));
}

// More topics over all sweeps than are held at a time (2^24): the sums are those of each document.
TEST_P(DocumentGibbsBy, LargeBatchesGoInRounds) {
  const SmallModel model = small_model(3, 10, 1, 9);
  Texts texts{std::vector<std::vector<std::uint32_t>>(3), {}};
  for (std::uint32_t d = 0; d < 3; ++d) {
    for (std::uint32_t i = 0; i < 3'000; ++i) {
      texts.words[d].push_back((i * i + d) % 10);
    }
  }
  const GibbsPlan plan{.sweeps = 2'400};
  TopicCounts together, alone;
  run(model, texts, plan, GetParam(), 2, {.counts = &together});
  std::vector<std::uint32_t> sums(10 * 16);
  DocumentGibbs gibbs(model.topics, model.alpha, NoiseField(seed), GetParam());
  Threads pool(1);
  const std::vector<GibbsDocument> documents = texts.fill();
  for (std::size_t d = 0; d < 3; ++d) {
    gibbs.run(std::span(documents).subspan(d, 1), plan, visit, pool, {.counts = &alone});
    for (std::size_t i = 0; i < alone.words.size(); ++i) {
      for (std::size_t k = 0; k < 16; ++k) {
        sums[alone.words[i] * 16 + k] += alone.sums.view().at(i, k);
      }
    }
  }
  ASSERT_EQ(together.words.size(), 10U);
  EXPECT_TRUE(std::equal(sums.begin(), sums.end(), together.sums.view().data()));
}

TEST_P(DocumentGibbsBy, OneTopicTakesAll) {
  const SmallModel model = small_model(1, 10, 1, 10);
  Texts texts = random_texts(10, 30, 10, 10);
  const Outcome all = outcome(model, texts, {.sweeps = 5, .burn_in = 2}, GetParam());
  for (std::size_t d = 0; d < 10; ++d) {
    EXPECT_EQ(all.documents[d * 16], 3 * texts.words[d].size());
    EXPECT_EQ(all.last[d], std::vector<std::uint16_t>(texts.words[d].size(), 0));
  }
}

TEST_P(DocumentGibbsBy, NothingIsDrawnForNobody) {
  const SmallModel model = small_model(5, 10, 1, 11);
  Texts none{std::vector<std::vector<std::uint32_t>>(4), {}};
  const Outcome empty = outcome(model, none, {.sweeps = 2}, GetParam());
  EXPECT_TRUE(empty.words.empty());
  EXPECT_EQ(empty.documents, std::vector<std::uint32_t>(4 * 16, 0));
  Texts nobody;
  EXPECT_TRUE(outcome(model, nobody, {.sweeps = 2}, GetParam()).words.empty());
}

// New weights and alphas count from the next run on.
TEST_P(DocumentGibbsBy, ReadsTheWeightsAnew) {
  SmallModel model = small_model(30, 20, 0.3, 12);
  Texts texts = random_texts(8, 40, 20, 12);
  Threads pool(1);
  DocumentGibbs gibbs(model.topics, model.alpha, NoiseField(seed), GetParam());
  gibbs.run(texts.fill(), {.sweeps = 2}, visit, pool, {});
  const SmallModel other = small_model(30, 20, 0.3, 13);
  std::ranges::copy(other.topics.weights().flat(), model.topics.weights().data());
  model.topics.sum(pool);
  gibbs.take_alpha(other.alpha);
  gibbs.run(texts.fill(), {.sweeps = 2}, visit, pool, {});
  const Topics here = texts.topics;
  EXPECT_EQ(here, run(other, texts, {.sweeps = 2}, GetParam()));
}

// ---- refusals -----------------------------------------------------------------------------------

TEST(DocumentGibbs, ChoosesByTheNumberOfTopics) {
  const SmallModel few = small_model(100, 2, 1, 1), many = small_model(2'000, 2, 1, 1);
  EXPECT_EQ(DocumentGibbs(few.topics, few.alpha, NoiseField(1)).algorithm(), GibbsAlgorithm::dense);
  EXPECT_EQ(DocumentGibbs(many.topics, many.alpha, NoiseField(1)).algorithm(),
            GibbsAlgorithm::sparse);
}

TEST(DocumentGibbs, RefusesWhatCannotBe) {
  SmallModel model = small_model(3, 4, 1, 1);
  for (const float wrong : {0.0F, -1.0F, std::numeric_limits<float>::quiet_NaN(),
                            std::numeric_limits<float>::infinity()}) {
    const std::vector<float> alpha{1, wrong, 1};
    EXPECT_THROW(DocumentGibbs(model.topics, alpha, NoiseField(1)), Error);
  }
  const TopicWeights crowd(most_topics + 1, 1);
  const std::vector<float> ones(most_topics + 1, 1);
  EXPECT_THROW(DocumentGibbs(crowd, ones, NoiseField(1)), Error);
  Threads one(1);
  DocumentGibbs gibbs(model.topics, model.alpha, NoiseField(1));
  Texts texts = random_texts(3, 10, 4, 1);
  TopicCounts counts;
  const auto documents = texts.fill();
  EXPECT_THROW(gibbs.run(documents, {.sweeps = 0}, 0, one, {}), Error);
  EXPECT_THROW(gibbs.run(documents, {.sweeps = 2, .burn_in = 3}, 0, one, {}), Error);
  EXPECT_THROW(gibbs.run(documents, {.sweeps = 2, .burn_in = 2}, 0, one, {.counts = &counts}),
               Error);
  EXPECT_NO_THROW(gibbs.run(documents, {.sweeps = 2, .burn_in = 2}, 0, one, {}));
  EXPECT_THROW(gibbs.run(documents, {.sweeps = 1, .first_sweep = 4'000'000'000}, 0, one, {}),
               Error);
}

}  // namespace
}  // namespace tain::document_gibbs_test
