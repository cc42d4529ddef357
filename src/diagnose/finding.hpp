// A line of the verdict before it is a sentence, and words that all rules use.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tain/diagnose/summary.hpp"

namespace tain::diagnostics {

enum class State { passed, failed, note };
struct Finding {
  State state = State::passed;
  std::string fact;    // "R-hat is 1.53 (x[4])"
  std::string advice;  // what it means, what to do
};
using Findings = std::vector<Finding>;

/// A run as every rule sees it.
struct Judged {
  const std::vector<SummaryRow>& rows;
  std::size_t chains = 0, draws = 0;
  const RunFacts& facts;
  const OddChains& odd;
};

void judge_points(Findings& all, const Judged& run);     // finite? constant?
void judge_chains(Findings& all, const Judged& run);     // single ones
void judge_agreement(Findings& all, const Judged& run);  // R-hat, ESS
void judge_ends(Findings& all, const Judged& run);       // of coordinates
void judge_tails(Findings& all, const Judged& run);
void judge_target(Findings& all, const Judged& run);  // what was found out about it
void judge_steps(Findings& all, const Judged& run);   // divergences, bias
void tell_unjudged(Findings& all, const Judged& run);

/// "1 draw", "4 draws"
std::string plural(std::uint64_t count, std::string_view one, std::string_view many);
/// "chain 3", "chains 3, 7 and 9", "chains 3, 7, 9 and 12 more"; chains count from 0, people from 1.
std::string chains_text(std::span<const std::size_t> chains);
/// With so many decimals, or more where fewer would put it on the other side of the gate, or on it.
std::string beside(double value, double gate, int decimals);
/// A share in per cent: "0.075 %", "100 %"; below 100 % never rounded up to it.
std::string percent(std::uint64_t part, std::uint64_t whole);

}  // namespace tain::diagnostics
