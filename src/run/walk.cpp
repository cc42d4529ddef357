#include "run/walk.hpp"

#include <fmt/format.h>

#include <cmath>

#include "run/kernel_table.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

/// Options that the kernel does not look at.
void require_owned(const KernelRow& kernel, const SamplePlan& plan) {
  const bool with_replacement = plan.batch.replacement == Replacement::with;
  const auto who_can = [](unsigned ability) {
    return Field{"kernel", std::string(kernel_names(ability).front())};
  };
  if (!kernel.has(Has::batches) && (plan.batch.size != 0 || with_replacement)) {
    fail(Fault::config, Field{plan.batch.size != 0 ? "batch" : "replacement"},
         fmt::format("kernel {} takes whole gradients", kernel.name),
         Phrase("leave it out, or use ", who_can(Has::batches)));
  }
  if (with_replacement && plan.batch.size == 0) {
    fail(Fault::config, Field{"replacement"}, "all terms are taken, each once",
         Phrase("give ", Field{"batch", "N"}));
  }
  if (plan.control_variates != 0 && (!kernel.has(Has::control_variates) || plan.batch.size == 0)) {
    fail(Fault::config, Field{"control_variates"},
         kernel.has(Has::control_variates) ? "whole gradients have no variance"
                                           : fmt::format("kernel {} has none", kernel.name),
         Phrase("leave it out, or use ", who_can(Has::control_variates), " with ",
                Field{"batch", "N"}));
  }
  if (plan.smoothing && !kernel.has(Has::smoothing)) {
    fail(Fault::config, Field{"smoothing"}, fmt::format("kernel {} has none", kernel.name),
         Phrase("leave it out, or use ", who_can(Has::smoothing)));
  }
  if (plan.smoothing && (!(*plan.smoothing > 0) || !std::isfinite(*plan.smoothing))) {
    fail(Fault::config, Field{"smoothing"}, "must be positive and finite",
         "leave it out for twice the step size");
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

}  // namespace

Walk make_walk(const Problem& problem, const SamplePlan& plan) {
  const KernelRow& kernel = kernel_row(plan.kernel);
  require_owned(kernel, plan);
  return kernel.make(problem, plan, batching_for(problem.target, plan));
}

std::size_t state_dim(const Problem& problem, std::string_view kernel) {
  const KernelRow* const row = find_kernel(kernel);
  return row && row->space != Space::dual ? problem.map.primal_dim() : problem.map.dual_dim();
}

}  // namespace tain
