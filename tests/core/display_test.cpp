#include "core/display.hpp"

#include <gtest/gtest.h>

namespace tain::display_test {
namespace {

TEST(Display, WidthsOfScripts) {
  EXPECT_EQ(display_width(""), 0U);
  EXPECT_EQ(display_width("mirror"), 6U);
  EXPECT_EQ(display_width("Straße"), 6U);
  EXPECT_EQ(display_width("Ελληνικά"), 8U);
  EXPECT_EQ(display_width("日本語"), 6U);
  EXPECT_EQ(display_width("한국어"), 6U);
  EXPECT_EQ(display_width("e\xCC\x81t\xC3\xA9"), 3U);  // an accent of its own, and one composed
}

TEST(Display, BytesThatAreNoTextTakeAColumnEach) {
  EXPECT_EQ(display_width("\xFF\x80"), 2U);
  EXPECT_EQ(display_width("a\xE6\x97"), 3U);  // the last character is cut off
  EXPECT_EQ(display_width("\xE6zz"), 3U);
}

TEST(Display, ReadableIsUtf8WithoutControls) {
  for (const char* good : {"", "a b", "β[1]", "語", "\U0001F600"}) {
    EXPECT_TRUE(is_readable(good)) << good;
  }
  using namespace std::string_view_literals;
  for (const std::string_view bad : {"a\0b"sv, "\n"sv, "\x7f"sv, "\xff"sv, "\xc3"sv, "\xc0\xaf"sv,
                                     "\xed\xa0\x80"sv, "\xf4\x90\x80\x80"sv, "a\x80"sv}) {
    EXPECT_FALSE(is_readable(bad));
  }
}

TEST(Display, CutsWhereAWholeCharacterEnds) {
  EXPECT_EQ(cut_to_width("mirror", 6), "mirror");
  EXPECT_EQ(cut_to_width("mirrors", 6), "mirr..");
  EXPECT_EQ(cut_to_width("日本語", 6), "日本語");
  EXPECT_EQ(cut_to_width("日本語", 5), "日..");
  EXPECT_EQ(cut_to_width("日本語", 4), "日..");
  EXPECT_EQ(cut_to_width("日本語", 3), "..");
  EXPECT_EQ(cut_to_width("abc", 2), "..");
}

}  // namespace
}  // namespace tain::display_test
