#include "lda/engine/held_out.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "support/folder.hpp"
#include "tain/core/error.hpp"
#include "text/corpus_writer.hpp"

namespace tain::held_out_test {
namespace {

namespace fs = std::filesystem;

class HeldOutTest : public ::testing::Test {
 protected:
  /// 50 documents; document d has d tokens, 100 d + i in text order or each once or thrice.
  Corpus corpus(Order order) {
    CorpusWriter writer(corpus_, order, Overwrite::yes);
    for (std::uint32_t d = 0; d < 50; ++d) {
      std::vector<std::uint32_t> ids, counts;
      for (std::uint32_t i = 0; i < d; ++i) {
        ids.push_back(100 * d + i);
        counts.push_back(1 + 2 * (i % 2));
      }
      if (order == Order::text) {
        writer.add(ids, "", "");
      } else {
        writer.add(ids, counts, "", "");
      }
    }
    std::vector<std::string> words;
    for (int w = 0; w < 5000; ++w) {
      words.push_back("word" + std::to_string(w));
    }
    writer.finish(words, "{}");
    return Corpus::open(corpus_);
  }

  const test::Folder folder_{"held-out"};
  const fs::path corpus_ = folder_ / "corpus";
};

TEST_F(HeldOutTest, EveryTenthTokenInTextOrderIsTested) {
  const Corpus text = corpus(Order::text);
  const HeldOut all(text, 50, NoiseField(1));
  ASSERT_EQ(all.documents().size(), 50U);
  for (std::uint32_t d = 0; d < 50; ++d) {
    std::vector<std::uint32_t> test, observed;
    for (std::uint32_t i = 0; i < d; ++i) {
      (i % 10 == 9 ? test : observed).push_back(100 * d + i);
    }
    EXPECT_TRUE(std::ranges::equal(all.test(d), test)) << d;
    EXPECT_TRUE(std::ranges::equal(all.observed(d), observed)) << d;
  }
  EXPECT_EQ(all.test_tokens(), 10U * (0 + 1 + 2 + 3 + 4));
}

TEST_F(HeldOutTest, BagsAreSplitByTheirOwnNoise) {
  const Corpus bags = corpus(Order::none);
  const HeldOut all(bags, 50, NoiseField(1)), again(bags, 50, NoiseField(1)),
      other(bags, 50, NoiseField(2));
  bool differs = false;
  for (std::uint32_t d = 0; d < 50; ++d) {
    std::map<std::uint32_t, std::uint32_t> counts;
    for (const std::uint32_t w : all.test(d)) {
      ++counts[w];
    }
    for (const std::uint32_t w : all.observed(d)) {
      ++counts[w];
    }
    const DocumentWords words = bags.document(d);
    ASSERT_EQ(counts.size(), words.ids.size());
    for (std::size_t i = 0; i < words.ids.size(); ++i) {
      EXPECT_EQ(counts[words.ids[i]], words.counts[i]);
    }
    EXPECT_EQ(all.test(d).size(), words.tokens() / 10);
    EXPECT_TRUE(std::ranges::equal(all.test(d), again.test(d)));
    differs = differs || !std::ranges::equal(all.test(d), other.test(d));
  }
  EXPECT_TRUE(differs);
  // A permuted document's test tokens are not those of ascending order.
  EXPECT_FALSE(std::ranges::is_sorted(all.test(49)));
}

TEST_F(HeldOutTest, TrainingHasTheOtherDocuments) {
  const Corpus text = corpus(Order::text);
  const HeldOut some(text, 20, NoiseField(1));
  std::vector<std::uint64_t> both(some.documents().begin(), some.documents().end());
  const TrainingDocuments others(text, some);
  for (std::uint64_t place = 0; place < others.size(); ++place) {
    both.push_back(others[place]);
    EXPECT_TRUE(place == 0 || others[place - 1] < others[place]);
  }
  std::ranges::sort(both);
  ASSERT_EQ(both.size(), 50U);
  for (std::uint64_t d = 0; d < 50; ++d) {
    EXPECT_EQ(both[d], d);
  }
  EXPECT_FALSE(std::ranges::equal(some.documents(), HeldOut(text, 20, NoiseField(2)).documents()));
  EXPECT_THROW(HeldOut(text, 51, NoiseField(1)), Error);
  EXPECT_EQ(TrainingDocuments(text, HeldOut(text, 0, NoiseField(1))).size(), 50U);
}

}  // namespace
}  // namespace tain::held_out_test
