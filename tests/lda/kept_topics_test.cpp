// Topics that documents keep: counts, archives, and what alpha is learned from them.
#include "lda/engine/kept_topics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "core/special.hpp"
#include "lda/engine/alpha_fit.hpp"
#include "random/noise.hpp"
#include "support/synthetic_corpus.hpp"

namespace tain::kept_topics_test {
namespace {

class KeptTopicsTest : public ::testing::Test {
 protected:
  KeptTopicsTest()
      : made_("kept-topics", {.docs = 80,
                              .topics = 3,
                              .vocab_size = 40,
                              .mean_length = 6,
                              .base = BaseFrequencies::uniform,
                              .seed = 3}),
        corpus_(&made_.corpus()),
        documents_(*corpus_, HeldOut(*corpus_, 10, NoiseField(1))) {}

  KeptTopics all() const {
    return {*corpus_, documents_, {0, documents_.size()}, 3, {0, corpus_->words()}};
  }

  /// New topics for some documents; those of the others stay.
  void draw(KeptTopics& kept, Stream& stream, Threads& threads) {
    std::vector<std::vector<std::uint16_t>> topics(documents_.size());
    std::vector<std::size_t> changed;
    for (std::size_t i = 0; i < documents_.size(); ++i) {
      if (stream.uniform() < 0.5) {
        changed.push_back(i);
        topics[i].resize(kept.of(i).size());
        for (auto& topic : topics[i]) {
          topic = static_cast<std::uint16_t>(3 * stream.uniform());
        }
      }
    }
    threads.for_each(changed.size(), [&](std::size_t c) {
      std::vector<std::uint32_t> expanded;
      const std::size_t i = changed[c];
      kept.replace(i, document_tokens(corpus_->document(documents_[i]), expanded), topics[i]);
    });
  }

  void expect_counts(const KeptTopics& kept) {
    std::map<std::pair<std::uint32_t, std::uint16_t>, std::uint32_t> counts;
    std::vector<std::uint32_t> expanded;
    for (std::size_t i = 0; i < documents_.size(); ++i) {
      const auto words = document_tokens(corpus_->document(documents_[i]), expanded);
      for (std::size_t t = 0; t < words.size(); ++t) {
        if (kept.of(i)[t] != KeptTopics::unknown) {
          ++counts[{words[t], kept.of(i)[t]}];
        }
      }
    }
    for (std::uint32_t w = 0; w < corpus_->words(); ++w) {
      for (std::uint16_t k = 0; k < 3; ++k) {
        EXPECT_EQ(kept.counts().sums.view().at(w, k), (counts[{w, k}])) << w << " " << k;
      }
    }
  }

