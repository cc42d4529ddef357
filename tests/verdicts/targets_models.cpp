// Well-behaved models and shapes: regressions, a hierarchy, skew, tails, kinks, scales.
#include <Eigen/Dense>
#include <array>
#include <cmath>

#include "cases.hpp"
#include "core/special.hpp"

namespace tain::verdicts {
namespace {

// Numbers in (0, 1) that fill it evenly and look like noise: fractions of k times the golden ratio.
double even_noise(int k) { return std::fmod(0.6180339887498949 * (k + 1), 1.0); }

// Logistic regression on 40 rows with an intercept, prior N(0, 3^2): quadrature on a rectangle
// that leaves out less than 1e-9 of the mass.
Case logistic() {
  constexpr int rows = 40;
  std::array<double, rows> z{}, y{};
  for (int i = 0; i < rows; ++i) {
    z[i] = -2 + 4.0 * i / (rows - 1);
    y[i] = even_noise(i) < 1 / (1 + std::exp(-0.5 - 1.2 * z[i])) ? 1 : 0;
  }
  const auto V = [z, y](std::span<const double> b) {
    double value = (b[0] * b[0] + b[1] * b[1]) / 18;
    for (int i = 0; i < rows; ++i) {
      const double eta = b[0] + b[1] * z[i];
      value += std::log1p(std::exp(eta)) - y[i] * eta;
    }
    return value;
  };
  return {"logistic regression", Class::good, real(2),
          code(2,
               [z, y, V](std::span<const double> b, std::span<double> g) {
                 g[0] = b[0] / 9;
                 g[1] = b[1] / 9;
                 for (int i = 0; i < rows; ++i) {
                   const double eta = b[0] + b[1] * z[i];
                   const double excess = 1 / (1 + std::exp(-eta)) - y[i];
                   g[0] += excess;
                   g[1] += excess * z[i];
                 }
                 return V(b);
               }),
          rectangle_laws(V, {-4, 0, 5}, {-4, 1, 8})};
}

// Linear regression on 50 rows with 4 correlated features, noise sd 1 and prior N(0, 10^2): the
// posterior is normal with precision X'X + I/100.
Case linear() {
  constexpr int rows = 50, p = 4;
  Eigen::MatrixXd X(rows, p);
  Eigen::VectorXd y(rows);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < p; ++j) {
      X(i, j) = j == 0 ? 1 : normal_quantile(even_noise(i * p + j)) + 0.5 * X(i, j - 1);
    }
    y(i) = 1 + X(i, 1) - 2 * X(i, 2) + normal_quantile(even_noise(7 * i + 3));
  }
  const Eigen::Matrix4d precision = X.transpose() * X + 0.01 * Eigen::Matrix4d::Identity();
  const Eigen::Matrix4d covariance = precision.inverse();
  const Eigen::Vector4d mean = covariance * (X.transpose() * y);
  std::vector<Law> laws;
  for (int j = 0; j < p; ++j) {
    laws.push_back(normal_law(mean(j), std::sqrt(covariance(j, j))));
  }
  return {"linear regression", Class::good, real(p),
          code(p,
               [precision, mean](std::span<const double> b, std::span<double> g) {
                 const Eigen::Vector4d d = Eigen::Map<const Eigen::Vector4d>(b.data()) - mean;
                 const Eigen::Vector4d slope = precision * d;
                 Eigen::Map<Eigen::Vector4d>(g.data()) = slope;
                 return 0.5 * d.dot(slope);
               }),
          laws};
}

// Four groups with one observation each, y_j ~ N(theta_j, 1), theta_j ~ N(mu, tau^2),
// mu ~ N(0, 2^2), log tau ~ N(0, 0.3^2). Given tau all is normal: mu and theta_j are mixtures of
// normals over tau, whose density is the evidence: quadrature over tau.
Case hierarchy() {
  constexpr std::array<double, 4> y{-0.8, 0.3, 1.1, 2.4};
  struct Given {             // tau
    double precision, mean;  // of mu
    double evidence;         // times the prior of tau
  };
  const auto given = [y](double tau) {
    const double variance = 1 + tau * tau, l = std::log(tau) / 0.3;
    double sum = 0, squares = 0;
    for (const double v : y) {
      sum += v / variance;
      squares += v * v / variance;
    }
    Given g{};
    g.precision = 0.25 + 4 / variance;
    g.mean = sum / g.precision;
    g.evidence = std::exp(-0.5 * (squares - sum * sum / g.precision) - 0.5 * l * l) /
                 (tau * variance * variance * std::sqrt(g.precision));
    return g;
  };
  const std::vector<double> tau_breaks{0.15, 0.6, 1.2, 3, 8};
  // Of a quantity that is normal given tau, with these mean and variance.
  const auto mixed = [&](auto mean_of, auto variance_of) {
    return law_of(
        [&](double x) {
          return integral(
              [&](double tau) {
                const Given g = given(tau);
                const double d = x - mean_of(tau, g), variance = variance_of(tau, g);
                return g.evidence * std::exp(-0.5 * d * d / variance) / std::sqrt(variance);
              },
              tau_breaks);
        },
        {-14, -3, 0.8, 4, 16});
  };
  std::vector<Law> laws{mixed([](double, const Given& g) { return g.mean; },
                              [](double, const Given& g) { return 1 / g.precision; }),
                        law_of([&](double tau) { return given(tau).evidence; }, tau_breaks)};
  for (const double v : y) {
    laws.push_back(mixed(
        [v](double tau, const Given& g) { return (tau * tau * v + g.mean) / (1 + tau * tau); },
        [](double tau, const Given& g) {
          const double shrink = 1 / (1 + tau * tau);
          return tau * tau * shrink + shrink * shrink / g.precision;
        }));
  }
  return {"hierarchy, mild", Class::good,
          product({{"mu", real()}, {"tau", positive()}, {"theta", real(4)}}),
          code(6,
               [y](std::span<const double> x, std::span<double> g) {
                 const double mu = x[0], tau = x[1], l = std::log(tau);
                 double value = mu * mu / 8 + l * l / (2 * 0.09) + 5 * l;
                 g[0] = mu / 4;
                 g[1] = (l / 0.09 + 5) / tau;
                 for (std::size_t j = 0; j < 4; ++j) {
                   const double theta = x[2 + j], z = (theta - mu) / tau, r = theta - y[j];
                   value += 0.5 * z * z + 0.5 * r * r;
                   g[0] -= z / tau;
                   g[1] -= z * z / tau;
                   g[2 + j] = z / tau + r;
                 }
                 return value;
               }),
          laws};
}

