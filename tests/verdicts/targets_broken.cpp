// What is broken, or looks like it: gradients that vanish or are wrong, densities that jump or have
// a hole, infinite mass.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "cases.hpp"
#include "core/special.hpp"

namespace tain::verdicts {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

// Five steps on [0, 1], gradient 0 wherever there is one: quadrature with breaks at the edges.
Case stairs() {
  const auto V = [](double x) {
    constexpr std::array heights{4.0, 0.0, 3.0, 0.5, 6.0};
    return heights[std::min<std::size_t>(static_cast<std::size_t>(5 * std::max(x, 0.0)), 4)];
  };
  return {"stairs",
          Class::hostile,
          box(0, 1, 1),
          code(1,
               [V](std::span<const double> x, std::span<double> g) {
                 g[0] = 0;
                 return V(x[0]);
               }),
          {law_of([V](double x) { return std::exp(-V(x)); }, {0, 0.2, 0.4, 0.6, 0.8, 1})}};
}

// N(0, I) in 2 dims whose density is e^jump times smaller where x_1 < 0, which the gradient does
// not show: quadrature with a break at 0.
Case jump(double nats, const char* name) {
  const auto density = [nats](double x) { return std::exp(-0.5 * x * x - (x < 0 ? nats : 0)); };
  return {name,
          Class::hostile,
          real(2),
          code(2,
               [nats](std::span<const double> x, std::span<double> g) {
                 g[0] = x[0];
                 g[1] = x[1];
                 return 0.5 * (x[0] * x[0] + x[1] * x[1]) + (x[0] < 0 ? nats : 0);
               }),
          {law_of(density, {-12, -3, 0, 3, 12}), normal_law(0, 1)}};
}

// Four by four squares on (0, 1)^2, the white ones e^20 times less dense than the black ones,
// which touch at corners only; the lower left is black. Each column has as many of each, so both
// marginals are uniform up to the weights of two columns, which are equal.
Case checkerboard() {
  return {"checkerboard", Class::hostile, box(0, 1, 2),
          code(2,
               [](std::span<const double> x, std::span<double> g) {
                 g[0] = g[1] = 0;
                 const int column = int(4 * x[0]), row = int(4 * x[1]);
                 return (column + row) % 2 == 0 ? 0.0 : 20.0;
               }),
          std::vector<Law>(2, beta_law(1, 1))};
}

// The uniform law on (-1, 1)^2 without the disc of this radius around (at, at): both coordinates
// have the density 1 - sqrt(radius^2 - (x - at)^2) where that is real: quadrature in panels that
// shrink towards the ends of the root.
Case hole(double at, double radius, const char* name) {
  const auto density = [=](double x) {
    return 1 - std::sqrt(std::max(0.0, radius * radius - (x - at) * (x - at)));
  };
  std::vector<double> breaks{-1, at, 1};
  for (const double share : {0.7, 0.97, 0.998, 1.0}) {
    breaks.push_back(at - share * radius);
    breaks.push_back(at + share * radius);
  }
  return {name, Class::hostile, box(-1, 1, 2),
          code(2,
               [=](std::span<const double> x, std::span<double> g) {
                 g[0] = g[1] = 0;
                 const double a = x[0] - at, b = x[1] - at;
                 return a * a + b * b < radius * radius ? inf : 0.0;
               }),
          std::vector<Law>(2, law_of(density, breaks))};
}

// N(0, I) in 5 dims; the gradient of x_3 is multiplied by `factor`, or all are. A Metropolis step
// along a wrong gradient is still exact; what is asked is whether the moments come out right.
Case wrong_gradient(double factor, bool all, const char* name) {
  return {name, Class::hostile, real(5),
          code(5,
               [factor, all](std::span<const double> x, std::span<double> g) {
                 double value = 0;
                 for (std::size_t i = 0; i < 5; ++i) {
                   value += 0.5 * x[i] * x[i];
                   g[i] = (all || i == 2 ? factor : 1) * x[i];
                 }
                 return value;
               }),
          std::vector<Law>(5, normal_law(0, 1))};
}

// V = 2 |x|^2 with the gradient of -V on (-1, 1)^2: truncated normals with sd 1/2.
Case downhill() {
  return {"gradient of -V in a box", Class::hostile, box(-1, 1, 2),
          code(2,
               [](std::span<const double> x, std::span<double> g) {
                 g[0] = -4 * x[0];
                 g[1] = -4 * x[1];
                 return 2 * (x[0] * x[0] + x[1] * x[1]);
               }),
          std::vector<Law>(2, truncated_normal_law(0, 0.5, -1, 1))};
}

// log p of N(0, I) where V is meant: the density grows without bound. No law.
Case log_density() {
  return {"log p where V is meant", Class::hostile, real(2),
          code(2, [](std::span<const double> x, std::span<double> g) {
            g[0] = -x[0];
            g[1] = -x[1];
            return -0.5 * (x[0] * x[0] + x[1] * x[1]);
          })};
}

// x^-power on (0, 1]: infinite mass at the wall for powers of 1 and more. No law.
Case infinite_wall(double power, const char* name) {
  return {name, Class::hostile, box(0, 1, 1),
          code(1, [power](std::span<const double> x, std::span<double> g) {
            g[0] = power / x[0];
            return power * std::log(x[0]);
          })};
}

// Flat on the line. No law.
Case flat() {
  return {"flat on the line", Class::hostile, real(1),
          code(1, [](std::span<const double>, std::span<double> g) {
            g[0] = 0;
            return 0.0;
          })};
}

// 1 / sigma on the half-line, times a normal in mu: infinite mass at both ends. No law.
Case flat_scale() {
  return {"1/sigma on the half-line", Class::hostile,
          product({{"mu", real()}, {"sigma", positive()}}),
          code(2, [](std::span<const double> x, std::span<double> g) {
            g[0] = x[0];
            g[1] = 1 / x[1];
            return 0.5 * x[0] * x[0] + std::log(x[1]);
          })};
}

// Earnings on height with flat priors on both coefficients and sigma, in dollars and inches, as
// textbooks have it: coefficients near -6e4 and 1e3, sigma near 2e4, far from where chains start,
// in coordinates whose scales differ by 1e4. With n rows, S the residual sum of squares and
// C = (X'X)^-1, sigma has the density sigma^-(n-2) exp(-S / (2 sigma^2)), and (beta_j - b_j) is
// sqrt(C_jj S / (n - 3)) times a t with n - 3 degrees of freedom.
Case earnings() {
  constexpr int n = 100;
  std::array<double, n> z{}, y{};
  double sum_z = 0, sum_zz = 0, sum_y = 0, sum_zy = 0;
  for (int i = 0; i < n; ++i) {
    z[i] = 57 + 20.0 * i / (n - 1);
    y[i] =
        -60000 + 1300 * z[i] + 2e4 * normal_quantile(std::fmod(0.6180339887498949 * (i + 1), 1.0));
    sum_z += z[i];
    sum_zz += z[i] * z[i];
    sum_y += y[i];
    sum_zy += z[i] * y[i];
  }
  const double det = n * sum_zz - sum_z * sum_z;
  const double b1 = (n * sum_zy - sum_z * sum_y) / det, b0 = (sum_y - b1 * sum_z) / n;
  double S = 0;
  for (int i = 0; i < n; ++i) {
    const double r = y[i] - b0 - b1 * z[i];
    S += r * r;
  }
  const double scale = std::sqrt(S / (n - 3)), s = std::sqrt(S / n);
  const auto density = [](double l) {  // of log(sigma / s)
    return std::exp(-(n - 3) * l - 0.5 * n * std::expm1(-2 * l));
  };
  const Law sigma =
      law_of(density, {-0.8, -0.2, 0, 0.2, 0.8, 2}, [](double l) { return std::exp(l); });
  return {"earnings on height, flat priors",
          Class::hostile,
          product({{"beta", real(2)}, {"sigma", positive()}}),
          code(3,
               [z, y](std::span<const double> x, std::span<double> g) {
                 const double precision = 1 / (x[2] * x[2]);
                 double squares = 0, along = 0, across = 0;
                 for (int i = 0; i < n; ++i) {
                   const double r = y[i] - x[0] - x[1] * z[i];
                   squares += r * r;
                   along += r;
                   across += r * z[i];
                 }
                 g[0] = -along * precision;
                 g[1] = -across * precision;
                 g[2] = (n - squares * precision) / x[2];
                 return n * std::log(x[2]) + 0.5 * squares * precision;
               }),
          {student_law(n - 3, b0, scale * std::sqrt(sum_zz / det)),
           student_law(n - 3, b1, scale * std::sqrt(n / det)), shifted(sigma, 0, s)}};
}

}  // namespace

std::vector<Case> broken_cases() {
  return {stairs(),
          jump(5, "a jump of 5 nats"),
          jump(20, "a jump of 20 nats"),
          checkerboard(),
          hole(0, 0.7, "a hole at the centre"),
          hole(0.5, 0.45, "a hole beside the centre"),
          wrong_gradient(1.05, true, "gradient 5 % too long"),
          wrong_gradient(-1, false, "gradient with one wrong sign"),
          downhill(),
          log_density(),
          infinite_wall(1, "x^-1 at a wall"),
          infinite_wall(1.2, "x^-1.2 at a wall"),
          flat(),
          flat_scale(),
          earnings()};
}

}  // namespace tain::verdicts
