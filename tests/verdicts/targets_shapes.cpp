// One mode, and still hard: funnels, heavy tails, ridges, bananas, thin rings.
#include <array>
#include <cmath>

#include "cases.hpp"
#include "core/special.hpp"

namespace tain::verdicts {
namespace {

// Neal's funnel in a box: v ~ N(0, 3^2) on (-9, 9), x_i ~ N(0, e^v) on (-100, 100). With
// Z(v) = P(|N(0, e^v)| < 100), v has the density of its normal times Z^(n-1), and x_i is a mixture
// over v: quadrature, with x = sinh(u) / 100, since it is peaked at 0.
Case funnel(std::size_t dim, const char* name) {
  const auto inside = [](double v) { return std::erf(100 * std::exp(-0.5 * v) / std::sqrt(2.0)); };
  const std::vector<double> v_breaks{-9, -4, 0, 4, 9};
  std::vector<Law> laws{
      law_of([&](double v) { return std::exp(-v * v / 18) * std::pow(inside(v), double(dim - 1)); },
             v_breaks)};
  const double top = std::asinh(100.0 * 100);
  laws.resize(dim, law_of(
                       [&](double u) {
                         const double x = std::sinh(u) / 100;
                         return std::cosh(u) * integral(
                                                   [&](double v) {
                                                     return std::exp(-v * v / 18 - 0.5 * v -
                                                                     0.5 * x * x * std::exp(-v)) *
                                                            std::pow(inside(v), double(dim - 2));
                                                   },
                                                   v_breaks);
                       },
                       {-top, -3, 0, 3, top}, [](double u) { return std::sinh(u) / 100; }));
  std::vector<double> low(dim, -100.0), high(dim, 100.0);
  low[0] = -9;
  high[0] = 9;
  return {name, Class::hostile, box(low, high),
          code(dim,
               [](std::span<const double> x, std::span<double> g) {
                 const double v = x[0], precision = std::exp(-v);
                 double value = v * v / 18;
                 g[0] = v / 9;
                 for (std::size_t i = 1; i < x.size(); ++i) {
                   value += 0.5 * (v + x[i] * x[i] * precision);
                   g[0] += 0.5 - 0.5 * x[i] * x[i] * precision;
                   g[i] = x[i] * precision;
                 }
                 return value;
               }),
          laws};
}

// t with 1.5 degrees of freedom, two coordinates, no variance: quantiles by quadrature.
Case student_heavy() {
  return {"t with 1.5 degrees",
          Class::hostile,
          real(2),
          code(2,
               [](std::span<const double> x, std::span<double> g) {
                 double value = 0;
                 for (std::size_t i = 0; i < 2; ++i) {
                   value += 1.25 * std::log1p(x[i] * x[i] / 1.5);
                   g[i] = 2.5 * x[i] / (1.5 + x[i] * x[i]);
                 }
                 return value;
               }),
          {student_law(1.5), student_law(1.5)}};
}

// Half-Cauchy, no mean: quantiles tan(pi p / 2).
Case half_cauchy() {
  return {"half-Cauchy",
          Class::hostile,
          positive(1),
          code(1,
               [](std::span<const double> x, std::span<double> g) {
                 g[0] = 2 * x[0] / (1 + x[0] * x[0]);
                 return std::log1p(x[0] * x[0]);
               }),
          {quantiles_only(std::tan(0.025 * M_PI), std::tan(0.475 * M_PI))}};
}

// x^-0.98 on (0, 1), proper but with half of its mass below 1e-15: Beta(0.02, 1), closed form.
Case heavy_wall() {
  return {"x^-0.98 at a wall",
          Class::hostile,
          box(0, 1, 1),
          code(1,
               [](std::span<const double> x, std::span<double> g) {
                 g[0] = 0.98 / x[0];
                 return 0.98 * std::log(x[0]);
               }),
          {beta_law(0.02, 1)}};
}

// x^-0.97 (1 - x)^1.6 on (0, 1): long steps in log x, and an end at 1 that they hardly enter.
Case narrow_end() {
  constexpr double a = 0.03, b = 2.6;
  return {"Beta(0.03, 2.6), own code",
          Class::hostile,
          box(0, 1, 1),
          code(1,
               [](std::span<const double> x, std::span<double> g) {
                 g[0] = (1 - a) / x[0] + (b - 1) / (1 - x[0]);
                 return (1 - a) * std::log(x[0]) - (b - 1) * std::log1p(-x[0]);
               }),
          {beta_law(a, b)}};
}

// A narrow normal on a broad one: mixtures of normals, coordinate by coordinate.
Case peak(std::size_t dim, double broad, double ratio, const char* name) {
  const std::vector<double> centre(dim, 0.0);
  const std::vector<Bump> bumps{{broad, centre, std::vector<double>(dim, 1.0)},
                                {1 - broad, centre, std::vector<double>(dim, 1 / ratio)}};
  return {name, Class::hostile, real(dim), mixture(bumps), mixture_laws(bumps, -14, 14)};
}

// Two normals with sd 1 and correlation 0.99999: closed form.
Case ridge() {
  return {"correlation 0.99999",
          Class::hostile,
          real(2),
          gaussian({.covariance = {1, 0.99999, 0.99999, 1}}),
          {normal_law(0, 1), normal_law(0, 1)}};
}

// Normals in 20 dims with variances from 1 to 1e6, turned by the reflection I - 2 v v^T with v
// along the diagonal: closed form, from the diagonal of the covariance.
Case stiff() {
  constexpr std::size_t dim = 20;
  std::vector<double> covariance(dim * dim);
  const auto reflection = [](std::size_t i, std::size_t k) {
    return (i == k ? 1.0 : 0.0) - 2.0 / double(dim);
  };
  std::vector<Law> laws;
  for (std::size_t i = 0; i < dim; ++i) {
    for (std::size_t j = 0; j < dim; ++j) {
      for (std::size_t k = 0; k < dim; ++k) {
        covariance[i * dim + j] +=
            reflection(i, k) * std::pow(1e6, double(k) / double(dim - 1)) * reflection(j, k);
      }
    }
    laws.push_back(normal_law(0, std::sqrt(covariance[i * dim + i])));
  }
  return {"normal, 20 dims, condition 1e6", Class::hostile, real(dim),
          gaussian({.covariance = covariance}), laws};
}

// x_1 ~ N(0, 1), x_2 ~ N(5 x_1^2, 0.1^2). Of x_2 = b u^2 + s z moments follow from those of a
// normal; P(x_2 < t) is the integral of P(z < (t - b u^2) / s) over u.
Case banana() {
  constexpr double b = 5, s = 0.1;
  const auto cdf = [](double t) {
    const auto below = [t](double u) {
      return std::exp(-0.5 * u * u) * normal_cdf((t - b * u * u) / s) * std::sqrt(2 / M_PI);
    };
    // The integrand falls from 1 to 0 within 12 s of b u^2 = t.
    std::vector<double> breaks{0};
    for (const double edge : {-12.0, 12.0}) {
      const double square = (t + edge * s) / b;
      if (square > 0) {
        breaks.push_back(std::sqrt(square));
      }
    }
    return breaks.size() == 1 ? 0.0 : integral(below, breaks);
  };
  const double variance = 2 * b * b + s * s;
  const Law second{.mean = b,
                   .sd = std::sqrt(variance),
                   .kurtosis = (60 * b * b * b * b + 12 * b * b * s * s + 3 * s * s * s * s) /
                               (variance * variance),
                   .q5 = root_of(cdf, 0.05, -1, 60),
                   .q95 = root_of(cdf, 0.95, -1, 60)};
  return {"banana, strong",
          Class::hostile,
          real(2),
          code(2,
               [](std::span<const double> x, std::span<double> g) {
                 const double r = (x[1] - b * x[0] * x[0]) / (s * s);
                 g[0] = x[0] - 2 * b * x[0] * r;
                 g[1] = r;
                 return 0.5 * (x[0] * x[0] + s * s * r * r);
               }),
          {normal_law(0, 1), second}};
}

// A ring of radius 1: |x| has the density r exp(-(r - 1)^2 / (2 s^2)), the angle is uniform, so
// that the variance of x_1 = r cos(angle) is E r^2 / 2, E x_1^4 = 3/8 E r^4, and P(x_1 > t) is the
// mean of acos(t / r) / pi over r > t, smooth in the root of r - t.
Case ring() {
  constexpr double s = 0.02, low = 1 - 12 * s, high = 1 + 12 * s;
  const auto density = [](double r) { return r * std::exp(-(r - 1) * (r - 1) / (2 * s * s)); };
  const double mass = integral(density, std::array{low, 1.0, high});
  const auto mean_of = [&](const Function& f) {
    return integral([&](double r) { return f(r) * density(r); }, std::array{low, 1.0, high}) / mass;
  };
  const auto below = [&](double t) {
    const auto above = [&](double w) {
      const double r = t + w * w;
      return 2 * w * density(r) * std::acos(t / r) / M_PI;
    };
    return 1 -
           integral(above, std::array{0.0, 0.25 * std::sqrt(high - t), std::sqrt(high - t)}) / mass;
  };
  const double variance = mean_of([](double r) { return 0.5 * r * r; });
  const double fourth = mean_of([](double r) { return 0.375 * r * r * r * r; });
  const double q95 = root_of(below, 0.95, 0.8, 1.2);
  const Law law{.mean = 0,
                .sd = std::sqrt(variance),
                .kurtosis = fourth / (variance * variance),
                .q5 = -q95,
                .q95 = q95};
  return {"ring, thin",
          Class::hostile,
          real(2),
          code(2,
               [](std::span<const double> x, std::span<double> g) {
                 const double r = std::hypot(x[0], x[1]), slope = (r - 1) / (s * s);
                 g[0] = slope * x[0] / r;
                 g[1] = slope * x[1] / r;
                 return (r - 1) * (r - 1) / (2 * s * s);
               }),
          {law, law}};
}

}  // namespace

std::vector<Case> shape_cases() {
  return {funnel(2, "funnel in a box, 2 dims"),
          funnel(10, "funnel in a box, 10 dims"),
          student_heavy(),
          half_cauchy(),
          heavy_wall(),
          narrow_end(),
          peak(1, 0.05, 100, "a narrow peak with 95 %"),
          peak(4, 0.1, 7, "a narrow peak with 90 %, 4 dims"),
          peak(4, 0.8, 7, "a narrow peak with 20 %, 4 dims"),
          ridge(),
          stiff(),
          banana(),
          ring()};
}

}  // namespace tain::verdicts
