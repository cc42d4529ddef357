// Bags of words: reading is the inverse of writing; what a file leaves open is decided, and what is
// wrong is named with its line.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <sstream>

#include "targets/errors.hpp"
#include "text/bag.hpp"
#include "text/bag_writer.hpp"
#include "text/sources.hpp"

namespace tain::bags_test {
namespace {

using namespace testing_text;
using namespace std::string_literals;
using testing_support::fails;

constexpr std::array numbered{Format::uci, Format::ldac, Format::mm, Format::svmlight};

std::vector<Bag> read_all(Format format, std::string_view stored, const BagOptions& options = {}) {
  const auto reader =
      read_bags(format, decompress(std::make_unique<MemoryBytes>(stored, "t")), options);
  std::vector<Bag> bags;
  Bag bag;
  while (reader->next(bag)) {
    bags.push_back(bag);
  }
  EXPECT_FALSE(reader->next(bag));
  return bags;
}

std::string write_all(Format format, const std::vector<Bag>& bags, std::uint32_t words) {
  BagTotals totals{bags.size(), words, 0};
  for (const Bag& bag : bags) {
    totals.entries += bag.ids.size();
  }
  std::ostringstream out;
  const auto writer = write_bags(format, out, "t", totals);
  for (const Bag& bag : bags) {
    writer->write(bag);
  }
  writer->finish();
  return out.str();
}

/// Documents, empty ones among them, with ids and counts up to the largest.
std::vector<Bag> arbitrary_bags(std::uint32_t words) {
  const auto id = rc::gen::weightedOneOf<std::uint32_t>(
      {{4, rc::gen::inRange<std::uint32_t>(0, std::min(words, 50u))},
       {1, rc::gen::map(rc::gen::inRange<std::uint32_t>(0, std::min(words, 50u)),
                        [words](std::uint32_t k) { return words - 1 - k; })}});
  const auto count = rc::gen::weightedOneOf<std::uint32_t>(
      {{4, rc::gen::inRange<std::uint32_t>(1, 20)},
       {1, rc::gen::map(rc::gen::inRange<std::uint32_t>(0, 20),
                        [](std::uint32_t k) { return max_count - k; })}});
  const auto documents = *rc::gen::container<std::vector<std::map<std::uint32_t, std::uint32_t>>>(
      rc::gen::container<std::map<std::uint32_t, std::uint32_t>>(id, count));
  std::vector<Bag> bags;
  for (const auto& document : documents) {
    Bag& bag = bags.emplace_back();
    for (const auto& [word, times] : document) {
      bag.ids.push_back(word);
      bag.counts.push_back(times);
    }
  }
  return bags;
}

RC_GTEST_PROP(BagProperty, ReadingIsTheInverseOfWriting, ()) {
  const auto words = *rc::gen::element<std::uint32_t>(1, 2, 100, 70'000, max_vocabulary_size);
  const std::vector<Bag> bags = arbitrary_bags(words);
  const Compression compression = *rc::gen::elementOf(compressions);
  for (const Format format : numbered) {
    BagOptions options;
    options.vocabulary_size = words;
    RC_ASSERT(read_all(format, compress(compression, write_all(format, bags, words)), options) ==
              bags);
  }
}

/// Entries in any order and any number of times within a document mean the same document.
RC_GTEST_PROP(BagProperty, OrderAndRepetitionWithinADocumentAreMerged, ()) {
  using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  const auto pairs = *rc::gen::container<Pairs>(
      rc::gen::pair(rc::gen::inRange<std::uint32_t>(0, 12), rc::gen::inRange<std::uint32_t>(0, 9)));
  std::map<std::uint32_t, std::uint32_t> sums;
  std::string uci = "1\n12\n" + std::to_string(pairs.size()) + "\n";
  std::string mm = "%%MatrixMarket matrix coordinate integer general\n1 12 " +
                   std::to_string(pairs.size()) + "\n";
  std::string ldac = std::to_string(pairs.size()), svmlight = "1";
  for (const auto& [id, count] : pairs) {
    if (count > 0) {
      sums[id] += count;
    }
    const std::string one_based = std::to_string(id + 1), times = std::to_string(count);
    uci += "1 " + one_based + " " + times + "\n";
    mm += "1 " + one_based + " " + times + "\n";
    ldac += " " + std::to_string(id) + ":" + times;
    svmlight += " " + one_based + ":" + times;
  }
  Bag expected;
  for (const auto& [id, count] : sums) {
    expected.ids.push_back(id);
    expected.counts.push_back(count);
  }
  RC_ASSERT(read_all(Format::uci, uci) == std::vector{expected});
  RC_ASSERT(read_all(Format::mm, mm) == std::vector{expected});
  RC_ASSERT(read_all(Format::ldac, ldac) == std::vector{expected});
  RC_ASSERT(read_all(Format::svmlight, svmlight) == std::vector{expected});
}

TEST(Bags, WhatOtherProgramsWrite) {
  const std::vector<Bag> expected{{{0, 2}, {3, 1}}, {{}, {}}, {{1}, {7}}};
  // UCI's own, with and without blanks.
  EXPECT_EQ(read_all(Format::uci, "3\n3\n3\n1 1 3\n1 3 1\n3 2 7\n"), expected);
  EXPECT_EQ(read_all(Format::uci, " 3 \r\n3\r\n3\r\n1\t1 3\r\n\r\n1 3 1 \r\n3 2 7"), expected);
  // gensim's, with its padded header, and scipy's.
  EXPECT_EQ(read_all(Format::mm,
                     "%%MatrixMarket matrix coordinate real general\n3 3 3                    \n"
                     "1 1 3\n1 3 1\n3 2 7\n"),
            expected);
  EXPECT_EQ(
      read_all(Format::mm,
               "%%matrixmarket Matrix COORDINATE unsigned-integer general\n%\n% words\n3 3 3\n"
               "1 1 3.0\n1 3 1.000000000000000e+00\n%\n3 2 70e-1\n"),
      expected);
  EXPECT_EQ(read_all(Format::ldac, "2 0:3 2:1 \n0\n1 1:7\n\n"), expected);
  EXPECT_EQ(read_all(Format::svmlight, "# by hand\n+1 1:3 3:1.0 # the first\n-1\n0.5 qid:3 2:7\n"),
            expected);
  EXPECT_EQ(read_all(Format::svmlight, "1:3 3:1\n1,2 \n qid:7 2:7"), expected);
}

TEST(Bags, HeadersAreKnownBeforeTheFirstDocument) {
  const auto reader =
      read_bags(Format::uci, std::make_unique<MemoryBytes>("5\n9\n1\n2 9 1\n", "t"), BagOptions{});
  EXPECT_EQ(reader->documents(), 5u);
  EXPECT_EQ(reader->vocabulary_size(), 9u);
  const auto plain =
      read_bags(Format::ldac, std::make_unique<MemoryBytes>("1 0:1\n", "t"), BagOptions{});
  EXPECT_EQ(plain->documents(), std::nullopt);
  EXPECT_EQ(plain->vocabulary_size(), std::nullopt);
}

TEST(Bags, DocumentsWithoutWordsAreKept) {
  const std::vector<Bag> bags = read_all(Format::uci, "5\n2\n1\n3 2 4\n");
  ASSERT_EQ(bags.size(), 5u);
  EXPECT_EQ(bags[2], (Bag{{1}, {4}}));
  EXPECT_EQ(bags[4], Bag{});
  EXPECT_EQ(read_all(Format::uci, "0\n0\n0\n").size(), 0u);
  EXPECT_EQ(read_all(Format::ldac, "").size(), 0u);
}

TEST(Bags, IdsMayBeginAtZero) {
  BagOptions zero;
  zero.svmlight_first_id = FirstId::zero;
  EXPECT_EQ(read_all(Format::svmlight, "1 0:2 4:1", zero), (std::vector<Bag>{{{0, 4}, {2, 1}}}));
  EXPECT_TRUE(fails([] { read_all(Format::svmlight, "1 1:1\n1 0:2 4:1"); }, Fault::data,
                    "t:2: word id 0, but ids begin at 1"));
}

struct Hostile {
  Format format;
  std::string bytes, message;
};

TEST(Bags, WhatIsWrongIsNamedWithItsLine) {
  const std::string mm = "%%MatrixMarket matrix coordinate integer general\n";
  const std::vector<Hostile> cases{
      {Format::uci, "", "t:1: number of documents is missing"},
      {Format::uci, "3\n", "t:1: number of words is missing"},
      {Format::uci, "3 3\n3\n1\n", "t:1: header has more than one number"},
      {Format::uci, "3\n3\nx\n", "t:3: number of entries 'x' is not a whole number"},
      {Format::uci, "3\n3\n-1\n", "t:3: number of entries '-1' is not a whole number"},
      {Format::uci, "3\n4294967296\n1\n", "t:3: header announces 4294967296 words"},
      {Format::uci, "99999999999999999999\n1\n1\n", "t:1: number of documents '9999"},
      {Format::uci, "2\n3\n2\n1 1 1\n", "t:4: header announces 2 entries, the file has 1"},
      {Format::uci, "2\n3\n1\n1 1 1\n1 2 1\n", "t:5: more than the 1 entries"},
      {Format::uci, "1\n3\n2\n1 1 1\n2 2 1\n", "t:5: document 2 is not between 1 and 1"},
      {Format::uci, "1\n3\n1\n0 1 1\n", "t:4: document 0 is not between 1 and 1"},
      {Format::uci, "0\n3\n0\n1 1 1\n", "t:4: document 1 is not between 1 and 0"},
      {Format::uci, "3\n3\n2\n2 1 1\n1 2 1\n", "t:5: document 1 after document 2"},
      {Format::uci, "1\n3\n1\n1 4 1\n", "t:4: word id 4 exceeds the vocabulary of 3 words"},
      {Format::uci, "1\n3\n1\n1 0 1\n", "t:4: word id 0, but ids begin at 1"},
      {Format::uci, "1\n3\n1\n1 1\n", "t:4: count is missing"},
      {Format::uci, "1\n3\n1\n1\n", "t:4: word id is missing"},
      {Format::uci, "1\n3\n1\n1 1 1 1\n", "t:4: more than three numbers"},
      {Format::uci, "1\n3\n1\n1.0 1 1\n", "t:4: document number '1.0' is not a whole number"},
      {Format::uci, "1\n3\n1\n1 1 -2\n", "t:4: count '-2' is negative"},
      {Format::uci, "1\n3\n1\n1 1 0.5\n", "t:4: count '0.5' is not a whole number; give counts"},
      {Format::uci, "1\n3\n1\n1 1 2147483648\n", "whole number up to 2147483647"},
      {Format::uci, "1\n3\n1\n1 1 1e999\n", "whole number up to 2147483647"},
      {Format::uci, "1\n3\n1\n1 1 inf\n", "whole number up to 2147483647"},
      {Format::uci, "1\n3\n1\n1 1 nan\n", "t:4: count 'nan' is not a number"},
      {Format::uci, "1\n3\n1\n1 1 2x\n", "t:4: count '2x' is not a number"},
      {Format::uci, "1\n3\n1\n1 1 1\0\n"s, "t:4: count '1.' is not a number"},
      {Format::uci, "1\n3\n2\n1 1 2147483647\n1 1 1\n", "t:5: counts of a word add up to more"},
      {Format::uci, "9999999\n3\n1\n1 1 1\n", "t:4: documents 2 to 9999999 have no words"},
      {Format::uci, "9999999\n3\n1\n9999999 1 1\n", "t:4: documents 1 to 9999998 have no words"},
      {Format::mm, "", "t:1: banner has '' where '%%matrixmarket'"},
      {Format::mm, "3 3 3\n", "t:1: banner has '3'"},
      {Format::mm, "%%MatrixMarket matrix array real general\n3 3\n", "'array' where 'coordinate'"},
      {Format::mm, "%%MatrixMarket matrix coordinate real symmetric\n3 3 1\n", "'symmetric'"},
      {Format::mm, "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n", "'pattern'"},
      {Format::mm, "%%MatrixMarket matrix coordinate complex general\n3 3 1\n", "'complex'"},
      {Format::mm, mm, "t:1: number of rows is missing"},
      {Format::mm, mm + "3 3\n", "t:2: number of entries is missing"},
      {Format::mm, mm + "3 3 3 3\n", "t:2: more than three numbers"},
      {Format::mm, mm + "3 3 1\n2 1 1\n1 1 1\n", "t:4: document 1 after document 2"},
      {Format::mm, mm + "3 3 1\n1 1 0.25\n", "t:3: count '0.25' is not a whole number"},
      {Format::ldac, "x\n", "t:1: number of words 'x' is not a whole number"},
      {Format::ldac, "1 0:1\n2 0:1\n", "t:2: 2 words announced, 1 found"},
      {Format::ldac, "1 0:1 1:1\n", "t:1: 1 words announced, 2 found"},
      {Format::ldac, "1 0 1\n", "t:1: no ':' after word id 0"},
      {Format::ldac, "1 :1\n", "t:1: word id ':1' is not a whole number"},
      {Format::ldac, "1 0:\n", "t:1: count is missing"},
      {Format::ldac, "2 0: 1:1\n", "t:1: count is missing"},
      {Format::ldac, "1 0:1:1\n", "t:1: count '1:1' is not a number"},
      {Format::ldac, "1 4294967295:1\n", "t:1: word id 4294967295 is too large"},
      {Format::ldac, "1 99999999999999999999:1\n", "t:1: word id '99999999999999999999:1' is too"},
      {Format::ldac, "1 0:1\n\n1 0:1\n", "t:2: blank line; remove it"},
      {Format::ldac, "<html>\n", "t:1: number of words '<html>' is not"},
      {Format::svmlight, "1 1:1\n\n1 1:1\n", "t:2: blank line; remove it"},
      {Format::svmlight, "spam 1:1\n", "t:1: label 'spam' is not a number"},
      {Format::svmlight, "1 2 1:1\n", "t:1: no ':' after word id 2"},
      {Format::svmlight, "1 qid:x 1:1\n", "t:1: query id 'x' is not a whole number"},
      {Format::svmlight, "1 1:0.5\n", "t:1: count '0.5' is not a whole number"},
      {Format::svmlight, "1 1:1 # a\n1 4294967296:1 # b\n", "t:2: word id 4294967296 is too large"},
      {Format::svmlight, "1 -1:1\n", "t:1: word id '-1:1' is not a whole number"},
  };
  for (const Hostile& c : cases) {
    EXPECT_TRUE(fails([&] { read_all(c.format, c.bytes); }, Fault::data, c.message)) << c.bytes;
  }
}

TEST(Bags, TheVocabularyBinds) {
  BagOptions options;
  options.vocabulary_size = 2;
  EXPECT_EQ(read_all(Format::ldac, "1 1:1", options).size(), 1u);
  for (const auto& [format, bytes] : std::vector<std::pair<Format, std::string>>{
           {Format::ldac, "1 2:1"}, {Format::svmlight, "1 3:1"}}) {
    EXPECT_TRUE(fails([&] { read_all(format, bytes, options); }, Fault::data,
                      "exceeds the vocabulary of 2 words; check that file and vocabulary belong"));
  }
  EXPECT_TRUE(fails([&] { read_all(Format::uci, "1\n3\n1\n1 1 1\n", options); }, Fault::data,
                    "t:3: header announces 3 words, more than 2"));
  EXPECT_EQ(read_all(Format::uci, "1\n1\n1\n1 1 1\n", options).size(), 1u);
}

/// A document whose words repeat without end takes no more room than its different words.
TEST(Bags, RepeatedWordsTakeNoRoom) {
  constexpr std::size_t entries = 6'000'000;
  std::string uci = "1\n2\n" + std::to_string(entries) + "\n";
  uci.reserve(uci.size() + 6 * entries);
  for (std::size_t i = 0; i < entries; ++i) {
    uci += i % 2 == 0 ? "1 2 1\n" : "1 1 1\n";
  }
  const auto reader = read_bags(Format::uci, std::make_unique<MemoryBytes>(uci, "t"));
  Bag bag;
  ASSERT_TRUE(reader->next(bag));
  EXPECT_EQ(bag, (Bag{{0, 1}, {entries / 2, entries / 2}}));
  EXPECT_LE(bag.ids.capacity(), std::size_t{1} << 21);
}

/// One uci document of ever more words, made as it is read.
class EndlessDocument final : public ByteSource {
 public:
  std::size_t read(std::span<char> into) override {
    std::size_t size = 0;
    while (into.size() - size >= line_.size()) {
      size += line_.copy(into.data() + size, line_.size());
      line_ = "1 " + std::to_string(++words_) + " 1\n";
    }
    return size;
  }
  const std::string& name() const override { return name_; }
  std::uint64_t consumed() const override { return 0; }
  std::optional<std::uint64_t> size() const override { return std::nullopt; }

 private:
  std::string name_ = "t", line_ = "1\n4000000000\n4000000000\n";
  std::uint64_t words_ = 0;
};

TEST(Bags, DocumentsOfTooManyWordsAreRefused) {
  const auto reader = read_bags(Format::uci, std::make_unique<EndlessDocument>());
  Bag bag;
  EXPECT_TRUE(fails([&] { reader->next(bag); }, Fault::data,
                    "document has more than 16777216 different words"));
  EXPECT_LE(bag.ids.size(), 2 * max_bag_words);
}

TEST(BagWriters, KeepToWhatTheyAnnounce) {
  std::ostringstream out;
  const auto writer = write_bags(Format::uci, out, "t", {2, 3, 1});
  writer->write({{0}, {1}});
  EXPECT_TRUE(fails([&] { writer->finish(); }, Fault::internal, "2 documents and 1 entries"));
}

TEST(BagWriters, NoticeAStreamThatFails) {
  std::ostringstream out;
  out.setstate(std::ios::badbit);
  const auto writer = write_bags(Format::ldac, out, "t", {1, 3, 1});
  writer->write({{0}, {1}});
  EXPECT_TRUE(fails([&] { writer->finish(); }, Fault::io, "t: cannot be written"));
}

}  // namespace
}  // namespace tain::bags_test
