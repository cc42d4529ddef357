// Progress on stderr: a redrawn line on a terminal, a plain line now and then elsewhere, or JSON.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "run/pace.hpp"

namespace tain::cli {

enum class ProgressMode { none, redrawn, plain, json };

/// Auto, none or json as the flag says; auto looks whether stderr is a terminal.
ProgressMode progress_mode(std::string_view choice);

std::string progress_json(const Progress& progress, const Pace& pace);
/// A share from 0 to 1 as "[#####-----]".
std::string progress_bar(double share);

/// One line about something that takes long, shown at a pace people can read.
class StatusLine {
 public:
  explicit StatusLine(ProgressMode mode) : mode_(mode) {}
  ~StatusLine() { clear(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;
  /// Is it time for the next one?
  bool due();
  void show(const std::string& text, const std::string& json);
  /// Removes a redrawn line, so that what follows starts on an empty one.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  ProgressMode mode_;
  Clock::time_point last_ = Clock::now();
  bool drawn_ = false;
};

/// Says how long something takes that cannot tell how far it is, once that tries one's patience.
class ElapsedLine {
 public:
  /// `what` reads like "diagnose  reading draws".
  ElapsedLine(ProgressMode mode, std::string what,
              std::chrono::milliseconds patience = std::chrono::seconds(1));
  ElapsedLine(const ElapsedLine&) = delete;
  ElapsedLine& operator=(const ElapsedLine&) = delete;

 private:
  void show(const std::stop_token& stop) const;

  ProgressMode mode_;
  std::string what_;
  std::chrono::milliseconds patience_;
  std::jthread thread_;  // last: it uses the others, and is joined first
};

class ProgressDisplay {
 public:
  ProgressDisplay(ProgressMode mode, const SamplePlan& plan) : line_(mode), meter_(plan) {}
  void show(const Progress& progress);
  void clear() { line_.clear(); }

 private:
  StatusLine line_;
  PaceMeter meter_;
};

}  // namespace tain::cli
