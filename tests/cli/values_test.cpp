#include "cli/values.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "support.hpp"

namespace tain::cli::values_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const RawValue here{{""}, "--here"};
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Values, NumbersAreReadWhole) {
  EXPECT_EQ(parse_number("0.25", here), 0.25);
  EXPECT_EQ(parse_number("+1e3", here), 1000);
  EXPECT_EQ(parse_number("-inf", here, Infinite::allowed), -infinity);
  for (const std::string_view text :
       {"", "1e", "abc", "1.2.3", " 1", "1 ", "0x10", "nan", "--1", "1e999"}) {
    EXPECT_THAT(message_of(Fault::usage, [&] { parse_number(text, here); }),
                HasSubstr("--here: '" + std::string(text) + "' is not a number"));
  }
  EXPECT_THAT(message_of(Fault::usage, [&] { parse_number("inf", here); }), HasSubstr("infinite"));
}

TEST(Values, CountsAreWholeNumbers) {
  EXPECT_EQ(parse_count("18446744073709551615", here), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(parse_count("1e6", here), 1000000U);
  EXPECT_EQ(parse_count("0", here), 0U);
  for (const std::string_view text :
       {"", "-1", "1.5", "1e30", "ten", "18446744073709551616", "inf"}) {
    EXPECT_THAT(message_of(Fault::usage, [&] { parse_count(text, here); }),
                HasSubstr("whole number"));
  }
}

TEST(Values, SizesHaveUnits) {
  EXPECT_EQ(parse_bytes("1000", here), 1000U);
  EXPECT_EQ(parse_bytes("2k", here), 2048U);
  EXPECT_EQ(parse_bytes("1.5G", here), 1610612736U);
  EXPECT_EQ(parse_bytes("4MiB", here), 4194304U);
  EXPECT_EQ(parse_bytes("4MB", here), 4194304U);
  for (const std::string_view text : {"", "G", "-1G", "1X", "0", "1e30G"}) {
    EXPECT_THAT(message_of(Fault::usage, [&] { parse_bytes(text, here); }), HasSubstr("size"));
  }
}

TEST(Values, DefaultsComeFromTheTable) {
  const RawOptions raw = parse("sample", {"--thin", "3"});
  const Options options(find_command("sample"), raw);
  EXPECT_EQ(options.count("thin"), 3U);
  EXPECT_EQ(options.count("draws"), 1000U);
  EXPECT_FALSE(options.count("dim").has_value());
  EXPECT_FALSE(options.on("strict"));
  EXPECT_TRUE(options.given("thin"));
  EXPECT_FALSE(options.given("draws"));
}

TEST(Values, ChoicesSuggest) {
  const RawOptions raw = parse("sample", {"--ball-form", "tahn", "--progress", "loud"});
  const Options options(find_command("sample"), raw);
  EXPECT_THAT(message_of(Fault::usage, [&] { options.choice("ball-form"); }),
              HasSubstr("did you mean 'tanh'?"));
  EXPECT_THAT(message_of(Fault::usage, [&] { options.choice("progress"); }),
              HasSubstr("give one of auto, none, json"));
}

TEST(Values, ListsComeFromFilesToo) {
  const TemporaryFolder folder;
  const std::string file = "@" + folder.write("counts.txt", "1 2\n3,4\n").string();
  const RawOptions raw = parse("sample", {"--counts", file});
  EXPECT_THAT(*Options(find_command("sample"), raw).numbers("counts"), ElementsAre(1, 2, 3, 4));
  const RawOptions absent = parse("sample", {"--counts", "@/nowhere/at.all"});
  message_of(Fault::no_input, [&] { Options(find_command("sample"), absent).numbers("counts"); });
}

}  // namespace
}  // namespace tain::cli::values_test
