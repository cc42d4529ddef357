// Room on a disk.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "tain/core/error.hpp"

namespace tain {

/// Bytes that can still be written into a folder, or the folder of a file, that need not be there
/// yet; nothing where the file system does not tell.
std::optional<std::uint64_t> free_space(const std::filesystem::path& path);

/// Throws Error (cannot_create, of the output that `option` names) if there are fewer. `remedy`:
/// what else helps than room.
void require_space(const Field& option, const std::filesystem::path& path, double bytes,
                   const Phrase& remedy);

}  // namespace tain
