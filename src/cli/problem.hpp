// From options to a problem: target, map and the form of the dual.
#pragma once

#include <string>
#include <vector>

#include "domain.hpp"
#include "options.hpp"
#include "tain/run/sampler.hpp"

namespace tain::cli {

struct BuiltProblem {
  Problem problem;
  std::vector<std::string> names;  ///< of the primal coordinates
  std::vector<std::string> notes;  ///< what was decided on the user's behalf
};

/// A target on a set; coordinates of a simplex follow the target where they are left open. `names`
/// of coordinates may be too few.
BuiltProblem assemble(const SetDescription& set, const AnyPotential& target,
                      std::vector<std::string> names, DualForm form);

/// What --dual-form says; automatic for commands that have no such flag.
DualForm dual_form(const Command& command, const RawOptions& raw);

BuiltProblem build_problem(const Command& command, const RawOptions& raw);

}  // namespace tain::cli
