#include "run/kernel_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/lanes.hpp"
#include "core/names.hpp"
#include "kernels/baselines/myula.hpp"
#include "kernels/baselines/plmc.hpp"
#include "kernels/baselines/scir.hpp"
#include "kernels/baselines/sgrhmc.hpp"
#include "kernels/baselines/sgrld.hpp"
#include "kernels/hamiltonian.hpp"
#include "kernels/langevin.hpp"
#include "kernels/stochastic_langevin.hpp"
#include "maps/simplex.hpp"
#include "tain/core/error.hpp"
#include "targets/dirichlet.hpp"
#include "targets/expanded_mean.hpp"
#include "targets/mirrored.hpp"

namespace tain {
namespace {

Walk dual_walk(const Problem& problem, std::unique_ptr<const Kernel> kernel) {
  const AnyMap map = problem.map;
  return {.kernel = std::move(kernel),
          .potential = mirrored(map, problem.target, problem.form),
          .to_primal = [map](ConstBlock y, Block x, Workspace& ws) { map.to_primal(y, x, ws); },
          .from_dual = [](ConstBlock y, Block state,
                          Workspace&) { lanes::copy(y.flat(), state.flat()); }};
}

template <Langevin::Adjust adjust>
Walk langevin_walk(const Problem& problem, const SamplePlan&, const Batching&) {
  return dual_walk(problem, std::make_unique<Langevin>(adjust));
}

Walk hmc_walk(const Problem& problem, const SamplePlan&, const Batching&) {
  return dual_walk(problem, std::make_unique<Hamiltonian>());
}

/// Looks at the whole potential cost a tenth or two of what the batches cost; short runs get
/// sixteen of them all the same.
std::uint64_t looks_every(std::uint64_t terms, const Batching& batch, const SamplePlan& plan) {
  constexpr std::uint64_t share = 10, fewest = 16;
  if (batch.size == 0) {
    return 1;
  }
  const std::uint64_t steps = plan.draws * plan.thin.value_or(1);
  const double rare = std::ceil(double(share) * double(terms) / double(batch.size));
  return std::max<std::uint64_t>(1, std::min(static_cast<std::uint64_t>(rare), steps / fewest));
}

Walk smld_walk(const Problem& problem, const SamplePlan& plan, const Batching& batch) {
  Walk walk =
      dual_walk(problem, std::make_unique<StochasticLangevin>(batch, plan.control_variates));
  walk.probe_every = looks_every(problem.target.terms(), batch, plan);
  return walk;
}

/// Smallest share that is drawn, as in Simplex.
constexpr double least_share = 1e-290;
/// Chains start no nearer to 0 than this part of the prior mean alpha_l: sgrhmc's force is singular
/// there.
constexpr double least_start = 1e-4;

const DirichletPosterior& require_dirichlet(const Problem& problem, std::string_view kernel) {
  const auto* posterior = problem.target.as<DirichletPosterior>();
  if (!posterior || !problem.map.as<SimplexMap>()) {
    fail(Fault::config, fmt::format("kernel {}", kernel),
         fmt::format("needs a Dirichlet target on the simplex, not {} on {}", problem.target.name(),
                     problem.map.text()),
         "use mld, mala or hmc");
  }
  return *posterior;
}

/// x = theta / sum theta.
void shares(ConstBlock theta, Block x, Workspace& ws) {
  const Workspace::Scope scope(ws);
  const std::span<double> total = ws.array(theta.lanes());
  lanes::sum(theta, total);
  for (std::size_t i = 0; i < theta.rows(); ++i) {
    for (std::size_t l = 0; l < theta.lanes(); ++l) {
      x.at(i, l) = std::max(theta.at(i, l) / total[l], least_share);
    }
  }
}

template <class Expanded>
Walk expanded_walk(const Problem& problem, const SamplePlan& plan, const Batching& batch) {
  const DirichletPosterior& posterior = require_dirichlet(problem, plan.kernel);
  const std::vector<double> alpha(posterior.alpha().begin(), posterior.alpha().end());
  const double total = std::accumulate(alpha.begin(), alpha.end(), 0.0);
  const AnyMap map = problem.map;
  return {.kernel = std::make_unique<Expanded>(batch),
          .potential = ExpandedMean(posterior),
          .to_primal = shares,
          .from_dual = [=](ConstBlock y, Block theta, Workspace& ws) {
            map.to_primal(y, theta, ws);
            for (std::size_t i = 0; i < theta.rows(); ++i) {
              for (std::size_t l = 0; l < theta.lanes(); ++l) {
                theta.at(i, l) = std::max(total * theta.at(i, l), least_start * alpha[i]);
              }
            }
          }};
}

Walk scir_walk(const Problem& problem, const SamplePlan& plan, const Batching& batch) {
  const DirichletPosterior& posterior = require_dirichlet(problem, plan.kernel);
  const AnyMap map = problem.map;
  const double log_total = std::log(posterior.total());
  return {.kernel = std::make_unique<Scir>(posterior, batch),
          .potential = LogGammas(posterior),
          .to_primal =
              [](ConstBlock y, Block x, Workspace& ws) {
                const Workspace::Scope scope(ws);
                lanes::softmax(y, x, ws.array(y.lanes()));
                lanes::clamp(x.flat(), least_share, 1.0, x.flat());
              },
          .from_dual =
              [map, log_total](ConstBlock y, Block log_theta, Workspace& ws) {
                map.to_primal(y, log_theta, ws);
                lanes::log(log_theta.flat(), log_theta.flat());
                lanes::affine(log_theta.flat(), 1.0, log_total, log_theta.flat());
              }};
}

/// On points of the set itself.
struct Projections {
  Projection onto_set, onto_hull;
};
Projections require_projections(const Problem& problem, std::string_view kernel) {
  auto onto_set = problem.map.projection(), onto_hull = problem.map.hull_projection();
  if (!onto_set || !onto_hull) {
    fail(Fault::config, fmt::format("kernel {}", kernel),
         fmt::format("knows no projection onto {}", problem.map.text()),
         "use mld, mala or hmc; boxes, balls, simplices and products of them have one");
  }
  return {*std::move(onto_set), *std::move(onto_hull)};
}

Walk::BlockMap start_in(const AnyMap& map) {
  return [map](ConstBlock y, Block x, Workspace& ws) { map.to_primal(y, x, ws); };
}

Walk plmc_walk(const Problem& problem, const SamplePlan& plan, const Batching&) {
  return {.kernel = std::make_unique<Plmc>(require_projections(problem, plan.kernel).onto_set),
          .potential = problem.target,
          .to_primal = [](ConstBlock y, Block x, Workspace&) { lanes::copy(y.flat(), x.flat()); },
          .from_dual = start_in(problem.map)};
}

Walk myula_walk(const Problem& problem, const SamplePlan& plan, const Batching&) {
  const Projections project = require_projections(problem, plan.kernel);
  return {.kernel = std::make_unique<Myula>(project.onto_set, project.onto_hull, plan.smoothing),
          .potential = Extended(problem.target, project.onto_set),
          .to_primal = project.onto_set,
          .from_dual = start_in(problem.map)};
}

constexpr auto none = Bias::none, indicated = Bias::indicated, unknown = Bias::unknown;
constexpr std::array table{
    KernelRow{
        "mld", Space::dual, indicated, indicated, Has::theory,
        langevin_walk<Langevin::Adjust::none>,
        "mirrored Langevin dynamics (paper 3.3): one gradient a step, biased by O(step size)"},
    KernelRow{"smld", Space::dual, indicated, indicated,
              Has::batches | Has::control_variates | Has::theory, smld_walk,
              "the same on mini-batches (paper, Algorithm 1): biased by O(step size * variance)"},
    KernelRow{"mala", Space::dual, none, none, 0, langevin_walk<Langevin::Adjust::metropolis>,
              "mld's proposals, Metropolis-adjusted: exact"},
    KernelRow{"hmc", Space::dual, none, none, Has::trajectories, hmc_walk,
              "Hamiltonian Monte Carlo with trajectory length adapted across chains: exact"},
    KernelRow{"sgrld", Space::expanded, unknown, unknown, Has::batches, expanded_walk<Sgrld>,
              "baseline: Riemannian Langevin on the expanded mean of a Dirichlet posterior"},
    KernelRow{"sgrhmc", Space::expanded, unknown, unknown, Has::batches, expanded_walk<Sgrhmc>,
              "baseline: Riemannian Hamiltonian dynamics on the same"},
    KernelRow{"scir", Space::expanded, none, unknown, Has::batches, scir_walk,
              "baseline: Cox-Ingersoll-Ross process on the same; exact without mini-batches"},
    KernelRow{"plmc", Space::primal, unknown, unknown, 0, plmc_walk,
              "baseline: Langevin steps, projected onto the set"},
    KernelRow{"myula", Space::primal, unknown, unknown, Has::smoothing, myula_walk,
              "baseline: Langevin steps pulled towards the set, draws projected onto it"},
};

}  // namespace

std::span<const KernelRow> kernel_table() { return table; }

std::vector<NamedKind> list_kernels() { return named_kinds(kernel_table()); }

const KernelRow* find_kernel(std::string_view name) { return find_row(table, name); }

const KernelRow& kernel_row(std::string_view name) {
  if (const KernelRow* found = find_kernel(name)) {
    return *found;
  }
  const auto names = kernel_names();
  const std::string_view near = nearest_name(name, names);
  fail(Fault::usage, Field{"kernel"}, fmt::format("unknown kernel '{}'", name),
       near.empty() ? fmt::format("give one of {}", fmt::join(names, ", "))
                    : fmt::format("did you mean '{}'?", near));
}

std::vector<std::string_view> kernel_names(unsigned abilities) {
  return names_of(table, [=](const KernelRow& row) { return row.has(abilities); });
}

}  // namespace tain
