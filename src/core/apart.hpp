// What a command reads and what it writes are different files, whatever they are called.
#pragma once

#include <filesystem>
#include <span>

#include "tain/core/error.hpp"

namespace tain {

/// A file or a folder of a command.
struct NamedPath {
  Phrase name;  ///< the option that names it, or what it is: "the source"
  std::filesystem::path path;
};

/// Throws Error (config) if a file that is written is that of another output or of an input, by name
/// or through links, or would lie in a folder that is an input. Empty paths and "-" are no files.
void require_apart(std::span<const NamedPath> files, std::span<const NamedPath> inputs);
/// The same for a folder that is written, which may lie in one that is an input.
void require_apart(const NamedPath& folder, std::span<const NamedPath> inputs);

}  // namespace tain
