#include "results.hpp"

#include <algorithm>
#include <numeric>

#include "tain/kernels/kernel.hpp"
#include "terminal.hpp"

namespace tain::cli {
namespace {

/// scir is exact, unless it ran on mini-batches.
bool is_whole_scir(const DrawsInfo& info) {
  const auto request = nlohmann::json::parse(info.request, nullptr, false);
  return info.kernel == "scir" && request.is_object() &&
         request.value("batch", nlohmann::json("full")) == "full";
}

}  // namespace

RunFacts facts_of(const DrawsInfo& info, std::uint64_t total_draws,
                  std::span<const double> acceptance, std::span<const double> diverging) {
  RunFacts facts;
  facts.total_draws = total_draws;
  facts.divergences =
      static_cast<std::uint64_t>(std::ranges::count_if(diverging, [](double d) { return d != 0; }));
  const auto known = std::ranges::find(kernel_table(), info.kernel, &KernelEntry::name);
  const Bias bias = known == kernel_table().end() ? Bias::none : known->bias;
  facts.bias_unknown = bias == Bias::unknown && !is_whole_scir(info);
  if (bias == Bias::indicated && !acceptance.empty()) {
    // Unadjusted: the acceptance is what Metropolis would have accepted.
    facts.bias_indicator = std::accumulate(acceptance.begin(), acceptance.end(), 0.0) /
                           static_cast<double>(acceptance.size());
  }
  return facts;
}

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
