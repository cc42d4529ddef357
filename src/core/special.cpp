#include "core/special.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "tain/core/error.hpp"

namespace tain {

namespace {

// From here on the asymptotic series below, cut after their last term, are exact to 1e-16.
constexpr double asymptotic_from = 12.0;

// sum of coefficients[k] z^k
template <std::size_t Size>
double polynomial(const double (&coefficients)[Size], double z) {
  double value = 0.0;
  for (std::size_t k = Size; k-- > 0;) {
    value = value * z + coefficients[k];
  }
  return value;
}

// log(1 + u) - u without cancellation: artanh series in s = u / (2 + u) for small u, where
// log(1 + u) = 2 (s + s^3/3 + s^5/5 + ...) and 2 s - u = -s u.
double log1p_minus(double u) {
  if (std::abs(u) > 0.5) {
    return std::log1p(u) - u;
  }
  const double s = u / (2.0 + u);
  const double z = s * s;
  double term = 2.0 * s * z;
  double sum = 0.0;
  for (int k = 3; std::abs(term) > 1e-18 * std::abs(s * u); k += 2) {
    sum += term / k;
    term *= z;
  }
  return sum - s * u;
}

// x^a e^-x / Gamma(a + 1). For large a from Stirling's formula around x = a, so that the error does
// not grow with a but only with the distance from the maximum.
double gamma_kernel(double a, double x) {
  if (a < 10.0) {
    return std::exp(a * std::log(x) - x) / std::tgamma(a + 1.0);
  }
  const double inverse = 1.0 / a;
  constexpr double stirling[] = {1.0 / 12.0,   -1.0 / 360.0,      1.0 / 1260.0, -1.0 / 1680.0,
                                 1.0 / 1188.0, -691.0 / 360360.0, 1.0 / 156.0};
  const double remainder = inverse * polynomial(stirling, inverse * inverse);
  const double exponent = a * log1p_minus((x - a) / a);
  return std::exp(exponent - remainder) / std::sqrt(2.0 * std::numbers::pi * a);
}

// P(a, x) by its power series: kernel * (1 + x/(a+1) + x^2/((a+1)(a+2)) + ...).
double lower_gamma(double a, double x) {
  double term = 1.0;
  double sum = 1.0;
  for (double n = a + 1.0; term > sum * 1e-17; n += 1.0) {
    term *= x / n;
    sum += term;
  }
  return gamma_kernel(a, x) * sum;
}

// Q(a, x) by Legendre's continued fraction, evaluated with Lentz's algorithm.
double upper_gamma(double a, double x) {
  constexpr double tiny = 1e-300;
  double b = x + 1.0 - a;
  double c = 1.0 / tiny;
  double d = 1.0 / b;
  double fraction = d;
  for (double n = 1.0;; n += 1.0) {
    const double numerator = n * (a - n);
    b += 2.0;
    d = numerator * d + b;
    d = 1.0 / (std::abs(d) < tiny ? tiny : d);
    c = b + numerator / c;
    c = std::abs(c) < tiny ? tiny : c;
    fraction *= d * c;
    if (std::abs(d * c - 1.0) < 1e-16 || n > 1e6) {
      return gamma_kernel(a, x) * a * fraction;
    }
  }
}

}  // namespace

// Recurrence psi(x) = psi(x + 1) - 1/x up to the asymptotic region, there
// psi(x) = log x - 1/(2x) - sum_k B_2k / (2k x^2k).
double digamma(double x) {
  TAIN_EXPECTS(x > 0.0, "digamma needs a positive argument");
  double shift = 0.0;
  double z = x;
  while (z < asymptotic_from) {
    shift += 1.0 / z;
    z += 1.0;
  }
  constexpr double series[] = {1.0 / 12.0,  -1.0 / 120.0,     1.0 / 252.0, -1.0 / 240.0,
                               1.0 / 132.0, -691.0 / 32760.0, 1.0 / 12.0};
  const double inverse = 1.0 / z;
  const double square = inverse * inverse;
  return std::log(z) - 0.5 * inverse - square * polynomial(series, square) - shift;
}

// Likewise, psi'(x) = 1/x + 1/(2x^2) + sum_k B_2k / x^(2k+1).
double trigamma(double x) {
  TAIN_EXPECTS(x > 0.0, "trigamma needs a positive argument");
  double shift = 0.0;
  double z = x;
  while (z < asymptotic_from) {
    shift += 1.0 / z / z;
    z += 1.0;
  }
  constexpr double series[] = {1.0 / 6.0,  -1.0 / 30.0,     1.0 / 42.0, -1.0 / 30.0,
                               5.0 / 66.0, -691.0 / 2730.0, 7.0 / 6.0};
  const double inverse = 1.0 / z;
  const double square = inverse * inverse;
  return shift + inverse * (1.0 + 0.5 * inverse + square * polynomial(series, square));
}

// erfc(-z / sqrt 2) / 2. In the tail the relative error of erfc is z^2 times that of its argument,
// so the rounding error of z / sqrt 2 is computed and taken out to first order.
double normal_cdf(double z) {
  constexpr double root_half = std::numbers::sqrt2 / 2.0;
  constexpr double root_half_low = -4.833646656726457e-17;
  const double h = -z * root_half;
  if (!(std::abs(h) > 1.0 && std::abs(h) < 27.0)) {
    return 0.5 * std::erfc(h);
  }
  const double error = std::fma(-z, root_half, -h) - z * root_half_low;
  return 0.5 * std::erfc(h) - error * std::exp(-h * h) * std::numbers::inv_sqrtpi;
}

// Wichura (1988), algorithm AS 241, PPND16; then one Newton step on the tail that holds p.
double normal_quantile(double p) {
  TAIN_EXPECTS(p > 0.0 && p < 1.0, "a probability strictly between 0 and 1");
  constexpr double a[] = {3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
                          1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
                          3.3430575583588128105e4, 2.5090809287301226727e3};
  constexpr double b[] = {1.0,
                          4.2313330701600911252e1,
                          6.8718700749205790830e2,
                          5.3941960214247511077e3,
                          2.1213794301586595867e4,
                          3.9307895800092710610e4,
                          2.8729085735721942674e4,
                          5.2264952788528545610e3};
  constexpr double c[] = {1.42343711074968357734e0,  4.63033784615654529590e0,
                          5.76949722146069140550e0,  3.64784832476320460504e0,
                          1.27045825245236838258e0,  2.41780725177450611770e-1,
                          2.27238449892691845833e-2, 7.74545014278341407640e-4};
  constexpr double d[] = {1.0,
                          2.05319162663775882187e0,
                          1.67638483018380384940e0,
                          6.89767334985100004550e-1,
                          1.48103976427480074590e-1,
                          1.51986665636164571966e-2,
                          5.47593808499534494600e-4,
                          1.05075007164441684324e-9};
  constexpr double e[] = {6.65790464350110377720e0,  5.46378491116411436990e0,
                          1.78482653991729133580e0,  2.96560571828504891230e-1,
                          2.65321895265761230930e-2, 1.24266094738807843860e-3,
                          2.71155556874348757815e-5, 2.01033439929228813265e-7};
  constexpr double f[] = {1.0,
                          5.99832206555887937690e-1,
                          1.36929880922735805310e-1,
                          1.48753612908506148525e-2,
                          7.86869131145613259100e-4,
                          1.84631831751005468180e-5,
                          1.42151175831644588870e-7,
                          2.04426310338993978564e-15};
  const double q = p - 0.5;
  if (std::abs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(a, r) / polynomial(b, r);
  }
  const double tail = q < 0.0 ? p : 1.0 - p;  // exact: p > 1/2
  const double r = std::sqrt(-std::log(tail));
  const double z = r <= 5.0 ? polynomial(c, r - 1.6) / polynomial(d, r - 1.6)
                            : polynomial(e, r - 5.0) / polynomial(f, r - 5.0);
  const double density = std::exp(-0.5 * z * z) / std::sqrt(2.0 * std::numbers::pi);
  const double improved = density > 0.0 ? z + (normal_cdf(-z) - tail) / density : z;
  return q < 0.0 ? -improved : improved;
}

double chi_square_sf(double x, double k) {
  TAIN_EXPECTS(k > 0.0, "chi-square needs positive degrees of freedom");
  if (!(x > 0.0)) {
    return std::isnan(x) ? x : 1.0;
  }
  if (std::isinf(x)) {
    return 0.0;
  }
  const double a = 0.5 * k;
  return 0.5 * x < a + 1.0 ? 1.0 - lower_gamma(a, 0.5 * x) : upper_gamma(a, 0.5 * x);
}

namespace {

double log_beta(double a, double b) {
  int sign = 0;
  return lgamma_r(a, &sign) + lgamma_r(b, &sign) - lgamma_r(a + b, &sign);
}

// Continued fraction of I_x(a, b) a B(a, b) / (x^a (1 - x)^b) (DLMF 8.17.22) by Lentz's method:
// converges fast for x < (a + 1) / (a + b + 2).
double beta_fraction(double x, double a, double b) {
  constexpr double tiny = 1e-300;
  const auto safe = [](double v) { return std::abs(v) < tiny ? tiny : v; };
  double c = 1.0, d = 1.0 / safe(1.0 - (a + b) * x / (a + 1.0)), value = d;
  for (int m = 1; m < 100'000; ++m) {
    const double k = m;
    const double even = k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k));
    d = 1.0 / safe(1.0 + even * d);
    c = safe(1.0 + even / c);
    value *= d * c;
    const double odd = -(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1));
    d = 1.0 / safe(1.0 + odd * d);
    c = safe(1.0 + odd / c);
    value *= d * c;
    if (std::abs(d * c - 1.0) < 1e-15) {
      break;
    }
  }
  return value;
}

}  // namespace

