// What commands print of runs and draws, as JSON and for terminals.
#pragma once

#include <nlohmann/json.hpp>

#include "tain/sampling/run.hpp"

namespace tain::cli {

/// As wide as the terminal and, where that has them, in colours.
TextStyle terminal_style(std::size_t max_rows = 30);

/// The keys "summary" and "verdict" of the JSON object; NaN becomes null.
nlohmann::ordered_json diagnosis_json(const Diagnosis& found);
nlohmann::ordered_json exact_json(const std::vector<ExactMoment>& rows);
/// What `tain sample --json` prints.
nlohmann::ordered_json run_json(const Run& run);

}  // namespace tain::cli
