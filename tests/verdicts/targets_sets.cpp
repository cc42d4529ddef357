// Well-behaved laws on every set: Dirichlet, Gaussian, uniform, gamma; built in and as own code.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "cases.hpp"
#include "core/special.hpp"

namespace tain::verdicts {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

// Covariance with eigenvalues from 1 to `condition`, evenly in the logarithm, turned by the
// reflection I - 2 v v^T with v along the diagonal, so that no axis is a principal one.
std::vector<double> turned_covariance(std::size_t dim, double condition) {
  std::vector<double> covariance(dim * dim);
  const auto reflection = [dim](std::size_t i, std::size_t k) {
    return (i == k ? 1.0 : 0.0) - 2.0 / double(dim);
  };
  for (std::size_t k = 0; k < dim; ++k) {
    const double value = std::pow(condition, double(k) / double(dim - 1));
    for (std::size_t i = 0; i < dim; ++i) {
      for (std::size_t j = 0; j < dim; ++j) {
        covariance[i * dim + j] += reflection(i, k) * value * reflection(j, k);
      }
    }
  }
  return covariance;
}

// -log of a Dirichlet density in code of one's own.
PointFunction own_dirichlet(double alpha) {
  return [alpha](std::span<const double> x, std::span<double> g) {
    double value = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      value += (1 - alpha) * std::log(x[i]);
      g[i] = (1 - alpha) / x[i];
    }
    return value;
  };
}

// Dirichlet(11, 21, 31, 41): moments in closed form, quantiles of Beta marginals.
Case dense_dirichlet() {
  return {"Dirichlet, dense", Class::good, simplex(),
          dirichlet({.counts = {10, 20, 30, 40}, .alpha = 1}),
          dirichlet_laws(std::array{11.0, 21.0, 31.0, 41.0})};
}

// Dirichlet(0.1, ..., 0.1) on 10 categories: as above; quantiles down to 1e-13.
Case sparse_dirichlet() {
  return {"Dirichlet, sparse", Class::good, simplex(10), dirichlet({.alpha = 0.1}),
          dirichlet_laws(std::vector<double>(10, 0.1))};
}

// The paper's posterior, Dirichlet(10000.1, 10.1, 10.1, 0.1, 0.1): as above.
Case dominated_dirichlet() {
  return {"Dirichlet, dominated", Class::good, simplex(),
          dirichlet({.counts = {10000, 10, 10, 0, 0}, .alpha = 0.1}),
          dirichlet_laws(std::array{10000.1, 10.1, 10.1, 0.1, 0.1})};
}

// Dirichlet(0.1, ..., 0.1) on 5 categories as code of one's own: as above.
Case own_sparse_dirichlet() {
  return {"Dirichlet, sparse, own code", Class::good, simplex(5), code(5, own_dirichlet(0.1)),
          dirichlet_laws(std::vector<double>(5, 0.1))};
}

// Beta(0.3, 0.3) on [0, 1] as code of one's own: closed form.
Case own_beta() {
  return {"Beta(0.3, 0.3), own code",
          Class::good,
          box(0, 1, 1),
          code(1,
               [](std::span<const double> x, std::span<double> g) {
                 g[0] = 0.7 / x[0] - 0.7 / (1 - x[0]);
                 return 0.7 * (std::log(x[0]) + std::log(1 - x[0]));
               }),
          {beta_law(0.3, 0.3)}};
}

// N(0, 1) on the line: closed form.
Case normal_line() {
  return {"normal, 1 dim", Class::good, real(1), gaussian(), {normal_law(0, 1)}};
}

// Independent normals with sd from 1 to 10 (condition 1e2) in 50 dims: closed form.
Case normal_50() {
  std::vector<double> sd(50);
  std::vector<Law> laws;
  for (std::size_t i = 0; i < sd.size(); ++i) {
    sd[i] = std::pow(10, double(i) / 49);
    laws.push_back(normal_law(0, sd[i]));
  }
  return {"normal, 50 dims, condition 1e2", Class::good, real(50), gaussian({.sd = sd}), laws};
}

