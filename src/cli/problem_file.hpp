// Problem files (TOML) and manifests (JSON): the same options as flags, in a file.
//
// TOML: flat keys named like the flags, lists as arrays; [[map]] tables (type, name and the numbers
//   of the set; matrix, shift) describe the factors of a product, one [map] table a single map;
//   matrix and shift make it an affine image. Input files are looked up beside the problem file.
// JSON: a manifest; its "options" object has the same keys, its "inputs" the hashes of input files.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/options.hpp"

namespace tain::cli {

/// Throws Error: no_input if it cannot be read, data if it cannot be parsed (with line and column),
/// config for an unknown key (with the nearest one) or a value of a wrong kind.
RawOptions read_problem_file(const Command& command, const std::filesystem::path& path);

/// The "options" object of a manifest, or what a draws file keeps of it. `origin` is for messages;
/// input files are looked up beside it. Throws Error (config).
RawOptions options_from(const Command& command, const nlohmann::ordered_json& object,
                        const std::filesystem::path& origin);

}  // namespace tain::cli
