// The table and the verdict: can this run be trusted?
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "tain/core/text_style.hpp"
#include "tain/diagnose/chains.hpp"
#include "tain/diagnose/facts.hpp"
#include "tain/draws/draws.hpp"

namespace tain {

class Threads;

/// A constant coordinate has sd 0 and its value as mean and quantiles; one with a value that is not
/// finite has NaN everywhere; what cannot be computed (convergence.hpp) is NaN.
struct SummaryRow {
  std::string name;
  double mean = 0;
  double mcse_mean = 0;  ///< NaN too where the tails are so heavy that it would mean nothing
  double sd = 0, q5 = 0, q50 = 0, q95 = 0;
  double ess_bulk = 0, ess_tail = 0, rhat = 0;
  /// From 32 chains on: R-hat of groups of chains that began close together, which does not grow
  /// where many chains are short; the larger of bulk and folded. NaN otherwise.
  double nested_rhat = std::numeric_limits<double>::quiet_NaN();
  /// From 32 chains on: how far the chains together went from their first quarter to their last
  /// half, in sd; 0 where that is below 0.05 or may be chance (1e-3 for all coordinates together).
  double drift = 0;
  /// Shape of the heavier tail: the mean has no error from 0.7 on, and does not exist from 1 on.
  double pareto_k = std::numeric_limits<double>::quiet_NaN();
  /// Acceptance of the 5 % of the draws at that end of the coordinate where it is least, over the
  /// acceptance of all; NaN: not known, or of fewer than 1,000 draws.
  double end_acceptance = std::numeric_limits<double>::quiet_NaN();
};

/// One row per coordinate of draws (chain, draw, coordinate), and what is odd about single chains.
/// `acceptance` of every draw, if it is known. Rows are computed in parallel, bits do not depend on
/// the number of threads.
struct Summary {
  std::vector<SummaryRow> rows;
  OddChains odd;
};
Summary summarise(std::span<const double> values, std::size_t chains, std::size_t draws,
                  const std::vector<std::string>& names, Threads& threads,
                  std::span<const double> acceptance = {});

/// Gates: every draw finite; no chain that stands still, is a copy or stays apart; chains agree
/// (`converged`); bulk and tail ESS at least ess_gate(chains); few divergences; bias indicator >= 0.992,
/// and known where a kernel is biased; what RunFacts tells of the target. What each catches, and how
/// often it is wrong: docs/explanation/verdicts.md.
///
/// ESS: Vehtari et al. 2021 ask for 400 with four chains, 100 in each. Fewer chains need 100 each,
/// so that their autocorrelations are known; more chains need no more than 400 in all, which bounds
/// the error of a mean at sd/20, since chains that agree lend each other what one is too short to
/// tell: 4096 chains of 20 draws may pass.
/// Agreement: with n draws in half a chain and autocorrelation time tau, R-hat tends to
/// sqrt(1 + (tau - 1)/n) however many chains there are: those of less than about 50 tau draws do
/// not pass. From 32 chains on, such ones do pass where groups of chains that began apart agree
/// later (nested R-hat) and nothing drifts.
/// Constant coordinates are named and left out, unless all are constant.
inline constexpr double rhat_gate = 1.01;
inline constexpr double ess_per_chain_gate = 100;
inline constexpr double ess_total_gate = 400;
/// Of unadjusted kernels. Calibrated on ten laws with known answers (normal in 1 to 50 dimensions,
/// Dirichlet, uniform, truncated and exponential laws, t with 5 degrees): the worst of mean, sd and
/// the 5 and 95 % quantiles was off by 81 % of an sd at 0.8, 35 % at 0.9, 20 % at 0.95 and at most
/// about 5 % from 0.992 on.
inline constexpr double bias_gate = 0.992;
/// Share of steps that may diverge: in funnels one of a hundred does, at walls like e^y of right
/// runs up to one in five hundred (the suite of verdicts).
inline constexpr double divergence_gate = 0.0025;
/// Of end_acceptance. Right runs of the suite of verdicts had at least 0.21, at steep walls; chains
/// that cannot enter the neck of a funnel 0.01 to 0.1.
inline constexpr double end_acceptance_gate = 0.15;
/// Draws that lack a mode of less than this mass, and by that hardly change mean and sd
/// (FoundMode::shift), are right all the same.
inline constexpr double least_mode_mass = 0.005, least_mode_shift = 0.05;
constexpr double ess_gate(std::size_t chains) {
  const double each = ess_per_chain_gate * static_cast<double>(chains);
  return each < ess_total_gate ? each : ess_total_gate;
}

/// R-hat < 1.01, or nested R-hat < 1.01 and no drift.
bool converged(const SummaryRow& row);
/// By nested R-hat alone: the chains are too short for R-hat, and agree.
bool converged_by_groups(const SummaryRow& row);

struct VerdictLine {
  bool passed = true;    ///< not failed
  std::string sentence;  ///< e.g. "R-hat is at most 1.003 (x[4]); chains agree."
  bool note = false;     ///< worth knowing, neither passed nor failed
};
struct Verdict {
  bool trust = true;
  /// One per gate that applies, and notes; those about single chains only where one is odd.
  std::vector<VerdictLine> lines;
  /// "Trust these draws." or "Do not trust these draws: <first failed gate>."
  std::string headline;
};
Verdict judge(const std::vector<SummaryRow>& rows, std::size_t chains, std::size_t draws,
              const RunFacts& facts, const OddChains& odd = {});

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
  OddChains odd = {};

  /// Table and verdict as people read them.
  std::string text(const TextStyle& style = {}) const;
};
Diagnosis diagnose(const Draws& draws, const RunFacts& facts, Threads& threads);

}  // namespace tain
