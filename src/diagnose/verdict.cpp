#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"
#include "tain/diagnose/summary.hpp"

namespace tain {
namespace {

// A line of the verdict and its first words, for the headline.
struct Finding {
  bool passed = true;
  std::string fact;    // "R-hat is 1.53 (x[4])"
  std::string advice;  // what it means, what to do
  bool note = false;   // nothing was judged
};

bool not_finite(const SummaryRow& row) { return std::isnan(row.mean); }
bool constant(const SummaryRow& row) { return row.sd == 0; }

std::string plural(std::uint64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

// "x[3]", or "x[3] and 2 more coordinates"
std::string named(const std::vector<const SummaryRow*>& rows) {
  if (rows.size() == 1) {
    return rows.front()->name;
  }
  return fmt::format("{} and {}", rows.front()->name,
                     plural(rows.size() - 1, "more coordinate", "more coordinates"));
}

Finding judge_finite(const std::vector<const SummaryRow*>& broken) {
  return {false, fmt::format("NaN or infinite values in {}", named(broken)),
          "the run broke down there: use a smaller step size, and check that the target is finite "
          "inside its domain"};
}

Finding judge_constant(const std::vector<const SummaryRow*>& same, bool all) {
  if (all) {
    return {false, "every coordinate is constant",
            "no chain has moved: use a smaller step size, or check the start"};
  }
  return {true, fmt::format("constant: {}", named(same)),
          "left out of the gates below; very small values underflow to one number", true};
}

// The worst row by `value`, or nullptr; rows without a value come first of all.
template <class Value, class Worse>
const SummaryRow* worst(const std::vector<const SummaryRow*>& rows, Value value, Worse worse) {
  const SummaryRow* found = nullptr;
  for (const SummaryRow* row : rows) {
    if (std::isnan(value(*row))) {
      return row;
    }
    if (found == nullptr || worse(value(*row), value(*found))) {
      found = row;
    }
  }
  return found;
}

Finding judge_rhat(const std::vector<const SummaryRow*>& rows, std::size_t chains,
                   std::size_t draws) {
  const SummaryRow* row = worst(rows, [](const SummaryRow& r) { return r.rhat; }, std::greater<>());
  if (std::isnan(row->rhat)) {
    return {false, fmt::format("R-hat of {} is not defined", row->name),
            draws < 4 ? "keep at least 4 draws per chain" : "it takes too few different values"};
  }
  const std::string what = chains == 1 ? "the halves of the chain" : "the chains";
  if (row->rhat < rhat_gate) {
    return {true, fmt::format("R-hat is at most {:.3f} ({})", row->rhat, row->name),
            fmt::format("{} agree", what)};
  }
  const auto failing =
      std::ranges::count_if(rows, [](const SummaryRow* r) { return !(r->rhat < rhat_gate); });
  std::string advice = fmt::format("{} disagree: run longer (more warm-up, more draws)", what);
  if (draws < 100) {
    advice += fmt::format("; {} per chain are few, R-hat needs longer chains rather than more",
                          plural(draws, "draw", "draws"));
  }
  return {false,
          fmt::format("R-hat is {:.2f} ({}), not below {} in {} of {} coordinates", row->rhat,
                      row->name, rhat_gate, failing, rows.size()),
          advice};
}

template <class Value>
Finding judge_ess(std::string_view kind, const std::vector<const SummaryRow*>& rows,
                  std::size_t chains, std::size_t draws, Value value) {
  const SummaryRow* row = worst(rows, value, std::less<>());
  if (std::isnan(value(*row))) {
    return {
        false, fmt::format("{} ESS of {} is not defined", kind, row->name),
        draws < 6 ? "keep at least 6 draws per chain" : "it takes too few different values there"};
  }
  const double ess = value(*row), gate = ess_gate(chains);
  if (ess >= gate) {
    return {true, fmt::format("{} ESS is at least {:.0f} ({})", kind, std::floor(ess), row->name),
            fmt::format("enough: {:.0f} are asked for", gate)};
  }
  return {false,
          fmt::format("{} ESS is only {:.0f} ({}), {:.0f} are asked for", kind, std::floor(ess),
                      row->name, gate),
          fmt::format("keep about {:.0f} times as many draws", std::ceil(1.2 * gate / ess))};
}

Finding judge_divergences(const RunFacts& facts) {
  if (facts.divergences == 0) {
    return {true, "no divergences", "no step left the region where it is accurate"};
  }
  const double percent = 100.0 * static_cast<double>(facts.divergences) /
                         static_cast<double>(std::max<std::uint64_t>(facts.total_draws, 1));
  return {false,
          fmt::format("{} of {} diverged ({:.3g} %)", facts.divergences,
                      plural(facts.total_draws, "draw", "draws"), percent),
          "regions the steps are too long for are missing: raise the target acceptance or use a "
          "smaller step size"};
}

Finding judge_bias(double indicator) {
  if (indicator >= bias_gate) {
    return {true,
            fmt::format("the unadjusted kernel's proposals would have had a mean Metropolis "
                        "acceptance of {:.3f}",
                        indicator),
            fmt::format("at least {}: its bias is small", bias_gate)};
  }
  // Rounded down, so that 0.8999 does not read as 0.90 < 0.90.
  return {false,
          fmt::format("the unadjusted kernel is biased: the mean Metropolis acceptance its "
                      "proposals would have had is {:.2f} < {:.2f}",
                      std::floor(100 * indicator) / 100, bias_gate),
          "halve the step size, or use the kernel mala or hmc"};
}

Finding unknown_bias() {
  return {false, "the kernel is biased by its step size, and nothing in the run tells how much",
          "compare with a run at half the step size, or use the kernel mala or hmc"};
}

std::vector<Finding> findings(const std::vector<SummaryRow>& rows, std::size_t chains,
                              std::size_t draws, const RunFacts& facts) {
  std::vector<const SummaryRow*> broken, same, good;
  for (const SummaryRow& row : rows) {
    (not_finite(row) ? broken : constant(row) ? same : good).push_back(&row);
  }
  std::vector<Finding> all;
  if (!broken.empty()) {
    all.push_back(judge_finite(broken));
  }
  if (!same.empty()) {
    all.push_back(judge_constant(same, same.size() == rows.size()));
  }
  if (!good.empty()) {
    all.push_back(judge_rhat(good, chains, draws));
    if (chains == 1) {
      all.push_back({true, "one chain only",
                     "R-hat can but compare its halves, and a part of the space it never reached "
                     "goes unnoticed: run 4 chains",
                     true});
    }
    all.push_back(
        judge_ess("bulk", good, chains, draws, [](const SummaryRow& r) { return r.ess_bulk; }));
    all.push_back(
        judge_ess("tail", good, chains, draws, [](const SummaryRow& r) { return r.ess_tail; }));
  }
  if (facts.total_draws > 0 || facts.divergences > 0) {
    all.push_back(judge_divergences(facts));
  }
  if (facts.bias_indicator) {
    all.push_back(judge_bias(*facts.bias_indicator));
  }
  if (facts.bias_unknown) {
    all.push_back(unknown_bias());
  }
  return all;
}

std::string capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') {
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  }
  return text;
}

}  // namespace

