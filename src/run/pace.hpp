// How fast a run goes, and a line about it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "tain/run/plan.hpp"

namespace tain {

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
/// 3.2e6 -> "3.2 M"
std::string with_unit(double number);
/// 75 -> "1:15", 3675 -> "1:01:15"
std::string clock_text(double seconds);

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

}  // namespace tain
