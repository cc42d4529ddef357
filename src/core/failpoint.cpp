#include "core/failpoint.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <string>

#include "core/descriptor.hpp"

namespace tain {
namespace {

struct SignalName {
  std::string_view name;
  int signal;
};
constexpr std::array<SignalName, 5> signal_names{
    {{"kill", SIGKILL}, {"int", SIGINT}, {"term", SIGTERM}, {"usr1", SIGUSR1}, {"stop", SIGSTOP}}};

/// What the environment asks for.
struct Drill {
  std::string name;
  std::uint64_t count = 1;
  int signal = SIGKILL;
  std::string log;

  bool any() const { return !name.empty() || !log.empty(); }
};

[[noreturn]] void refuse(const std::string& text, std::string_view problem) {
  fail(Fault::config, fmt::format("TAIN_FAILPOINT={}", text), problem,
       "write NAME, NAME:COUNT or NAME:COUNT=SIGNAL, the signal being kill, int, term, usr1 or "
       "stop");
}

Drill drill_from_environment() {
  Drill drill;
  if (const char* log = std::getenv("TAIN_FAILPOINT_LOG"); log != nullptr) {
    drill.log = log;
  }
  const char* given = std::getenv("TAIN_FAILPOINT");
  if (given == nullptr || *given == '\0') {
    return drill;
  }
  const std::string text = given;
  drill.name = text;
  if (const std::size_t equals = drill.name.rfind('='); equals != std::string::npos) {
    const std::string wanted = drill.name.substr(equals + 1);
    drill.name.resize(equals);
    drill.signal = 0;
    for (const auto& [name, signal] : signal_names) {
      drill.signal = name == wanted ? signal : drill.signal;
    }
    if (drill.signal == 0) {
      refuse(text, fmt::format("there is no signal '{}'", wanted));
    }
  }
  if (const std::size_t colon = drill.name.rfind(':'); colon != std::string::npos) {
    const char* const end = drill.name.data() + drill.name.size();
    const auto [rest, error] = std::from_chars(drill.name.data() + colon + 1, end, drill.count);
    if (error != std::errc() || rest != end || drill.count == 0) {
      refuse(text, fmt::format("'{}' is no positive count", drill.name.substr(colon + 1)));
    }
    drill.name.resize(colon);
  }
  if (drill.name.empty()) {
    refuse(text, "names no failpoint");
  }
  return drill;
}

const Drill& drill() {
  static const Drill asked = drill_from_environment();
  return asked;
}

// To this thread, so that a handler has run when it returns.
void send() { std::raise(drill().signal); }

void append_to_log(std::string_view name) {
  const Descriptor file(drill().log, O_WRONLY | O_CREAT | O_APPEND);
  const std::string line = fmt::format("{}\n", name);
  if (!file.open() ||
      ::write(file.value(), line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
    fail_errno(Fault::io, drill().log, errno);
  }
}

}  // namespace

void require_failpoint_variables() { static_cast<void>(drill()); }

void failpoint(std::string_view name) {
  if (!drill().any()) {
    return;
  }
  static std::mutex several_threads;
  static std::uint64_t passed = 0;
  const std::lock_guard lock(several_threads);
  if (!drill().log.empty()) {
    append_to_log(name);
  }
  if (name == drill().name && ++passed == drill().count) {
    send();
  }
}

void failpoint(const std::filesystem::path& file, std::string_view event) {
  if (drill().any()) {
    failpoint(fmt::format("{}/{}", file.filename().string(), event));
  }
}

std::uint64_t failpoint_distance(std::string_view name, std::uint64_t count) {
  return name == drill().name && count < drill().count ? drill().count - count
                                                       : std::numeric_limits<std::uint64_t>::max();
}

void failpoint_count(std::string_view name, std::uint64_t count) {
  if (!drill().any() || name != drill().name || count < drill().count) {
    return;
  }
  static std::once_flag once;
  std::call_once(once, send);
}

}  // namespace tain
