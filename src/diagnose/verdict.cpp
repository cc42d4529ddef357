#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/parallel.hpp"
#include "diagnose/finding.hpp"
#include "tain/diagnose/summary.hpp"

namespace tain {
namespace {

using diagnostics::Finding;
using diagnostics::Findings;
using diagnostics::State;

// What explains most comes first: the first failure is the headline.
constexpr std::array rules = {diagnostics::judge_points, diagnostics::judge_target,
                              diagnostics::judge_chains, diagnostics::judge_agreement,
                              diagnostics::judge_ends,   diagnostics::judge_tails,
                              diagnostics::judge_steps,  diagnostics::tell_unjudged};

std::string capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') {
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  }
  return text;
}

}  // namespace

bool converged(const SummaryRow& row) { return row.rhat < rhat_gate || converged_by_groups(row); }

bool converged_by_groups(const SummaryRow& row) {
  return !(row.rhat < rhat_gate) && row.nested_rhat < rhat_gate && row.drift == 0;
}

Verdict judge(const std::vector<SummaryRow>& rows, std::size_t chains, std::size_t draws,
              const RunFacts& facts, const OddChains& odd) {
  Verdict verdict;
  verdict.headline = "Trust these draws.";
  if (rows.empty() || chains == 0 || draws == 0) {
    verdict.trust = false;
    verdict.headline = "Do not trust these draws: there are none.";
    return verdict;
  }
  Findings all;
  for (const auto rule : rules) {
    rule(all, {rows, chains, draws, facts, odd});
  }
  for (const Finding& finding : all) {
    const bool failed = finding.state == State::failed;
    if (failed && verdict.trust) {
      verdict.trust = false;
      verdict.headline = fmt::format("Do not trust these draws: {}.", finding.fact);
    }
    verdict.lines.push_back({!failed,
                             fmt::format("{}; {}.", capitalised(finding.fact), finding.advice),
                             finding.state == State::note});
  }
  return verdict;
}

std::string format_verdict(const Verdict& verdict, const TextStyle& style) {
  std::string text;
  for (const VerdictLine& line : verdict.lines) {
    const std::string mark = line.note     ? "note"
                             : line.passed ? style.painted("ok  ", Paint::good)
                                           : style.painted("FAIL", Paint::bad);
    text += fmt::format("{}  {}\n", mark, line.sentence);
  }
  return text + style.painted(verdict.headline, verdict.trust ? Paint::good : Paint::bad) + '\n';
}

std::string Diagnosis::text(const TextStyle& style) const {
  return format_table(rows, chains, style) + "\n" + format_verdict(verdict, style);
}

Diagnosis diagnose(const Draws& draws, const RunFacts& facts, Threads& threads) {
  Summary found =
      summarise(draws.values, draws.chains, draws.draws, draws.names, threads, draws.acceptance);
  Verdict verdict = judge(found.rows, draws.chains, draws.draws, facts, found.odd);
  return {std::move(found.rows), std::move(verdict), draws.chains, std::move(found.odd)};
}

}  // namespace tain
