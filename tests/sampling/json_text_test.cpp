#include "sampling/json_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/file.hpp"
#include "support/errors.hpp"

namespace tain::json_text_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) {
    all += text;
  }
  return all;
}

std::string refusal(const std::string& text) {
  EXPECT_TRUE(parse_json(text).is_null());
  return test::message_of(Fault::data, [&] { read_json(text, "a.json", "mend it"); });
}

TEST(JsonText, DepthIsBounded) {
  for (const auto& [open, close] : {std::pair("[", "]"), std::pair("{\"a\":", "}")}) {
    const auto nested = [&](std::size_t depth) {
      return repeated(open, depth) + "1" + repeated(close, depth);
    };
    EXPECT_TRUE(read_json(nested(deepest_json), "a.json").is_structured());
    EXPECT_EQ(refusal(nested(deepest_json + 2)), "a.json: is nested too deeply; mend it");
    EXPECT_THAT(refusal(nested(300'000)), HasSubstr("nested too deeply"));
    EXPECT_THAT(refusal(repeated(open, 300'000)), HasSubstr("nested too deeply"));
  }
}

// Keys are looked up among all: a million in one object would take an hour.
TEST(JsonText, MembersAreBounded) {
  std::string text = "{\"0\":0";
  for (std::size_t i = 1; i < most_members; ++i) {
    text += ",\"" + std::to_string(i) + "\":0";
  }
  EXPECT_EQ(read_json(text + "}", "a.json").size(), most_members);
  EXPECT_THAT(refusal(text + ",\"x\":0}"), HasSubstr("more than 500 members"));
  // Of each object, not of all together.
  EXPECT_EQ(read_json("[" + text + "}," + text + "}]", "a.json").size(), 2U);
}

TEST(JsonText, SizeIsBounded) {
  EXPECT_THAT(refusal(std::string(most_record_bytes + 1, ' ')), HasSubstr("larger than 32 MB"));
}

TEST(JsonText, FaultsHaveTheirPlace) {
  EXPECT_EQ(refusal("{\n  \"a\": ,\n}"), "a.json:2:8: is not valid JSON; mend it");
  EXPECT_THAT(refusal(""), StartsWith("a.json:1:1: is not valid JSON"));
  EXPECT_THAT(refusal("{} x"), StartsWith("a.json:1:4: is not valid JSON"));
  EXPECT_THAT(refusal("\"\xff\""), HasSubstr("is not valid JSON"));
  EXPECT_EQ(refusal("[1e999]"), "a.json: has a number that is too large; mend it");
}

}  // namespace
}  // namespace tain::json_text_test