Verdict judge(const std::vector<SummaryRow>& rows, std::size_t chains, std::size_t draws,
              const RunFacts& facts) {
  Verdict verdict;
  verdict.headline = "Trust these draws.";
  if (rows.empty() || chains == 0 || draws == 0) {
    verdict.trust = false;
    verdict.headline = "Do not trust these draws: there are none.";
    return verdict;
  }
  for (const Finding& finding : findings(rows, chains, draws, facts)) {
    if (!finding.passed && verdict.trust) {
      verdict.trust = false;
      verdict.headline = fmt::format("Do not trust these draws: {}.", finding.fact);
    }
    verdict.lines.push_back({finding.passed,
                             fmt::format("{}; {}.", capitalised(finding.fact), finding.advice),
                             finding.note});
  }
  return verdict;
}

std::string format_verdict(const Verdict& verdict, const TextStyle& style) {
  std::string text;
  for (const VerdictLine& line : verdict.lines) {
    text += fmt::format("{}  {}\n",
                        line.note     ? "note"
                        : line.passed ? style.painted("ok  ", Paint::good)
                                      : style.painted("FAIL", Paint::bad),
                        line.sentence);
  }
  return text + style.painted(verdict.headline, verdict.trust ? Paint::good : Paint::bad) + '\n';
}

std::string Diagnosis::text(const TextStyle& style) const {
  return format_table(rows, chains, style) + "\n" + format_verdict(verdict, style);
}

Diagnosis diagnose(const Draws& draws, const RunFacts& facts, Threads& threads) {
  Diagnosis found{
      summarise(draws.values, draws.chains, draws.draws, draws.names, threads), {}, draws.chains};
  found.verdict = judge(found.rows, draws.chains, draws.draws, facts);
  return found;
}

}  // namespace tain
