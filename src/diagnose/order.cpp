#include "diagnose/order.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "core/special.hpp"
#include "tain/core/error.hpp"

namespace tain::diagnostics {
namespace {

constexpr std::size_t digit_bits = 8, num_digits = 64 / digit_bits, radix = 1 << digit_bits;
constexpr std::size_t small = 256;  // below, comparing beats counting

// Doubles compare like these integers: negative numbers reversed, positive ones above them.
std::uint64_t key_of(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t sign = std::uint64_t{1} << 63;
  return (bits & sign) != 0 ? ~bits : bits | sign;
}

std::size_t digit_of(double value, std::size_t digit) {
  return (key_of(value) >> (digit * digit_bits)) & (radix - 1);
}

}  // namespace

std::span<const Placed> Sorter::sort(std::span<const double> values) {
  const std::size_t n = values.size();
  items_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    items_[i] = {values[i], static_cast<std::uint32_t>(i)};
  }
  if (n < small) {
    std::ranges::stable_sort(items_, {}, [](const Placed& p) { return key_of(p.value); });
    return items_;
  }
  std::array<std::array<std::uint32_t, radix>, num_digits> counts{};
  for (const double value : values) {
    const std::uint64_t key = key_of(value);
    for (std::size_t digit = 0; digit < num_digits; ++digit) {
      ++counts[digit][(key >> (digit * digit_bits)) & (radix - 1)];
    }
  }
  other_.resize(n);
  for (std::size_t digit = 0; digit < num_digits; ++digit) {
    std::array<std::uint32_t, radix>& count = counts[digit];
    if (count[digit_of(items_.front().value, digit)] == n) {
      continue;  // all alike in this digit
    }
    std::uint32_t start = 0;
    for (std::uint32_t& c : count) {
      start += std::exchange(c, start);
    }
    for (const Placed& item : items_) {
      other_[count[digit_of(item.value, digit)]++] = item;
    }
    items_.swap(other_);
  }
  return items_;
}

NormalScores::NormalScores(std::size_t n) : whole_(n) {
  for (std::size_t i = 0; i < n; ++i) {
    whole_[i] =
        normal_quantile((static_cast<double>(i + 1) - 0.375) / (static_cast<double>(n) + 0.25));
  }
}

double NormalScores::operator()(double rank) const {
  const auto whole = static_cast<std::size_t>(rank);
  if (static_cast<double>(whole) == rank) {
    return whole_[whole - 1];
  }
  return normal_quantile((rank - 0.375) / (static_cast<double>(size()) + 0.25));
}

void rank_normalise(std::span<const Placed> ascending, const NormalScores& z,
                    std::span<double> scores) {
  TAIN_EXPECTS(z.size() == ascending.size(), "scores for another number of values");
  for (std::size_t first = 0; first < ascending.size();) {
    std::size_t last = first + 1;
    while (last < ascending.size() && ascending[last].value == ascending[first].value) {
      ++last;
    }
    // Ranks first + 1, …, last share their mean.
    const double score = z(0.5 * static_cast<double>(first + 1 + last));
    for (; first < last; ++first) {
      scores[ascending[first].place] = score;
    }
  }
}

}  // namespace tain::diagnostics
