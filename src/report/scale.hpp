// Axes: what they cover, where their ticks are, and where on the paper a value is.
//
// Laws: ticks ascend strictly and lie inside the interval; at most `most` + 1 of them are labelled,
//   with different labels; every shown value of `interval_of(values)` maps into [from, to].
#pragma once

#include <span>
#include <string>
#include <vector>

#include "report/figure.hpp"

namespace tain::report {

/// Whether an axis can show a value.
bool shows(AxisScale scale, double value);

struct Interval {
  double low = 0, high = 1;
};
/// Covers the values that can be shown, and a twenty-fifth of its length more on either side; a
/// single value is put in the middle, no value gives 0 to 1, respectively 1 to 10.
Interval interval_of(AxisScale scale, std::span<const double> values);

struct Tick {
  double value = 0;
  std::string label;
};
struct Ticks {
  std::vector<Tick> major;
  std::vector<double> minor;  ///< lines without labels between the major ones
};
/// Most: 2 or more. Multiples of 1, 2 or 5 times a power of ten; on logarithmic axes powers of ten
/// (every k-th where they are many, more between them where they are few).
Ticks ticks_of(AxisScale scale, Interval interval, int most);

/// Values to places on the paper.
class Ruler {
 public:
  Ruler(AxisScale scale, Interval interval, double from, double to);
  /// Pixels; `value` must be one that the axis can show, inside the interval or not.
  double at(double value) const;

 private:
  double transformed(double value) const;
  AxisScale scale_;
  double low_, length_, from_, to_;
};

}  // namespace tain::report
