// What the commands that read or write a corpus share.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "cli/progress.hpp"
#include "cli/terminal.hpp"
#include "cli/values.hpp"
#include "tain/core/progress.hpp"

namespace tain::cli {

/// The only positional argument. Throws Error (usage) if it is missing.
std::string required_argument(const Command& command, const RawOptions& raw);
/// The value of -o. Throws Error (usage) if it is missing.
std::filesystem::path required_output(const Command& command, const Options& options);

/// Silent where --quiet says so.
Console console_of(const Options& options);
/// As --progress and --quiet say.
ProgressMode job_progress_mode(const Options& options);

/// Progress of a job through its phases, and whether it should stop.
class JobProgress {
 public:
  JobProgress(std::string_view name, const Options& options);

  /// Stop: a signal asked for it.
  Next show(const WorkProgress& now);
  /// The same as a function, which must not outlive this.
  WorkWatch watch() {
    return [this](const WorkProgress& now) { return show(now); };
  }
  void clear() { line_.clear(); }
  /// Since the beginning.
  double seconds() const;

 private:
  using Clock = std::chrono::steady_clock;
  std::string name_, phase_;
  StatusLine line_;
  Clock::time_point start_ = Clock::now(), phase_start_ = start_;
};

/// Of a corpus that was made: where, how long it took, and its manifest.
std::string made_json(const std::filesystem::path& corpus, const JobProgress& progress,
                      const std::string& manifest);

}  // namespace tain::cli
