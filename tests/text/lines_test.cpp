// Lines are what stands between line ends, however the bytes arrive.
#include "text/lines.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "targets/errors.hpp"
#include "text/sources.hpp"

namespace tain::lines_test {
namespace {

using namespace testing_text;
using namespace std::string_literals;
using testing_support::fails;

using Lines = std::vector<std::string>;

Lines read_lines(std::string_view bytes, std::vector<std::size_t> sizes = {},
                 std::size_t max_bytes = max_line_bytes) {
  Trickle source(bytes, std::move(sizes));
  LineReader reader(source, max_bytes);
  Lines lines;
  while (const auto line = reader.next()) {
    lines.emplace_back(*line);
    EXPECT_EQ(reader.line(), lines.size());
  }
  EXPECT_EQ(reader.next(), std::nullopt);
  EXPECT_EQ(reader.line(), lines.size());
  return lines;
}

/// The same in the plainest way.
Lines split(std::string bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) {
    bytes.erase(0, 3);
  }
  Lines lines;
  std::string line;
  for (const char c : bytes) {
    line += c;
    if (c == '\n') {
      lines.push_back(line);
      line.clear();
    }
  }
  if (!line.empty()) {
    lines.push_back(line);
  }
  for (std::string& l : lines) {
    if (l.ends_with('\n')) {
      l.pop_back();
    }
    if (l.ends_with('\r')) {
      l.pop_back();
    }
  }
  return lines;
}

TEST(LineReader, TakesTheEndingsOff) {
  EXPECT_EQ(read_lines(""), (Lines{}));
  EXPECT_EQ(read_lines("\n"), (Lines{""}));
  EXPECT_EQ(read_lines("a"), (Lines{"a"}));
  EXPECT_EQ(read_lines("a\n"), (Lines{"a"}));
  EXPECT_EQ(read_lines("a\r\nb\n\r\nc"), (Lines{"a", "b", "", "c"}));
  EXPECT_EQ(read_lines("a\rb\r\r\n"), (Lines{"a\rb\r"}));
  EXPECT_EQ(read_lines("a\0b\n\0"s), (Lines{"a\0b"s, "\0"s}));
}

TEST(LineReader, SkipsOneMarkAndRefusesUtf16) {
  EXPECT_EQ(read_lines("\xEF\xBB\xBF"), (Lines{}));
  EXPECT_EQ(read_lines("\xEF\xBB\xBF"
                       "a\n\xEF\xBB\xBF"
                       "b",
                       {1}),
            (Lines{"a",
                   "\xEF\xBB\xBF"
                   "b"}));
  EXPECT_EQ(read_lines("\xEF\xBB", {1}), (Lines{"\xEF\xBB"}));
  EXPECT_TRUE(fails(
      [] {
        read_lines(
            "\xFF\xFE"
            "a\0"s);
      },
      Fault::data, "t: is UTF-16"));
  EXPECT_TRUE(fails([] { read_lines("\xFE\xFF\0a"s); }, Fault::data, "t: is UTF-16"));
}

RC_GTEST_PROP(LineReaderProperty, AgreesWithThePlainestSplit, ()) {
  const auto bytes = *rc::gen::container<std::string>(
      rc::gen::weightedElement<char>({{6, 'a'}, {2, '\n'}, {2, '\r'}, {1, '\0'}, {1, '\xEF'}}));
  const auto sizes = *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange(1, 7));
  RC_ASSERT(read_lines(bytes, sizes) == split(bytes));
}

TEST(LineReader, LinesStraddleBlocks) {
  std::string bytes;
  std::uint32_t state = 7;
  // Lines up to the size of a block and beyond, three times as long as one in all.
  while (bytes.size() < (12u << 20)) {
    state = state * 1664525 + 1013904223;
    const std::size_t length = (state >> 8) % (state >> 28 == 0 ? 3u << 20 : 2000u);
    bytes.append(length, static_cast<char>('a' + (state >> 8) % 26));
    bytes += (state >> 5) % 2 == 0 ? "\n" : "\r\n";
  }
  const Lines expected = split(bytes);
  EXPECT_TRUE(read_lines(bytes) == expected);
  EXPECT_TRUE(read_lines(bytes, {4093, 65537, 1}) == expected);
}

TEST(LineReader, ReadsNoFurtherAheadThanABlock) {
  std::string bytes;
  while (bytes.size() < (8u << 20)) {
    bytes += "a line of no great length\n";
  }
  MemoryBytes source(bytes, "t");
  LineReader reader(source);
  std::size_t given = 0;
  while (const auto line = reader.next()) {
    given += line->size() + 1;
    ASSERT_LE(source.consumed() - given, std::size_t{1} << 20);
  }
  EXPECT_EQ(given, bytes.size());
}

TEST(LineReader, LongLinesAreRefusedWhereTheyStand) {
  EXPECT_EQ(read_lines("12345\n12345\r\n12345", {}, 5), (Lines{"12345", "12345", "12345"}));
  EXPECT_TRUE(fails([] { read_lines("a\n123456\n", {}, 5); }, Fault::data,
                    "t:2: line is longer than 5 bytes"));
  EXPECT_TRUE(fails([] { read_lines("a\n123456", {1}, 5); }, Fault::data, "t:2: line is longer"));

  // Found before the line is in memory.
  const std::string endless(std::size_t{32} << 20, 'x');
  MemoryBytes source(endless, "t");
  LineReader reader(source, std::size_t{3} << 20);
  EXPECT_TRUE(fails([&] { reader.next(); }, Fault::data, "t:1: line is longer"));
  EXPECT_LE(source.consumed(), std::size_t{8} << 20);
}

}  // namespace
}  // namespace tain::lines_test
