// Bags of words by name.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <sstream>

#include "targets/errors.hpp"
#include "text/bag.hpp"
#include "text/bag_writer.hpp"
#include "text/sources.hpp"

namespace tain::vowpal_wabbit_test {
namespace {

using namespace testing_text;
using namespace std::string_literals;
using testing_support::fails;

/// A document that owns its words.
struct Words {
  std::string tag;
  std::vector<std::string> words;
  std::vector<std::uint32_t> counts;
  bool operator==(const Words&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Words& bag) {
  out << "'" << bag.tag;
  for (std::size_t i = 0; i < bag.words.size(); ++i) {
    out << " " << bag.words[i] << ":" << bag.counts[i];
  }
  return out;
}

std::vector<Words> read_all(std::string_view stored) {
  const auto reader = read_word_bags(decompress(std::make_unique<MemoryBytes>(stored, "t")));
  std::vector<Words> result;
  WordBag bag;
  while (reader->next(bag)) {
    result.push_back({std::string(bag.tag), {bag.words.begin(), bag.words.end()}, bag.counts});
  }
  return result;
}

std::string write_all(const std::vector<Words>& bags) {
  std::ostringstream out;
  const auto writer = write_word_bags(out, "t");
  for (const Words& bag : bags) {
    writer->write({bag.tag, {bag.words.begin(), bag.words.end()}, bag.counts});
  }
  writer->finish();
  return out.str();
}

RC_GTEST_PROP(VowpalWabbitProperty, ReadingIsTheInverseOfWriting, ()) {
  const auto character =
      rc::gen::element<std::string>("a", "b", "1", "'", "#", "-", "é", "語", "😀");
  const auto word =
      rc::gen::map(rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(character)),
                   [](const std::vector<std::string>& characters) {
                     std::string joined;
                     for (const std::string& c : characters) {
                       joined += c;
                     }
                     return joined;
                   });
  const auto count = rc::gen::weightedOneOf<std::uint32_t>(
      {{3, rc::gen::just(1u)}, {2, rc::gen::inRange(1u, 99u)}, {1, rc::gen::just(max_count)}});
  const auto pairs = rc::gen::container<std::vector<std::pair<std::string, std::uint32_t>>>(
      rc::gen::pair(word, count));
  const auto tag = rc::gen::oneOf(word, rc::gen::just(std::string()));
  std::vector<Words> bags;
  for (int left = *rc::gen::inRange(0, 6); left > 0; --left) {
    Words& bag = bags.emplace_back();
    bag.tag = *tag;
    for (const auto& [name, times] : *pairs) {
      bag.words.push_back(name);
      bag.counts.push_back(times);
    }
  }
  const Compression compression = *rc::gen::elementOf(compressions);
  RC_ASSERT(read_all(compress(compression, write_all(bags))) == bags);
}

TEST(VowpalWabbit, ReadsWhatThereMayBeBeforeTheWords) {
  const Words expected{"", {"a", "b"}, {1, 2}};
  const Words tagged{"t1", {"a", "b"}, {1, 2}};
  EXPECT_EQ(read_all("| a b:2"), std::vector{expected});
  EXPECT_EQ(read_all("1 | a b:2\r\n"), std::vector{expected});
  EXPECT_EQ(read_all("-1 0.5 |\ta  b:2.0 \n\n"), std::vector{expected});
  EXPECT_EQ(read_all("1 2.0 't1| a b:2"), std::vector{tagged});
  EXPECT_EQ(read_all("1 't1 | a b:2"), std::vector{tagged});
  EXPECT_EQ(read_all("1 t1|words a b:2"), std::vector{tagged});
  EXPECT_EQ(read_all("|"), std::vector{Words{}});
}

TEST(VowpalWabbit, NamespacesAreOneDocument) {
  const Words expected{"", {"a", "b", "a"}, {1, 1, 3}};
  EXPECT_EQ(read_all("|title a |body:1 b a:3"), std::vector{expected});
  EXPECT_EQ(read_all("| a|body:1.0 b|| a:3 c:0"), std::vector{expected});
}

TEST(VowpalWabbit, WhatIsWrongIsNamedWithItsLine) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"| a\na b\n", "t:2: no '|'; write | before the words"},
      {"| a\n\n| b\n", "t:2: blank line; remove it; a document with no words is written '|'"},
      {"| :3\n", "t:1: count ':3' has no word"},
      {"| a:\n", "t:1: count is missing"},
      {"| a:b\n", "t:1: count 'b' is not a number"},
      {"| a:1:2\n", "t:1: count '1:2' is not a number"},
      {"| a:-1\n", "t:1: count '-1' is negative"},
      {"| a:0.5\n", "t:1: count '0.5' is not a whole number"},
      {"| a:2147483648\n", "whole number up to 2147483647"},
      {"|n:2 a\n", "t:1: namespace 'n:2' has a weight"},
      {"| a\0b\n"s, "t:1: byte 4 of the line is NUL"},
      {"| abcdefghijklmnop\0qrstuvwxyz\n"s, "t:1: byte 19 of the line is NUL"},
      {"| abcdefghijklmnop\xFFqrstuvwxyz\n", "t:1: byte 19 of the line is not UTF-8"},
      {"| a \xC3(\n", "t:1: byte 5 of the line is not UTF-8"},
      {"| a \xED\xA0\x80\n", "t:1: byte 5 of the line is not UTF-8"},
      {"| a \xF0\x9F", "t:1: byte 5 of the line is not UTF-8"},
  };
  for (const auto& [bytes, message] : cases) {
    EXPECT_TRUE(fails([&] { read_all(bytes); }, Fault::data, message)) << bytes;
  }
}

TEST(VowpalWabbit, WhatCannotBeReadBackIsNotWritten) {
  for (const std::string& word : {""s, "a b"s, "a\tb"s, "a:b"s, "a|b"s, "a\n"s, "a\r"s, "a\0"s}) {
    EXPECT_TRUE(fails([&] { write_all({{"", {word}, {1}}}); }, Fault::data, "cannot be written"));
  }
  EXPECT_TRUE(fails([&] { write_all({{"a b", {"c"}, {1}}}); }, Fault::data, "cannot be written"));
}

}  // namespace
}  // namespace tain::vowpal_wabbit_test
