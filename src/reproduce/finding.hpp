// What studies have in common: findings, and those who watch one run.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tain/core/next.hpp"

namespace tain {

enum class Holds { yes, partly, no };
std::string_view holds_text(Holds holds);  ///< "holds", "holds in part", "does not hold"

/// Figures of the page beside which a finding stands.
enum class Exhibit { paper, binning, starts, step_sizes, samplers, sgrhmc, seconds };

struct StudyFinding {
  std::string claim;           ///< the paper's, or the question asked
  std::string source;          ///< e.g. "paper, section 5.1", or "beyond the paper"
  std::optional<Holds> holds;  ///< none: a question, not a claim
  std::vector<std::string> sentences;
  Exhibit exhibit = Exhibit::paper;
};

/// Told what is being done and the share of the work that is done.
using StudyObserver = std::function<Next(const std::string& what, double share)>;

}  // namespace tain
