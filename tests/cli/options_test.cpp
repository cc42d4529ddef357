#include "cli/options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "cli/program.hpp"
#include "support.hpp"

namespace tain::cli::options_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> parts(const RawOptions& options, const std::string& name) {
  return options.values.at(name).parts;
}

TEST(Options, AllWaysToWriteAValueAgree) {
  for (const auto& options : {parse("sample", {"--draws", "7"}), parse("sample", {"--draws=7"}),
                              parse("sample", {"-n", "7"}), parse("sample", {"-n7"}),
                              parse("sample", {"--draws", "3", "--draws", "7"})}) {
    EXPECT_THAT(parts(options, "draws"), ElementsAre("7"));
    EXPECT_EQ(options.values.at("draws").origin, "--draws");
  }
}

TEST(Options, ListsSplitAtCommasAndGrowWhenRepeated) {
  const RawOptions options = parse("sample", {"--alpha", "1,2", "--alpha=3", "--counts", "@a,b"});
  EXPECT_THAT(parts(options, "alpha"), ElementsAre("1", "2", "3"));
  EXPECT_THAT(parts(options, "counts"), ElementsAre("@a,b"));  // a file name keeps its comma
}

TEST(Options, NegativeNumbersAreValues) {
  EXPECT_THAT(parts(parse("sample", {"--lower", "-1,-inf"}), "lower"), ElementsAre("-1", "-inf"));
}

TEST(Options, SwitchesTakeNoValueAndCanBeTurnedOff) {
  const RawOptions options = parse("sample", {"--strict", "p.toml", "--json=false"});
  EXPECT_THAT(parts(options, "strict"), ElementsAre("true"));
  EXPECT_THAT(parts(options, "json"), ElementsAre("false"));
  EXPECT_THAT(options.arguments, ElementsAre("p.toml"));
}

TEST(Options, EverythingAfterTwoDashesIsAnArgument) {
  const RawOptions options = parse("diagnose", {"--", "--strict", "-x"});
  EXPECT_THAT(options.arguments, ElementsAre("--strict", "-x"));
  EXPECT_TRUE(options.values.empty());
}

TEST(Options, MistakesAreNamed) {
  EXPECT_THAT(message_of(Fault::usage, [] { parse("sample", {"--drwas", "3"}); }),
              HasSubstr("unknown flag '--drwas'; did you mean '--draws'?"));
  EXPECT_THAT(message_of(Fault::usage, [] { parse("sample", {"--zzzzzzz=3"}); }),
              HasSubstr("see `tain sample --help`"));
  EXPECT_THAT(message_of(Fault::usage, [] { parse("sample", {"--draws"}); }),
              HasSubstr("--draws: has no value"));
  EXPECT_THAT(message_of(Fault::usage, [] { parse("sample", {"--draws", "--thin", "2"}); }),
              HasSubstr("--draws: has no value"));
  EXPECT_THAT(message_of(Fault::usage, [] { parse("sample", {"-y"}); }), HasSubstr("'-y'"));
  EXPECT_THAT(message_of(Fault::usage, [] { parse("sample", {"-fq"}); }), HasSubstr("'-fq'"));
  EXPECT_THAT(message_of(Fault::usage, [] { parse("sample", {"a", "b"}); }),
              HasSubstr("unexpected argument 'b'"));
  EXPECT_THAT(message_of(Fault::usage, [] { parse("sample", {"--alpha", "1,,2"}); }),
              HasSubstr("element 2 of the list is empty"));
  EXPECT_THAT(message_of(Fault::usage, [] { parse("sample", {"--alpha="}); }),
              HasSubstr("element 1 of the list is empty"));
}

TEST(Options, FlagsWinOverTheFile) {
  RawOptions file = parse("sample", {"--draws", "10", "--thin", "2"});
  file.sets.resize(2);
  const RawOptions merged = merge(file, parse("sample", {"--draws", "20"}));
  EXPECT_THAT(parts(merged, "draws"), ElementsAre("20"));
  EXPECT_THAT(parts(merged, "thin"), ElementsAre("2"));
  EXPECT_EQ(merged.sets.size(), 2U);
  EXPECT_TRUE(merge(file, parse("sample", {"--set", "ball"})).sets.empty());
}

RC_GTEST_PROP(OptionsProperty, AnyWordsParseOrAreRefused, (const std::vector<std::string>& words)) {
  const std::vector<std::string_view> arguments(words.begin(), words.end());
  try {
    parse_arguments(find_command("sample"), arguments);
  } catch (const Error& error) {
    RC_ASSERT(error.fault() == Fault::usage);
  }
}

RC_GTEST_PROP(OptionsProperty, AnyValueSurvivesTheEqualsForm, (const std::string& value)) {
  const std::string word = "--response=" + value;
  const std::vector<std::string_view> arguments{word};
  const RawOptions options = parse_arguments(find_command("sample"), arguments);
  RC_ASSERT(options.values.at("response").parts == std::vector{value});
}

TEST(ShellText, QuotesWhatAShellWouldTouch) {
  const std::vector<std::string_view> words{"sample", "--alpha", "0.1,2", "it's", "a b", ""};
  EXPECT_EQ(shell_text(words), "tain sample --alpha 0.1,2 'it'\\''s' 'a b' ''");
}

}  // namespace
}  // namespace tain::cli::options_test