// Correlated normals in 10 dims: closed form, from the diagonal of the covariance.
Case normal_turned(double condition, const char* name) {
  const std::vector<double> covariance = turned_covariance(10, condition);
  std::vector<Law> laws;
  for (std::size_t i = 0; i < 10; ++i) {
    laws.push_back(normal_law(0, std::sqrt(covariance[11 * i])));
  }
  return {name, Class::good, real(10), gaussian({.covariance = covariance}), laws};
}

// Independent normals N(0.5, 1) on (-1, 1)^10: truncated normals by quadrature.
Case normal_box() {
  return {"normal in a box, 10 dims", Class::good, box(-1, 1, 10), gaussian({.mean = 0.5}),
          std::vector<Law>(10, truncated_normal_law(0.5, 1, -1, 1))};
}

// N(0, 0.5^2 I) in the unit ball in 3 dims. The density of x_1 is that of the normal times the
// probability exp(-t) that x_2^2 + x_3^2 is not above 1 - x_1^2, subtracted from 1, with
// t = (1 - x_1^2) / (2 sd^2): quadrature.
Case normal_ball() {
  const auto density = [](double x) {
    return -std::exp(-2 * x * x) * std::expm1(-2 * (1 - x * x));
  };
  return {"normal in a ball, 3 dims", Class::good, ball(3), gaussian({.sd = 0.5}),
          std::vector<Law>(3, law_of(density, {-1, 0, 1}))};
}

// A normal around (0.5, 0.3, 0.2) on the simplex with 3 categories: quadrature on the triangle.
Case normal_simplex() {
  const auto V = [](std::span<const double> x) {
    const double a = x[0] - 0.5, b = x[1] - 0.3, c = x[2] - 0.2;
    return (a * a + b * b + c * c) / (2 * 0.2 * 0.2);
  };
  return {"normal on a simplex", Class::good, simplex(3),
          gaussian({.mean = {0.5, 0.3, 0.2}, .sd = 0.2}), triangle_laws(V)};
}

// |N(0, 1)| in 5 dims: truncated normals by quadrature.
Case half_normal() {
  return {"half-normal, 5 dims", Class::good, positive(5), gaussian(),
          std::vector<Law>(5, truncated_normal_law(0, 1, 0, inf))};
}

// N(-2, 1) on the half-line, whose mode is at the wall: quadrature.
Case normal_at_wall() {
  return {"normal behind a wall",
          Class::good,
          positive(1),
          gaussian({.mean = -2}),
          {truncated_normal_law(-2, 1, 0, inf)}};
}

// N((2, 3), I) on (-1, 1)^2, whose mode is in a corner: quadrature.
Case normal_in_corner() {
  return {"normal in a corner",
          Class::good,
          box(-1, 1, 2),
          gaussian({.mean = {2, 3}}),
          {truncated_normal_law(2, 1, -1, 1), truncated_normal_law(3, 1, -1, 1)}};
}

// Exponential laws with means 1 and 5: quantiles -log(1 - p), kurtosis 9.
Case exponential() {
  const Law unit{.mean = 1, .sd = 1, .kurtosis = 9, .q5 = -std::log(0.95), .q95 = -std::log(0.05)};
  return {"exponential",
          Class::good,
          positive(2),
          code(2,
               [](std::span<const double> x, std::span<double> g) {
                 g[0] = 1;
                 g[1] = 0.2;
                 return x[0] + 0.2 * x[1];
               }),
          {unit, shifted(unit, 0, 5)}};
}

