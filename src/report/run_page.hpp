// The report of a sampling run: can it be trusted, what came out, what the chains look like, how it
// was made.
//
// Definition: add_run appends to a page the verdict (one line per gate), the table of summaries (of
//   more than `table_rows` coordinates the worst `table_worst`), the widget "draws"
//   (web/src/draws.ts) and how the run was made.
// Laws: a function of the report alone: same draws, same record, same bytes, for any number of
//   threads. The widget's data stay below 3 MB whatever the run: of more than `shown_coordinates`
//   the plots show those with the worst R-hat, the lowest ESS and the largest sd, of long chains
//   every stretch by its least and largest value; the page says what was left out.
// Numerics: whatever can be computed from all draws is (ranks, autocorrelation, histograms); only
//   traces and points of pair plots are thinned.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/parallel.hpp"
#include "report/page.hpp"
#include "tain/diagnose/summary.hpp"
#include "tain/draws/draws.hpp"
#include "tain/maps/mirror_map.hpp"
#include "tain/run/record.hpp"
#include "tain/targets/potential.hpp"

namespace tain {

/// What the draws themselves tell of their set: a simplex where all are shares that sum to 1.
Outline outline_of(const Draws& draws);

/// Exact law of one coordinate.
struct MarginalLaw {
  enum class Kind { beta, normal, uniform };
  Kind kind = Kind::beta;
  double first = 1, second = 1;  ///< a, b; mean, sd; lower, upper
  double cdf(double x) const;
};
/// One per coordinate, or none where they are not known.
std::vector<MarginalLaw> marginal_laws(const AnyMap& map, const AnyPotential& target);

struct RunReport {
  Draws draws;
  Diagnosis found;
  Outline outline;
  std::vector<MarginalLaw> laws;
  RunRecord record;
};

inline constexpr std::size_t table_rows = 200, table_worst = 100, shown_coordinates = 50;

std::string run_title(const RunReport& report);
/// For whoever has never seen one.
std::string run_lead(const RunReport& report);
void add_run(Page& page, const RunReport& report, Threads& threads);

}  // namespace tain
