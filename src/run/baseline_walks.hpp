// The baselines' walks, each in its own space (run/walk.hpp).
#pragma once

#include <string_view>

#include "run/walk.hpp"

namespace tain {

bool is_baseline(std::string_view kernel);

/// Throws Error (config) for a smoothing that is none, or that the kernel does not look at.
void require_smoothing(const SamplePlan& plan);

/// For baselines only. `batch`: the plan's mini-batches, empty for all terms. Throws Error (config)
/// where the problem does not fit the kernel.
Walk baseline_walk(const Problem& problem, const SamplePlan& plan, const Batching& batch);

}  // namespace tain
