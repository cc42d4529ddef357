// The program's edges: streams and signals.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

#include "core/machine.hpp"
#include "tain/core/error.hpp"

namespace tain::cli {

/// From now on this process prints and says nothing: another rank does.
void silence();
bool silenced();

/// Result to stdout, flushed. A closed pipe is no error (`tain ... | head`); a full disk is (io).
void print(std::string_view text);

/// Console to stderr; silent when told to be.
class Console {
 public:
  enum class Volume { silent, normal };
  explicit Console(Volume volume) : volume_(volume) {}
  /// One line "tain: <text>".
  void note(std::string_view text) const;

 private:
  Volume volume_;
};

/// A terminal that can move its cursor: not one of TERM=dumb.
bool is_terminal(std::FILE* stream);
/// COLUMNS, else the width of the terminal behind the stream, else 100.
std::size_t terminal_columns(std::FILE* stream = stdout);

/// Is stdout a terminal, and NO_COLOR not set?
bool has_colours();

/// From now on SIGINT, SIGTERM and SIGUSR1 (which launchers and batch systems pass on) ask for a
/// stop; a second one of the same kind kills. SIGPIPE is ignored, so that writing to a closed pipe
/// is an error code. Whoever waits for input is stopped too.
void install_signal_handlers();
bool stop_requested();
/// By SIGTERM: there will be no time for more than what is under way.
bool told_to_end();
/// Exit code that belongs to the signal: interrupted for SIGINT, resumable for the others.
Fault stop_fault();

}  // namespace tain::cli
