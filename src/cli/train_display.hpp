// What `lda train` shows: on its way, and at the end.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/progress.hpp"
#include "lda/training/training_report.hpp"

namespace tain::cli {

/// "train  step 1,200  0.6 of 5 passes  12 %  3.1 k docs/s  45 M tokens/s  perplexity 1423 ± 6
/// average 1401  eta 0:31"
class TrainDisplay {
 public:
  TrainDisplay(ProgressMode mode, const StopRule& stop, int ranks)
      : line_(mode), stop_(stop), ranks_(ranks) {}
  void show(const TrainingProgress& progress);
  void clear() { line_.clear(); }

 private:
  std::string text(const TrainingProgress& progress) const;
  nlohmann::ordered_json json(const TrainingProgress& progress) const;
  /// Per second of this process, which a resumed run did not begin with.
  double rate(std::uint64_t now, std::uint64_t first) const;

  StatusLine line_;
  StopRule stop_;
  int ranks_;
  TrainingProgress first_;
  bool started_ = false;
  std::chrono::steady_clock::time_point start_;
  double passed_ = 0, eta_ = 0;
};

/// Sizes, perplexity, the topics that occur most, the verdict.
std::string training_text(const std::filesystem::path& folder, const TrainingRun& run,
                          const TrainingReport& report);

}  // namespace tain::cli
