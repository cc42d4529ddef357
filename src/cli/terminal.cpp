#include "cli/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include "core/input.hpp"

namespace tain::cli {
namespace {

volatile std::sig_atomic_t received_signal = 0;
bool is_hushed = false;

/// Of the environment; empty if it is not set.
std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

void on_signal(int signal) { received_signal = signal; }

constexpr std::array stop_signals{SIGINT, SIGTERM, SIGUSR1};

/// A signal that no thread takes for seconds, while one reads: its read is of a disk or a server
/// that hangs, and only the end of the process frees it. This ends it by that signal.
[[noreturn]] void end_hung_reads() {
  constexpr std::chrono::seconds look(1);
  constexpr int patience = 2;
  sigset_t ours;
  sigemptyset(&ours);
  for (const int signal : stop_signals) {
    sigaddset(&ours, signal);
  }
  pthread_sigmask(SIG_BLOCK, &ours, nullptr);  // those that are pending can be seen then
  for (int seen = 0;;) {
    std::this_thread::sleep_for(look);
    sigset_t pending;
    sigpending(&pending);
    const auto* const found = std::ranges::find_if(
        stop_signals, [&](int signal) { return sigismember(&pending, signal) == 1; });
    seen = found != stop_signals.end() && Reading::any() ? seen + 1 : 0;
    if (seen > patience) {
      std::signal(*found, SIG_DFL);
      pthread_sigmask(SIG_UNBLOCK, &ours, nullptr);
    }
  }
}

}  // namespace

void silence() { is_hushed = true; }
bool silenced() { return is_hushed; }

void print(std::string_view text) {
  if (is_hushed) {
    return;
  }
  const bool complete = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if ((!complete || std::fflush(stdout) != 0) && errno != EPIPE) {
    fail(Fault::io, "standard output", std::strerror(errno), "check where it is redirected to");
  }
}

void Console::note(std::string_view text) const {
  if (volume_ == Volume::normal && !is_hushed) {
    const std::string line = fmt::format("tain: {}\n", text);
    std::fwrite(line.data(), 1, line.size(), stderr);
  }
}

bool is_terminal(std::FILE* stream) {
  // OpenMPI shows its ranks a terminal of its own making, wherever it writes itself.
  static const bool launched = !variable("OMPI_COMM_WORLD_RANK").empty();
  return isatty(fileno(stream)) == 1 && variable("TERM") != "dumb" && !launched;
}

std::size_t terminal_columns(std::FILE* stream) {
  constexpr std::size_t least = 40, most = 1000, usual = 100;
  const std::string_view given = variable("COLUMNS");
  std::size_t columns = 0;
  if (std::from_chars(given.data(), given.data() + given.size(), columns).ec == std::errc() &&
      columns >= least) {
    return std::min(columns, most);
  }
  winsize size{};
  if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col >= least) {
    return std::min<std::size_t>(size.ws_col, most);
  }
  return usual;
}

bool has_colours() {
  static const bool colours = is_terminal(stdout) && variable("NO_COLOR").empty();
  return colours;
}

void install_signal_handlers() {
  struct sigaction action{};
  action.sa_handler = on_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigemptyset(&action.sa_mask);
  for (const int signal : stop_signals) {
    sigaction(signal, &action, nullptr);
  }
  std::signal(SIGPIPE, SIG_IGN);
  while_waiting_for_input([](const std::string& name) {
    if (stop_requested()) {
      fail(Fault::interrupted, name, "stopped while no input came");
    }
  });
  std::thread(end_hung_reads).detach();
}

bool stop_requested() { return received_signal != 0; }

bool told_to_end() { return received_signal == SIGTERM; }

Fault stop_fault() { return received_signal == SIGINT ? Fault::interrupted : Fault::resumable; }

}  // namespace tain::cli