double beta_cdf(double log_x, double a, double b) {
  TAIN_EXPECTS(a > 0 && b > 0 && log_x <= 0, "a beta law has positive shapes and lives on [0, 1]");
  const double x = std::exp(log_x), y = -std::expm1(log_x);
  if (y == 0) {
    return 1.0;
  }
  const double log_y = x < 0.5 ? std::log1p(-x) : std::log(y);
  const double log_kernel = a * log_x + b * log_y - log_beta(a, b);
  if (x < (a + 1) / (a + b + 2)) {
    return std::exp(log_kernel - std::log(a)) * beta_fraction(x, a, b);
  }
  return 1.0 - std::exp(log_kernel - std::log(b)) * beta_fraction(y, b, a);
}

double beta_log_quantile(double p, double a, double b) {
  TAIN_EXPECTS(p > 0 && p < 1, "a quantile is asked for at a probability");
  double low = -1.0, high = 0.0;
  while (beta_cdf(low, a, b) > p) {
    high = low;
    low *= 2;
  }
  for (int i = 0; i < 200 && low < high; ++i) {
    const double middle = low + (high - low) / 2;
    if (middle == low || middle == high) {
      break;
    }
    (beta_cdf(middle, a, b) > p ? high : low) = middle;
  }
  return high;
}

}  // namespace tain
