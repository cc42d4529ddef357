// Eight real posteriors of posteriordb, by the one call: effective draws per CPU second and per
// thousand gradients, errors against reference draws, and what the verdict says.
//
//   tain_bench_posteriors DIR [--only arK] [--kernel hmc] [--chains 4] [--warmup 1000]
//                         [--draws 1000] [--seeds 4] [--json FILE]
//
// DIR holds NAME.json with {"data": as in posteriordb, "reference": {quantity: {"mean", "sd",
// "mcse_mean"}}}. One thread; CPU seconds are those of the whole call, search for modes, check of
// gradients and diagnosis included. Gradients are those of forward differentiation, so that a
// gradient of n parameters costs some n values. off: the worst error of a mean, in reference sds,
// and in Monte Carlo errors.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>
#include <vector>

#include "tain/tain.hpp"

namespace {

using nlohmann::json;

/// A value and its derivatives along n parameters.
template <std::size_t n>
struct Jet {
  double value = 0;
  std::array<double, n> slope{};

  Jet() = default;
  Jet(double constant) : value(constant) {}  // NOLINT(google-explicit-constructor)

  /// f(this), with f' here.
  Jet chained(double f, double derivative) const {
    Jet result(f);
    for (std::size_t i = 0; i < n; ++i) {
      result.slope[i] = derivative * slope[i];
    }
    return result;
  }
  friend Jet combined(double f, const Jet& a, double along_a, const Jet& b, double along_b) {
    Jet result(f);
    for (std::size_t i = 0; i < n; ++i) {
      result.slope[i] = along_a * a.slope[i] + along_b * b.slope[i];
    }
    return result;
  }
  friend Jet operator+(const Jet& a, const Jet& b) {
    return combined(a.value + b.value, a, 1, b, 1);
  }
  friend Jet operator-(const Jet& a, const Jet& b) {
    return combined(a.value - b.value, a, 1, b, -1);
  }
  friend Jet operator*(const Jet& a, const Jet& b) {
    return combined(a.value * b.value, a, b.value, b, a.value);
  }
  friend Jet operator/(const Jet& a, const Jet& b) {
    return combined(a.value / b.value, a, 1 / b.value, b, -a.value / (b.value * b.value));
  }
  friend Jet exp(const Jet& a) { return a.chained(std::exp(a.value), std::exp(a.value)); }
  friend Jet log(const Jet& a) { return a.chained(std::log(a.value), 1 / a.value); }
  friend Jet sqrt(const Jet& a) {
    const double root = std::sqrt(a.value);
    return a.chained(root, 0.5 / root);
  }
  friend Jet log1p(const Jet& a) { return a.chained(std::log1p(a.value), 1 / (1 + a.value)); }
};

template <class S>
S square(const S& x) {
  return x * x;
}

/// -log of N(z; 0, s^2) and of a half-Cauchy, up to constants.
template <class S>
S normal(const S& z, double s) {
  return square(z) * S(0.5 / (s * s));
}
template <class S>
S half_cauchy(const S& x, double s) {
  return log1p(square(x) * S(1 / (s * s)));
}

using Quantity = std::pair<std::string, std::function<double(const double* x)>>;

struct Posterior {
  std::string name;
  tain::Set set;
  tain::Target target;
  std::vector<Quantity> quantities;  ///< as the reference names them
};

/// V at a point of n parameters, written once for numbers and Jets.
template <std::size_t n, class F>
tain::Target traced(F V) {
  return tain::target(
      [V](std::span<const double> x, std::span<double> gradient) {
        std::array<Jet<n>, n> p;
        for (std::size_t i = 0; i < n; ++i) {
          p[i].value = x[i];
          p[i].slope[i] = 1;
        }
        const Jet<n> v = V(p);
        std::copy(v.slope.begin(), v.slope.end(), gradient.begin());
        return v.value;
      },
      n);
}

/// Coordinate i under a name.
Quantity plain(std::string name, std::size_t i) {
  return {std::move(name), [i](const double* x) { return x[i]; }};
}

std::vector<double> numbers(const json& data, const char* key) {
  return data.at(key).get<std::vector<double>>();
}

/// y ~ N(sum_j b_j column_j, sigma), b and sigma the parameters; `prior` of all.
template <std::size_t n, class Prior>
tain::Target regression(std::vector<std::vector<double>> columns, std::vector<double> y,
                        Prior prior) {
  return traced<n>([columns = std::move(columns), y = std::move(y), prior](const auto& p) {
    const auto sigma = p[n - 1];
    auto sum = square(p[0]) * 0.0;
    for (std::size_t t = 0; t < y.size(); ++t) {
      auto residual = p[0] * -columns[0][t] + y[t];
      for (std::size_t j = 1; j + 1 < n; ++j) {
        residual = residual - p[j] * columns[j][t];
      }
      sum = sum + square(residual);
    }
    return sum * 0.5 / square(sigma) + log(sigma) * double(y.size()) + prior(p);
  });
}

Posterior earn_height(const json& data) {
  const auto y = numbers(data, "earn");
  return {"earn_height",
          tain::product({{"beta", tain::real(2)}, {"sigma", tain::positive()}}),
          regression<3>({std::vector<double>(y.size(), 1.0), numbers(data, "height")}, y,
                        [](const auto& p) { return p[0] * 0.0; }),
          {plain("beta[1]", 0), plain("beta[2]", 1), plain("sigma", 2)}};
}

Posterior kidscore(const json& data) {
  const auto y = numbers(data, "kid_score"), hs = numbers(data, "mom_hs");
  const auto iq = numbers(data, "mom_iq");
  std::vector<double> both(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    both[i] = hs[i] * iq[i];
  }
  return {"kidscore_interaction",
          tain::product({{"beta", tain::real(4)}, {"sigma", tain::positive()}}),
          regression<5>({std::vector<double>(y.size(), 1.0), hs, iq, both}, y,
                        [](const auto& p) { return half_cauchy(p[4], 2.5); }),
          {plain("beta[1]", 0), plain("beta[2]", 1), plain("beta[3]", 2), plain("beta[4]", 3),
           plain("sigma", 4)}};
}

Posterior ar_k(const json& data) {
  const auto all = numbers(data, "y");
  const std::ptrdiff_t lags = 5;
  const std::vector<double> y(all.begin() + lags, all.end());
  std::vector<std::vector<double>> columns{std::vector<double>(y.size(), 1.0)};
  for (std::ptrdiff_t k = 1; k <= lags; ++k) {
    columns.emplace_back(all.begin() + lags - k, all.end() - k);
  }
  Posterior result{
      "arK",
      tain::product(
          {{"alpha", tain::real()}, {"beta", tain::real(5)}, {"sigma", tain::positive()}}),
      regression<7>(columns, y,
                    [](const auto& p) {
                      auto sum = half_cauchy(p[6], 2.5);
                      for (std::size_t i = 0; i < 6; ++i) {
                        sum = sum + normal(p[i], 10);
                      }
                      return sum;
                    }),
      {plain("alpha", 0), plain("sigma", 6)}};
  for (std::size_t k = 1; k <= 5; ++k) {
    result.quantities.push_back(plain(fmt::format("beta[{}]", k), k));
  }
  return result;
}

Posterior arma11(const json& data) {
  const auto y = numbers(data, "y");
  return {"arma11",
          tain::product({{"mu", tain::real()},
                         {"phi", tain::real()},
                         {"theta", tain::real()},
                         {"sigma", tain::positive()}}),
          traced<4>([y](const auto& p) {
            const auto& [mu, phi, theta, sigma] = p;
            auto error = (mu + phi * mu) * -1.0 + y[0];
            auto sum = square(error);
            for (std::size_t t = 1; t < y.size(); ++t) {
              error = (mu + phi * y[t - 1] + theta * error) * -1.0 + y[t];
              sum = sum + square(error);
            }
            return sum * 0.5 / square(sigma) + log(sigma) * double(y.size()) + normal(mu, 10) +
                   normal(phi, 2) + normal(theta, 2) + half_cauchy(sigma, 2.5);
          }),
          {plain("mu", 0), plain("phi", 1), plain("theta", 2), plain("sigma", 3)}};
}

Posterior garch11(const json& data) {
  const auto y = numbers(data, "y");
  const double sigma1 = data.at("sigma1");
  return {
      "garch11",
      tain::product({{"mu", tain::real()}, {"alpha0", tain::positive()}, {"a", tain::simplex(3)}}),
      traced<5>([y, sigma1](const auto& p) {
        auto variance = p[0] * 0.0 + sigma1 * sigma1;
        auto sum = variance * 0.0;
        for (std::size_t t = 0; t < y.size(); ++t) {
          const auto residual = p[0] * -1.0 + y[t];
          sum = sum + (log(variance) + square(residual) / variance) * 0.5;
          variance = p[1] + p[2] * square(residual) + p[3] * variance;
        }
        return sum;
      }),
      {plain("mu", 0), plain("alpha0", 1), plain("alpha1", 2), plain("beta1", 3)}};
}

Posterior hmm(const json& data) {
  const auto y = numbers(data, "y");
  // x: both rows, mu_1 > 0, mu_2 - mu_1 > 0.
  return {"hmm_example",
          tain::product({{"theta1", tain::simplex(2)},
                         {"theta2", tain::simplex(2)},
                         {"mu1", tain::positive()},
                         {"rise", tain::positive()}}),
          traced<6>([y](const auto& p) {
            const auto mu1 = p[4], mu2 = p[4] + p[5];
            auto total = normal(mu1 - 3.0, 1) + normal(mu2 - 10.0, 1);
            auto one = exp(normal(mu1 - y[0], 1) * -1.0), two = exp(normal(mu2 - y[0], 1) * -1.0);
            for (std::size_t t = 1; t < y.size(); ++t) {
              const auto to_one = one * p[0] + two * p[2], to_two = one * p[1] + two * p[3];
              // In units of the likelier state, so that nothing underflows.
              const double least = 0.5 * std::min((mu1.value - y[t]) * (mu1.value - y[t]),
                                                  (mu2.value - y[t]) * (mu2.value - y[t]));
              one = to_one * exp(normal(mu1 - y[t], 1) * -1.0 + least);
              two = to_two * exp(normal(mu2 - y[t], 1) * -1.0 + least);
              const auto sum = one + two;
              total = total - log(sum) + least;
              one = one / sum;
              two = two / sum;
            }
            return total;
          }),
          {plain("theta1[1]", 0),
           plain("theta1[2]", 1),
           plain("theta2[1]", 2),
           plain("theta2[2]", 3),
           plain("mu[1]", 4),
           {"mu[2]", [](const double* x) { return x[4] + x[5]; }}}};
}

Posterior eight_schools(const json& data) {
  const auto y = numbers(data, "y"), sigma = numbers(data, "sigma");
  Posterior result{
      "eight_schools",
      tain::product(
          {{"theta_trans", tain::real(8)}, {"mu", tain::real()}, {"tau", tain::positive()}}),
      traced<10>([y, sigma](const auto& p) {
        auto sum = normal(p[8], 5) + half_cauchy(p[9], 5);
        for (std::size_t j = 0; j < 8; ++j) {
          sum = sum + normal(p[j], 1) + normal((p[8] + p[9] * p[j]) * -1.0 + y[j], sigma[j]);
        }
        return sum;
      }),
      {plain("mu", 8), plain("tau", 9)}};
  for (std::size_t j = 0; j < 8; ++j) {
    result.quantities.emplace_back(fmt::format("theta[{}]", j + 1),
                                   [j](const double* x) { return x[8] + x[9] * x[j]; });
  }
  return result;
}

Posterior gp_regr(const json& data) {
  const auto at = numbers(data, "x"), y = numbers(data, "y");
  return {
      "gp_regr",
      tain::product(
          {{"rho", tain::positive()}, {"alpha", tain::positive()}, {"sigma", tain::positive()}}),
      traced<3>([at, y](const auto& p) {
        using S = std::remove_cvref_t<decltype(p[0])>;
        const auto& [rho, alpha, sigma] = p;
        const std::size_t n = y.size();
        std::vector<S> chol(n * n), z(n);
        S sum = rho * 4.0 - log(rho) * 24.0 + normal(alpha, 2) + normal(sigma, 1);
        for (std::size_t i = 0; i < n; ++i) {
          z[i] = S(y[i]);
          for (std::size_t j = 0; j <= i; ++j) {
            const double gap = at[i] - at[j];
            S entry = square(alpha) * exp(S(-0.5 * gap * gap) / square(rho));
            entry = i == j ? entry + sigma : entry;
            for (std::size_t k = 0; k < j; ++k) {
              entry = entry - chol[i * n + k] * chol[j * n + k];
            }
            chol[i * n + j] = i == j ? sqrt(entry) : entry / chol[j * n + j];
          }
          for (std::size_t k = 0; k < i; ++k) {
            z[i] = z[i] - chol[i * n + k] * z[k];
          }
          z[i] = z[i] / chol[i * n + i];
          sum = sum + square(z[i]) * 0.5 + log(chol[i * n + i]);
        }
        return sum;
      }),
      {plain("rho", 0), plain("alpha", 1), plain("sigma", 2)}};
}

struct Model {
  const char* name;
  Posterior (*make)(const json& data);
};
constexpr std::array<Model, 8> models{{{"garch11", garch11},
                                       {"hmm_example", hmm},
                                       {"earn_height", earn_height},
                                       {"kidscore_interaction", kidscore},
                                       {"arK", ar_k},
                                       {"eight_schools", eight_schools},
                                       {"gp_regr", gp_regr},
                                       {"arma11", arma11}}};

struct Off {
  double sds = 0, errors = 0;
};

/// The worst mean, beside the reference's.
Off off_by(const Posterior& posterior, const json& reference, const tain::Run& run) {
  const tain::Draws& draws = run.draws();
  const std::size_t all = draws.chains * draws.draws, dim = draws.names.size();
  double least = double(all);
  for (const tain::SummaryRow& row : run.summary()) {
    least = std::min(least, std::isnan(row.ess_bulk) ? 1.0 : row.ess_bulk);
  }
  Off off;
  for (const auto& [name, value_at] : posterior.quantities) {
    double mean = 0;
    for (std::size_t k = 0; k < all; ++k) {
      mean += value_at(draws.values.data() + k * dim) / double(all);
    }
    const json& known = reference.at(name);
    const double gap = std::abs(mean - known.at("mean").get<double>()), sd = known.at("sd");
    off.sds = std::max(off.sds, gap / sd);
    off.errors = std::max(
        off.errors, gap / std::hypot(sd / std::sqrt(least), known.at("mcse_mean").get<double>()));
  }
  return off;
}

double cpu_seconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace

int main(int argc, char** argv) {
  std::string only, json_path;
  tain::SamplePlan plan{.threads = 1};
  std::uint64_t seeds = 4;
  for (int i = 2; i < argc; i += 2) {
    const std::string flag = argv[i], value = i + 1 < argc ? argv[i + 1] : "";
    if (flag == "--only") {
      only = value;
    } else if (flag == "--kernel") {
      plan.kernel = value;
    } else if (flag == "--chains") {
      plan.chains = static_cast<std::uint32_t>(std::stoul(value));
    } else if (flag == "--warmup") {
      plan.warmup = std::stoul(value);
    } else if (flag == "--draws") {
      plan.draws = std::stoul(value);
    } else if (flag == "--seeds") {
      seeds = std::stoul(value);
    } else if (flag == "--json") {
      json_path = value;
    } else {
      fmt::print(stderr, "unknown flag {}; see the head of bench/posteriors.cpp\n", flag);
      return 64;
    }
  }
  if (argc < 2) {
    fmt::print(stderr, "no folder; see the head of bench/posteriors.cpp\n");
    return 64;
  }
  fmt::print("{:21} {:>7} {:>9} {:>8} {:>10} {:>7} {:>8} {:>8} {:>8}\n", "posterior", "cpu s",
             "ESS", "ESS/s", "ESS/1e3 gr", "R-hat", "off, sd", "off, mc", "trusted");
  json results = json::array();
  for (const Model& model : models) {
    if (!only.empty() && only != model.name) {
      continue;
    }
    const std::string path = fmt::format("{}/{}.json", argv[1], model.name);
    std::ifstream file(path);
    if (!file) {
      fmt::print(stderr, "{}: cannot be opened; give the folder of the posteriors\n", path);
      return 66;
    }
    const json input = json::parse(file);
    const Posterior posterior = model.make(input.at("data"));
    double seconds = 0, ess = 0, gradients = 0, rhat = 0;
    Off worst;
    std::uint64_t trusted = 0;
    for (plan.seed = 1; plan.seed <= seeds; ++plan.seed) {
      const double start = cpu_seconds();
      const tain::Run run = tain::sample(posterior.set, posterior.target, plan);
      seconds += cpu_seconds() - start;
      double least = 1e300;
      for (const tain::SummaryRow& row : run.summary()) {
        least = std::min(least, row.ess_bulk);
        rhat = std::max(rhat, row.rhat);
      }
      ess += least;
      gradients += double(run.record().done.gradients);
      const Off off = off_by(posterior, input.at("reference"), run);
      worst = {std::max(worst.sds, off.sds), std::max(worst.errors, off.errors)};
      trusted += run.verdict().trust ? 1 : 0;
    }
    fmt::print("{:21} {:7.2f} {:9.0f} {:8.0f} {:10.1f} {:7.3f} {:8.3f} {:8.1f} {:5} of {}\n",
               model.name, seconds / double(seeds), ess / double(seeds), ess / seconds,
               1e3 * ess / gradients, rhat, worst.sds, worst.errors, trusted, seeds);
    std::fflush(stdout);
    results.push_back({{"posterior", model.name},
                       {"cpu_seconds", seconds / double(seeds)},
                       {"ess_per_cpu_second", ess / seconds},
                       {"ess_per_1000_gradients", 1e3 * ess / gradients},
                       {"max_rhat", rhat},
                       {"off_sds", worst.sds},
                       {"off_errors", worst.errors},
                       {"trusted", trusted},
                       {"seeds", seeds}});
  }
  if (!json_path.empty()) {
    std::ofstream(json_path) << results.dump(1) << '\n';
  }
  return 0;
}
