// Moments at which a process can be made to stop or die, so that killing and resuming can be
// practised, and tested, at a chosen one instead of after a guessed time.
//
// Definition: TAIN_FAILPOINT=NAME[:COUNT][=SIGNAL] sends this process SIGNAL (kill, int, term,
//   usr1, stop; kill if left out) when it passes the failpoint NAME for the COUNT-th time (the
//   first if left out). Names are a file and what has happened to it (checkpoint/written,
//   checkpoint/renamed), a state of a run (run/drawn), or a count (draws, documents), which is
//   passed as soon as it is COUNT or more. TAIN_FAILPOINT_LOG=FILE appends the name of every
//   failpoint as it is passed, counts apart.
// Laws: without these variables a failpoint does nothing. The signal has been delivered when
//   failpoint() returns.
// Cost: a load and a branch. Failpoints stand between steps and files, never inside a step.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace tain {

void failpoint(std::string_view name);
/// Of a file: "<its name>/<event>".
void failpoint(const std::filesystem::path& file, std::string_view event);
/// Of a count that has reached `count`.
void failpoint_count(std::string_view name, std::uint64_t count);
/// How far a count that now is `count` may go before failpoint_count must hear of it; without such
/// a failpoint the largest number.
std::uint64_t failpoint_distance(std::string_view name, std::uint64_t count);
/// Throws Error (config) if the variables cannot be understood; else they would show at the first
/// failpoint.
void require_failpoint_variables();

}  // namespace tain
