// Progress on stderr: a redrawn line on a terminal, a plain line now and then elsewhere, or JSON.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "tain/run/sampler.hpp"

namespace tain::cli {

enum class ProgressMode { none, redrawn, plain, json };

/// Auto, none or json as the flag says; auto looks whether stderr is a terminal.
ProgressMode progress_mode(std::string_view choice);

/// What a report needs beside Progress.
struct Pace {
  std::uint64_t warmup = 0;     ///< steps
  std::uint64_t draws = 0;      ///< per chain, planned
  double steps_per_second = 0;  ///< all chains
  double eta_seconds = 0;
};

/// "sample  warm-up 340/1000  34 %  1.2 M steps/s  step 0.21  acceptance 0.81  divergences 0  eta
/// 0:03"
std::string progress_text(const Progress& progress, const Pace& pace);
std::string progress_json(const Progress& progress, const Pace& pace);
/// 3.2e6 -> "3.2 M"
std::string with_unit(double number);
/// 75 -> "1:15", 3675 -> "1:01:15"
std::string clock_text(double seconds);

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
class Waiting {
 public:
  /// `what` reads like "diagnose  reading draws".
  Waiting(ProgressMode mode, std::string what,
          std::chrono::milliseconds patience = std::chrono::seconds(1));
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

 private:
  void show(const std::stop_token& stop) const;

  ProgressMode mode_;
  std::string what_;
  std::chrono::milliseconds patience_;
  std::jthread thread_;  // last: it uses the others, and is joined first
};

/// How fast a run goes, from its reports.
class PaceMeter {
 public:
  explicit PaceMeter(const SamplePlan& plan)
      : chains_(plan.chains), pace_{plan.warmup, plan.draws} {}
  /// None at the first report, which only starts the clock.
  std::optional<Pace> at(const Progress& progress);

 private:
  using Clock = std::chrono::steady_clock;
  std::uint64_t chains_;
  Pace pace_;
  std::optional<Clock::time_point> start_;
  std::uint64_t first_step_ = 0;  // a resumed run does not start at 0
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
