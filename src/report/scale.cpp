#include "report/scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "report/text.hpp"

namespace tain::report {
namespace {

// So far from where doubles end that margins, ticks and labels have room.
constexpr double largest = 1e250, smallest = 1e-250;
// Shorter axes, relatively, would need labels longer than people compare.
constexpr double least_length = 1e-6;

/// m times 10^k, rounded once where doubles can.
double decimal(std::int64_t m, int k) {
  return k < 0 ? double(m) / std::pow(10.0, -k) : double(m) * std::pow(10.0, k);
}

/// The same in digits, e.g. "0.02" or "20,000".
std::string decimal_text(std::int64_t m, int k) {
  std::string text;
  if (k >= 0) {
    text = grouped(static_cast<std::uint64_t>(std::abs(m)) *
                   static_cast<std::uint64_t>(std::llround(std::pow(10.0, k))));
  } else {
    text = fmt::format("{:.{}f}", decimal(std::abs(m), k), -k);
  }
  return m < 0 ? "−" + text : text;
}

std::string scientific_text(std::int64_t m, int k) {
  if (m == 0) {
    return "0";
  }
  std::string digits = std::to_string(std::abs(m));
  const int leading = k + static_cast<int>(digits.size()) - 1;
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.size() > 1) {
    digits.insert(1, ".");
  }
  return (m < 0 ? "−" : "") +
         (digits == "1" ? power_of_ten(leading) : digits + "×" + power_of_ten(leading));
}

Ticks linear_ticks(Interval interval, int most) {
  const double rough = interval.high / most - interval.low / most;
  int exponent = static_cast<int>(std::floor(std::log10(rough)));
  std::int64_t mantissa = 1;
  for (const std::int64_t m : {1, 2, 5, 10}) {
    mantissa = m;
    if (decimal(m, exponent) >= rough) {
      break;
    }
  }
  if (mantissa == 10) {
    mantissa = 1;
    ++exponent;
  }
  const double step = decimal(mantissa, exponent);
  const double size = std::max(std::abs(interval.low), std::abs(interval.high));
  const bool plain = size < 1e6 && exponent >= -4;
  Ticks ticks;
  const auto first = static_cast<std::int64_t>(std::ceil(interval.low / step));
  for (std::int64_t k = first; k <= first + most + 1; ++k) {
    const double value = decimal(k * mantissa, exponent);
    if (value >= interval.low && value <= interval.high) {
      ticks.major.push_back({value, plain ? decimal_text(k * mantissa, exponent)
                                          : scientific_text(k * mantissa, exponent)});
    }
  }
  return ticks;
}

/// Values m 10^k inside the interval, for the given m, ascending.
struct Decimal {
  std::int64_t m;
  int k;
};
std::vector<Decimal> inside(Interval interval, std::initializer_list<std::int64_t> mantissas) {
  std::vector<Decimal> found;
  const int first = static_cast<int>(std::floor(std::log10(interval.low)));
  const int last = static_cast<int>(std::floor(std::log10(interval.high)));
  for (int k = first; k <= last; ++k) {
    for (const std::int64_t m : mantissas) {
      const double value = decimal(m, k);
      if (value >= interval.low && value <= interval.high) {
        found.push_back({m, k});
      }
    }
  }
  return found;
}

std::vector<Tick> labelled(const std::vector<Decimal>& values) {
  const bool plain =
      std::ranges::all_of(values, [](const Decimal& d) { return d.k >= -4 && d.k <= 5; });
  std::vector<Tick> ticks;
  for (const auto& [m, k] : values) {
    ticks.push_back({decimal(m, k), plain ? decimal_text(m, k) : scientific_text(m, k)});
  }
  return ticks;
}

Ticks logarithmic_ticks(Interval interval, int most) {
  Ticks ticks;
  const std::vector<Decimal> decades = inside(interval, {1});
  const auto count = static_cast<int>(decades.size());
  const auto all_digits = [&] {
    for (const auto& [m, k] : inside(interval, {1, 2, 3, 4, 5, 6, 7, 8, 9})) {
      ticks.minor.push_back(decimal(m, k));
    }
  };
  if (count >= 3) {
    const int stride = (count + most - 1) / most;
    std::vector<Decimal> kept;
    for (const Decimal& d : decades) {
      if (d.k % stride == 0) {
        kept.push_back(d);
      } else {
        ticks.minor.push_back(decimal(1, d.k));
      }
    }
    ticks.major = labelled(kept);
    if (stride == 1) {
      all_digits();
    }
  } else {
    for (const auto& mantissas : {std::initializer_list<std::int64_t>{1, 2, 5}, {1, 3}, {1}}) {
      const std::vector<Decimal> candidates = inside(interval, mantissas);
      if (candidates.size() >= 2 && static_cast<int>(candidates.size()) <= most + 1) {
        ticks.major = labelled(candidates);
        all_digits();
        break;
      }
    }
  }
  if (ticks.major.size() < 2) {  // well below a decade
    ticks = linear_ticks(interval, most);
  }
  std::erase_if(ticks.minor, [&](double value) {
    return std::ranges::find(ticks.major, value, &Tick::value) != ticks.major.end();
  });
  return ticks;
}

}  // namespace

bool shows(AxisScale scale, double value) {
  return scale == AxisScale::logarithmic ? value >= smallest && value <= largest
                                         : std::abs(value) <= largest;
}

Interval interval_of(AxisScale scale, std::span<const double> values) {
  constexpr double margin = 0.04;
  const bool logarithmic = scale == AxisScale::logarithmic;
  double low = INFINITY, high = -INFINITY;
  for (const double value : values) {
    if (shows(scale, value)) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  if (low > high) {
    return logarithmic ? Interval{1, 10} : Interval{0, 1};
  }
  if (logarithmic) {
    const double length = std::log(high) - std::log(low);
    if (length < least_length) {
      return {low / 3, high * 3};
    }
    const double factor = std::exp(margin * length);
    return {low / factor, high * factor};
  }
  const double size = std::max(std::abs(low), std::abs(high));
  if (high - low <= std::max(least_length * size, smallest)) {
    const double half = size > smallest ? size / 2 : 1;
    return {low - half, high + half};
  }
  return {low - margin * (high - low), high + margin * (high - low)};
}

Ticks ticks_of(AxisScale scale, Interval interval, int most) {
  return scale == AxisScale::logarithmic ? logarithmic_ticks(interval, most)
                                         : linear_ticks(interval, most);
}

Ruler::Ruler(AxisScale scale, Interval interval, double from, double to)
    : scale_(scale),
      low_(transformed(interval.low)),
      length_(transformed(interval.high) - low_),
      from_(from),
      to_(to) {}

double Ruler::transformed(double value) const {
  return scale_ == AxisScale::logarithmic ? std::log(value) : value;
}

double Ruler::at(double value) const {
  return from_ + (to_ - from_) * ((transformed(value) - low_) / length_);
}

}  // namespace tain::report
