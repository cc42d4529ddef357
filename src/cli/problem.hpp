// From options to a problem: target, map and the form of the dual.
#pragma once

#include <string>
#include <vector>

#include "options.hpp"
#include "tain/run/sampler.hpp"

namespace tain::cli {

struct BuiltProblem {
  Problem problem;
  std::vector<std::string> names;  ///< of the primal coordinates
  std::vector<std::string> notes;  ///< what was decided on the user's behalf
};

BuiltProblem build_problem(const Command& command, const RawOptions& raw);

}  // namespace tain::cli
