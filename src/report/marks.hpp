// What a series looks like inside the plot rectangle.
#pragma once

#include <optional>
#include <string>

#include "report/scale.hpp"

namespace tain::report {

struct PlotBox {
  double left = 0, top = 0, right = 0, bottom = 0;
};
struct Point {
  double x = 0, y = 0;
};

/// The plot rectangle and where values are in it.
struct Plot {
  PlotBox box;
  AxisScale x_scale, y_scale;
  Ruler x, y;
  bool shows(double at_x, double at_y) const {
    return report::shows(x_scale, at_x) && report::shows(y_scale, at_y);
  }
  /// Vertical place, not beyond the box; below it what a logarithmic axis cannot show.
  double clamped_y(double at_y) const;
};

/// Line, markers, and bars or band.
std::string draw(const PlotLine& series, const Plot& plot);
std::string draw(const Guide& guide, const Plot& plot);

/// Where the line of a series ends; none if nothing of it is shown.
std::optional<Point> end_of(const PlotLine& series, const Plot& plot);
/// Where a guide leaves the plot.
std::optional<Point> end_of(const Guide& guide, const Plot& plot);

/// Attribute of a dash, with a space before it; empty for solid lines.
std::string dash_attribute(Dash dash);
/// Path of the marker of a colour around a place.
std::string marker(std::size_t colour, Point place);

}  // namespace tain::report
