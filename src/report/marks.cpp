#include "report/marks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/markup.hpp"
#include "report/text.hpp"

namespace tain::report {
namespace {

const Ink& colour_of(const PlotLine& series) { return palette[series.colour % palette.size()]; }

double error_at(const PlotLine& series, std::size_t k) {
  const double error = k < series.error.size() ? series.error[k] : 0;
  return std::isfinite(error) && error > 0 ? error : 0;
}

std::size_t points_of(const PlotLine& series) { return std::min(series.x.size(), series.y.size()); }

std::string step_to(Point place, char command) {
  return fmt::format("{}{} {}", command, px(place.x), px(place.y));
}

/// Runs of points that can be shown, as [first, last + 1).
template <class F>
void for_runs(const PlotLine& series, const Plot& plot, F f) {
  std::size_t first = 0;
  const std::size_t count = points_of(series);
  for (std::size_t k = 0; k <= count; ++k) {
    if (k == count || !plot.shows(series.x[k], series.y[k])) {
      if (k > first) {
        f(first, k);
      }
      first = k + 1;
    }
  }
}

std::string band(const PlotLine& series, const Plot& plot) {
  std::string path;
  for_runs(series, plot, [&](std::size_t first, std::size_t end) {
    for (std::size_t k = first; k < end; ++k) {
      path += step_to({plot.x.at(series.x[k]), plot.clamped_y(series.y[k] + error_at(series, k))},
                      k == first ? 'M' : 'L');
    }
    for (std::size_t k = end; k-- > first;) {
      path +=
          step_to({plot.x.at(series.x[k]), plot.clamped_y(series.y[k] - error_at(series, k))}, 'L');
    }
    path += 'Z';
  });
  return fmt::format(R"(<path {} fill-opacity="0.2" d="{}"/>)"
                     "\n",
                     fill(colour_of(series)), path);
}

std::string bars(const PlotLine& series, const Plot& plot) {
  std::string path;
  for_runs(series, plot, [&](std::size_t first, std::size_t end) {
    for (std::size_t k = first; k < end; ++k) {
      const double error = error_at(series, k);
      const double high = plot.clamped_y(series.y[k] + error);
      const double low = plot.clamped_y(series.y[k] - error);
      if (low - high >= 1) {  // shorter ones are under the marker
        path += step_to({plot.x.at(series.x[k]), high}, 'M') + "V" + px(low);
      }
    }
  });
  return path.empty() ? path
                      : fmt::format(R"(<path {} stroke-width="1.2" stroke-opacity="0.7" d="{}"/>)"
                                    "\n",
                                    stroke(colour_of(series)), path);
}

/// The part of a segment inside a box (Liang and Barsky): parameters from, to of [0, 1].
std::optional<std::pair<Point, Point>> clipped(Point a, Point b, const PlotBox& box) {
  const double dx = b.x - a.x, dy = b.y - a.y;
  double from = 0, to = 1;
  const std::array<std::pair<double, double>, 4> sides = {
      {{-dx, a.x - box.left}, {dx, box.right - a.x}, {-dy, a.y - box.top}, {dy, box.bottom - a.y}}};
  for (const auto& [speed, room] : sides) {
    if (speed == 0) {
      if (room < 0) {
        return std::nullopt;
      }
    } else if (speed < 0) {
      from = std::max(from, room / speed);
    } else {
      to = std::min(to, room / speed);
    }
  }
  if (!(from <= to)) {
    return std::nullopt;
  }
  const auto at = [&](double t) {
    return Point{std::clamp(a.x + t * dx, box.left, box.right),
                 std::clamp(a.y + t * dy, box.top, box.bottom)};
  };
  return std::pair{at(from), at(to)};
}

template <class F>
void for_segments(const Guide& guide, const Plot& plot, F f) {
  for (std::size_t k = 1; k < std::min(guide.x.size(), guide.y.size()); ++k) {
    if (plot.shows(guide.x[k - 1], guide.y[k - 1]) && plot.shows(guide.x[k], guide.y[k])) {
      const auto part = clipped({plot.x.at(guide.x[k - 1]), plot.y.at(guide.y[k - 1])},
                                {plot.x.at(guide.x[k]), plot.y.at(guide.y[k])}, plot.box);
      if (part) {
        f(part->first, part->second);
      }
    }
  }
}

}  // namespace

double Plot::clamped_y(double at_y) const {
  if (!report::shows(y_scale, at_y)) {
    return at_y > 0 ? box.top : box.bottom;
  }
  return std::clamp(y.at(at_y), box.top, box.bottom);
}

std::string dash_attribute(Dash dash) {
  constexpr std::array<std::string_view, 3> patterns = {"", R"( stroke-dasharray="7 4")",
                                                        R"( stroke-dasharray="1.5 4")"};
  return std::string(patterns[static_cast<std::size_t>(dash)]);
}

std::string marker(std::size_t colour, Point p) {
  constexpr double r = 2.6;
  switch (colour % palette.size()) {
    case 0:  // disc
      return fmt::format("M{} {}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0z", px(p.x - r), px(p.y),
                         fmt::arg("r", px(r)), fmt::arg("d", px(2 * r)));
    case 1:  // square
      return fmt::format("M{} {}h4.8v4.8h-4.8z", px(p.x - 2.4), px(p.y - 2.4));
    case 2:  // triangle
      return fmt::format("M{} {}l3.3 5.6h-6.6z", px(p.x), px(p.y - 3.5));
    case 3:  // diamond
      return fmt::format("M{} {}l3.4 3.4l-3.4 3.4l-3.4 -3.4z", px(p.x), px(p.y - 3.4));
    case 4:  // triangle on its tip
      return fmt::format("M{} {}l3.3 -5.6h-6.6z", px(p.x), px(p.y + 3.5));
    default:  // plus
      return fmt::format("M{} {}h2v-2.4h2v2.4h2.4v2h-2.4v2.4h-2v-2.4h-2z", px(p.x - 3),
                         px(p.y - 1));
  }
}

std::string draw(const PlotLine& series, const Plot& plot) {
  constexpr double between_markers = 18;  // so that dashes show between them
  std::string line, markers;
  std::optional<Point> last;
  for_runs(series, plot, [&](std::size_t first, std::size_t end) {
    for (std::size_t k = first; k < end; ++k) {
      const Point place{plot.x.at(series.x[k]), plot.y.at(series.y[k])};
      line += step_to(place, k == first ? 'M' : 'L');
      if (!last || std::hypot(place.x - last->x, place.y - last->y) >= between_markers) {
        markers += marker(series.colour, place);
        last = place;
      }
    }
  });
  if (line.empty()) {
    return {};
  }
  const Ink& ink = colour_of(series);
  std::string out =
      "<g>" + (series.label.empty() ? "" : "<title>" + escaped(series.label) + "</title>");
  if (!series.error.empty()) {
    out += series.spread == Spread::band ? band(series, plot) : bars(series, plot);
  }
  out += fmt::format(R"(<path {} fill="none" stroke-width="2" stroke-linejoin="round" )"
                     R"(stroke-linecap="round"{} d="{}"/>)"
                     "\n"
                     R"(<path {} d="{}"/></g>)"
                     "\n",
                     stroke(ink), dash_attribute(series.dash), line, fill(ink), markers);
  return out;
}

std::string draw(const Guide& guide, const Plot& plot) {
  std::string path;
  for_segments(guide, plot, [&](Point a, Point b) { path += step_to(a, 'M') + step_to(b, 'L'); });
  return path.empty() ? path
                      : fmt::format(R"(<path {} stroke-width="1.3" stroke-dasharray="2 3" d="{}"/>)"
                                    "\n",
                                    stroke(axis_ink), path);
}

std::optional<Point> end_of(const PlotLine& series, const Plot& plot) {
  std::optional<Point> end;
  for_runs(series, plot, [&](std::size_t, std::size_t last) {
    end = Point{plot.x.at(series.x[last - 1]), plot.y.at(series.y[last - 1])};
  });
  return end;
}

std::optional<Point> end_of(const Guide& guide, const Plot& plot) {
  std::optional<Point> end;
  for_segments(guide, plot, [&](Point, Point b) { end = b; });
  return end;
}

}  // namespace tain::report
