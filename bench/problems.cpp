// Effective draws per CPU second on eight constrained problems, with errors against exact or
// reference moments.
//
//   tain_bench_problems [--only w3:100] [--kernel hmc|mala] [--chains 128] [--json FILE]
//
// One thread. CPU seconds include warm-up and the mapping of draws to the constrained set;
// diagnostics are not counted. z is the worst error of a coordinate's mean in combined standard
// errors (ours and, where there is no closed form, the reference's own, from independent chains of
// a Gibbs sampler on lines).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/parallel.hpp"
#include "core/simd.hpp"
#include "diagnose/convergence.hpp"
#include "draws/table.hpp"
#include "maps/ball.hpp"
#include "maps/box.hpp"
#include "maps/simplex.hpp"
#include "run/sampler.hpp"
#include "support/directional_gibbs.hpp"
#include "tain/targets/target.hpp"
#include "targets/dirichlet.hpp"
#include "targets/gaussian.hpp"

namespace {

using namespace tain;

struct Reference {
  std::vector<double> mean, error;
};

struct Workload {
  std::string name, what;
  Problem problem;
  std::function<Reference()> reference;
  std::uint64_t warmup, draws;
};

Reference from_chains(const testing::ChainAverages& chains) {
  const std::size_t n = chains.x.size(), d = chains.x[0].size();
  Reference r{std::vector<double>(d), std::vector<double>(d)};
  for (std::size_t i = 0; i < d; ++i) {
    double sum = 0, squares = 0;
    for (const auto& x : chains.x) {
      sum += x[i];
    }
    r.mean[i] = sum / double(n);
    for (const auto& x : chains.x) {
      squares += (x[i] - r.mean[i]) * (x[i] - r.mean[i]);
    }
    r.error[i] = std::sqrt(squares / double(n - 1) / double(n));
  }
  return r;
}

/// In the coordinates that `tain sample` chooses by itself.
Workload dirichlet(std::string name, std::string what, std::vector<double> counts, double alpha,
                   std::uint64_t warmup, std::uint64_t draws) {
  const std::size_t n = counts.size();
  DirichletPosterior target(std::move(counts), std::vector<double>(n, alpha));
  const AnyMap map = map_of(tain::simplex(n), target);
  return {std::move(name),
          std::move(what),
          {map, target},
          [=] { return Reference{target.facts(map).mean, std::vector<double>(n, 0.0)}; },
          warmup,
          draws};
}

Workload truncated(std::size_t d, std::uint64_t warmup, std::uint64_t draws) {
  std::vector<double> covariance(d * d);
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      covariance[i * d + j] = std::pow(0.9, std::abs(double(i) - double(j)));
    }
  }
  const std::size_t chains = d >= 1000 ? 16 : 64, kept = d >= 1000 ? 1000 : 4000;
  return {fmt::format("w3:{}", d),
          fmt::format("N(0.5, 0.9^|i-j|) on [-1,1]^{}", d),
          {BoxMap(std::vector<double>(d, -1.0), std::vector<double>(d, 1.0)),
           Gaussian::with_covariance(std::vector<double>(d, 0.5), covariance)},
          [=] {
            const auto g = testing::ar1_reference(d, 0.5, 0.9);
            return from_chains(testing::run_reference(
                chains, 300, kept, std::vector<double>(d, 0.0), 7,
                [&](auto& x, Stream& s) { testing::sweep_box(g, -1, 1, x, s); }));
          },
          warmup,
          draws};
}

Workload ball() {
  const std::size_t d = 100;
  std::vector<double> mean(d, 0.05), sd(d);
  for (std::size_t i = 0; i < d; ++i) {
    sd[i] = 0.05 + 0.45 * double(i) / double(d - 1);
  }
  return {"w4",
          "N(0.05, diag(0.05..0.5)^2) in the unit ball, d = 100",
          {BallMap(std::vector<double>(d, 0.0), 1.0), Gaussian::diagonal(mean, sd)},
          [=] {
            const auto g = testing::diagonal_reference(mean, sd);
            return from_chains(
                testing::run_reference(64, 300, 3000, std::vector<double>(d, 0.0), 7,
                                       [&](auto& x, Stream& s) { testing::sweep_ball(g, x, s); }));
          },
          300,
          1000};
}

Workload simplex() {
  const std::size_t n = 51;
  std::vector<double> mean(n), sd(n, 0.03);
  for (std::size_t i = 0; i < n; ++i) {
    mean[i] = -0.02 + 0.08 * double(i) / 50;
  }
  return {"w5",
          "N(m_i, 0.03^2), m_i = -0.02 + 0.08 i/50, on the simplex of 51 categories",
          {SimplexMap::symmetric(n), Gaussian::diagonal(mean, sd)},
          [=] {
            const auto g = testing::diagonal_reference(mean, sd);
            return from_chains(testing::run_reference(
                64, 500, 8000, std::vector<double>(n, 1.0 / n), 7,
                [&](auto& x, Stream& s) { testing::sweep_simplex(g, x, s); }));
          },
          300,
          1000};
}

