#include "laws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/special.hpp"

namespace tain::verdicts {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr int coarse = 16, fine = 32;  // pieces of a panel
constexpr double normal_width = 2 * 1.6448536269514722;

// Gauss-Legendre with 8 nodes on [-1, 1] (Abramowitz and Stegun, table 25.4); the rule is even.
constexpr std::array<double, 4> nodes{0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                      0.9602898564975363};
constexpr std::array<double, 4> node_weights{0.3626837833783620, 0.3137066458778873,
                                             0.2223810344533745, 0.1012285362903763};

double piece_integral(const Function& f, double a, double b) {
  const double middle = 0.5 * (a + b), half = 0.5 * (b - a);
  double sum = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    sum += node_weights[i] * (f(middle - half * nodes[i]) + f(middle + half * nodes[i]));
  }
  return half * sum;
}

std::vector<double> pieces_of(std::span<const double> breaks, int pieces) {
  std::vector<double> edges{breaks.front()};
  for (std::size_t i = 1; i < breaks.size(); ++i) {
    for (int k = 1; k <= pieces; ++k) {
      edges.push_back(breaks[i - 1] + (breaks[i] - breaks[i - 1]) * k / pieces);
    }
  }
  return edges;
}

// Abscissae, weights and values of a density, kept for mass, mean and central moments.
struct Tabulated {
  std::vector<double> x, mass;       // of nodes, in order of pieces
  std::vector<double> edges, below;  // of pieces: ends, and the mass below each end
};

Tabulated tabulated(const Function& density, std::span<const double> breaks, const Function& x,
                    int pieces) {
  Tabulated table;
  table.edges = pieces_of(breaks, pieces);
  table.below.push_back(0);
  for (std::size_t k = 1; k < table.edges.size(); ++k) {
    const double a = table.edges[k - 1], b = table.edges[k];
    const double middle = 0.5 * (a + b), half = 0.5 * (b - a);
    double sum = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      for (const double side : {-1.0, 1.0}) {
        const double u = middle + side * half * nodes[i];
        table.x.push_back(x ? x(u) : u);
        table.mass.push_back(half * node_weights[i] * density(u));
        sum += table.mass.back();
      }
    }
    table.below.push_back(table.below.back() + sum);
  }
  return table;
}

double central_moment(const Tabulated& table, double centre, int power) {
  double sum = 0;
  for (std::size_t i = 0; i < table.x.size(); ++i) {
    sum += table.mass[i] * std::pow(table.x[i] - centre, power);
  }
  return sum / table.below.back();
}

double quantile_of(const Tabulated& table, const Function& density, const Function& x, double p) {
  const double goal = p * table.below.back();
  const auto above = std::ranges::upper_bound(table.below, goal);
  const auto k = static_cast<std::size_t>(above - table.below.begin());
  const double start = table.edges[k - 1];
  const double u = root_of([&](double end) { return piece_integral(density, start, end); },
                           goal - table.below[k - 1], start, table.edges[k]);
  return x ? x(u) : u;
}

Law law_with(const Function& density, std::span<const double> breaks, const Function& x,
             int pieces) {
  const Tabulated table = tabulated(density, breaks, x, pieces);
  Law law;
  law.mean = central_moment(table, 0, 1);
  const double variance = central_moment(table, law.mean, 2);
  law.sd = std::sqrt(variance);
  law.kurtosis = central_moment(table, law.mean, 4) / (variance * variance);
  law.q5 = quantile_of(table, density, x, 0.05);
  law.q95 = quantile_of(table, density, x, 0.95);
  return law;
}

}  // namespace

double integral(const Function& f, std::span<const double> breaks) {
  const std::vector<double> edges = pieces_of(breaks, coarse);
  double sum = 0;
  for (std::size_t k = 1; k < edges.size(); ++k) {
    sum += piece_integral(f, edges[k - 1], edges[k]);
  }
  return sum;
}

