// The data of the widget "draws": what web/src/draws.ts shows.
#pragma once

#include <string>
#include <vector>

#include "core/parallel.hpp"
#include "report/run_page.hpp"

namespace tain::report {

/// A coordinate that has plots, and why it was chosen where not all have.
struct ShownCoordinate {
  std::size_t index = 0;
  std::string reason;
};
/// All, or shown_coordinates of them: in turn the worst R-hat, the lowest bulk and tail ESS, the
/// largest sd; in ascending order. Broken coordinates come first of all, constant ones last.
std::vector<ShownCoordinate> choose_coordinates(const std::vector<SummaryRow>& rows);

std::string run_widget(const RunReport& report, Threads& threads);

}  // namespace tain::report
