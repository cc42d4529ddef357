#include "results.hpp"

#include "terminal.hpp"

namespace tain::cli {

std::string findings_text(const Findings& findings, std::size_t max_rows) {
  return format_table(findings.rows, max_rows, terminal_columns()) + "\n" +
         format_verdict(findings.verdict);
}

nlohmann::ordered_json findings_json(const Findings& findings) {
  auto summary = nlohmann::ordered_json::array();
  for (const SummaryRow& row : findings.rows) {
    summary.push_back({{"name", row.name},
                       {"mean", row.mean},
                       {"mcse_mean", row.mcse_mean},
                       {"sd", row.sd},
                       {"q5", row.q5},
                       {"q50", row.q50},
                       {"q95", row.q95},
                       {"ess_bulk", row.ess_bulk},
                       {"ess_tail", row.ess_tail},
                       {"rhat", row.rhat}});
  }
  auto lines = nlohmann::ordered_json::array();
  for (const VerdictLine& line : findings.verdict.lines) {
    lines.push_back({{"passed", line.passed}, {"sentence", line.sentence}});
  }
  return {{"summary", summary},
          {"verdict",
           {{"trust", findings.verdict.trust},
            {"headline", findings.verdict.headline},
            {"lines", lines}}}};
}

}  // namespace tain::cli
