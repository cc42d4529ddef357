#include <cmath>
#include <numbers>

#include "random/noise.hpp"
#include "tain/core/error.hpp"

namespace tain {

std::uint32_t Stream::word() {
  if (left_ == 0) {
    words_ = field_.words(purpose_, step_, chain_, index_++);
    left_ = 4;
  }
  return words_[static_cast<std::size_t>(4 - left_--)];
}

// (2 k + 1) 2^-53 with 52 random bits k: an odd 53-bit numerator is neither 0 nor 2^53, and
// exact, whereas k + 1/2 with 53 bits would round to 1 now and then.
double Stream::uniform() {
  const std::uint64_t high = word();
  const std::uint64_t low = word();
  const std::uint64_t bits = (high << 20) | (low >> 12);
  return static_cast<double>(2 * bits + 1) * 0x1p-53;
}

double Stream::normal() {
  const double radius = std::sqrt(-2.0 * std::log(uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

std::size_t Stream::categorical(std::span<const double> weights) {
  double total = 0.0;
  for (const double weight : weights) {
    TAIN_EXPECTS(weight >= 0.0, "weights are not negative");
    total += weight;
  }
  TAIN_EXPECTS(total > 0.0, "some weight is positive");
  // The same sums in the same order as the total, so that u < 1 never runs off the end except by
  // rounding of u * total up to the total itself; then the last positive weight is meant.
  const double point = uniform() * total;
  double sum = 0.0;
  std::size_t last = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] > 0.0) {
      sum += weights[i];
      last = i;
      if (point < sum) {
        return i;
      }
    }
  }
  return last;
}

}  // namespace tain
