// Chains whose truth is known, and rates of alarms.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "core/parallel.hpp"
#include "tain/diagnose/summary.hpp"

namespace tain::simulated {

struct Shape {
  std::size_t chains = 4, draws = 1000, dim = 1;
};

/// Draws (chain, draw, coordinate), in the order in which they come.
struct Simulated {
  Shape shape;
  std::vector<double> values;

  double& at(std::size_t chain, std::size_t draw, std::size_t i = 0) {
    return values[(chain * shape.draws + draw) * shape.dim + i];
  }
  Summary summary() const {
    std::vector<std::string> names;
    for (std::size_t i = 1; i <= shape.dim; ++i) {
      names.push_back("x[" + std::to_string(i) + "]");
    }
    Threads threads(1);
    return summarise(values, shape.chains, shape.draws, names, threads);
  }
  Verdict verdict(const RunFacts& facts = {}) const {
    const Summary found = summary();
    return judge(found.rows, shape.chains, shape.draws, facts, found.odd);
  }
};

/// AR(1) of standard normal margins and integrated autocorrelation time tau, begun at `start` where
/// given and at its own law otherwise.
inline Simulated autoregressive(const Shape& shape, double tau, std::uint64_t seed,
                                double start = std::nan("")) {
  Simulated s{shape, std::vector<double>(shape.chains * shape.draws * shape.dim)};
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  const double rho = (tau - 1) / (tau + 1), rest = std::sqrt(1 - rho * rho);
  for (std::size_t chain = 0; chain < shape.chains; ++chain) {
    for (std::size_t i = 0; i < shape.dim; ++i) {
      double x = std::isnan(start) ? normal(engine) : start;
      for (std::size_t draw = 0; draw < shape.draws; ++draw) {
        x = rho * x + rest * normal(engine);
        s.at(chain, draw, i) = x;
      }
    }
  }
  return s;
}

/// The first chains of so many moved by `distance`: modes that nobody leaves.
inline Simulated with_modes(Simulated s, std::size_t moved, double distance) {
  for (std::size_t chain = 0; chain < moved; ++chain) {
    for (std::size_t draw = 0; draw < s.shape.draws; ++draw) {
      s.at(chain, draw) += distance;
    }
  }
  return s;
}

/// P(X >= count) of a binomial law.
inline double p_of_count(std::size_t count, std::size_t runs, double rate) {
  double below = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const auto n = static_cast<double>(runs), j = static_cast<double>(k);
    below += std::exp(std::lgamma(n + 1) - std::lgamma(j + 1) - std::lgamma(n - j + 1) +
                      j * std::log(rate) + (n - j) * std::log1p(-rate));
  }
  return 1 - below;
}

/// Of `runs` right runs no more may alarm than chance lets at the stated rate: wrong with
/// probability 1e-4. With rate 1e-3 these are 3 of 100, 4 of 300, 6 of 1000.
inline void expect_rate(double rate, std::size_t runs,
                        const std::function<bool(std::uint64_t seed)>& alarm) {
  std::size_t count = 0;
  for (std::size_t seed = 1; seed <= runs; ++seed) {
    count += alarm(seed) ? 1 : 0;
  }
  EXPECT_GE(p_of_count(count, runs, rate), 1e-4) << count << " of " << runs << " alarms";
}

/// Every one of a few wrong runs.
inline void expect_always(std::size_t runs, const std::function<bool(std::uint64_t seed)>& alarm) {
  for (std::size_t seed = 1; seed <= runs; ++seed) {
    EXPECT_TRUE(alarm(seed)) << "seed " << seed;
  }
}

}  // namespace tain::simulated
