// Statistics of corpora: exact, and the same for any number of threads.
#include "text/statistics.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "support/folder.hpp"
#include "text/corpus_writer.hpp"

namespace tain::statistics_test {
namespace {

namespace fs = std::filesystem;
using Ids = std::vector<std::uint32_t>;

class Statistics : public ::testing::Test {
 protected:
  Corpus ordered(const std::vector<Ids>& documents, std::uint32_t words) const {
    CorpusWriter writer(corpus_, Order::text, Overwrite::yes);
    for (const Ids& document : documents) {
      writer.add(document, "", "");
    }
    std::vector<std::string> names;
    for (std::uint32_t w = 0; w < words; ++w) {
      names.push_back("w" + std::to_string(w));
    }
    writer.finish(names, "{}\n");
    return Corpus::open(corpus_);
  }
  const test::Folder folder_ = test::Folder::in_memory("statistics");
  const fs::path corpus_ = folder_ / "corpus";
};

/// The definitions, word by word.
CorpusStatistics by_hand(const std::vector<Ids>& documents, std::uint32_t words) {
  CorpusStatistics all;
  all.documents = documents.size();
  all.words = words;
  all.word_counts.resize(words);
  std::vector<std::uint64_t> lengths;
  for (const Ids& document : documents) {
    lengths.push_back(document.size());
    all.tokens += document.size();
    all.empty_documents += document.empty() ? 1 : 0;
    for (const std::uint32_t id : document) {
      ++all.word_counts[id].occurrences;
    }
    for (const std::uint32_t id : std::set<std::uint32_t>(document.begin(), document.end())) {
      ++all.word_counts[id].documents;
      ++all.entries;
    }
  }
  all.unused_words = static_cast<std::uint32_t>(std::ranges::count_if(
      all.word_counts, [](const WordStatistics& word) { return word.occurrences == 0; }));
  if (!documents.empty()) {
    std::ranges::sort(lengths);
    const auto quantile = [&](std::size_t quarters) {  // number ceil(q D), counted from 1
      return lengths[std::max<std::size_t>((quarters * lengths.size() + 3) / 4, 1) - 1];
    };
    all.quantiles = {lengths.front(), quantile(1), quantile(2), quantile(3), lengths.back()};
    all.mean_length = static_cast<double>(all.tokens) / static_cast<double>(documents.size());
  }
  return all;
}

RC_GTEST_FIXTURE_PROP(Statistics, AreTheirDefinitionsForAnyThreads, ()) {
  const auto documents = *rc::gen::container<std::vector<Ids>>(
      rc::gen::container<Ids>(rc::gen::inRange<std::uint32_t>(0, 20)));
  const Corpus corpus = ordered(documents, 25);
  Threads one(1), three(3);
  CorpusStatistics found = corpus_statistics(corpus, one);
  RC_ASSERT(found == corpus_statistics(corpus, three));
  std::uint64_t binned = 0;
  for (const LengthBin& bin : found.lengths) {
    const auto inside = [&](const Ids& document) {
      return document.size() >= bin.shortest && document.size() <= bin.longest;
    };
    RC_ASSERT(bin.documents ==
              static_cast<std::uint64_t>(std::ranges::count_if(documents, inside)));
    binned += bin.documents;
  }
  RC_ASSERT(binned == documents.size());
  found.lengths.clear();
  RC_ASSERT(found == by_hand(documents, 25));
}

TEST_F(Statistics, BinsAreOneTwoFive) {
  std::vector<Ids> documents;
  for (const std::size_t length : {3u, 4u, 70'000u, 9u, 10u, 65'536u}) {
    documents.emplace_back(length, 0);
  }
  Threads threads(2);
  const CorpusStatistics found = corpus_statistics(ordered(documents, 1), threads);
  const std::vector<LengthBin> expected{
      {2, 4, 2},           {5, 9, 1},          {10, 19, 1},     {20, 49, 0},
      {50, 99, 0},         {100, 199, 0},      {200, 499, 0},   {500, 999, 0},
      {1000, 1999, 0},     {2000, 4999, 0},    {5000, 9999, 0}, {10'000, 19'999, 0},
      {20'000, 49'999, 0}, {50'000, 99'999, 2}};
  EXPECT_EQ(found.lengths, expected);
  EXPECT_EQ(found.quantiles, (LengthQuantiles{3, 4, 9, 65'536, 70'000}));
  EXPECT_EQ(found.empty_documents, 0u);
}

TEST_F(Statistics, ZeroAndOneHaveTheirBins) {
  Threads threads(1);
  const CorpusStatistics found = corpus_statistics(ordered({{}, {0}, {}, {0, 0}}, 2), threads);
  EXPECT_EQ(found.lengths, (std::vector<LengthBin>{{0, 0, 2}, {1, 1, 1}, {2, 4, 1}}));
  EXPECT_EQ(found.empty_documents, 2u);
  EXPECT_EQ(found.unused_words, 1u);
  EXPECT_EQ(found.mean_length, 0.75);
}

TEST_F(Statistics, CountsOfACorpusWithoutOrder) {
  CorpusWriter writer(corpus_, Order::none, Overwrite::yes);
  writer.add(Ids{0, 2}, Ids{5, 2'000'000'000}, "", "");
  writer.add(Ids{2}, Ids{2'000'000'000}, "", "");
  writer.finish(std::vector<std::string>{"a", "b", "c"}, "{}\n");
  Threads threads(2);
  const CorpusStatistics found = corpus_statistics(Corpus::open(corpus_), threads);
  EXPECT_EQ(found.tokens, 4'000'000'005u);
  EXPECT_EQ(found.entries, 3u);
  EXPECT_EQ(found.word_counts[2], (WordStatistics{4'000'000'000u, 2}));
  EXPECT_EQ(found.quantiles.most, 2'000'000'005u);
  EXPECT_EQ(found.lengths.back(), (LengthBin{2'000'000'000, 4'999'999'999, 2}));
}

TEST_F(Statistics, AnEmptyCorpusIsAllZeros) {
  Threads threads(2);
  const CorpusStatistics found = corpus_statistics(ordered({}, 2), threads);
  EXPECT_EQ(found.quantiles, LengthQuantiles{});
  EXPECT_TRUE(found.lengths.empty());
  EXPECT_EQ(found.mean_length, 0.0);
  EXPECT_EQ(found.unused_words, 2u);
}

}  // namespace
}  // namespace tain::statistics_test
