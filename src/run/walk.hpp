// Walk: a kernel together with the space it walks in.
//
// Kernels of the mirror method walk in the dual of the problem's map, on W. The baselines have
// spaces of their own:
//     sgrld, sgrhmc         the expanded mean theta > 0 of a Dirichlet posterior, x = theta / sum
//     scir                  its logarithm
//     plmc                  the set itself
//     myula                 all of R^n around the set; its draws are projected
// All start where a chain of the mirror method would start, seen in their own space.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "kernels/kernel.hpp"
#include "run/sampler.hpp"
#include "tain/targets/potential.hpp"

namespace tain {

struct Walk {
  using BlockMap = std::function<void(ConstBlock from, Block to, Workspace& ws)>;

  std::unique_ptr<const Kernel> kernel;
  AnyPotential potential;  ///< what the kernel is handed, a function of its state
  BlockMap to_primal;      ///< state -> point that is drawn
  BlockMap from_dual;      ///< point of the mirror map's dual -> state
  /// Steps between two looks of a kernel on mini-batches at the whole potential.
  std::uint64_t probe_every = 1;
};

/// Throws Error: (usage) for an unknown kernel, suggesting the nearest; (config) where the problem
/// does not fit the kernel, or an option of the plan does not.
Walk make_walk(const Problem& problem, const SamplePlan& plan);

/// Coordinates of the state, known before anything is built.
std::size_t state_dim(const Problem& problem, std::string_view kernel);

}  // namespace tain
