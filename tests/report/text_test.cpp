#include "report/text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace tain::text_test {
namespace {

TEST(Escaped, LeavesNothingThatMarkupReads) {
  EXPECT_EQ(escaped("a < b & \"c\" > 'd'"), "a &lt; b &amp; &quot;c&quot; &gt; &#39;d&#39;");
  EXPECT_EQ(escaped("Γ ± 10⁻³ 𝛼"), "Γ ± 10⁻³ 𝛼");
  EXPECT_EQ(escaped(std::string("a\0\x01\tb", 5)), "a\uFFFD\uFFFD\tb");
  EXPECT_EQ(escaped("\xC0\xAF"), "\uFFFD\uFFFD");            // overlong
  EXPECT_EQ(escaped("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");  // surrogate
  EXPECT_EQ(escaped("end \xE2\x82"), "end \uFFFD\uFFFD");    // cut off
  EXPECT_EQ(escaped("\xEF\xBF\xBE"), "\uFFFD\uFFFD\uFFFD");  // U+FFFE
}

RC_GTEST_PROP(Escaped, AnyBytesAreHarmless, (const std::string& bytes)) {
  const std::string text = escaped(bytes);
  RC_ASSERT(text.find_first_of("<>\"'") == std::string::npos);
  for (const char c : text) {
    RC_ASSERT(static_cast<unsigned char>(c) >= 0x20 || c == '\t' || c == '\n' || c == '\r');
  }
  for (std::size_t at = text.find('&'); at != std::string::npos; at = text.find('&', at + 1)) {
    RC_ASSERT(text.find(';', at) <= at + 5);
  }
}

TEST(Grouped, ByThousands) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(2'000'000), "2,000,000");
  EXPECT_EQ(grouped(18'446'744'073'709'551'615u), "18,446,744,073,709,551,615");
}

TEST(Measured, HasTheDigitsThatItsErrorLeaves) {
  EXPECT_EQ(measured(0.012345, 0.00042), "0.0123 ± 0.0004");
  EXPECT_EQ(measured(0.012345, 0.00012), "0.01235 ± 0.00012");
  EXPECT_EQ(measured(-0.5, 0.0312), "−0.50 ± 0.03");
  EXPECT_EQ(measured(1234, 56), "1234 ± 56");
  EXPECT_EQ(measured(0.5, 0), "0.5");
  EXPECT_EQ(measured(0.5, NAN), "0.5");
  EXPECT_EQ(measured(NAN, 1), "–");
  EXPECT_EQ(measured(1, 1e-12), "1 ± 10⁻¹²");
}

TEST(Compact, HasNoZerosToCount) {
  EXPECT_EQ(compact(0.0005), "0.0005");
  EXPECT_EQ(compact(3e-6), "3×10⁻⁶");
  EXPECT_EQ(compact(1e-5), "10⁻⁵");
  EXPECT_EQ(compact(0), "0");
  EXPECT_EQ(compact(-12.5), "−12.5");
  EXPECT_EQ(compact(1.0004), "1");
  EXPECT_EQ(compact(99'999.7), "100000");
  EXPECT_EQ(compact(-4e9), "−4×10⁹");
  EXPECT_EQ(compact(INFINITY), "–");
}

TEST(Duration, IsAsLongAsItSays) {
  EXPECT_EQ(duration(8.2), "8.2 s");
  EXPECT_EQ(duration(59.99), "1 min 0 s");
  EXPECT_EQ(duration(250), "4 min 10 s");
  EXPECT_EQ(duration(3599.7), "1 h 0 min");
  EXPECT_EQ(duration(11'520), "3 h 12 min");
  EXPECT_EQ(duration(-1), "–");
}

}  // namespace
}  // namespace tain::text_test
