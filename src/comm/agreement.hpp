// What the ranks of a run have to agree on before it begins.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "tain/comm/comm.hpp"

namespace tain {

/// Memory that the least favoured rank has: that of its machine, shared with the other ranks there.
/// Collective.
double rank_memory(Comm& comm);

/// Collective. Throws Error (config) naming the first rank whose bytes are others than rank 0's:
/// `what` is theirs, `remedy` helps.
void require_same_on_ranks(Comm& comm, std::uint64_t checksum, std::string_view what,
                           std::string_view remedy);
/// Throws Error (cannot_create) on a rank that does not see the folder which rank 0 made.
void require_shared(Comm& comm, const std::filesystem::path& folder);

}  // namespace tain
