// The ranks that this process is one of: by itself, unless a launcher started several.
#pragma once

#include <cstddef>
#include <string_view>

#include "cli/flags.hpp"
#include "tain/comm/comm.hpp"
#include "tain/core/error.hpp"

namespace tain::cli {

/// All ranks of the run.
Comm& ranks();

/// Threads for this rank: as many as asked for; if 0, its share of the cores that the launcher
/// gave it, which other ranks of the same machine may have been given too. Collective.
std::size_t threads_of_rank(std::size_t asked);

/// First of all: ranks other than 0 are silent from now on.
void begin_ranks();
/// Joins the others, for a command that runs over ranks; throws for one that does not if there
/// are several.
void join_ranks(const Command& command);
/// Waits for the others at the end of a command; gives rank 0's exit code.
int end_ranks(int code);
/// Says why this process fails and gives its exit code. Ends all ranks if there are several.
int give_up(std::string_view message, Fault fault);

}  // namespace tain::cli
