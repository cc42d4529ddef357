// What is in a corpus: exact, and the same for any number of threads.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "support/folder.hpp"
#include "tain/text/corpus.hpp"
#include "text/corpus_writer.hpp"

namespace tain::summary_test {
namespace {

namespace fs = std::filesystem;
using Ids = std::vector<std::uint32_t>;
using LengthBin = CorpusSummary::LengthBin;
using LengthQuantiles = CorpusSummary::LengthQuantiles;

class Summary : public ::testing::Test {
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
CorpusSummary by_hand(const std::vector<Ids>& documents, std::uint32_t words) {
  CorpusSummary all;
  all.order = Order::text;
  all.documents = documents.size();
  all.words = words;
  for (std::uint32_t w = 0; w < words; ++w) {
    all.frequencies.push_back({"w" + std::to_string(w), 0, 0});
  }
  std::vector<std::uint64_t> lengths;
  for (const Ids& document : documents) {
    lengths.push_back(document.size());
    all.tokens += document.size();
    all.empty_documents += document.empty() ? 1 : 0;
    for (const std::uint32_t id : document) {
      ++all.frequencies[id].occurrences;
    }
    for (const std::uint32_t id : std::set<std::uint32_t>(document.begin(), document.end())) {
      ++all.frequencies[id].documents;
      ++all.entries;
    }
  }
  const auto unused = [](const CorpusSummary::Word& word) { return word.occurrences == 0; };
  all.unused_words = static_cast<std::uint32_t>(std::erase_if(all.frequencies, unused));
  std::ranges::stable_sort(all.frequencies, std::greater(), &CorpusSummary::Word::occurrences);
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

RC_GTEST_FIXTURE_PROP(Summary, AreTheirDefinitionsForAnyThreads, ()) {
  const auto documents = *rc::gen::container<std::vector<Ids>>(
      rc::gen::container<Ids>(rc::gen::inRange<std::uint32_t>(0, 20)));
  const Corpus corpus = ordered(documents, 25);
  CorpusSummary found = corpus.summary(1);
  RC_ASSERT(found == corpus.summary(3));
  RC_ASSERT(found.corpus == corpus_.string());
  RC_ASSERT(found.fingerprint == corpus.fingerprint());
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
  CorpusSummary expected = by_hand(documents, 25);
  expected.corpus = found.corpus;
  expected.fingerprint = found.fingerprint;
  expected.lengths = found.lengths;
  RC_ASSERT(found == expected);
}

TEST_F(Summary, BinsAreOneTwoFive) {
  std::vector<Ids> documents;
  for (const std::size_t length : {3u, 4u, 70'000u, 9u, 10u, 65'536u}) {
    documents.emplace_back(length, 0);
  }
  const CorpusSummary found = ordered(documents, 1).summary(2);
  const std::vector<LengthBin> expected{
      {2, 4, 2},           {5, 9, 1},          {10, 19, 1},     {20, 49, 0},
      {50, 99, 0},         {100, 199, 0},      {200, 499, 0},   {500, 999, 0},
      {1000, 1999, 0},     {2000, 4999, 0},    {5000, 9999, 0}, {10'000, 19'999, 0},
      {20'000, 49'999, 0}, {50'000, 99'999, 2}};
  EXPECT_EQ(found.lengths, expected);
  EXPECT_EQ(found.quantiles, (LengthQuantiles{3, 4, 9, 65'536, 70'000}));
  EXPECT_EQ(found.empty_documents, 0u);
}

TEST_F(Summary, ZeroAndOneHaveTheirBins) {
  const CorpusSummary found = ordered({{}, {0}, {}, {0, 0}}, 2).summary(2);
  EXPECT_EQ(found.lengths, (std::vector<LengthBin>{{0, 0, 2}, {1, 1, 1}, {2, 4, 1}}));
  EXPECT_EQ(found.empty_documents, 2u);
  EXPECT_EQ(found.unused_words, 1u);
  EXPECT_EQ(found.mean_length, 0.75);
}

TEST_F(Summary, CountsOfACorpusWithoutOrder) {
  CorpusWriter writer(corpus_, Order::none, Overwrite::yes);
  writer.add(Ids{0, 2}, Ids{5, 2'000'000'000}, "", "");
  writer.add(Ids{2}, Ids{2'000'000'000}, "", "");
  writer.finish(std::vector<std::string>{"a", "b", "c"}, "{}\n");
  const CorpusSummary found = Corpus::open(corpus_).summary();
  EXPECT_EQ(found.tokens, 4'000'000'005u);
  EXPECT_EQ(found.entries, 3u);
  EXPECT_EQ(found.frequencies.front(), (CorpusSummary::Word{"c", 4'000'000'000u, 2}));
  EXPECT_EQ(found.quantiles.most, 2'000'000'005u);
  EXPECT_EQ(found.lengths.back(), (LengthBin{2'000'000'000, 4'999'999'999, 2}));
}

TEST_F(Summary, AnEmptyCorpusIsAllZeros) {
  const CorpusSummary found = ordered({}, 2).summary(2);
  EXPECT_EQ(found.quantiles, LengthQuantiles{});
  EXPECT_TRUE(found.lengths.empty());
  EXPECT_EQ(found.mean_length, 0.0);
  EXPECT_EQ(found.unused_words, 2u);
  EXPECT_TRUE(found.most_frequent(10).empty() && found.least_frequent(10).empty());
  EXPECT_NE(found.text().find("documents    0 (0 empty)"), std::string::npos);
}

TEST_F(Summary, FewWordsAreListedFromBothEnds) {
  const CorpusSummary found = ordered({{0, 1, 1, 2, 2, 2}}, 4).summary();
  const std::vector<CorpusSummary::Word> most{{"w2", 3, 1}, {"w1", 2, 1}},
      least{{"w0", 1, 1}, {"w1", 2, 1}};
  EXPECT_EQ(found.most_frequent(2), most);
  EXPECT_EQ(found.least_frequent(2), least);
  EXPECT_EQ(found.most_frequent(9).size(), 3u);
  EXPECT_EQ(found.text(0).find("frequent"), std::string::npos);
}

}  // namespace
}  // namespace tain::summary_test
