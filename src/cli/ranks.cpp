#include "cli/ranks.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <thread>

#include "cli/terminal.hpp"
#include "tain/comm/launch.hpp"

namespace tain::cli {
namespace {

using Clock = std::chrono::steady_clock;

using Host = std::array<char, 64>;
Host host_name() {
  Host name{};
  gethostname(name.data(), name.size() - 1);
  return name;
}

/// A process that a machine has.
struct Process {
  Host host = host_name();
  pid_t pid = getpid();
};

struct State {
  std::optional<Launch> launch;
  std::unique_ptr<JoinedRanks> joined;
  Alone alone;
  Process leader;
};
State& state() {
  static State one;
  return one;
}

void say_as_rank(std::string_view message) {
  const int rank = state().launch ? state().launch->rank : 0;
  const std::string line =
      rank == 0 ? fmt::format("tain: {}\n", message)
                : fmt::format("tain: rank {} on {}: {}\n", rank, host_name().data(), message);
  std::fwrite(line.data(), 1, line.size(), stderr);
}

/// Rank 0 speaks for all; rank 1 when rank 0 seems to be the one that is gone.
bool speaks_for_the_rest() {
  const int rank = state().launch->rank;
  const bool gone =
      host_name() != state().leader.host || (kill(state().leader.pid, 0) != 0 && errno == ESRCH);
  return rank == 0 || (rank == 1 && gone);
}

/// Launchers tell the others to end when a rank has died; those then wait for what never comes.
void on_waiting(double seconds) {
  constexpr double patience = 0.3;
  static std::optional<Clock::time_point> told;
  static bool said = false;
  if (said || !told_to_end()) {
    return;
  }
  told = told.value_or(Clock::now());
  const std::chrono::duration<double> passed = Clock::now() - *told;
  if (seconds > patience && passed.count() > patience) {
    said = true;
    if (speaks_for_the_rest()) {
      say_as_rank(
          "told to end while waiting for another rank, which may have died; the last checkpoint "
          "is intact: go on with --resume");
    }
  }
}

/// The cores that the launcher gave to a process.
struct Cores {
  Host host = host_name();
  cpu_set_t set{};
  bool operator==(const Cores& other) const {
    return host == other.host && CPU_EQUAL(&set, &other.set);
  }
};

}  // namespace

Comm& ranks() {
  return state().joined ? state().joined->comm() : static_cast<Comm&>(state().alone);
}

std::size_t threads_of_rank(std::size_t asked) {
  if (asked != 0 || ranks().alone()) {
    return asked;
  }
  Cores own;
  sched_getaffinity(0, sizeof own.set, &own.set);
  const auto transfer = ranks().transfer();
  transfer->gather(std::as_bytes(std::span(&own, 1)));
  transfer->wait();
  int sharers = 0;
  for (int r = 0; r < ranks().ranks(); ++r) {
    sharers += *reinterpret_cast<const Cores*>(transfer->from(r).data()) == own ? 1 : 0;
  }
  return static_cast<std::size_t>(std::max(1, CPU_COUNT(&own.set) / sharers));
}

void begin_ranks() {
  state().launch = launch_of_process();
  if (state().launch && state().launch->rank > 0) {
    silence();
  }
}

void join_ranks(const Command& command) {
  if (!state().launch) {
    return;
  }
  if (!command.over_ranks) {
    if (!state().launch->by_mpi) {
      return;  // tasks of srun, each with work of its own
    }
    fail(Fault::usage, "ranks", fmt::format("`tain {}` runs in one process", command.name),
         "start it without mpirun or srun, or set TAIN_MPI=none");
  }
  state().joined = std::make_unique<JoinedRanks>(*state().launch, on_waiting);
  state().leader = broadcast_value(ranks(), Process{});
}

int end_ranks(int code) {
  if (!state().joined) {
    return code;
  }
  const int common = broadcast_value(ranks(), code);
  state().joined->leave();
  return common;
}

// What fails before ranks have joined fails on all of them, and the first that ends may be the end
// of the others. Of what fails later rank 0 may be about to say the same; it then ends the others,
// which the launcher tells them. So rank 0 goes first.
int give_up(std::string_view message, Fault fault) {
  constexpr std::chrono::milliseconds moment{10};
  const int code = static_cast<int>(fault);
  const bool is_root = !state().launch || state().launch->rank == 0;
  for (int i = 0; i < 100 && !is_root && !told_to_end(); ++i) {
    std::this_thread::sleep_for(moment);
  }
  if (is_root || (state().joined && !told_to_end())) {
    say_as_rank(message);
  }
  if (state().joined) {
    state().joined->abort(code);
  }
  return code;
}

}  // namespace tain::cli
