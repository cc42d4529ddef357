// Formats are known by their first bytes.
#include "text/formats.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <sstream>

#include "targets/errors.hpp"
#include "text/bag_writer.hpp"

namespace tain::formats_test {
namespace {

using testing_support::fails;

Format detected(std::string_view bytes, std::string_view name = "t") {
  const Detection detection = detect_format(bytes, name);
  EXPECT_FALSE(detection.reason.empty());
  return detection.format;
}

TEST(Formats, AreKnownByTheirNames) {
  EXPECT_EQ(format_names().size(), 8);
  for (const std::string_view name : format_names()) {
    const FormatRow& row = format_row(format_from_name(name));
    EXPECT_EQ(row.name, name);
    EXPECT_EQ(row.read_text != nullptr, row.content == Content::text) << name;
    EXPECT_EQ(row.read_bags != nullptr, row.content == Content::numbers) << name;
    EXPECT_EQ(row.write_bags != nullptr, row.content == Content::numbers) << name;
  }
  EXPECT_EQ(format_names(&FormatRow::loses_empty), (std::vector<std::string_view>{"uci", "mm"}));
  EXPECT_TRUE(
      fails([] { format_from_name("svmligth"); }, Fault::usage, "did you mean 'svmlight'?"));
}

TEST(Formats, AreDetectedByContent) {
  EXPECT_EQ(detected("%%MatrixMarket matrix coordinate real general\n"), Format::mm);
  EXPECT_EQ(detected("\xEF\xBB\xBF%%matrixmarket"), Format::mm);
  EXPECT_EQ(detected("<mediawiki xmlns=\"x\">"), Format::wikipedia);
  EXPECT_EQ(detected("<?xml version=\"1.0\"?>\n<mediawiki>"), Format::wikipedia);
  EXPECT_EQ(detected("<?xml version=\"1.0\"?>\n<html>"), Format::text);
  EXPECT_EQ(detected("3\n12\n2\n1 1 1\n1 2 1\n"), Format::uci);
  EXPECT_EQ(detected("3\r\n12\r\n2\r\n1 1 1\r\n"), Format::uci);
  EXPECT_EQ(detected("0\n12\n0\n"), Format::uci);
  EXPECT_EQ(detected("2 0:1 5:3\n0\n1 7:1\n"), Format::ldac);
  EXPECT_EQ(detected("1 1:1 5:3\n-1 2:1\n"), Format::svmlight);
  EXPECT_EQ(detected("1:1 5:3 # first\n"), Format::svmlight);
  EXPECT_EQ(detected("1 qid:3 5:3\n"), Format::svmlight);
  EXPECT_EQ(detected("1 'a | word word:3\n| word\n"), Format::vw);
  EXPECT_EQ(detected("12\tTitle\tSome text.\n13\tOther\tMore.\n"), Format::tsv);
  EXPECT_EQ(detected("12\tSome text.\n13\tMore.\n"), Format::tsv);
}

TEST(Formats, TextIsWhatLooksLikeNothingElse) {
  EXPECT_EQ(detected("Some text | with a bar\nand more\n"), Format::text);
  EXPECT_EQ(detected("at 10:30 it began\n"), Format::text);
  EXPECT_EQ(detected("1\n2\n3\n"), Format::text);
  EXPECT_EQ(detected("1984 is a book\n"), Format::text);
  EXPECT_EQ(detected("a\tb\nno tab\n"), Format::text);
  EXPECT_EQ(detected("\n\n words after blank lines\n"), Format::text);
  EXPECT_EQ(detected("\xFF\xFE\x00"), Format::text);
}

/// Every ending is known both ways: of an empty source, and of what is to be written.
TEST(Formats, EndingsAreTheSameForReadingAndWriting) {
  const std::vector<std::pair<std::string, Format>> endings{
      {".txt", Format::text},  {".tsv", Format::tsv},           {".uci", Format::uci},
      {".ldac", Format::ldac}, {".lda-c", Format::ldac},        {".mm", Format::mm},
      {".mtx", Format::mm},    {".svmlight", Format::svmlight}, {".svm", Format::svmlight},
      {".vw", Format::vw},     {".libsvm", Format::svmlight},   {".xml", Format::wikipedia}};
  std::size_t known = 0;
  for (const std::string_view name : format_names()) {
    known += static_cast<std::size_t>(
        std::ranges::count(format_row(format_from_name(name)).endings, '.'));
  }
  EXPECT_EQ(known, endings.size());
  for (const auto& [ending, format] : endings) {
    EXPECT_EQ(detected("", "a" + ending), format) << ending;
    EXPECT_EQ(format_from_ending("a" + ending + ".zst"), format) << ending;
  }
  EXPECT_EQ(format_from_ending("a.xyz"), std::nullopt);
  EXPECT_EQ(detected("1 5:2\n", "a.libsvm"), Format::svmlight);
}

TEST(Formats, TheNameDecidesWhereTheBytesDoNot) {
  EXPECT_EQ(detected("1 5:2\n", "a.ldac"), Format::ldac);
  EXPECT_EQ(detected("1 5:2\n", "a.svm.gz"), Format::svmlight);
  EXPECT_EQ(detected("1 5:2 6:2\n", "a.ldac"), Format::svmlight);
  EXPECT_EQ(detected("", "a.vw.zst"), Format::vw);
  EXPECT_EQ(detected("", "dump.xml.bz2"), Format::wikipedia);
  EXPECT_EQ(detected("", "-"), Format::text);
  EXPECT_EQ(detected("plain words\n", "a.mm"), Format::text);
}

/// A sample ends anywhere: in a line, in a pair.
TEST(Formats, ACutSampleIsNotMisread) {
  const std::string ldac = "7 0:1 5:3 11:20 12:1 13:1 14:1 15:1\n";
  for (std::size_t size = 4; size <= ldac.size(); ++size) {
    EXPECT_EQ(detected(ldac.substr(0, size)), Format::ldac) << size;
    EXPECT_EQ(detected(ldac + ldac.substr(0, size)), Format::ldac) << size;
  }
  EXPECT_EQ(detected("12\tTitle\tSome text.\n13\tOth"), Format::tsv);
  EXPECT_EQ(detected("| word word:3\n1 'ta"), Format::vw);
  const std::string svmlight = "-1 2:1 5:3 11:20\n";
  for (std::size_t size = 6; size <= svmlight.size(); ++size) {
    EXPECT_EQ(detected(svmlight.substr(0, size)), Format::svmlight) << size;
  }
}

RC_GTEST_PROP(FormatsProperty, WhatIsWrittenIsDetected, ()) {
  const auto documents = *rc::gen::nonEmpty(
      rc::gen::container<std::vector<std::vector<std::uint32_t>>>(rc::gen::nonEmpty(
          rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange(1u, 99u)))));
  std::vector<Bag> bags;
  BagTotals totals{documents.size(), 1000, 0};
  for (const auto& counts : documents) {
    Bag& bag = bags.emplace_back();
    for (const std::uint32_t count : counts) {
      bag.ids.push_back(static_cast<std::uint32_t>(bag.ids.size()));
      bag.counts.push_back(count);
    }
    totals.entries += counts.size();
  }
  for (const Format format : {Format::uci, Format::ldac, Format::mm, Format::svmlight}) {
    std::ostringstream out;
    const auto writer = write_bags(format, out, "t", totals);
    for (const Bag& bag : bags) {
      writer->write(bag);
    }
    writer->finish();
    RC_ASSERT(detected(out.str()) == format);
  }
}

}  // namespace
}  // namespace tain::formats_test