// Gamma(1/2) and Gamma(3): half of chi-square with 1 and 6 degrees of freedom, quantiles by
// bisection; mean and variance a, kurtosis 3 + 6 / a.
Case gamma() {
  const auto law = [](double a) {
    const auto quantile = [a](double p) {
      return root_of([a](double x) { return 1 - chi_square_sf(2 * x, 2 * a); }, p, 0, 100);
    };
    return Law{.mean = a,
               .sd = std::sqrt(a),
               .kurtosis = 3 + 6 / a,
               .q5 = quantile(0.05),
               .q95 = quantile(0.95)};
  };
  return {"gamma",
          Class::good,
          positive(2),
          code(2,
               [](std::span<const double> x, std::span<double> g) {
                 g[0] = 1 + 0.5 / x[0];
                 g[1] = 1 - 2 / x[1];
                 return x[0] + 0.5 * std::log(x[0]) + x[1] - 2 * std::log(x[1]);
               }),
          {law(0.5), law(3)}};
}

// Uniform in the ball of radius 1 in 10 dims: the density of x_1 is (1 - x_1^2)^(9/2), so that
// (x_1 + 1) / 2 has the law Beta(5.5, 5.5).
Case uniform_ball() {
  return {"uniform in a ball, 10 dims", Class::good, ball(10), uniform(),
          std::vector<Law>(10, shifted(beta_law(5.5, 5.5), -1, 2))};
}

// exp(-sin(4 x_1) - 5 x_1 x_2) on the triangle: quadrature.
Case triangle() {
  const auto V = [](std::span<const double> x) { return std::sin(4 * x[0]) + 5 * x[0] * x[1]; };
  return {"waves on a triangle", Class::good, simplex(3),
          code(3,
               [V](std::span<const double> x, std::span<double> g) {
                 g[0] = 4 * std::cos(4 * x[0]) + 5 * x[1];
                 g[1] = 5 * x[0];
                 g[2] = 0;
                 return V(x);
               }),
          triangle_laws(V)};
}

// exp(-2 x - sin(3 y) - x^2 y) on the disc: quadrature.
Case disc() {
  const auto V = [](std::span<const double> x) {
    return 2 * x[0] + std::sin(3 * x[1]) + x[0] * x[0] * x[1];
  };
  return {"waves on a disc", Class::good, ball(2),
          code(2,
               [V](std::span<const double> x, std::span<double> g) {
                 g[0] = 2 + 2 * x[0] * x[1];
                 g[1] = 3 * std::cos(3 * x[1]) + x[0] * x[0];
                 return V(x);
               }),
          disc_laws(V)};
}

// w from Dirichlet(3, 1, 2), sigma from Gamma(3), independent and named: closed forms as above.
Case named_product() {
  std::vector<Law> laws = dirichlet_laws(std::array{3.0, 1.0, 2.0});
  laws.push_back(gamma().laws[1]);
  return {"product with names", Class::good, product({{"w", simplex(3)}, {"sigma", positive()}}),
          code(4,
               [](std::span<const double> x, std::span<double> g) {
                 g[0] = -2 / x[0];
                 g[1] = 0;
                 g[2] = -1 / x[2];
                 g[3] = 1 - 2 / x[3];
                 return -2 * std::log(x[0]) - std::log(x[2]) + x[3] - 2 * std::log(x[3]);
               }),
          laws};
}

}  // namespace

std::vector<Case> set_cases() {
  return {dense_dirichlet(),
          sparse_dirichlet(),
          dominated_dirichlet(),
          own_sparse_dirichlet(),
          own_beta(),
          normal_line(),
          normal_50(),
          normal_turned(1e2, "normal, 10 dims, condition 1e2"),
          normal_turned(1e4, "normal, 10 dims, condition 1e4"),
          normal_box(),
          normal_ball(),
          normal_simplex(),
          half_normal(),
          normal_at_wall(),
          normal_in_corner(),
          exponential(),
          gamma(),
          uniform_ball(),
          triangle(),
          disc(),
          named_product()};
}

}  // namespace tain::verdicts
