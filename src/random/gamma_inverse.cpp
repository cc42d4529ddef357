#include "random/gamma_inverse.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "core/special.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

constexpr double split = 0.7;  // theta up to which M serves
constexpr double least_shape = 1e-12;
constexpr double largest_v = 33 * std::numbers::ln2;  // of u = 1 - 2^-33, the largest

// log(t0 / x) at the u where theta is x: t0^a = Gamma(1 + a) P(a, x) = x^a (1 + a sum_(n >= 1)
// (-x)^n / (n! (a + n))).
double log_start(double a, double x) {
  double sum = 0, power = 1;
  for (int n = 1; n <= 30; ++n) {
    power *= -x / n;
    sum += power / (a + n);
  }
  return std::log1p(a * sum) / a;
}

// theta in [0, split] at t0.
double theta_of_start(double a, double t0) {
  double low = 0, high = split;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (middle * std::exp(log_start(a, middle)) < t0 ? low : high) = middle;
  }
  return (low + high) / 2;
}

double upper(double a, double x) { return chi_square_sf(2 * x, 2 * a); }

// theta at v by Newton's method for log Q, which is convex and nearly straight: from the left every
// step comes nearer and none goes too far.
double theta_of_tail(double a, double v, double log_tail) {
  double theta = split;
  for (int i = 0; i < 50; ++i) {
    const double q = upper(a, theta);
    const double density = std::exp((a - 1) * std::log(theta) - theta - std::lgamma(a));
    const double step = (std::log(q) - log_tail + v) * q / density;
    theta += step;
    if (std::abs(step) < 1e-12 * theta) {
      break;
    }
  }
  return theta;
}

// The polynomial through the values at Chebyshev's points cos(pi (i + 1/2) / size), in powers.
template <std::size_t size, class F>
std::array<double, size> interpolate(const F& value) {
  std::array<double, size> values, powers{};
  const auto angle = [](std::size_t i) { return std::numbers::pi * (double(i) + 0.5) / size; };
  for (std::size_t i = 0; i < size; ++i) {
    values[i] = value(std::cos(angle(i)));
  }
  std::array<double, size> before{}, now{1};  // T_(j-1), T_j in powers
  for (std::size_t j = 0; j < size; ++j) {
    double coefficient = 0;
    for (std::size_t i = 0; i < size; ++i) {
      coefficient += values[i] * std::cos(double(j) * angle(i)) * (j == 0 ? 1.0 : 2.0) / size;
    }
    std::array<double, size> next{};
    for (std::size_t k = 0; k < size; ++k) {
      powers[k] += coefficient * now[k];
      next[k] = (k > 0 ? (j == 0 ? 1.0 : 2.0) * now[k - 1] : 0.0) - (j == 0 ? 0.0 : before[k]);
    }
    before = now;
    now = next;
  }
  return powers;
}

// p((2 x - width) / width) for p in powers of its argument, as powers of x.
template <std::size_t size>
std::array<double, size> stretch(const std::array<double, size>& p, double width) {
  std::array<double, size> stretched{};
  for (std::size_t k = size; k-- > 0;) {  // Horner: times (2 x / width - 1), plus p[k]
    for (std::size_t i = size; i-- > 0;) {
      stretched[i] = (i > 0 ? stretched[i - 1] * 2 / width : 0.0) - stretched[i];
    }
    stretched[0] += p[k];
  }
  return stretched;
}

constexpr auto to_float = [](double x) { return static_cast<float>(x); };

}  // namespace

GammaInverse::GammaInverse(double shape) {
  TAIN_EXPECTS(shape >= 0 && shape <= largest_shape, "a shape that has an inverse");
  const double a = std::max(shape, least_shape);
  offset = to_float(std::lgamma(1 + a) / a);
  slope = to_float(0.5 / a);
  const double q = upper(a, split), log_q = std::log(q);
  tail_below = to_float(-2 * std::log1p(-q));
  log_tail = to_float(log_q);

  const double largest_start = split * std::exp(log_start(a, split));
  const auto m = interpolate<9>([&](double x) {
    const double t0 = largest_start * (x + 1) / 2;
    return (theta_of_start(a, t0) / t0 - 1) / t0;
  });
  std::ranges::transform(stretch(m, largest_start), body.begin(), to_float);

  const double widest = std::max(largest_v + log_q, 1.0);  // of v; below 0 where no u gets there
  const double last = 1 / (widest + tail_pole), first = 1 / double(tail_pole);
  tail_scale = to_float(2 / (first - last));
  tail_shift = to_float(-(first + last) / (first - last));
  const auto t = interpolate<13>([&](double x) {
    const double v = 2 / (first + last + x * (first - last)) - double(tail_pole);
    return theta_of_tail(a, v, log_q) - v;
  });
  std::ranges::transform(t, tail.begin(), to_float);
}

}  // namespace tain
