// From options to a set and a target.
#pragma once

#include <optional>

#include "cli/options.hpp"
#include "tain/maps/set.hpp"
#include "tain/targets/target.hpp"

namespace tain::cli {

/// Of a problem file's [[set]] tables, or of flags; none: the target's own set, in as many
/// dimensions as --dim says. Throws Error.
std::optional<Set> read_set(const Command& command, const RawOptions& raw, const Target& target);

/// A name of `tain targets`, or a shared library. Reads the files it names.
Target read_target(const Command& command, const RawOptions& raw);

}  // namespace tain::cli
