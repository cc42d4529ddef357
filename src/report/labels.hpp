// Names of lines: at their ends, or in a legend below the plot.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "report/marks.hpp"

namespace tain::report {

struct Label {
  std::string text;
  Ink ink;
  std::string dash;                   ///< attribute of the line
  std::optional<std::size_t> marker;  ///< colour that chooses it
  Point end;                          ///< of the line
};

inline constexpr double label_size = 12.5;

/// Places nearest to `wanted` (least squares) in its order, at least `gap` apart, within [low,
/// high]; `wanted` ascends, and they must fit.
std::vector<double> apart(std::span<const double> wanted, double gap, double low, double high);

/// Room that labels beside the plot take.
double width_beside(std::span<const Label> labels);
bool fit_beside(std::span<const Label> labels, const PlotBox& box);
std::string draw_beside(std::vector<Label> labels, const PlotBox& box);

/// Rows of a legend of that width.
std::size_t rows_below(std::span<const Label> labels, double width);
std::string draw_below(std::span<const Label> labels, double left, double top, double width);
inline constexpr double row_height = 20;

}  // namespace tain::report
