#include "cli/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <nlohmann/json.hpp>

#include "cli/terminal.hpp"
#include "core/display.hpp"

namespace tain::cli {
namespace {

constexpr std::chrono::milliseconds redraw_interval{100};
constexpr std::chrono::seconds plain_interval{30};

void write(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

ProgressMode progress_mode(std::string_view choice) {
  if (choice == "none" || silenced()) {
    return ProgressMode::none;
  }
  if (choice == "json") {
    return ProgressMode::json;
  }
  return is_terminal(stderr) ? ProgressMode::redrawn : ProgressMode::plain;
}

std::string progress_bar(double share) {
  constexpr std::size_t width = 24;
  const auto full = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * width);
  return fmt::format("[{}{}]", std::string(full, '#'), std::string(width - full, '-'));
}

std::string progress_json(const Progress& progress, const Pace& pace) {
  const nlohmann::ordered_json object{
      {"phase", progress.warming_up ? "warmup" : "draws"},
      {"step", progress.step},
      {"total_steps", progress.total_steps},
      {"draws", progress.draws},
      {"steps_per_second", pace.steps_per_second},
      {"step_size", progress.step_size},
      {"acceptance", progress.acceptance},
      {"divergences", progress.divergences},
      {"eta_seconds", pace.eta_seconds},
  };
  return object.dump();
}

bool StatusLine::due() {
  const auto interval = mode_ == ProgressMode::plain ? Clock::duration(plain_interval)
                                                     : Clock::duration(redraw_interval);
  const Clock::time_point now = Clock::now();
  if (mode_ == ProgressMode::none || now - last_ < interval) {
    return false;
  }
  last_ = now;
  return true;
}

void StatusLine::show(const std::string& text, const std::string& json) {
  if (mode_ == ProgressMode::json) {
    write(json + "\n");
  } else if (mode_ == ProgressMode::plain) {
    write(text + "\n");
  } else {
    // Carriage return, text cut to the width, erase to the end of the line.
    write(fmt::format("\r{}\x1b[K", cut_to_width(text, terminal_columns(stderr) - 1)));
    drawn_ = true;
  }
}

void StatusLine::clear() {
  if (drawn_) {
    write("\r\x1b[K");
    drawn_ = false;
  }
}

ElapsedLine::ElapsedLine(ProgressMode mode, std::string what, std::chrono::milliseconds patience)
    : mode_(mode), what_(std::move(what)), patience_(patience) {
  if (mode_ != ProgressMode::none) {
    thread_ = std::jthread([this](const std::stop_token& stop) { show(stop); });
  }
}

void ElapsedLine::show(const std::stop_token& stop) const {
  constexpr std::chrono::milliseconds look{250};
  const auto start = std::chrono::steady_clock::now();
  StatusLine line(mode_);
  std::mutex mutex;
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex);
  while (!stopped.wait_for(lock, stop, look, [&] { return stop.stop_requested(); })) {
    const auto passed = std::chrono::steady_clock::now() - start;
    if (passed >= patience_ && line.due()) {
      const double seconds = std::chrono::duration<double>(passed).count();
      line.show(fmt::format("{}  {}", what_, clock_text(seconds)),
                nlohmann::ordered_json{{"phase", what_}, {"seconds", seconds}}.dump());
    }
  }
}

void ProgressDisplay::show(const Progress& progress) {
  if (const std::optional<Pace> pace = meter_.at(progress); pace && line_.due()) {
    line_.show(progress_text(progress, *pace), progress_json(progress, *pace));
  }
}

}  // namespace tain::cli
