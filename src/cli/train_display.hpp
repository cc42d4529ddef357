// What `lda train` shows on its way.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/progress.hpp"
#include "tain/lda/train.hpp"

namespace tain::cli {

/// "train  step 1,200  0.6 of 5 passes  12 %  3.1 k docs/s  45 M tokens/s  perplexity 1423 ± 6
/// average 1401  eta 0:31"
class TrainDisplay {
 public:
  TrainDisplay(ProgressMode mode, int ranks) : line_(mode), ranks_(ranks) {}
  void show(const TrainProgress& progress);
  void clear() { line_.clear(); }

 private:
  std::string text(const TrainProgress& progress) const;
  nlohmann::ordered_json json(const TrainProgress& progress) const;
  /// Per second of this process, which a resumed run did not begin with.
  double rate(std::uint64_t now, std::uint64_t first) const;

  StatusLine line_;
  int ranks_;
  TrainProgress first_;
  bool started_ = false;
  std::chrono::steady_clock::time_point start_;
  double passed_ = 0, eta_ = 0;
};

}  // namespace tain::cli
