// The record of a run: what was asked for and what was done.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tain/run/plan.hpp"
#include "tain/run/sampler.hpp"

namespace tain {

/// As far as it is known: of draws in a file, texts may be empty and counts 0. The kernel is empty
/// where another sampler drew them.
struct RunRecord {
  SamplePlan plan;  ///< with "auto" as what it meant
  std::string target, map;
  std::vector<std::string> notes;             ///< what was decided on the user's behalf
  std::map<std::string, std::string> inputs;  ///< files with their hashes
  std::vector<std::string> files;             ///< names of those that hold the draws
  std::string version, isa, compiler, started, ended, stop_reason;
  RunSummary done;
};

}  // namespace tain
