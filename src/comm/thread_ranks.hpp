// Ranks as threads of one process: for tests of what runs over ranks, and to count what many ranks
// would send to each other. For speed, give one process threads instead.
#pragma once

#include <functional>

#include "tain/comm/comm.hpp"

namespace tain {

/// Calls body(comm) on so many ranks at once and waits for all. An exception of one reaches the
/// caller (that of the lowest rank that has one of its own); the others are then stopped at their
/// next operation.
void run_thread_ranks(int ranks, const std::function<void(Comm&)>& body);

}  // namespace tain
