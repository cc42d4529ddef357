// Several modes: near and far, of equal and unequal masses and widths, on every set. Answers are
// mixtures of normals (restricted to a box, coordinate by coordinate) or of Dirichlet laws.
#include <algorithm>
#include <array>
#include <cmath>

#include "cases.hpp"

namespace tain::verdicts {
namespace {

// On all of space; modes are at least as near to 0 as 60.
Case unbounded(std::string name, std::vector<Bump> bumps) {
  const std::size_t dim = bumps.front().mean.size();
  return {std::move(name), Class::hostile, real(dim), mixture(bumps),
          mixture_laws(bumps, -150, 150)};
}

Case boxed(std::string name, double low, double high, std::vector<Bump> bumps) {
  const std::size_t dim = bumps.front().mean.size();
  return {std::move(name), Class::hostile, box(low, high, dim), mixture(bumps),
          mixture_laws(bumps, low, high)};
}

// Equal masses, the first of sd 1, the other, at a distance of 20, of sd `second`.
std::vector<Bump> two_widths(std::size_t dim, double second) {
  std::vector<Bump> bumps = two_bumps(dim, -5, 20);
  bumps[1].sd.assign(dim, second);
  return bumps;
}

// Two narrow normals in the unit ball; at 7 sd and more from its wall less than 1e-11 is cut off.
Case in_ball() {
  const std::vector<Bump> bumps{{0.5, {-0.5, 0, 0}, {0.05, 0.05, 0.05}},
                                {0.5, {0.5, 0.2, 0}, {0.05, 0.05, 0.05}}};
  return {"two modes in a ball, 20 sd", Class::hostile, ball(3), mixture(bumps),
          mixture_laws(bumps, -1, 1)};
}

// A mixture of two Dirichlet laws, on the simplex: the marginals are mixtures of Beta laws, by
// quadrature.
Case on_simplex(std::string name, std::vector<double> first, std::vector<double> second,
                double weight) {
  struct Component {
    std::vector<double> alpha;
    double log_scale;  // of weight over the normalising integral
  };
  const auto component = [](const std::vector<double>& alpha, double mass) {
    double total = 0, log_integral = 0;
    for (const double a : alpha) {
      total += a;
      log_integral += std::lgamma(a);
    }
    return Component{alpha, std::log(mass) + std::lgamma(total) - log_integral};
  };
  const std::array parts{component(first, weight), component(second, 1 - weight)};
  std::vector<Law> laws;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const auto beta = [i](const std::vector<double>& alpha, double x) {
      double total = 0;
      for (const double a : alpha) {
        total += a;
      }
      const double a = alpha[i], b = total - a;
      return std::exp((a - 1) * std::log(x) + (b - 1) * std::log1p(-x) + std::lgamma(total) -
                      std::lgamma(a) - std::lgamma(b));
    };
    laws.push_back(
        law_of([&](double x) { return weight * beta(first, x) + (1 - weight) * beta(second, x); },
               {0, 0.03, 0.1, 0.2, 0.4, 0.6, 0.8, 1}));
  }
  return {std::move(name), Class::hostile, simplex(first.size()),
          code(first.size(),
               [parts](std::span<const double> x, std::span<double> g) {
                 std::array<double, 2> log_term{};
                 for (std::size_t k = 0; k < 2; ++k) {
                   log_term[k] = parts[k].log_scale;
                   for (std::size_t i = 0; i < x.size(); ++i) {
                     log_term[k] += (parts[k].alpha[i] - 1) * std::log(x[i]);
                   }
                 }
                 const double top = std::max(log_term[0], log_term[1]);
                 const double total = std::exp(log_term[0] - top) + std::exp(log_term[1] - top);
                 std::ranges::fill(g, 0.0);
                 for (std::size_t k = 0; k < 2; ++k) {
                   const double share = std::exp(log_term[k] - top) / total;
                   for (std::size_t i = 0; i < x.size(); ++i) {
                     g[i] -= share * (parts[k].alpha[i] - 1) / x[i];
                   }
                 }
                 return -top - std::log(total);
               }),
          laws};
}

// Nine normals with sd 1 on a square grid, 8 apart.
Case on_grid() {
  std::vector<Bump> bumps;
  for (const double x : {-8.0, 0.0, 8.0}) {
    for (const double y : {-8.0, 0.0, 8.0}) {
      bumps.push_back({1, {x, y}, {1, 1}});
    }
  }
  return unbounded("nine modes on a grid, 8 sd", bumps);
}

// Thirty normals with sd 0.2 on a ring of radius 10, 2.1 apart.
Case on_ring() {
  std::vector<Bump> bumps;
  for (int k = 0; k < 30; ++k) {
    const double angle = 2 * M_PI * k / 30;
    bumps.push_back({1, {10 * std::cos(angle), 10 * std::sin(angle)}, {0.2, 0.2}});
  }
  return unbounded("thirty modes on a ring, 10 sd", bumps);
}

std::vector<double> peaked(std::size_t categories, std::size_t at, double height) {
  std::vector<double> alpha(categories, 3.0);
  alpha[at] = height;
  return alpha;
}

}  // namespace

