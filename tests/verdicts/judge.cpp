#include "judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/special.hpp"
#include "diagnose/convergence.hpp"

namespace tain::verdicts {
namespace {

constexpr double tolerance = 0.05;  // of the sd
constexpr std::size_t batches = 64;
constexpr double enough_ess = 2 * 400, enough_excess = 0.01;  // of the square of R-hat

double mean_of(std::span<const double> f) {
  double sum = 0;
  for (const double v : f) {
    sum += v;
  }
  return sum / double(f.size());
}

// Square of the error of `mean` over all chains, from equal parts of each.
double squared_error(std::span<const double> f, std::size_t chains, std::size_t per_chain,
                     double mean) {
  const std::size_t draws = f.size() / chains, length = draws / per_chain;
  const double parts = double(chains * per_chain);
  double sum = 0;
  for (std::size_t c = 0; c < chains; ++c) {
    for (std::size_t k = 0; k < per_chain; ++k) {
      const double d = mean_of(f.subspan(c * draws + k * length, length)) - mean;
      sum += d * d;
    }
  }
  return sum / parts / (parts - 1);
}

// In errors; beyond both with probability 1e-3 / comparisons.
struct Limits {
  double estimated, independent;

  explicit Limits(double comparisons)
      : independent(-normal_quantile(0.5e-3 / std::max(1.0, comparisons))) {
    // Student's t from a normal quantile by Wallace's approximation, within 1 % here.
    constexpr double degrees = batches - 1;
    const double z = independent * (8 * degrees + 3) / (8 * degrees + 1);
    estimated = std::sqrt(degrees * std::expm1(z * z / degrees));
  }
};

class Comparison {
 public:
  Comparison(std::size_t chains, std::size_t draws, double comparisons)
      : chains_(chains), draws_(draws), limits_(comparisons) {}

  // `off` in sd; f has the mean `truth` and this variance under the law.
  void add(const std::string& what, double off, std::span<const double> f, double truth,
           double variance) {
    const double mean = mean_of(f), difference = std::abs(mean - truth);
    const std::size_t per_chain = std::max<std::size_t>(1, batches / chains_);
    const double by_batches = squared_error(f, chains_, per_chain, mean);
    const double by_chains = chains_ >= 4 ? squared_error(f, chains_, 1, mean) : 0;
    const double estimated = std::sqrt(std::max(by_batches, by_chains));
    const double independent = std::sqrt(variance / double(f.size()));
    const bool wrong = off > tolerance && difference > limits_.estimated * estimated &&
                       difference > limits_.independent * independent;
    if (wrong && off > worst_) {
      worst_ = off;
      text_ = fmt::format("{} is off by {:.3g} sd, {:.3g} errors", what, off,
                          difference / std::max(estimated, independent));
    }
    ess_ = std::min(ess_, variance / std::max(by_batches, independent * independent));
  }
  Judgement judgement() const {
    if (worst_ > 0) {
      return {Outcome::wrong, text_};
    }
    const double draws = double(draws_), longest = 1 + enough_excess * 0.5 * draws;
    const double enough = std::max(enough_ess, double(chains_) * draws / longest);
    return ess_ < enough ? Judgement{Outcome::unclear, fmt::format("effective draws: {:.0f}", ess_)}
                         : Judgement{};
  }

 private:
  std::size_t chains_, draws_;
  Limits limits_;
  double worst_ = 0, ess_ = HUGE_VAL;
  std::string text_;
};

void compare(const std::string& name, const Law& law, const std::vector<double>& x,
             std::size_t chains, Comparison& comparison) {
  const auto mapped = [&](auto function) {
    std::vector<double> f(x.size());
    std::ranges::transform(x, f.begin(), function);
    return f;
  };
  if (law.has_moments) {
    const double variance = law.sd * law.sd;
    const std::vector<double> squares =
        mapped([&](double v) { return (v - law.mean) * (v - law.mean); });
    const double mean = mean_of(x), shift = mean - law.mean;
    const double sd = std::sqrt(std::max(0.0, mean_of(squares) - shift * shift));
    comparison.add("the mean of " + name, std::abs(shift) / law.sd, x, law.mean, variance);
    comparison.add("the sd of " + name, std::abs(sd - law.sd) / law.sd, squares, variance,
                   (law.kurtosis - 1) * variance * variance);
  }
  const Series series{x, chains, x.size() / chains};
  for (const double p : {0.05, 0.95}) {
    const double truth = p < 0.5 ? law.q5 : law.q95;
    comparison.add(fmt::format("the {:.0f} % quantile of {}", 100 * p, name),
                   std::abs(quantile(series, p) - truth) / law.sd,
                   mapped([&](double v) { return v < truth ? 1.0 : 0.0; }), p, p * (1 - p));
  }
}

}  // namespace

std::size_t comparisons_of(const Case& one) {
  std::size_t count = 0;
  for (const Law& law : one.laws) {
    count += law.has_moments ? 4 : 2;
  }
  return count;
}

Judgement judge_draws(const Case& one, const Draws& draws, double comparisons) {
  if (one.laws.empty()) {
    return {Outcome::wrong, "there is no law to draw from"};
  }
  const std::size_t dim = one.laws.size(), pairs = draws.chains * draws.draws;
  if (draws.values.size() != dim * pairs || pairs == 0) {
    return {Outcome::wrong, "draws of another shape"};
  }
  Comparison comparison(draws.chains, draws.draws, comparisons);
  std::vector<double> x(pairs);
  for (std::size_t i = 0; i < dim; ++i) {
    for (std::size_t k = 0; k < pairs; ++k) {
      x[k] = draws.values[k * dim + i];
      if (!std::isfinite(x[k])) {
        return {Outcome::wrong, fmt::format("{} has values that are not finite", draws.names[i])};
      }
    }
    compare(draws.names[i], one.laws[i], x, draws.chains, comparison);
  }
  return comparison.judgement();
}

}  // namespace tain::verdicts
