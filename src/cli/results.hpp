// What `tain sample` and `tain diagnose` print.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "tain/diagnose/summary.hpp"
#include "tain/draws/table.hpp"

namespace tain::cli {

struct Findings {
  std::vector<SummaryRow> rows;
  Verdict verdict;
  std::size_t chains = 4;  ///< how many, which decides how large an ESS must be
};

/// What draws tell about their run beside the numbers.
RunFacts facts_of(const DrawsInfo& info, std::uint64_t total_draws,
                  std::span<const double> acceptance, std::span<const double> diverging);

/// What draws that were read are worth.
Findings judge_draws(const DrawsFile& file, Threads& threads);

/// A verdict, on a terminal in the colours of what it says.
std::string verdict_text(const Verdict& verdict);
/// Table and verdict as people read them.
std::string findings_text(const Findings& findings, std::size_t max_rows);
/// The keys "summary" and "verdict" of the JSON object; NaN becomes null.
nlohmann::ordered_json findings_json(const Findings& findings);

}  // namespace tain::cli
