#include "terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace tain::cli {
namespace {

volatile std::sig_atomic_t received_signal = 0;

void on_signal(int signal) { received_signal = signal; }

}  // namespace

void print(std::string_view text) {
  const bool complete = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if ((!complete || std::fflush(stdout) != 0) && errno != EPIPE) {
    fail(Fault::io, "standard output", std::strerror(errno), "check where it is redirected to");
  }
}

void Talk::say(std::string_view text) const {
  if (volume_ == Volume::normal) {
    const std::string line = fmt::format("tain: {}\n", text);
    std::fwrite(line.data(), 1, line.size(), stderr);
  }
}

bool is_terminal(std::FILE* stream) { return isatty(fileno(stream)) == 1; }

std::size_t terminal_columns() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40) {
    return size.ws_col;
  }
  return 100;
}

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

double machine_memory() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

void install_signal_handlers() {
  struct sigaction action{};
  action.sa_handler = on_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

bool stop_requested() { return received_signal != 0; }

Fault stop_fault() { return received_signal == SIGTERM ? Fault::resumable : Fault::interrupted; }

}  // namespace tain::cli