std::vector<Case> mode_cases() {
  return {unbounded("two modes, 4.5 sd", two_bumps(1, -2.25, 4.5)),
          unbounded("two modes, 4 sd, 1:9, 2 dims", two_bumps(2, -1.4, 4, 0.1)),
          boxed("two modes in a box, 10 sd", -20, 20, two_bumps(1, -5, 10)),
          boxed("two modes in a box, 10 sd, 1:99, 2 dims", -20, 20, two_bumps(2, -3, 10, 0.01)),
          unbounded("two modes, 10 sd, 2 dims", two_bumps(2, 0, 10)),
          unbounded("two modes, 10 sd, 1:9, 5 dims", two_bumps(5, 0, 10, 0.1)),
          unbounded("two modes, 10 sd, 9:1, 5 dims", two_bumps(5, 0, 10, 0.9)),
          unbounded("two modes, 10 sd, 10 dims", two_bumps(10, 0, 10)),
          unbounded("two modes, 50 sd", two_bumps(1, 0, 50)),
          unbounded("two modes, 50 sd, 1:99", two_bumps(1, -10, 50, 0.01)),
          unbounded("two modes, 50 sd, 10 dims", two_bumps(10, 0, 50)),
          // A hundredth of the mass that makes four fifths of the variance, and less.
          unbounded("two modes, 50 sd, 1:499", two_bumps(1, -10, 50, 0.002)),
          boxed("two modes in a box, 30 sd, 1:999, 2 dims", -30, 50, two_bumps(2, 0, 30, 0.001)),
          boxed("two modes in a box, 50 sd, 5 dims", -20, 60, two_bumps(5, 0, 50)),
          boxed("two widths in a box, 1:10", -20, 20, {{0.5, {-5}, {2}}, {0.5, {5}, {0.2}}}),
          unbounded("two widths, 1:3, 3 dims", two_widths(3, 1.0 / 3)),
          unbounded("two widths, 1:2, 5 dims", two_widths(5, 0.5)),
          unbounded("two widths, 2:1, 5 dims", two_widths(5, 2)),
          boxed("two widths in a box, 5:4, 10 dims", -40, 60, two_widths(10, 0.8)),
          boxed("0.3 N(0.5, 0.02) + 0.7 N(0.9, 0.02) on [0, 1]", 0, 1,
                {{0.3, {0.5}, {0.02}}, {0.7, {0.9}, {0.02}}}),
          in_ball(), on_simplex("two modes on a simplex", peaked(3, 0, 60), peaked(3, 1, 60), 0.5),
          on_simplex("two modes on a simplex, 1:9, 10 categories", peaked(10, 0, 100),
                     peaked(10, 1, 100), 0.1),
          on_grid(), on_ring()};
}

}  // namespace tain::verdicts
