// Labels that would touch are moved apart, as little as can be.
#include "report/labels.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace tain::report::labels_test {
namespace {

double cost(const std::vector<double>& places, const std::vector<double>& wanted) {
  double sum = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    sum += (places[i] - wanted[i]) * (places[i] - wanted[i]);
  }
  return sum;
}

TEST(Apart, LeavesAloneWhatIsApart) {
  EXPECT_EQ(apart(std::vector<double>{10, 40, 90}, 18, 0, 100), (std::vector<double>{10, 40, 90}));
  EXPECT_EQ(apart(std::vector<double>{50, 50}, 18, 0, 100), (std::vector<double>{41, 59}));
  EXPECT_EQ(apart(std::vector<double>{99, 99}, 18, 0, 100), (std::vector<double>{82, 100}));
}

RC_GTEST_PROP(Apart, IsTheNearestThatFits, ()) {
  constexpr double gap = 10, low = 0, high = 200;
  const auto draw = [&](std::size_t n, int upper) {
    auto values = *rc::gen::container<std::vector<double>>(
        n, rc::gen::map(rc::gen::inRange(0, 100 * upper), [](int i) { return i / 100.0; }));
    std::ranges::sort(values);
    return values;
  };
  const auto n = *rc::gen::inRange<std::size_t>(1, 15);
  const auto wanted = draw(n, 200);
  const auto places = apart(wanted, gap, low, high);
  RC_ASSERT(places.size() == n);
  // 200 additions of numbers below 200 round by less than this
  constexpr double rounding = 1e-11;
  for (std::size_t i = 0; i < n; ++i) {
    RC_ASSERT(places[i] >= low - rounding && places[i] <= high + rounding);
    RC_ASSERT(i == 0 || places[i] - places[i - 1] >= gap - rounding);
  }
  // no other arrangement is nearer
  auto other = draw(n, static_cast<int>(high - gap * double(n - 1)));
  for (std::size_t i = 0; i < n; ++i) {
    other[i] += gap * double(i);
  }
  RC_ASSERT(cost(places, wanted) <= cost(other, wanted) + 1e-6);
  // nor any on the way to it
  for (std::size_t i = 0; i < n; ++i) {
    other[i] = 0.999 * places[i] + 0.001 * other[i];
  }
  RC_ASSERT(cost(places, wanted) <= cost(other, wanted) + 1e-6);
}

}  // namespace
}  // namespace tain::report::labels_test