  test::SyntheticCorpus made_;
  const Corpus* corpus_;
  TrainingDocuments documents_;
};

TEST_F(KeptTopicsTest, CountsAreThoseOfTheTopicsKnown) {
  KeptTopics kept = all();
  Stream stream(NoiseField(8), Purpose::holdout, 0, 0);
  Threads threads(3);
  for (int round = 0; round < 4; ++round) {
    draw(kept, stream, threads);
    expect_counts(kept);
  }
}

TEST_F(KeptTopicsTest, AnArchiveGoesOn) {
  KeptTopics kept = all(), read = all();
  Stream stream(NoiseField(8), Purpose::holdout, 0, 0);
  Threads threads(2);
  draw(kept, stream, threads);
  draw(read, stream, threads);  // to be forgotten
  Archive saved;
  kept.archive(saved, kept.places());
  Archive bytes(saved.finish(), "state");
  read.archive(bytes, kept.places());
  bytes.expect_end();
  read.recount(threads);
  expect_counts(read);
  EXPECT_TRUE(
      std::ranges::equal(read.counts().sums.view().flat(), kept.counts().sums.view().flat()));
}

// Written in two parts, read by one who keeps what lies across both, and nothing else.
TEST_F(KeptTopicsTest, PartsAreReadByWhoeverKeepsThem) {
  const std::uint64_t n = documents_.size();
  const Range words{0, corpus_->words()}, middle{20, 50};
  KeptTopics kept = all();
  Stream stream(NoiseField(8), Purpose::holdout, 0, 0);
  Threads threads(1);
  draw(kept, stream, threads);
  KeptTopics read(*corpus_, documents_, middle, 3, words);
  for (const Range part : {Range{0, 30}, Range{30, n}, Range{60, n}}) {
    KeptTopics one(*corpus_, documents_, part, 3, words);
    for (std::uint64_t p = part.first; p < part.end; ++p) {
      one.set(p, kept.of(p));
    }
    Archive saved;
    one.archive(saved, part);
    Archive bytes(saved.finish(), "state");
    read.archive(bytes, part);
    bytes.expect_end();
  }
  for (std::uint64_t p = middle.first; p < middle.end; ++p) {
    EXPECT_TRUE(std::ranges::equal(read.of(p), kept.of(p))) << p;
  }
}

// The first batch enters with weight 1: Minka's formula itself.
TEST(AlphaFit, TheFirstBatchIsTheFixedPointsStep) {
  AlphaFit fit(2);
  std::vector<float> alpha{0.5F, 2.0F};
  fit.add(std::vector<std::uint16_t>{0, 0, 1}, alpha);
  fit.add(std::vector<std::uint16_t>{1}, alpha);
  fit.add(std::vector<std::uint16_t>{}, alpha);
  fit.update(alpha);
  // psi(n + a) - psi(a) = sum of 1/(a + j), j < n.
  const double lengths = (1 / 2.5 + 1 / 3.5 + 1 / 4.5) + 1 / 2.5;
  EXPECT_NEAR(double(alpha[0]), 0.5 * (1 / 0.5 + 1 / 1.5) / lengths, 1e-6);
  EXPECT_NEAR(double(alpha[1]), 2.0 * (1 / 2.0 + 1 / 2.0) / lengths, 1e-6);
}

// Documents drawn by Polya's urn, which is the Dirichlet-multinomial. With 40,000 documents of 30
// tokens the likelihood pins log alpha to about 2 %; the running mean forgets all but the last few
// thousand, which is three times that: 20 % are three standard errors.
TEST(AlphaFit, FindsWhatDocumentsWereDrawnWith) {
  const std::vector<double> truth{0.05, 0.2, 1.0};
  std::vector<float> alpha{0.5F, 0.5F, 0.5F};
  AlphaFit fit(3);
  Stream stream(NoiseField(9), Purpose::holdout, 0, 0);
  for (int batch = 0; batch < 400; ++batch) {
    for (int d = 0; d < 100; ++d) {
      std::vector<double> urn = truth;
      std::vector<std::uint16_t> topics;
      for (int i = 0; i < 30; ++i) {
        double u = stream.uniform() * std::accumulate(urn.begin(), urn.end(), 0.0);
        std::uint16_t k = 0;
        while (k < 2 && u >= urn[k]) {
          u -= urn[k++];
        }
        topics.push_back(k);
        urn[k] += 1;
      }
      fit.add(topics, alpha);
    }
    fit.update(alpha);
  }
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(std::log(double(alpha[k]) / truth[k]), 0, 0.2) << alpha[k];
  }
}

TEST(AlphaFit, TopicsThatNeverOccurKeepALittle) {
  AlphaFit fit(2);
  std::vector<float> alpha{0.5F, 0.5F};
  for (int batch = 0; batch < 50; ++batch) {
    fit.add(std::vector<std::uint16_t>{0, 0, 0}, alpha);
    fit.update(alpha);
  }
  EXPECT_FLOAT_EQ(alpha[1], 1e-4F);
  EXPECT_LE(alpha[0], 1e4F);
}

}  // namespace
}  // namespace tain::kept_topics_test