double root_of(const Function& f, double p, double low, double high) {
  for (int step = 0; step < 60; ++step) {
    const double middle = 0.5 * (low + high);
    (f(middle) < p ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

Law law_of(const Function& density, std::vector<double> breaks, const Function& x) {
  std::ranges::sort(breaks);
  const Law rough = law_with(density, breaks, x, coarse), law = law_with(density, breaks, x, fine);
  const double error = std::max({std::abs(law.mean - rough.mean), std::abs(law.sd - rough.sd),
                                 std::abs(law.q5 - rough.q5), std::abs(law.q95 - rough.q95)});
  if (!(error <= 1e-5 * law.sd)) {
    throw std::logic_error(fmt::format(
        "law_of: wrong by {} of sd {}; put breaks where the density changes fast", error, law.sd));
  }
  return law;
}

Law shifted(const Law& law, double a, double b) {
  Law result = law;
  result.mean = a + b * law.mean;
  result.sd = std::abs(b) * law.sd;
  result.q5 = a + b * (b > 0 ? law.q5 : law.q95);
  result.q95 = a + b * (b > 0 ? law.q95 : law.q5);
  return result;
}

Law quantiles_only(double q5, double q95) {
  return {.mean = 0, .sd = (q95 - q5) / normal_width, .q5 = q5, .q95 = q95, .has_moments = false};
}

Law normal_law(double mean, double sd) {
  const double z = normal_quantile(0.95);
  return {.mean = mean, .sd = sd, .q5 = mean - z * sd, .q95 = mean + z * sd};
}

Law truncated_normal_law(double mean, double sd, double low, double high) {
  // Scaled by its largest value on the interval, which underflows nowhere.
  const double top = std::clamp(mean, low, high);
  const auto density = [=](double x) {
    return std::exp((top - x) * (top + x - 2 * mean) / (2 * sd * sd));
  };
  // Beyond a wall 5 sd from the mode the law is an exponential of scale sd / 5.
  std::vector<double> breaks;
  for (const double z : {-12.0, -4.0, -1.0, -0.2, 0.0, 0.2, 1.0, 4.0, 12.0}) {
    breaks.push_back(std::clamp(top + z * sd, low, high));
  }
  std::ranges::sort(breaks);
  breaks.erase(std::ranges::unique(breaks).begin(), breaks.end());
  return law_of(density, breaks);
}

Law beta_law(double a, double b) {
  const double n = a + b;
  const double skewed = (a - b) * (a - b) * (n + 1) - a * b * (n + 2);
  return {.mean = a / n,
          .sd = std::sqrt(a * b / (n + 1)) / n,
          .kurtosis = 3 + 6 * skewed / (a * b * (n + 2) * (n + 3)),
          .q5 = std::exp(beta_log_quantile(0.05, a, b)),
          .q95 = std::exp(beta_log_quantile(0.95, a, b))};
}

std::vector<Law> dirichlet_laws(std::span<const double> alpha) {
  double total = 0;
  for (const double a : alpha) {
    total += a;
  }
  std::vector<Law> laws;
  for (const double a : alpha) {
    laws.push_back(beta_law(a, total - a));
  }
  return laws;
}

Law student_law(double nu, double mean, double scale) {
  // t = sinh u: the density falls like e^(-nu u).
  const auto density = [=](double u) {
    const double t = std::sinh(u);
    return std::exp(-0.5 * (nu + 1) * std::log1p(t * t / nu)) * std::cosh(u);
  };
  const Law law =
      law_of(density, {-40, -10, -2, 0, 2, 10, 40}, [](double u) { return std::sinh(u); });
  return shifted(nu > 4 ? law : quantiles_only(law.q5, law.q95), mean, scale);
}

std::vector<Law> rectangle_laws(const Energy& V, const std::vector<double>& breaks_1,
                                const std::vector<double>& breaks_2) {
  const auto density = [&](double x, double y) { return std::exp(-V(std::array{x, y})); };
  const auto first = [&](double x) {
    return integral([&](double y) { return density(x, y); }, breaks_2);
  };
  const auto second = [&](double y) {
    return integral([&](double x) { return density(x, y); }, breaks_1);
  };
  return {law_of(first, breaks_1), law_of(second, breaks_2)};
}

std::vector<Law> triangle_laws(const Energy& V) {
  std::vector<Law> laws;
  for (std::size_t i = 0; i < 3; ++i) {
    laws.push_back(law_of(
        [&](double x) {
          return integral(
              [&](double y) {
                std::array<double, 3> point{};
                point[i] = x;
                point[(i + 1) % 3] = y;
                point[(i + 2) % 3] = 1 - x - y;
                return std::exp(-V(point));
              },
              std::array{0.0, 1 - x});
        },
        {0.0, 1.0}));
  }
  return laws;
}

std::vector<Law> disc_laws(const Energy& V) {
  std::vector<Law> laws;
  for (std::size_t i = 0; i < 2; ++i) {
    // x = sin u, so that the chord's root at the rim is smooth in u.
    const auto density = [&](double u) {
      const double x = std::sin(u), chord = std::cos(u);
      return chord * integral(
                         [&](double y) {
                           std::array<double, 2> point{};
                           point[i] = x;
                           point[1 - i] = y;
                           return std::exp(-V(point));
                         },
                         std::array{-chord, chord});
    };
    laws.push_back(
        law_of(density, {-0.5 * M_PI, 0, 0.5 * M_PI}, [](double u) { return std::sin(u); }));
  }
  return laws;
}

std::vector<Law> mixture_laws(std::span<const Bump> bumps, double low, double high) {
  const std::size_t dim = bumps.front().mean.size();
  const auto mass = [&](const Bump& bump, std::size_t i) {
    return normal_cdf((high - bump.mean[i]) / bump.sd[i]) -
           normal_cdf((low - bump.mean[i]) / bump.sd[i]);
  };
  std::vector<Law> laws;
  for (std::size_t i = 0; i < dim; ++i) {
    std::vector<double> weights, breaks;
    for (const Bump& bump : bumps) {
      double weight = bump.weight / bump.sd[i];
      for (std::size_t j = 0; j < dim; ++j) {
        weight *= j == i ? 1.0 : mass(bump, j);
      }
      weights.push_back(weight);
      for (const double z : {-12.0, -4.0, 0.0, 4.0, 12.0}) {
        breaks.push_back(std::clamp(bump.mean[i] + z * bump.sd[i], low, high));
      }
    }
    std::ranges::sort(breaks);
    breaks.erase(std::ranges::unique(breaks).begin(), breaks.end());
    laws.push_back(law_of(
        [&](double x) {
          double sum = 0;
          for (std::size_t k = 0; k < bumps.size(); ++k) {
            const double z = (x - bumps[k].mean[i]) / bumps[k].sd[i];
            sum += weights[k] * std::exp(-0.5 * z * z);
          }
          return sum;
        },
        breaks));
  }
  return laws;
}

}  // namespace tain::verdicts
