// The table and the verdict: can this run be trusted?
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tain/core/text_style.hpp"
#include "tain/draws/draws.hpp"

namespace tain {

class Threads;

/// A constant coordinate has sd 0 and its value as mean and quantiles; one with a value that is not
/// finite has NaN everywhere; what cannot be computed (convergence.hpp) is NaN.
struct SummaryRow {
  std::string name;
  double mean = 0, mcse_mean = 0, sd = 0, q5 = 0, q50 = 0, q95 = 0;
  double ess_bulk = 0, ess_tail = 0, rhat = 0;
};

/// One row per coordinate of draws (chain, draw, coordinate); rows are computed in parallel, bits
/// do not depend on the number of threads.
std::vector<SummaryRow> summarise(std::span<const double> values, std::size_t chains,
                                  std::size_t draws, const std::vector<std::string>& names,
                                  Threads& threads);

/// What else the verdict looks at, where it is known.
struct RunFacts {
  std::uint64_t divergences = 0;
  std::uint64_t total_draws = 0;
  /// Unadjusted kernels: mean acceptance that their proposals would have had.
  std::optional<double> bias_indicator = {};
  bool bias_unknown = false;  ///< unadjusted kernels that have no such indicator
};

/// Gates: every draw finite; R-hat < 1.01; bulk and tail ESS at least ess_gate(chains); no
/// divergences; bias indicator >= 0.9, and known where a kernel is biased.
///
/// ESS: Vehtari et al. 2021 ask for 400 with four chains, 100 in each. Fewer chains need 100 each,
/// so that their autocorrelations are known; more chains need no more than 400 in all, which bounds
/// the error of a mean at sd/20, since chains that agree lend each other what one is too short to
/// tell: 4096 chains of 20 draws may pass.
/// R-hat stays at 1.01 however short the chains are. With n draws in half a chain and
/// autocorrelation time tau, it tends to sqrt(1 + (tau - 1)/n): chains of less than about 50 tau
/// draws do not pass, rightly, as nothing shows that they have left where they started.
/// Constant coordinates are named and left out, unless all are constant.
inline constexpr double rhat_gate = 1.01;
inline constexpr double ess_per_chain_gate = 100;
inline constexpr double ess_total_gate = 400;
inline constexpr double bias_gate = 0.9;
constexpr double ess_gate(std::size_t chains) {
  const double each = ess_per_chain_gate * static_cast<double>(chains);
  return each < ess_total_gate ? each : ess_total_gate;
}

struct VerdictLine {
  bool passed = true;
  std::string sentence;  ///< e.g. "R-hat is at most 1.003 (x[4]); chains agree."
  bool note = false;     ///< nothing was judged: something to know, which fails no gate
};
struct Verdict {
  bool trust = true;
  std::vector<VerdictLine> lines;  ///< one per gate that applies, and notes
  /// "Trust these draws." or "Do not trust these draws: <first failed gate>."
  std::string headline;
};
Verdict judge(const std::vector<SummaryRow>& rows, std::size_t chains, std::size_t draws,
              const RunFacts& facts);

/// Table as people read it: means to the digits their MCSE justifies, ESS rounded down; at most
/// style.max_rows rows (worst R-hat first where cut, with a line that says how many were left out);
/// fits style.columns characters; in red what a gate rejects.
std::string format_table(const std::vector<SummaryRow>& rows, std::size_t chains,
                         const TextStyle& style = {});
std::string format_verdict(const Verdict& verdict, const TextStyle& style = {});

/// Draws and what they are worth.
struct Diagnosis {
  std::vector<SummaryRow> rows;
  Verdict verdict;
  std::size_t chains = 4;  ///< how many, which decides how large an ESS must be

  /// Table and verdict as people read them.
  std::string text(const TextStyle& style = {}) const;
};
Diagnosis diagnose(const Draws& draws, const RunFacts& facts, Threads& threads);

}  // namespace tain
