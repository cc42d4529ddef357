// Flags of the numbers of sets and targets, as the kinds list them (core/fields.hpp): a new kind
// brings its own.
#pragma once

#include <string>
#include <vector>

#include "cli/flags.hpp"
#include "maps/set_kind.hpp"
#include "targets/target_kind.hpp"

namespace tain::cli {

/// Rows of what kinds tell of themselves; what several have is one row.
std::vector<Flag> set_flags(std::string_view group);
std::vector<Flag> target_flags(std::string_view group);

/// Flags that a kind takes, or keys of a [[set]] table if it is made of other sets.
std::vector<std::string> flags_of(const SetEntry& entry);
std::vector<std::string> flags_of(const TargetEntry& entry);

}  // namespace tain::cli
