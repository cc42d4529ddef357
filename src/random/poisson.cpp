#include <cmath>
#include <numbers>

#include "random/noise.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

constexpr double inversion_below = 10;  // the hat of the rejection method is good from here on
constexpr double stirling_from = 16;    // below, k! is exact in a double

// Sums the probabilities until they pass u: one uniform, mean + 1 terms on average.
double by_inversion(double mean, double u) {
  double probability = std::exp(-mean), sum = probability, k = 0;
  while (u > sum) {
    probability *= mean / ++k;
    const double next = sum + probability;
    if (next == sum && k > mean) {
      break;  // u lies in what rounding left between the sum of all probabilities and 1
    }
    sum = next;
  }
  return k;
}

// k log(k / mean) - k + mean >= 0. With v = (k - mean)/(k + mean), log(k / mean) = 2 artanh v and
// 2 k v - (k - mean) = (k - mean) v, so nothing cancels where k is near the mean.
double deviance(double k, double mean) {
  const double v = (k - mean) / (k + mean);
  if (std::abs(v) > 0.1) {
    return k * std::log(k / mean) - k + mean;
  }
  double sum = (k - mean) * v, power = 2 * k * v;
  for (int j = 3;; j += 2) {
    power *= v * v;
    const double next = sum + power / j;
    if (next == sum) {
      return sum;
    }
    sum = next;
  }
}

// log of mean^k e^-mean / k!.
double log_probability(double k, double mean) {
  if (k < stirling_from) {
    double factorial = 1;
    for (double i = 2; i <= k; ++i) {
      factorial *= i;
    }
    return k * std::log(mean) - mean - std::log(factorial);
  }
  // Stirling's series; the first term left out is 691 / (360360 k^11) < 2e-16.
  const double r = 1 / k, s = r * r;
  const double correction =
      r * (1.0 / 12 - s * (1.0 / 360 - s * (1.0 / 1260 - s * (1.0 / 1680 - s / 1188))));
  return -deviance(k, mean) - 0.5 * std::log(2 * std::numbers::pi * k) - correction;
}

// Hoermann's transformed rejection with squeeze (PTRS, 1993). U uniform on (-1/2, 1/2), X = G(U) =
// (2 a / (1/2 - |U|) + b) U + mean + 0.43 has the hat's law, and k = floor(X) is accepted with
// probability q = G'(U) p(k) / c. The method is exact if q <= 1 everywhere, and q >= `surely` where
// the squeeze accepts at once. On a grid of 1300 means from 10 to 1e7, q reaches 1.0057 with the
// published c and falls 0.0036 below the published bound; so c is 1 % larger here and `surely` 0.02
// lower, which costs 1 % more trials.
struct Hat {
  explicit Hat(double mean)
      : b(0.931 + 2.53 * std::sqrt(mean)),
        a(-0.059 + 0.02483 * b),
        log_c(std::log(1.01 * (1.1239 + 1.1328 / (b - 3.4)))),
        surely(0.9077 - 3.6224 / (b - 2)) {}
  double b, a, log_c, surely;
};

}  // namespace

double Stream::poisson(double mean) {
  TAIN_EXPECTS(mean >= 0 && std::isfinite(mean), "a Poisson mean is finite and not negative");
  if (mean < inversion_below) {
    return mean > 0 ? by_inversion(mean, uniform()) : 0.0;
  }
  const Hat hat(mean);
  for (;;) {
    const double u = uniform() - 0.5, v = uniform(), edge = 0.5 - std::abs(u);
    const double k = std::floor((2 * hat.a / edge + hat.b) * u + mean + 0.43);
    if (edge >= 0.07 && v <= hat.surely) {
      return k;
    }
    // Far out the probability is below `edge`.
    if (k < 0 || (edge < 0.013 && v > edge)) {
      continue;
    }
    if (std::log(v) + hat.log_c - std::log(hat.a / (edge * edge) + hat.b) <=
        log_probability(k, mean)) {
      return k;
    }
  }
}

}  // namespace tain
