// The program's edges: streams, signals, the machine.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

#include "tain/core/error.hpp"

namespace tain::cli {

/// Result to stdout, flushed. A closed pipe is no error (`tain ... | head`); a full disk is (io).
void print(std::string_view text);

/// Talk to stderr; silent when told to be.
class Talk {
 public:
  enum class Volume { silent, normal };
  explicit Talk(Volume volume) : volume_(volume) {}
  /// One line "tain: <text>".
  void say(std::string_view text) const;

 private:
  Volume volume_;
};

bool is_terminal(std::FILE* stream);
/// Width of the terminal behind stdout, or 100.
std::size_t terminal_columns();

/// Code points of a text: a rough width, enough to align Latin, Greek and Cyrillic.
std::size_t display_width(std::string_view text);

/// Bytes of memory the machine has.
double machine_memory();

/// From now on SIGINT and SIGTERM ask for a stop; a second one of the same kind kills. SIGPIPE is
/// ignored, so that writing to a closed pipe is an error code.
void install_signal_handlers();
bool stop_requested();
/// Exit code that belongs to the signal: interrupted for SIGINT, resumable for SIGTERM.
Fault stop_fault();

}  // namespace tain::cli
