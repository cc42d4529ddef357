// A process that a launcher (mpirun, srun) started as one of several, and how it joins the others.
//
// Definition: what launchers leave in the environment says which rank a process is. MPI itself is
//   in a plug-in, libtain_mpi.so, that is loaded only then: it is looked for beside the program, in
//   ../lib/tain from there, and where the variable TAIN_MPI says. TAIN_MPI=none: every process is
//   by itself.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "tain/comm/comm.hpp"

namespace tain {

/// What a launcher said.
struct Launch {
  int rank = 0;
  int ranks = 0;        ///< 0: it did not say
  bool by_mpi = false;  ///< not srun without its MPI, which starts copies that cannot meet
  bool operator==(const Launch&) const = default;
};

/// None if no launcher started this process, or only this one. `variable` gives what the
/// environment has, or a null pointer.
std::optional<Launch> launch_of(const std::function<const char*(const char*)>& variable);
/// Of this process.
std::optional<Launch> launch_of_process();

/// The plug-in, if there is one.
std::optional<std::filesystem::path> rank_plug_in();

/// Membership of a process in the ranks of its launch, from which MPI lets a process out only once.
class JoinedRanks {
 public:
  /// Throws Error (config) if it cannot be: no plug-in, another version, or not the ranks that the
  /// launch promised. `waiting` is called now and then with the seconds that an operation has
  /// waited for other ranks.
  JoinedRanks(const Launch& launch, void (*waiting)(double seconds));

  Comm& comm() const { return *comm_; }
  /// Waits until all ranks are here; the end.
  void leave();
  /// Ends all ranks at once with this exit code.
  [[noreturn]] void abort(int code);

 private:
  const struct RankPlugIn* plug_in_;
  Comm* comm_;
};

}  // namespace tain
