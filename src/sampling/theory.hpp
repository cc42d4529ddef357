// What Theorem 4 needs to know about a problem, and where each number comes from.
#pragma once

#include <string>
#include <vector>

#include "kernels/batch.hpp"
#include "kernels/theory.hpp"
#include "run/sampler.hpp"
#include "tain/sampling/theory.hpp"

namespace tain {

struct KnownConstants {
  ProblemConstants numbers;
  std::string lipschitz_source, variance_source, distance_source;
};

/// The primal point that a start by theory means: the one given, else the target's hint, else the
/// map's centre.
std::vector<double> theory_start(const Problem& problem, const std::vector<double>& given);

/// Those that the plan gives, else the target's own. Throws Error (config) for a number that is
/// neither known nor given, naming it, and for batches that the target does not have.
KnownConstants constants_of(const Problem& problem, const Batching& batch,
                            const std::vector<double>& start, const TheoryPlan& given = {});

}  // namespace tain
