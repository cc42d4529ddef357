// Gammas and steps of the process one by one in double, as random/gamma.hpp defines them: no bound,
// no bytes looked at first, no fit but the inverse's, which is the distribution function's.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "core/special.hpp"
#include "random/gamma.hpp"

namespace tain::testing {

/// P(Gamma(shape, 1) <= e^log_x) = P(chi-square(2 shape) <= 2 x); far to the left, where the power
/// series ends with its first term, x^shape / Gamma(shape + 1).
inline double gamma_cdf(double log_x, double shape) {
  return log_x < -30 ? std::exp(shape * log_x - std::lgamma(shape + 1))
                     : 1 - chi_square_sf(2 * std::exp(log_x), 2 * shape);
}

/// log theta with P(theta) = u.
inline double gamma_log_quantile(double u, double shape) {
  double low = -1, high = std::log(shape + 1);
  while (gamma_cdf(low, shape) > u) {
    low *= 2;
  }
  while (gamma_cdf(high, shape) < u) {
    high += 1;
  }
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (gamma_cdf(middle, shape) > u ? high : low) = middle;
  }
  return low;
}

/// The words of one cell.
class CellReference {
 public:
  enum class Mistake { none, fresh_trial_for_the_uncertain };

  CellReference(const NoiseField& noise, Purpose purpose, std::uint64_t step, std::uint32_t chain,
                std::uint32_t row, Mistake mistake = Mistake::none)
      : noise_(noise),
        purpose_(purpose),
        step_(step),
        chain_(chain),
        row_(row),
        mistake_(mistake) {}

  /// log of a draw; `common` is the shape that has an inverse, or 0.
  double log_draw(double shape, double common = 0) const {
    if (shape == common) {
      return gamma_log_quantile(first_uniform(), shape);
    }
    return shape < 0.5 ? log_trial(shape + 1) + std::log(rest(2)) / shape : log_trial(shape);
  }

  /// log theta', a step after theta.
  double log_step(double shape, double theta, double h, double common = 0) const {
    const double lambda = theta / std::expm1(h), log_gain = std::log(-std::expm1(-h));
    const auto with_square = [&](double own, double z, double left) {
      const double sum = z + std::sqrt(2 * left);
      return log_gain + std::log(std::exp(log_trial(own)) + sum * sum / 2);
    };
    if (shape >= 1) {
      return with_square(shape - 0.5, normal_quantile(jump_uniform()), lambda);
    }
    double left = lambda + std::log(jump_uniform());
    if (left < 0) {
      return log_gain + log_draw(shape, common);
    }
    if (shape >= 0.5) {
      return with_square(shape + 0.5, normal_quantile(rest(0)), left);
    }
    left += std::log(rest(1));
    return left < 0 ? log_gain + log_trial(shape + 1)
                    : with_square(shape + 1.5, normal_quantile(rest(0)), left);
  }

  double first_uniform() const { return uniform(words(1, row_ / 4)[row_ % 4]); }

 private:
  static double uniform(std::uint32_t word) { return (word + 0.5) * 0x1p-32; }
  std::array<std::uint32_t, 4> words(std::uint32_t page, std::uint32_t index) const {
    const auto with_page = static_cast<std::uint16_t>(256 * page + std::uint16_t(purpose_));
    return noise_.words(static_cast<Purpose>(with_page), step_, chain_, index);
  }
  double jump_uniform() const { return uniform(words(3, row_ / 4)[row_ % 4]); }
  double rest(int i) const { return uniform(words(4, row_)[i]); }

  double log_trial(double shape) const {
    const double d = shape - 1.0 / 3;
    const std::uint32_t byte = words(2, row_ / 16)[row_ / 4 % 4] >> (8 * (row_ % 4)) & 255;
    double x = normal_quantile(first_uniform());
    double e = -std::log1p(-(byte + rest(3)) / 256);
    for (std::uint32_t trial = 0;; ++trial) {
      const double w = x / (3 * std::sqrt(d));
      const double deficit =
          w > -1 ? 3 * d * (w - w * w / 2 + w * w * w / 3 - std::log1p(w)) : HUGE_VAL;
      // As if a bound that is a quarter too large were all there is.
      const bool uncertain =
          mistake_ != Mistake::none && trial == 0 && byte / 256.0 < 1.25 * deficit;
      if (e >= deficit && !uncertain) {
        return std::log(d) + 3 * std::log1p(w);
      }
      const auto next = words(5 + trial / 2, row_);
      x = normal_quantile(uniform(next[trial % 2 * 2]));
      e = -std::log(uniform(next[trial % 2 * 2 + 1]));
    }
  }

  NoiseField noise_;
  Purpose purpose_;
  std::uint64_t step_;
  std::uint32_t chain_, row_;
  Mistake mistake_;
};

}  // namespace tain::testing
