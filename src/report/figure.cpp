#include "report/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/labels.hpp"
#include "report/markup.hpp"
#include "report/text.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

using namespace report;

constexpr double edge = 16, title_size = 17, subtitle_size = 13, tick_size = 12, axis_size = 12.5;
constexpr double title_line = 22, subtitle_line = 18;
constexpr double least_width_beside = 640;
constexpr double bold = 1.12;  // bold letters are wider

// Reference lines that differ need no colours.
std::string reference_dash(std::size_t k) {
  constexpr std::array<std::string_view, 3> patterns = {"6 4", "12 4 2 4", "3 2"};
  return fmt::format(" stroke-dasharray=\"{}\"", patterns[k % patterns.size()]);
}

/// Everything that the axes have to cover.
struct Extent {
  std::vector<double> x, y;
  bool any_point = false;
};

Extent extent_of(const Figure& figure) {
  Extent extent;
  for (const PlotLine& s : figure.series) {
    for (std::size_t k = 0; k < std::min(s.x.size(), s.y.size()); ++k) {
      if (!shows(figure.x.scale, s.x[k]) || !shows(figure.y.scale, s.y[k])) {
        continue;
      }
      extent.any_point = true;
      extent.x.push_back(s.x[k]);
      extent.y.push_back(s.y[k]);
      if (k < s.error.size() && s.error[k] > 0) {
        const double low = s.y[k] - s.error[k];
        extent.y.push_back(s.y[k] + s.error[k]);
        if (figure.y.scale == AxisScale::linear || low >= s.y[k] / 2) {
          extent.y.push_back(low);
        }
      }
    }
  }
  for (const ReferenceLine& line : figure.horizontal) {
    extent.y.push_back(line.at);
  }
  for (const ReferenceLine& line : figure.vertical) {
    extent.x.push_back(line.at);
  }
  return extent;
}

std::string accessible_name(const Figure& figure) {
  std::string name = figure.title;
  for (const std::string& part :
       {figure.subtitle, fmt::format("{} against {}", figure.y.label, figure.x.label)}) {
    if (!part.empty()) {
      name += (name.empty() ? "" : ". ") + part;
    }
  }
  std::string lines;
  for (const PlotLine& s : figure.series) {
    lines += (lines.empty() ? "" : "; ") + s.label;
  }
  return lines.empty() ? name : name + ". Lines: " + lines;
}

class Drawing {
 public:
  Drawing(const Figure& figure, double width)
      : figure_(figure), width_(width), extent_(extent_of(figure)) {
    const int across = static_cast<int>(std::max(3.0, (width - 100) / 60));
    x_interval_ = interval_of(figure.x.scale, extent_.x);
    y_interval_ = interval_of(figure.y.scale, extent_.y);
    x_ticks_ = ticks_of(figure.x.scale, x_interval_, across);
    y_ticks_ = ticks_of(figure.y.scale, y_interval_, 7);
    lay_out();
  }

  std::string text() const;

 private:
  void lay_out();
  double header_height() const;
  Plot plot() const {
    return {box_, figure_.x.scale, figure_.y.scale,
            Ruler(figure_.x.scale, x_interval_, box_.left, box_.right),
            Ruler(figure_.y.scale, y_interval_, box_.bottom, box_.top)};
  }
  std::vector<Label> labels(const Plot& plot) const;
  std::string header() const;
  std::string axes(const Plot& plot) const;
  std::string reference_lines(const Plot& plot) const;

  const Figure& figure_;
  double width_;
  Extent extent_;
  Interval x_interval_, y_interval_;
  Ticks x_ticks_, y_ticks_;
  PlotBox box_;
  double height_ = 0;
  bool beside_ = false;
};

double Drawing::header_height() const {
  const double room = width_ - 2 * edge;
  return edge + title_line * double(wrapped(figure_.title, bold * title_size, room).size()) +
         subtitle_line * double(wrapped(figure_.subtitle, subtitle_size, room).size());
}

void Drawing::lay_out() {
  double tick_room = 0;
  for (const Tick& tick : y_ticks_.major) {
    tick_room = std::max(tick_room, text_width(tick.label, tick_size));
  }
  box_.left = edge + tick_room + 8;
  box_.top = header_height() + 30 + 16 * double(figure_.vertical.size());
  box_.right = width_ - edge;
  box_.bottom = box_.top + width_ / 2;  // for now: which labels there are does not depend on it
  const std::vector<Label> all = labels(plot());
  const double beside = width_beside(all);
  beside_ = width_ >= least_width_beside && !all.empty() && beside <= 0.36 * width_;
  if (beside_) {
    box_.right -= beside;
    box_.bottom = box_.top + 0.66 * (box_.right - box_.left);
    beside_ = fit_beside(all, box_);
  }
  if (!beside_) {
    box_.right = width_ - edge;
    box_.bottom = box_.top + 0.68 * (box_.right - box_.left);
  }
  height_ = box_.bottom + 50 +
            (beside_ ? 0 : 4 + row_height * double(rows_below(all, width_ - 2 * edge)));
}

