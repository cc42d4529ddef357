#include "tain/run/walk.hpp"

#include <fmt/format.h>

#include "tain/core/error.hpp"
#include "tain/core/lanes.hpp"
#include "tain/core/names.hpp"
#include "tain/kernels/hamiltonian.hpp"
#include "tain/kernels/langevin.hpp"

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

}  // namespace

Walk make_walk(const Problem& problem, const SamplePlan& plan) {
  if (plan.kernel == "mld") {
    return dual_walk(problem, std::make_unique<Langevin>(Langevin::Adjust::none));
  }
  if (plan.kernel == "mala") {
    return dual_walk(problem, std::make_unique<Langevin>(Langevin::Adjust::metropolis));
  }
  if (plan.kernel == "hmc") {
    return dual_walk(problem, std::make_unique<Hamiltonian>());
  }
  std::vector<std::string_view> names;
  for (const KernelEntry& entry : kernel_table()) {
    names.push_back(entry.name);
  }
  fail_unknown("kernel", plan.kernel, names);
}

std::size_t state_dim(const Problem& problem, std::string_view) { return problem.map.dual_dim(); }

}  // namespace tain
