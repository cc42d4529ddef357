// What a training run measured on its way, and whether it has arrived.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/archive.hpp"
#include "lda/engine/predictive.hpp"

namespace tain {

class History {
 public:
  void add(const Evaluation& evaluation) { rows_.push_back(evaluation); }
  std::span<const Evaluation> rows() const { return rows_; }
  /// Header and a line per evaluation. Columns of time come last but for `seconds`.
  std::string csv() const;
  void archive(Archive& a);
  /// What csv() wrote; columns by their names, others left out. None if a number is none, a column
  /// of csv() is missing, or documents do not ascend.
  static std::optional<History> parse(std::string_view csv);

 private:
  std::vector<Evaluation> rows_;
};

/// Where the held-out perplexity of single draws was going at the end.
struct Trend {
  std::size_t evaluations = 0;  ///< that it was seen from; below 4 there is none
  double slope = 0;             ///< of log perplexity, per evaluation
  double slope_error = 0;       ///< from the scatter around the line
  /// Relative change that as many evaluations more would bring if it went on like that.
  double outlook() const { return slope * static_cast<double>(evaluations); }
};

/// A line by least squares through the last half of the evaluations since sampling began (of all if
/// those are less than four), four to twenty of them. Their error over documents is common to all
/// and cancels; what scatters is the draw of topics.
Trend perplexity_trend(std::span<const Evaluation> rows);
/// By more than 1 % more, and more than three standard errors away from standing still.
bool still_falling(const Trend& trend);

}  // namespace tain