std::vector<Label> Drawing::labels(const Plot& plot) const {
  std::vector<Label> all;
  for (const PlotLine& s : figure_.series) {
    if (const auto end = end_of(s, plot); end && !s.label.empty()) {
      all.push_back(
          {s.label, palette[s.colour % palette.size()], dash_attribute(s.dash), s.colour, *end});
    }
  }
  for (std::size_t k = 0; k < figure_.horizontal.size(); ++k) {
    const ReferenceLine& line = figure_.horizontal[k];
    if (shows(figure_.y.scale, line.at) && !line.label.empty() && extent_.any_point) {
      all.push_back({line.label,
                     muted_ink,
                     reference_dash(k),
                     std::nullopt,
                     {plot.box.right - 4, plot.y.at(line.at)}});
    }
  }
  for (const Guide& guide : figure_.guides) {
    if (const auto end = end_of(guide, plot); end && !guide.label.empty() && extent_.any_point) {
      all.push_back({guide.label, axis_ink, R"( stroke-dasharray="2 3")", std::nullopt, *end});
    }
  }
  return all;
}

std::string Drawing::header() const {
  std::string out;
  const double room = width_ - 2 * edge;
  double y = edge;
  for (const std::string& line : wrapped(figure_.title, bold * title_size, room)) {
    out += text_element(edge, y + 0.8 * title_size, line,
                        {.size = title_size, .ink = text_ink, .weight = 600});
    y += title_line;
  }
  for (const std::string& line : wrapped(figure_.subtitle, subtitle_size, room)) {
    out += text_element(edge, y + 0.85 * subtitle_size, line, {.size = subtitle_size});
    y += subtitle_line;
  }
  return out + text_element(edge, y + 20, figure_.y.label, {.size = axis_size});
}

std::string Drawing::axes(const Plot& plot) const {
  std::string minor, major, texts;
  const auto across = [&](double x) {
    return fmt::format("M{} {}V{}", px(x), px(box_.top), px(box_.bottom));
  };
  const auto along = [&](double y) {
    return fmt::format("M{} {}H{}", px(box_.left), px(y), px(box_.right));
  };
  for (const double value : x_ticks_.minor) {
    minor += across(plot.x.at(value));
  }
  for (const double value : y_ticks_.minor) {
    minor += along(plot.y.at(value));
  }
  for (const Tick& tick : x_ticks_.major) {
    const double x = plot.x.at(tick.value);
    major += across(x);
    texts += text_element(x, box_.bottom + 17, tick.label,
                          {.size = tick_size, .anchor = Anchor::middle});
  }
  for (const Tick& tick : y_ticks_.major) {
    const double y = plot.y.at(tick.value);
    major += along(y);
    texts += text_element(box_.left - 7, y + 0.35 * tick_size, tick.label,
                          {.size = tick_size, .anchor = Anchor::end});
  }
  texts += text_element((box_.left + box_.right) / 2, box_.bottom + 37, figure_.x.label,
                        {.size = axis_size, .anchor = Anchor::middle});
  return fmt::format("<path {} d=\"{}\"/>\n<path {} d=\"{}\"/>\n<path {} d=\"{}\"/>\n{}",
                     stroke(minor_ink), minor, stroke(grid_ink), major, stroke(axis_ink),
                     along(box_.bottom), texts);
}

std::string Drawing::reference_lines(const Plot& plot) const {
  std::string out;
  for (std::size_t k = 0; k < figure_.horizontal.size(); ++k) {
    const ReferenceLine& line = figure_.horizontal[k];
    if (shows(figure_.y.scale, line.at)) {
      out += fmt::format("<path {} stroke-width=\"1.4\"{} d=\"M{} {}H{}\"/>\n", stroke(muted_ink),
                         reference_dash(k), px(box_.left), px(plot.y.at(line.at)), px(box_.right));
    }
  }
  double y = box_.top - 5;  // their labels, one above the other
  for (const ReferenceLine& line : figure_.vertical) {
    if (shows(figure_.x.scale, line.at)) {
      const double x = plot.x.at(line.at), half = text_width(line.label, tick_size) / 2;
      out += fmt::format(R"(<path {} stroke-width="1.4" stroke-dasharray="6 4" d="M{} {}V{}"/>)"
                         "\n",
                         stroke(muted_ink), px(x), px(y + 3), px(box_.bottom));
      const double middle = std::clamp(x, edge + half, std::max(edge + half, width_ - edge - half));
      out += text_element(middle, y, line.label, {.size = tick_size, .anchor = Anchor::middle});
      y -= 16;
    }
  }
  return out;
}

std::string Drawing::text() const {
  const Plot where = plot();
  std::string out = fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}" )"
      R"(role="img" aria-label="{2}" )"
      R"(font-family="system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif">)"
      "\n{3}<rect width=\"{0}\" height=\"{1}\" {4}/>\n",
      px(width_), px(height_), escaped(accessible_name(figure_)), dark_style(), fill(paper_ink));
  out += header();
  if (!extent_.any_point) {
    out += text_element(width_ / 2, (box_.top + box_.bottom) / 2, "No data to show.",
                        {.size = 14, .anchor = Anchor::middle});
    return out + "</svg>\n";
  }
  out += axes(where) + reference_lines(where);
  for (const Guide& guide : figure_.guides) {
    out += draw(guide, where);
  }
  for (const PlotLine& series : figure_.series) {
    out += draw(series, where);
  }
  const std::vector<Label> names = labels(where);
  out += beside_ ? draw_beside(names, box_)
                 : draw_below(names, edge, box_.bottom + 48, width_ - 2 * edge);
  return out + "</svg>\n";
}

}  // namespace

std::string svg(const Figure& figure, double width) {
  TAIN_EXPECTS(width >= 320, "a figure needs 320 pixels of width");
  return Drawing(figure, width).text();
}

}  // namespace tain
