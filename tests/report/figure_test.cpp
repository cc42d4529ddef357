// Figures: what is drawn is the data, inside the plot, whatever the data are.
#include "report/figure.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <regex>

#include "report/markup.hpp"

namespace tain::figure_test {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Point {
  double x, y;
};

std::vector<std::string> all_matches(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), expression), end; it != end; ++it) {
    found.push_back((*it)[1]);
  }
  return found;
}

/// Paths of series in a figure, each as its points; "M" begins another piece.
std::vector<Point> points_of(const std::string& path) {
  std::vector<Point> points;
  const std::regex step("[ML](-?[0-9.]+) (-?[0-9.]+)(?:V(-?[0-9.]+))?");
  for (std::sregex_iterator it(path.begin(), path.end(), step), end; it != end; ++it) {
    points.push_back({std::stod((*it)[1]), std::stod((*it)[2])});
    if ((*it)[3].matched) {
      points.push_back({points.back().x, std::stod((*it)[3])});
    }
  }
  return points;
}

std::vector<std::string> lines_of(const std::string& svg) {
  return all_matches(svg, R"re(stroke-linejoin="round"[^>]* d="([^"]*)")re");
}
std::vector<std::string> bars_of(const std::string& svg) {
  return all_matches(svg, R"re(stroke-opacity="0.7" d="([^"]*)")re");
}
std::vector<std::string> bands_of(const std::string& svg) {
  return all_matches(svg, R"re(fill-opacity="0.2" d="([^"]*)")re");
}
std::vector<std::string> guides_of(const std::string& svg) {
  return all_matches(svg, R"re(stroke-dasharray="2 3" d="(M[^h"]*)")re");
}

struct Rectangle {
  double left, right, top, bottom;
  bool holds(Point p) const {
    constexpr double rounding = 0.051;  // of a tenth of a pixel, in two numbers
    return p.x >= left - rounding && p.x <= right + rounding && p.y >= top - rounding &&
           p.y <= bottom + rounding;
  }
};
/// From the axis line and the grid.
Rectangle plot_of(const std::string& svg) {
  std::smatch axis, grid;
  if (!std::regex_search(
          svg, axis,
          std::regex(R"re(tain-s-axis" stroke="[^"]*" d="M([0-9.]+) ([0-9.]+)H([0-9.]+)")re")) ||
      !std::regex_search(
          svg, grid,
          std::regex(R"re(tain-s-grid" stroke="[^"]*" d="M[0-9.]+ ([0-9.]+)V([0-9.]+))re"))) {
    return {1, 0, 1, 0};
  }
  return {std::stod(axis[1]), std::stod(axis[3]), std::stod(grid[1]), std::stod(axis[2])};
}

Figure decades() {
  return {.title = "Decades",
          .subtitle = "one step down for every step to the right",
          .x = {"T", AxisScale::logarithmic},
          .y = {"distance", AxisScale::logarithmic},
          .series = {{.label = "falling", .x = {1, 10, 100}, .y = {1, 0.1, 0.01}}}};
}

TEST(Figure, DrawsPointsWhereTheTicksSayTheyAre) {
  const std::string text = svg(decades());
  const auto lines = lines_of(text);
  ASSERT_EQ(lines.size(), 1u);
  const auto points = points_of(lines[0]);
  ASSERT_EQ(points.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) {
    const std::array across = {"1", "10", "100"}, along = {"1", "0.1", "0.01"};
    EXPECT_THAT(text, HasSubstr("<text x=\"" + report::px(points[k].x) + "\""));
    std::smatch match;
    ASSERT_TRUE(
        std::regex_search(text, match,
                          std::regex("<text x=\"([0-9.]+)\"[^>]*text-anchor=\"middle\"[^>]*>" +
                                     std::string(across[k]) + "</text>")));
    EXPECT_NEAR(std::stod(match[1]), points[k].x, 0.051);
    ASSERT_TRUE(std::regex_search(text, match,
                                  std::regex("y=\"([0-9.]+)\"[^>]*text-anchor=\"end\"[^>]*>" +
                                             std::string(along[k]) + "</text>")));
    EXPECT_NEAR(std::stod(match[1]) - 4.2, points[k].y, 0.11);  // base lines: 0.35 of 12 below
  }
  EXPECT_NEAR(points[1].x - points[0].x, points[2].x - points[1].x, 0.11);
}

TEST(Figure, BreaksTheLineWhereAValueCannotBeShown) {
  Figure figure = decades();
  figure.series[0] = {.label = "gaps",
                      .x = {1, 2, 3, 4, 5, 6, 7},
                      .y = {1, 0.5, 0, 0.4, -1, 0.2, std::numeric_limits<double>::quiet_NaN()}};
  const auto lines = lines_of(svg(figure));
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(std::ranges::count(lines[0], 'M'), 3);
  EXPECT_EQ(points_of(lines[0]).size(), 4u);
}

TEST(Figure, WithoutPointsSaysSo) {
  for (const auto& y : {std::vector<double>{}, std::vector<double>{0, -1}}) {
    Figure figure = decades();
    figure.series[0].y = y;
    figure.horizontal = {{"floor", 0.1}};
    figure.guides = {{"guide", {1, 100}, {1, 0.1}}};
    const std::string text = svg(figure);
    EXPECT_THAT(text, HasSubstr("No data to show."));
    EXPECT_TRUE(lines_of(text).empty());
    EXPECT_THAT(text, Not(HasSubstr("falling</text>")));
  }
  EXPECT_THAT(svg(Figure{}), HasSubstr("No data to show."));
}

TEST(Figure, EscapesEveryText) {
  const std::string bad = "<b> & \"q\"";
  Figure figure = decades();
  figure.title = figure.subtitle = figure.x.label = figure.y.label = figure.series[0].label = bad;
  figure.horizontal = {{bad, 0.1}};
  figure.vertical = {{bad, 10}};
  figure.guides = {{bad, {1, 100}, {1, 0.1}}};
  for (const double width : {wide_figure, narrow_figure}) {
    const std::string text = svg(figure, width);
    EXPECT_THAT(text, Not(HasSubstr("<b>")));
    // title, subtitle, two axes, series (line's title and label), two reference lines, guide
    EXPECT_EQ(all_matches(text, "(>&lt;b&gt; &amp; &quot;q&quot;<)").size(), 9u);
  }
}

TEST(Figure, GuidesDoNotStretchTheAxes) {
  Figure figure = decades();
  const Rectangle before = plot_of(svg(figure, narrow_figure));
  const auto line = lines_of(svg(figure, narrow_figure));
  figure.guides = {{"", {1e-6, 1e9}, {4e6, 4e-9}}};  // beside the diagonal
  const std::string after = svg(figure, narrow_figure);
  EXPECT_EQ(lines_of(after), line);
  const auto guides = guides_of(after);
  ASSERT_EQ(guides.size(), 1u);
  const auto points = points_of(guides[0]);
  ASSERT_EQ(points.size(), 2u);
  for (const Point& p : points) {
    EXPECT_TRUE(before.holds(p));
  }
  // it has the slope of the data
  const auto data = points_of(line[0]);
  EXPECT_NEAR((points[1].y - points[0].y) / (points[1].x - points[0].x),
              (data[2].y - data[0].y) / (data[2].x - data[0].x), 2e-3);
}

TEST(Figure, LabelsBesideThePlotDoNotTouch) {
  Figure figure = decades();
  figure.series.clear();
  for (std::size_t k = 0; k < 9; ++k) {
    figure.series.push_back({.label = "line " + std::to_string(k),
                             .x = {1, 100},
                             .y = {1, 0.0100 + 0.0001 * double(k)},
                             .colour = k});
  }
  const auto places = all_matches(svg(figure), R"re(y="([0-9.]+)"[^>]*>line [0-9]</text>)re");
  ASSERT_EQ(places.size(), 9u);
  for (std::size_t k = 1; k < 9; ++k) {
    // The figure names the highest line first.
    EXPECT_GE(std::stod(places[k]) - std::stod(places[k - 1]), 17.9);
  }
}

TEST(Figure, BarsAndBandsEndAtTheErrors) {
  Figure figure{.title = "Errors",
                .subtitle = "",
                .x = {"x", AxisScale::linear},
                .y = {"y", AxisScale::linear},
                .series = {{.label = "a", .x = {0, 1}, .y = {2, 2}, .error = {1, 0}}}};
  const std::string text = svg(figure);
  const auto bars = bars_of(text);
  ASSERT_EQ(bars.size(), 1u);
  const auto ends = points_of(bars[0]);
  ASSERT_EQ(ends.size(), 2u);  // none where the error is 0
  const double middle = points_of(lines_of(text)[0])[0].y;
  EXPECT_NEAR(middle - ends[0].y, ends[1].y - middle, 0.11);
  // the axis covers 1 to 3 and 4 % more on either side
  const Rectangle plot = plot_of(text);
  EXPECT_NEAR((ends[1].y - ends[0].y) / (plot.bottom - plot.top), 1 / 1.08, 1e-3);
  figure.series[0].spread = Spread::band;
  EXPECT_EQ(points_of(bands_of(svg(figure)).at(0)).size(), 4u);
}

TEST(Figure, BarsThatALogarithmicAxisDoesNotCoverEndAtItsFoot) {
  Figure figure = decades();
  for (const double error : {0.999, 1.0, 2.0}) {
    figure.series[0] = {.label = "a", .x = {1, 2}, .y = {1, 0.8}, .error = {error, 0}};
    const std::string text = svg(figure);
    const auto ends = points_of(bars_of(text).at(0));
    ASSERT_EQ(ends.size(), 2u);
    EXPECT_NEAR(ends[1].y, plot_of(text).bottom, 0.051);
    EXPECT_GT(ends[0].y, plot_of(text).top + 1);
  }
}

RC_GTEST_PROP(Figure, StaysInsideThePlot, ()) {
  const auto value = [] {
    const double special[] = {0, -1, NAN, INFINITY, -INFINITY, 1e308, 5e-324, -1e300};
    return *rc::gen::inRange(0, 8) == 0
               ? special[*rc::gen::inRange(0, 8)]
               : (*rc::gen::inRange(0, 4) == 0 ? -1 : 1) *
                     std::pow(10.0, *rc::gen::inRange(-300, 300) / *rc::gen::element(1.0, 100.0));
  };
  const auto values = [&](int most) {
    std::vector<double> all;
    for (int k = *rc::gen::inRange(0, most); k > 0; --k) {
      all.push_back(value());
    }
    return all;
  };
  const auto scale = rc::gen::element(AxisScale::linear, AxisScale::logarithmic);
  Figure figure{.title = "Any", .subtitle = "", .x = {"x", *scale}, .y = {"y", *scale}};
  for (int k = *rc::gen::inRange(0, 4); k > 0; --k) {
    PlotLine series{.label = "s",
                    .x = values(8),
                    .y = values(8),
                    .error = values(8),
                    .colour = *rc::gen::inRange<std::size_t>(0, 9),
                    .spread = *rc::gen::element(Spread::bars, Spread::band)};
    for (std::size_t i = 0; i < std::min(series.y.size(), series.error.size()); ++i) {
      if (*rc::gen::arbitrary<bool>()) {  // about as large as the value itself
        series.error[i] = series.y[i] * *rc::gen::element(0.1, 0.6, 0.9, 0.99, 1.0);
      }
    }
    figure.series.push_back(std::move(series));
  }
  figure.guides = {{"", values(4), values(4)}};
  figure.horizontal = {{"h", value()}};
  figure.vertical = {{"v", value()}};
  const double width = *rc::gen::inRange(320, 1200);
  const std::string text = svg(figure, width);
  RC_ASSERT(text == svg(figure, width));
  RC_ASSERT(text.find("nan") == std::string::npos);
  RC_ASSERT(text.find("inf") == std::string::npos);
  const Rectangle plot = plot_of(text);
  for (const auto& paths : {lines_of(text), bars_of(text), bands_of(text), guides_of(text)}) {
    for (const std::string& path : paths) {
      for (const Point& p : points_of(path)) {
        RC_ASSERT(plot.holds(p));
      }
    }
  }
}

// Colours ---------------------------------------------------------------------------------------

using Colour = std::array<double, 3>;  // linear light

Colour linear(std::string_view hexadecimal) {
  Colour colour{};
  for (std::size_t k = 0; k < 3; ++k) {
    const double c = std::stoi(std::string(hexadecimal.substr(1 + 2 * k, 2)), nullptr, 16) / 255.0;
    colour[k] = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  }
  return colour;
}

double contrast(std::string_view a, std::string_view b) {
  const auto luminance = [](const Colour& c) {
    return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
  };
  const double one = luminance(linear(a)), other = luminance(linear(b));
  return (std::max(one, other) + 0.05) / (std::min(one, other) + 0.05);
}

Colour times(const std::array<Colour, 3>& matrix, const Colour& v) {
  Colour out{};
  for (std::size_t i = 0; i < 3; ++i) {
    out[i] = matrix[i][0] * v[0] + matrix[i][1] * v[1] + matrix[i][2] * v[2];
  }
  return out;
}

Colour oklab(const Colour& c) {
  Colour lms = times({{{0.4122214708, 0.5363325363, 0.0514459929},
                       {0.2119034982, 0.6806995451, 0.1073969566},
                       {0.0883024619, 0.2817188376, 0.6299787005}}},
                     c);
  for (double& v : lms) {
    v = std::cbrt(v);
  }
  return times({{{0.2104542553, 0.7936177850, -0.0040720468},
                 {1.9779984951, -2.4285922050, 0.4505937099},
                 {0.0259040371, 0.7827717662, -0.8086757660}}},
               lms);
}

TEST(Palette, StandsOutFromThePaper) {
  for (const Ink& ink : palette) {
    EXPECT_GE(contrast(ink.light, paper_ink.light), 3) << ink.name;
    EXPECT_GE(contrast(ink.dark, paper_ink.dark), 3) << ink.name;
  }
  for (const Ink& ink : {text_ink, muted_ink}) {
    EXPECT_GE(contrast(ink.light, paper_ink.light), 4.5) << ink.name;
    EXPECT_GE(contrast(ink.dark, paper_ink.dark), 4.5) << ink.name;
  }
}

TEST(Palette, DiffersInEveryEye) {
  // None; protanopia, deuteranopia, tritanopia at full severity (Machado et al. 2009, table 1).
  constexpr std::array<std::array<Colour, 3>, 4> eyes = {{{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                                                          {{{0.152286, 1.052583, -0.204868},
                                                            {0.114503, 0.786281, 0.099216},
                                                            {-0.003882, -0.048116, 1.051998}}},
                                                          {{{0.367322, 0.860646, -0.227968},
                                                            {0.280085, 0.672501, 0.047413},
                                                            {-0.011820, 0.042940, 0.968881}}},
                                                          {{{1.255528, -0.076749, -0.178779},
                                                            {-0.078411, 0.930809, 0.147602},
                                                            {0.004733, 0.691367, 0.303900}}}}};
  for (const auto& eye : eyes) {
    for (const auto shade : {&Ink::light, &Ink::dark}) {
      std::vector<Colour> seen;
      for (const Ink& ink : palette) {
        Colour c = times(eye, linear(ink.*shade));
        for (double& v : c) {
          v = std::clamp(v, 0.0, 1.0);
        }
        seen.push_back(oklab(c));
      }
      for (std::size_t i = 0; i < seen.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          EXPECT_GE(
              std::hypot(seen[i][0] - seen[j][0], seen[i][1] - seen[j][1], seen[i][2] - seen[j][2]),
              0.07)
              << palette[i].name << " and " << palette[j].name;
        }
      }
    }
  }
}

}  // namespace
}  // namespace tain::figure_test
