// The one exception of the library: what went wrong, where, and what to do about it.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace tain {

/// Kind of failure; the numbers are the program's exit codes (sysexits.h where one exists).
enum class Fault : int {
  gate_failed = 2,     ///< ran, but a diagnostic gate failed
  usage = 64,          ///< the command line is wrong
  data = 65,           ///< input was read and is wrong
  no_input = 66,       ///< input cannot be opened
  internal = 70,       ///< our bug
  cannot_create = 73,  ///< output cannot be created
  io = 74,             ///< reading or writing failed half-way
  resumable = 75,      ///< stopped, can be resumed
  config = 78,         ///< options contradict each other or the problem
  interrupted = 130,   ///< stopped by the user; a checkpoint was written
};

/// Thrown for bad input, configuration and I/O. The message reads `<where>: <problem>; <what to
/// do>`.
class Error : public std::runtime_error {
 public:
  Error(Fault fault, const std::string& message) : std::runtime_error(message), fault_(fault) {}
  Fault fault() const noexcept { return fault_; }

 private:
  Fault fault_;
};

/// Throws Error with the message `<where>: <problem>; <remedy>` (no remedy: `<where>: <problem>`).
[[noreturn]] void fail(Fault fault, std::string_view where, std::string_view problem,
                       std::string_view remedy = {});

}  // namespace tain

/// Guards against programming errors (never against user input): on in dev builds, off in release.
#ifdef TAIN_CHECKED
#define TAIN_EXPECTS(condition, why) \
  ((condition) ? void() : ::tain::fail(::tain::Fault::internal, __func__, why, "please report it"))
#else
#define TAIN_EXPECTS(condition, why) static_cast<void>(0)
#endif
