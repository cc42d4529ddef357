// What `tain sample` and `tain diagnose` print.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tain/diagnose/summary.hpp"

namespace tain::cli {

struct Findings {
  std::vector<SummaryRow> rows;
  Verdict verdict;
};

/// Table and verdict as people read them.
std::string findings_text(const Findings& findings, std::size_t max_rows);
/// The keys "summary" and "verdict" of the JSON object; NaN becomes null.
nlohmann::ordered_json findings_json(const Findings& findings);

}  // namespace tain::cli
