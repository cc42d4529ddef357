// Vocabularies and word counts against maps that are plainly right.
#include "text/vocabulary.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <fstream>
#include <map>
#include <set>

#include "support/folder.hpp"
#include "tain/core/error.hpp"
#include "text/word_counter.hpp"

namespace tain::vocabulary_test {
namespace {

namespace fs = std::filesystem;

class WordCounting : public ::testing::Test {
 protected:
  const test::Folder folder_{"words"};
  Scratch scratch_{folder_ / "scratch", {}};
};

RC_GTEST_PROP(Vocabulary, NumbersWordsInTheOrderTheyCome, (const std::vector<std::string>& words)) {
  Vocabulary vocabulary;
  std::map<std::string, std::uint32_t> expected;
  for (const std::string& word : words) {
    const auto id = static_cast<std::uint32_t>(expected.size());
    RC_ASSERT(vocabulary.add(word) == expected.emplace(word, id).first->second);
  }
  RC_ASSERT(vocabulary.size() == expected.size());
  for (const auto& [word, id] : expected) {
    RC_ASSERT(vocabulary.find(word) == id);
    RC_ASSERT(vocabulary.word(id) == word);
  }
  RC_ASSERT(vocabulary.find("a word that is not there") == Vocabulary::none);
}

TEST(VocabularyGrowth, FindsAMillionWords) {
  Vocabulary vocabulary;
  for (std::uint32_t i = 0; i < 1'000'000; ++i) {
    ASSERT_EQ(vocabulary.add("word" + std::to_string(i * 7919)), i);
  }
  for (std::uint32_t i = 0; i < 1'000'000; i += 997) {
    EXPECT_EQ(vocabulary.find("word" + std::to_string(i * 7919)), i);
    EXPECT_EQ(vocabulary.find("ward" + std::to_string(i)), Vocabulary::none);
  }
  // The words' bytes (13 or 14 each), 8 for an end, 8 per slot at a load of a half or less.
  EXPECT_LT(vocabulary.bytes(), 80u * 1'000'000u);
}

TEST_F(WordCounting, ReadsPublishedLists) {
  std::ofstream(folder_ / "v.txt") << "apple\nNone \r\n\tpear\n";
  const Vocabulary vocabulary = read_vocabulary(folder_ / "v.txt", LetterCase::fold);
  EXPECT_EQ(vocabulary.size(), 3u);
  EXPECT_EQ(vocabulary.find("none"), 1u);
  std::ofstream(folder_ / "twice.txt") << "apple\nApple\n";
  EXPECT_THROW(read_vocabulary(folder_ / "twice.txt", LetterCase::fold), Error);
  EXPECT_EQ(read_vocabulary(folder_ / "twice.txt", LetterCase::keep).find("Apple"), 1u);
  std::ofstream(folder_ / "hole.txt") << "apple\n\npear\n";
  EXPECT_THROW(read_vocabulary(folder_ / "hole.txt", LetterCase::fold), Error);
  std::ofstream(folder_ / "empty.txt") << "";
  EXPECT_THROW(read_vocabulary(folder_ / "empty.txt", LetterCase::fold), Error);
}

using Texts = std::vector<std::vector<std::string>>;

std::map<std::string, WordCount> plain_counts(const Texts& texts) {
  std::map<std::string, WordCount> counts;
  for (const auto& text : texts) {
    for (const std::string& word : text) {
      ++counts[word].occurrences;
    }
    for (const std::string& word : std::set<std::string>(text.begin(), text.end())) {
      counts[word].word = word;
      ++counts[word].documents;
    }
  }
  return counts;
}

std::vector<WordCounter> counted(const Texts& texts, std::size_t counters, Scratch& scratch,
                                 std::size_t memory) {
  std::vector<WordCounter> all;
  for (std::size_t c = 0; c < counters; ++c) {
    all.emplace_back(scratch, "c" + std::to_string(c), memory);
  }
  for (std::size_t t = 0; t < texts.size(); ++t) {
    for (const std::string& word : texts[t]) {
      all[t % counters].add_token(word);
    }
    all[t % counters].end_document();
  }
  return all;
}

RC_GTEST_FIXTURE_PROP(WordCounting, CountsAreThoseOfAMap, ()) {
  const auto texts = *rc::gen::container<Texts>(rc::gen::container<std::vector<std::string>>(
      rc::gen::element<std::string>("a", "b", "ab", "", "zebra", "éclair", "a\xFF")));
  std::vector<WordCounter> counters =
      counted(texts, *rc::gen::inRange<std::size_t>(1, 4), scratch_, 0);
  const auto expected = plain_counts(texts);
  std::vector<WordCount> got;
  WordCounter::merge(counters, [&](const WordCount& count) { got.push_back(count); });
  RC_ASSERT(got.size() == expected.size());
  std::size_t k = 0;
  for (const auto& [word, count] : expected) {  // std::map: byte order
    RC_ASSERT(got[k++] == count);
  }
}

TEST_F(WordCounting, SpillingChangesNothingAndLeavesNothing) {
  Texts texts(3000);
  for (std::size_t t = 0; t < texts.size(); ++t) {
    for (std::size_t i = 0; i < 40; ++i) {
      texts[t].push_back("w" + std::to_string((t * 131 + i * i * 17) % 60'000));
    }
  }
  const auto expected = plain_counts(texts);
  {
    std::vector<WordCounter> counters = counted(texts, 2, scratch_, 0);  // 1 MiB, the least
    EXPECT_GT(counters[0].runs(), 1u);
    auto next = expected.begin();
    WordCounter::merge(counters, [&](const WordCount& count) {
      ASSERT_NE(next, expected.end());
      EXPECT_EQ(count, next->second);
      ++next;
    });
    EXPECT_EQ(next, expected.end());
  }
  EXPECT_TRUE(fs::is_empty(scratch_.folder()));
}

TEST_F(WordCounting, ManyRunsBecomeOne) {
  constexpr std::size_t words = 600'000;  // 7,000 or so fill the least table
  std::vector<WordCounter> counters;
  counters.emplace_back(scratch_, "c", 0);
  std::size_t most = 0;
  for (std::size_t i = 0; i < words; ++i) {
    counters[0].add_token("w" + std::to_string(i * 7919 % words));
    counters[0].add_token("w" + std::to_string(i % 10));
    if (i % 100 == 99) {
      counters[0].end_document();
      most = std::max(most, counters[0].runs());
    }
  }
  EXPECT_EQ(most, 64u);
  EXPECT_LT(counters[0].runs(), 64u);
  const auto files =
      std::distance(fs::directory_iterator(scratch_.folder()), fs::directory_iterator());
  EXPECT_EQ(static_cast<std::size_t>(files), counters[0].runs());
  std::size_t different = 0, occurrences = 0;
  std::string before;
  WordCounter::merge(counters, [&](const WordCount& count) {
    ASSERT_LT(before, count.word);
    before = count.word;
    ++different;
    occurrences += count.occurrences;
    // The ten common words are in every document; the others come once, as do these.
    ASSERT_EQ(count.documents, count.word.size() == 2 ? words / 100 : 1u) << count.word;
  });
  EXPECT_EQ(different, words);
  EXPECT_EQ(occurrences, 2 * words);
}

TEST_F(WordCounting, SelectsByDocumentsAndNumbersByOccurrences) {
  // 10 documents; "all" in every one, "half" in 5 (twice each), "some" in 3, "rare" in 1.
  Texts texts(10, {"all"});
  for (std::size_t t = 0; t < 5; ++t) {
    texts[t].insert(texts[t].end(), {"half", "half"});
  }
  for (std::size_t t = 0; t < 3; ++t) {
    texts[t].insert(texts[t].end(), {"some", "some", "some", "some", "also"});
  }
  texts[9].push_back("rare");
  const auto select = [&](Selection selection) {
    std::vector<WordCounter> counters = counted(texts, 3, scratch_, 0);
    return select_words(counters, selection);
  };
  const auto names = [](const SelectedWords& selected) {
    std::vector<std::string> all;
    for (const WordCount& count : selected.kept) {
      all.push_back(count.word);
    }
    return all;
  };
  const SelectedWords usual = select({.min_documents = 2, .max_share = 0.5, .max_words = 100});
  EXPECT_EQ(names(usual), (std::vector<std::string>{"some", "half", "also"}));
  EXPECT_EQ(usual.too_rare, 1u);
  EXPECT_EQ(usual.too_common, 1u);
  EXPECT_EQ(usual.lost_occurrences, 11u);
  const SelectedWords few = select({.min_documents = 1, .max_share = 0.99, .max_words = 2});
  EXPECT_EQ(names(few), (std::vector<std::string>{"some", "half"}));
  EXPECT_EQ(few.beyond_limit, 2u);
  EXPECT_EQ(names(select({.min_documents = 1, .max_share = 1, .max_words = 1})),
            (std::vector<std::string>{"all"}));
}

}  // namespace
}  // namespace tain::vocabulary_test
