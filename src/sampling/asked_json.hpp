// What was asked for, as files keep it: the one place that knows JSON of sets, targets and plans.
//
// Definition: keys are the names of fields with dashes: target and its numbers, map and its
//   numbers, then the plan's, each only where it was given or has a default of its own. A set made
//   of others is a list of tables under "map". A target that is code is not kept.
// Laws: what is read back is written the same.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "tain/maps/set.hpp"
#include "tain/run/plan.hpp"
#include "tain/targets/target.hpp"

namespace tain {

using Json = nlohmann::ordered_json;

struct Asked {
  std::optional<Set> set;
  Target target;
  SamplePlan plan;
};

Json asked_json(const Asked& asked);
/// Can problem files describe it? Not sets of sets of sets, nor maps of one's own: these are known
/// by their text, and by values (Run's inputs).
bool is_recordable(const Set& set);

/// Files that the problem was read from, with their hashes.
std::map<std::string, std::string> input_hashes(const Asked& asked);

/// The set that was asked for, or the target's own; the dimension of draws closes it. Throws Error
/// (config) for what is none.
Set set_from(const Json& asked, std::size_t dim);
/// As it was asked for; none: the target's own. Throws Error (config) for what is none.
std::optional<Set> set_as_asked(const Json& asked);
/// Reads the files that it names. Throws Error for what is none.
Target target_from(const Json& asked);
/// Throws Error (config) where a value is none.
SamplePlan plan_from(const Json& asked, SamplePlan manner = {});

}  // namespace tain
