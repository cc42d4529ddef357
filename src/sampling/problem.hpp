// From a set, a target and a plan to the problem that chains are run on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "run/sampler.hpp"
#include "tain/maps/set.hpp"
#include "tain/targets/target.hpp"

namespace tain {

struct BuiltProblem {
  Problem problem;
  std::vector<std::string> names;     ///< of coordinates
  std::vector<Parameter> parameters;  ///< parts of x that have names; empty: x has no parts
  std::vector<std::string> notes;     ///< what was decided on the user's behalf
};

/// Without a set: the target's own. What set, target and start say of the dimension must agree;
/// single numbers are one coordinate if nothing says otherwise. Throws Error.
BuiltProblem build_problem(const std::optional<Set>& set, const Target& target,
                           const SamplePlan& plan);

}  // namespace tain
