#include "run/walk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/lanes.hpp"
#include "core/names.hpp"
#include "kernels/hamiltonian.hpp"
#include "kernels/langevin.hpp"
#include "kernels/stochastic_langevin.hpp"
#include "run/baseline_walks.hpp"
#include "tain/core/error.hpp"
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

/// Options that only kernels on mini-batches look at.
void require_owned(const SamplePlan& plan) {
  constexpr std::array<std::string_view, 4> on_batches{"smld", "sgrld", "sgrhmc", "scir"};
  const bool owns = std::ranges::find(on_batches, plan.kernel) != on_batches.end();
  const bool with_replacement = plan.batch.replacement == Replacement::with;
  if (!owns && (plan.batch.size != 0 || with_replacement)) {
    fail(Fault::config, Field{plan.batch.size != 0 ? "batch" : "replacement"},
         fmt::format("kernel {} takes whole gradients", plan.kernel),
         Phrase("leave it out, or use ", Field{"kernel", "smld"}));
  }
  if (with_replacement && plan.batch.size == 0) {
    fail(Fault::config, Field{"replacement"}, "all terms are taken, each once",
         Phrase("give ", Field{"batch", "N"}));
  }
  if (plan.control_variates != 0 && (plan.kernel != "smld" || plan.batch.size == 0)) {
    fail(Fault::config, Field{"control_variates"},
         plan.kernel == "smld" ? "whole gradients have no variance"
                               : fmt::format("kernel {} has none", plan.kernel),
         Phrase("leave it out, or use ", Field{"kernel", "smld"}, " with ", Field{"batch", "N"}));
  }
}

/// The plan's batches, all terms as such; throws Error (config) where there are no such batches.
Batching batching_for(const AnyPotential& target, const SamplePlan& plan) {
  const Batching& batch = plan.batch;
  const std::uint64_t terms = target.terms();
  if (batch.size == 0) {
    return {};
  }
  if (terms == 0) {
    fail(Fault::config, Field{"batch"},
         fmt::format("target {} is no sum over observations", target.name()),
         "leave it out; dirichlet with whole counts and the regressions are sums");
  }
  if (batch.size > terms && batch.replacement == Replacement::without) {
    fail(Fault::config, Field{"batch"},
         fmt::format("{} terms of {} cannot be drawn without replacement", batch.size, terms),
         Phrase("give fewer, or ", Field{"replacement", "true"}));
  }
  return batch.whole(terms) ? Batching{} : batch;
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

Walk batch_walk(const Problem& problem, const SamplePlan& plan) {
  const Batching batch = batching_for(problem.target, plan);
  Walk walk =
      dual_walk(problem, std::make_unique<StochasticLangevin>(batch, plan.control_variates));
  walk.probe_every = looks_every(problem.target.terms(), batch, plan);
  return walk;
}

}  // namespace

Walk make_walk(const Problem& problem, const SamplePlan& plan) {
  require_owned(plan);
  require_smoothing(plan);
  if (plan.kernel == "mld") {
    return dual_walk(problem, std::make_unique<Langevin>(Langevin::Adjust::none));
  }
  if (plan.kernel == "smld") {
    return batch_walk(problem, plan);
  }
  if (plan.kernel == "mala") {
    return dual_walk(problem, std::make_unique<Langevin>(Langevin::Adjust::metropolis));
  }
  if (plan.kernel == "hmc") {
    return dual_walk(problem, std::make_unique<Hamiltonian>());
  }
  if (is_baseline(plan.kernel)) {
    return baseline_walk(problem, plan, batching_for(problem.target, plan));
  }
  std::vector<std::string_view> names;
  for (const KernelEntry& entry : kernel_table()) {
    names.push_back(entry.name);
  }
  fail_unknown("kernel", plan.kernel, names);
}

std::size_t state_dim(const Problem& problem, std::string_view kernel) {
  return is_baseline(kernel) ? problem.map.primal_dim() : problem.map.dual_dim();
}

}  // namespace tain