// log x ~ N(0, 0.5^2): quantiles exp(0.5 z), moments from those of the exponential of a normal.
Case lognormal() {
  const double s2 = 0.25, w = std::exp(s2), z = normal_quantile(0.95);
  const Law law{.mean = std::exp(s2 / 2),
                .sd = std::sqrt((w - 1) * w),
                .kurtosis = w * w * w * w + 2 * w * w * w + 3 * w * w - 3,
                .q5 = std::exp(-0.5 * z),
                .q95 = std::exp(0.5 * z)};
  return {"lognormal",
          Class::good,
          positive(1),
          code(1,
               [](std::span<const double> x, std::span<double> g) {
                 const double l = std::log(x[0]);
                 g[0] = (4 * l + 1) / x[0];
                 return 2 * l * l + l;
               }),
          {law}};
}

// Student's t with 5 degrees of freedom, two coordinates: quadrature.
Case student_5() {
  return {"t with 5 degrees",
          Class::good,
          real(2),
          code(2,
               [](std::span<const double> x, std::span<double> g) {
                 double value = 0;
                 for (std::size_t i = 0; i < 2; ++i) {
                   value += 3 * std::log1p(x[i] * x[i] / 5);
                   g[i] = 6 * x[i] / (5 + x[i] * x[i]);
                 }
                 return value;
               }),
          {student_law(5), student_law(5)}};
}

// x_1 ~ N(0, 1), x_2 ~ N(x_1^2 / 3, 1): the density of x_2 by quadrature over x_1.
Case mild_banana() {
  const auto density = [](double t) {
    return integral(
        [t](double u) {
          const double r = t - u * u / 3;
          return std::exp(-0.5 * (u * u + r * r));
        },
        std::array{-10.0, 0.0, 10.0});
  };
  return {"banana, mild",
          Class::good,
          real(2),
          code(2,
               [](std::span<const double> x, std::span<double> g) {
                 const double r = x[1] - x[0] * x[0] / 3;
                 g[0] = x[0] - 2 * x[0] * r / 3;
                 g[1] = r;
                 return 0.5 * (x[0] * x[0] + r * r);
               }),
          {normal_law(0, 1), law_of(density, {-8, 0, 4, 12, 40})}};
}

// Two normals 2 sd apart in 2 dims, so that there is one mode: quadrature of marginals.
Case touching_modes() {
  const std::vector<Bump> bumps = two_bumps(2, -0.7, 2);
  return {"two normals 2 sd apart", Class::good, real(2), mixture(bumps),
          mixture_laws(bumps, -30, 30)};
}

// Laplace's law exp(-|x|), whose gradient jumps, in 2 dims: quantiles +- log 10, kurtosis 6.
Case laplace() {
  const Law law{
      .mean = 0, .sd = std::sqrt(2.0), .kurtosis = 6, .q5 = -std::log(10.0), .q95 = std::log(10.0)};
  return {"Laplace",
          Class::good,
          real(2),
          code(2,
               [](std::span<const double> x, std::span<double> g) {
                 g[0] = x[0] > 0 ? 1 : -1;
                 g[1] = x[1] > 0 ? 1 : -1;
                 return std::abs(x[0]) + std::abs(x[1]);
               }),
          {law, law}};
}

// A scale parameter: sigma with n observations of root mean square s and the prior 1 / sigma,
// sigma^-(n+1) exp(-n s^2 / (2 sigma^2)). In units of s by quadrature over log sigma.
Case scale(const char* name, double s) {
  constexpr double n = 20;
  const auto density = [](double l) { return std::exp(-n * l - 0.5 * n * std::exp(-2 * l)); };
  const Law unit = law_of(density, {-1, -0.3, 0, 0.3, 1, 3}, [](double l) { return std::exp(l); });
  return {name,
          Class::good,
          positive(1),
          code(1,
               [s](std::span<const double> x, std::span<double> g) {
                 const double ratio = s / x[0];
                 g[0] = ((n + 1) - n * ratio * ratio) / x[0];
                 return (n + 1) * std::log(x[0]) + 0.5 * n * ratio * ratio;
               }),
          {shifted(unit, 0, s)}};
}

}  // namespace

std::vector<Case> model_cases() {
  return {logistic(),
          linear(),
          hierarchy(),
          lognormal(),
          student_5(),
          mild_banana(),
          touching_modes(),
          laplace(),
          scale("scale parameter near 3e4", 3e4),
          scale("scale parameter near 1e-6", 1e-6)};
}

}  // namespace tain::verdicts
