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
constexpr double ess_in_all = 2 * 400, ess_per_chain = 2 * 50;

// sum (mean of part - mean)^2 over equal parts: the square of the error of the mean.
double squared_error(const std::vector<double>& f, std::size_t parts, double mean) {
  const std::size_t length = f.size() / parts;
  double sum = 0;
  for (std::size_t k = 0; k < parts; ++k) {
    double part = 0;
    for (std::size_t i = k * length; i < (k + 1) * length; ++i) {
      part += f[i];
    }
    const double d = part / double(length) - mean;
    sum += d * d;
  }
  return sum / double(parts) / double(parts - 1);
}

// A function of x over all draws, chain after chain.
struct Average {
  double mean = 0, error = 0, ess = 0;
};

Average average(const std::vector<double>& f, std::size_t chains, double variance,
                double least_variance) {
  Average result;
  for (const double v : f) {
    result.mean += v / double(f.size());
  }
  const std::size_t per_chain = std::max<std::size_t>(1, batches / chains);
  const double by_batches = squared_error(f, chains * per_chain, result.mean);
  const double by_chains = chains >= 4 ? squared_error(f, chains, result.mean) : 0;
  const double independent = least_variance / double(f.size());
  result.error = std::sqrt(std::max({by_batches, by_chains, independent}));
  result.ess = variance / std::max(by_batches, variance / double(f.size()));
  return result;
}

class Comparison {
 public:
  Comparison(std::size_t chains, double limit) : chains_(chains), limit_(limit) {}

  // `off` in sd; f has the mean `truth` and this variance under the law.
  void add(const std::string& what, double off, const std::vector<double>& f, double truth,
           double variance, double least_variance) {
    const Average found = average(f, chains_, variance, least_variance);
    const double errors = std::abs(found.mean - truth) / found.error;
    const bool wrong = !(off <= tolerance) && !(errors <= limit_);
    if (wrong && !(errors <= worst_)) {
      worst_ = errors;
      text_ = fmt::format("{} is off by {:.3g} sd, {:.3g} errors", what, off, errors);
    }
    ess_ = std::min(ess_, found.ess);
  }
  Judgement judgement() const {
    if (worst_ > 0) {
      return {Outcome::wrong, text_};
    }
    const double enough = std::max(ess_in_all, ess_per_chain * double(chains_));
    return ess_ < enough ? Judgement{Outcome::unclear, fmt::format("effective draws: {:.0f}", ess_)}
                         : Judgement{};
  }

 private:
  std::size_t chains_;
  double limit_, worst_ = 0, ess_ = HUGE_VAL;
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
    const auto mean_of = [](const std::vector<double>& f) {
      double sum = 0;
      for (const double v : f) {
        sum += v / double(f.size());
      }
      return sum;
    };
    const double mean = mean_of(x), shift = mean - law.mean;
    const double sd = std::sqrt(std::max(0.0, mean_of(squares) - shift * shift));
    comparison.add("the mean of " + name, std::abs(shift) / law.sd, x, law.mean, variance,
                   variance);
    comparison.add("the sd of " + name, std::abs(sd - law.sd) / law.sd, squares, variance,
                   (law.kurtosis - 1) * variance * variance,
                   (std::min(law.kurtosis, 3.0) - 1) * variance * variance);
  }
  const Series series{x, chains, x.size() / chains};
  for (const double p : {0.05, 0.95}) {
    const double truth = p < 0.5 ? law.q5 : law.q95;
    comparison.add(fmt::format("the {:.0f} % quantile of {}", 100 * p, name),
                   std::abs(quantile(series, p) - truth) / law.sd,
                   mapped([&](double v) { return v < truth ? 1.0 : 0.0; }), p, p * (1 - p),
                   p * (1 - p));
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

double limit_of(double comparisons) {
  // Student's t from a normal quantile by Wallace's approximation, within 1 % here.
  constexpr double degrees = batches - 1;
  const double z = -normal_quantile(0.5e-3 / comparisons) * (8 * degrees + 3) / (8 * degrees + 1);
  return std::sqrt(degrees * std::expm1(z * z / degrees));
}

Judgement judge_draws(const Case& one, const Draws& draws, double limit) {
  if (one.laws.empty()) {
    return {Outcome::wrong, "there is no law to draw from"};
  }
  const std::size_t dim = one.laws.size(), pairs = draws.chains * draws.draws;
  if (draws.values.size() != dim * pairs || pairs == 0) {
    return {Outcome::wrong, "draws of another shape"};
  }
  Comparison comparison(draws.chains, limit);
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