std::vector<Workload> workloads() {
  std::vector<double> paper(11, 0.0);
  paper[0] = 10000;
  paper[1] = paper[2] = 10;
  std::vector<Workload> all;
  all.push_back(dirichlet("w1", "the paper's posterior, 11 categories", paper, 0.1, 300, 1000));
  all.push_back(dirichlet("w2a", "Dirichlet(0.1), 101 categories", std::vector<double>(101, 0.0),
                          0.1, 300, 1000));
  all.push_back(dirichlet("w2b", "Dirichlet(1), 101 categories", std::vector<double>(101, 0.0), 1.0,
                          300, 1000));
  all.push_back(truncated(10, 300, 1000));
  all.push_back(truncated(100, 300, 1000));
  all.push_back(truncated(1000, 300, 500));
  all.push_back(ball());
  all.push_back(simplex());
  return all;
}

nlohmann::json measure(const Workload& w, const std::string& kernel, std::uint32_t chains,
                       const Reference& reference) {
  Threads threads(1);
  const std::size_t n = w.problem.map.primal_dim();
  DrawTable table = DrawTable::in_memory({chains, w.draws, n, w.problem.map.dual_dim()});
  Sampler sampler(w.problem,
                  {.kernel = kernel, .chains = chains, .warmup = w.warmup, .draws = w.draws},
                  threads);
  const RunSummary run = sampler.run(table);
  double least = 1e300, least_tail = 1e300, worst_z = 0, worst_rhat = 0;
  std::vector<double> series(chains * w.draws);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < series.size(); ++k) {
      series[k] = table.primal()[k * n + i];
    }
    const Series s{series, chains, w.draws};
    least = std::min(least, ess_bulk(s));
    least_tail = std::min(least_tail, ess_tail(s));
    worst_rhat = std::max(worst_rhat, rhat(s));
    double mean = 0;
    for (const double v : series) {
      mean += v;
    }
    mean /= double(series.size());
    worst_z = std::max(
        worst_z, std::abs(mean - reference.mean[i]) / std::hypot(mcse_mean(s), reference.error[i]));
  }
  return {{"problem", w.name},
          {"what", w.what},
          {"kernel", kernel},
          {"chains", chains},
          {"warmup", w.warmup},
          {"draws", w.draws},
          {"cpu_seconds", run.cpu_seconds},
          {"gradients", run.gradients},
          {"min_bulk_ess", least},
          {"min_tail_ess", least_tail},
          {"ess_per_cpu_second", least / run.cpu_seconds},
          {"ess_per_gradient", least / double(run.gradients)},
          {"nanoseconds_per_gradient", 1e9 * run.cpu_seconds / double(run.gradients)},
          {"max_rhat", worst_rhat},
          {"max_abs_z", worst_z},
          {"coordinates", n},
          {"acceptance", run.acceptance},
          {"divergences", run.divergences},
          {"step_size", run.tuning.step_size},
          {"trajectory_length", run.tuning.trajectory_length},
          {"isa", isa_name(current_isa())}};
}

}  // namespace

int main(int argc, char** argv) {
  std::string only, kernel, json_path;
  std::uint32_t chains = 128;
  for (int i = 1; i < argc; i += 2) {
    const std::string flag = argv[i], value = i + 1 < argc ? argv[i + 1] : "";
    if (flag == "--only") {
      only = value;
    } else if (flag == "--kernel") {
      kernel = value;
    } else if (flag == "--json") {
      json_path = value;
    } else if (flag == "--chains") {
      chains = static_cast<std::uint32_t>(std::stoul(value));
    } else {
      fmt::print(stderr, "unknown flag {}; see the head of bench/problems.cpp\n", flag);
      return 64;
    }
  }
  nlohmann::json results = nlohmann::json::array();
  fmt::print("{:8} {:5} {:>8} {:>9} {:>9} {:>10} {:>9} {:>8} {:>6} {:>6} {:>6} {:>7}\n", "problem",
             "kernel", "cpu s", "bulk ESS", "tail ESS", "ESS/s", "ESS/grad", "ns/grad", "R-hat",
             "|z|", "acc", "length");
  for (const Workload& w : workloads()) {
    if (!only.empty() && w.name != only) {
      continue;
    }
    const Reference reference = w.reference();
    for (const std::string k : {"hmc", "mala"}) {
      if (!kernel.empty() && k != kernel) {
        continue;
      }
      const nlohmann::json r = measure(w, k, chains, reference);
      fmt::print(
          "{:8} {:5} {:8.2f} {:9.0f} {:9.0f} {:10.0f} {:9.4f} {:8.0f} {:6.3f} {:6.2f} {:6.2f} "
          "{:7.1f}\n",
          w.name, k, r["cpu_seconds"].get<double>(), r["min_bulk_ess"].get<double>(),
          r["min_tail_ess"].get<double>(), r["ess_per_cpu_second"].get<double>(),
          r["ess_per_gradient"].get<double>(), r["nanoseconds_per_gradient"].get<double>(),
          r["max_rhat"].get<double>(), r["max_abs_z"].get<double>(), r["acceptance"].get<double>(),
          r["trajectory_length"].get<double>() / r["step_size"].get<double>());
      std::fflush(stdout);
      results.push_back(r);
    }
  }
  if (!json_path.empty()) {
    std::ofstream(json_path) << results.dump(1) << '\n';
  }
  return 0;
}
