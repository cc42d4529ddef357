// Axes: what they cover, and where their ticks are.
#include "report/scale.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <set>

namespace tain::report::scale_test {
namespace {

/// The number that a label says: digits, "−", ",", "×10ᵏ".
double number_of(std::string label) {
  const auto replace = [&](std::string_view from, std::string_view to) {
    for (std::size_t at; (at = label.find(from)) != std::string::npos;) {
      label.replace(at, from.size(), to);
    }
  };
  replace(",", "");
  replace("−", "-");
  const bool power = label.find_first_of("\xE2\xC2", label.find("10")) != std::string::npos;
  if (power && label.find("×") == std::string::npos) {
    label.insert(label.find("10"), "1×");
  }
  replace("×10", "e");
  replace("⁻", "-");
  const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  for (int d = 0; d < 10; ++d) {
    replace(digits[d], std::to_string(d));
  }
  return std::stod(label);
}

std::vector<std::string> labels(AxisScale scale, Interval interval, int most) {
  std::vector<std::string> texts;
  for (const Tick& tick : ticks_of(scale, interval, most).major) {
    texts.push_back(tick.label);
  }
  return texts;
}

using Texts = std::vector<std::string>;

TEST(Ticks, AreThoseThatPeopleWouldDraw) {
  EXPECT_EQ(labels(AxisScale::linear, {0, 10}, 5), (Texts{"0", "2", "4", "6", "8", "10"}));
  EXPECT_EQ(labels(AxisScale::linear, {-0.3, 0.31}, 4), (Texts{"−0.2", "0.0", "0.2"}));
  EXPECT_EQ(labels(AxisScale::linear, {0, 4e6}, 4), (Texts{"0", "10⁶", "2×10⁶", "3×10⁶", "4×10⁶"}));
  EXPECT_EQ(labels(AxisScale::logarithmic, {0.8, 12'000}, 7),
            (Texts{"1", "10", "100", "1,000", "10,000"}));
  EXPECT_EQ(labels(AxisScale::logarithmic, {0.0009, 1.1}, 7), (Texts{"0.001", "0.01", "0.1", "1"}));
  EXPECT_EQ(labels(AxisScale::logarithmic, {1e-6, 2.0}, 4), (Texts{"10⁻⁶", "10⁻⁴", "10⁻²", "10⁰"}));
  EXPECT_EQ(labels(AxisScale::logarithmic, {0.02, 1}, 7),
            (Texts{"0.02", "0.05", "0.1", "0.2", "0.5", "1"}));
  EXPECT_EQ(labels(AxisScale::logarithmic, {0.31, 0.38}, 4),
            (Texts{"0.32", "0.34", "0.36", "0.38"}));
}

TEST(Ticks, HaveAMinorGridOfDigits) {
  EXPECT_EQ(ticks_of(AxisScale::logarithmic, {1, 1000}, 7).minor.size(), 3u * 8);
  EXPECT_TRUE(ticks_of(AxisScale::linear, {1, 1000}, 7).minor.empty());
}

TEST(Interval, OfNothingOrOneValueIsNotEmpty) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(interval_of(AxisScale::linear, {}).high, 1);
  EXPECT_EQ(interval_of(AxisScale::logarithmic, {{nan, 0.0, -3.0, INFINITY}}).low, 1);
  const Interval one = interval_of(AxisScale::logarithmic, {{0.5, -1.0}});
  EXPECT_LT(one.low, 0.5);
  EXPECT_GT(one.high, 0.5);
  EXPECT_LT(interval_of(AxisScale::linear, {{0.0}}).low, 0);
}

/// Any size that an axis can show, often beside another one.
std::vector<double> arbitrary_values(AxisScale scale) {
  const auto size = [] {
    const int spread = *rc::gen::element(1, 5, 40, 249);
    return std::pow(10.0, *rc::gen::inRange(-spread * 1000, spread * 1000) / 1000.0);
  };
  std::vector<double> values;
  const int count = *rc::gen::inRange(1, 6);
  for (int i = 0; i < count; ++i) {
    const double sign = scale == AxisScale::linear && *rc::gen::arbitrary<bool>() ? -1 : 1;
    const bool close = !values.empty() && *rc::gen::inRange(0, 3) == 0;
    values.push_back(close ? values.back() * (1 + 1e-4 * *rc::gen::inRange(-9, 9)) : sign * size());
  }
  return values;
}

RC_GTEST_PROP(Axis, LawsHold, ()) {
  const auto scale = *rc::gen::element(AxisScale::linear, AxisScale::logarithmic);
  const auto values = arbitrary_values(scale);
  const int most = *rc::gen::inRange(3, 12);
  const Interval interval = interval_of(scale, values);
  RC_ASSERT(std::isfinite(interval.low) && std::isfinite(interval.high));
  const Ruler ruler(scale, interval, 40, 500);
  for (const double value : values) {
    RC_ASSERT(value > interval.low && value < interval.high);
    RC_ASSERT(ruler.at(value) >= 40 && ruler.at(value) <= 500);
  }
  const Ticks ticks = ticks_of(scale, interval, most);
  RC_ASSERT(!ticks.major.empty());
  RC_ASSERT(static_cast<int>(ticks.major.size()) <= most + 1);
  std::set<std::string> seen;
  double last = -INFINITY;
  for (const Tick& tick : ticks.major) {
    RC_ASSERT(tick.value > last && tick.value >= interval.low && tick.value <= interval.high);
    last = tick.value;
    RC_ASSERT(seen.insert(tick.label).second);
    // a tick and the reading of its label: two roundings of one decimal number, by a few ulps
    RC_ASSERT(std::abs(number_of(tick.label) - tick.value) <= 1e-14 * std::abs(tick.value));
  }
  last = -INFINITY;
  for (const double value : ticks.minor) {
    RC_ASSERT(value > last && value >= interval.low && value <= interval.high);
    last = value;
    for (const Tick& tick : ticks.major) {
      RC_ASSERT(tick.value != value);
    }
  }
}

}  // namespace
}  // namespace tain::report::scale_test
