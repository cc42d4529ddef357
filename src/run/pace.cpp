#include "run/pace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tain {

std::string with_unit(double number) {
  constexpr std::array<std::string_view, 5> units{"", " k", " M", " G", " T"};
  std::size_t unit = 0;
  while (number >= 999.5 && unit + 1 < units.size()) {
    number /= 1000;
    ++unit;
  }
  return fmt::format(
      "{}{}",
      number < 9.95 && unit > 0 ? fmt::format("{:.1f}", number) : fmt::format("{:.0f}", number),
      units[unit]);
}

std::string clock_text(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::clamp(seconds, 0.0, 1e12) + 0.5);
  const std::uint64_t hours = whole / 3600, minutes = whole / 60 % 60;
  return hours > 0 ? fmt::format("{}:{:02}:{:02}", hours, minutes, whole % 60)
                   : fmt::format("{}:{:02}", minutes, whole % 60);
}

std::string progress_text(const Progress& progress, const Pace& pace) {
  const std::uint64_t done =
      progress.warming_up ? std::min(progress.step, pace.warmup) : progress.draws;
  const std::uint64_t all = progress.warming_up ? pace.warmup : pace.draws;
  const double percent =
      all == 0 ? 100 : 100.0 * static_cast<double>(done) / static_cast<double>(all);
  return fmt::format(
      "sample  {} {}/{}  {:.0f} %  {} steps/s  step {:.2g}  acceptance {:.2f}  divergences {}  "
      "eta {}",
      progress.warming_up ? "warm-up" : "draws", done, all, percent,
      with_unit(pace.steps_per_second), progress.step_size, progress.acceptance,
      progress.divergences, clock_text(pace.eta_seconds));
}

std::optional<Pace> PaceMeter::at(const Progress& progress) {
  const Clock::time_point now = Clock::now();
  if (!start_) {
    start_ = now;
    first_step_ = progress.step;
    return std::nullopt;
  }
  const double seconds = std::chrono::duration<double>(now - *start_).count();
  const auto steps = static_cast<double>(progress.step - first_step_);
  pace_.steps_per_second = seconds > 0 ? steps * static_cast<double>(chains_) / seconds : 0;
  const auto left = static_cast<double>(progress.total_steps - progress.step);
  pace_.eta_seconds = steps > 0 ? seconds * left / steps : 0;
  return pace_;
}

}  // namespace tain
