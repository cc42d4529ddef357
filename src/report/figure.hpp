// Line charts as SVG: one string that opens in a browser, sits in a page and goes into slides.
//
// Definition: svg(figure, width) is a whole SVG document of `width` CSS pixels and the height it
//   needs. Labels stand at the ends of their lines, moved apart where they would touch (least
//   squares of the moves); in narrow figures, or where they would take too much room, below the
//   plot.
// Laws: same input, same bytes. Well-formed XML whatever the texts hold. What is drawn of series,
//   bars, bands and guides lies inside the plot rectangle; ticks ascend inside the axes.
// Numerics: values that an axis cannot show are left out and the line breaks there: NaN, what is
//   beyond 1e250 in size, and below 1e-250 on a logarithmic axis. Axes cover all points, upper ends
//   of bars, lower ends too (on a logarithmic axis if at least half of the value), and reference
//   lines; guides do not stretch them. A figure without any point says so.
// Colours: light and dark by prefers-color-scheme; plain attributes hold the light ones, for
//   programs that know no style sheets. No JavaScript, no links, no ids.
// Cost: linear in the number of points, about 60 bytes each.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tain {

enum class AxisScale { linear, logarithmic };
struct Axis {
  std::string label;
  AxisScale scale = AxisScale::linear;
};

enum class Dash { solid, dashed, dotted };
enum class Spread { bars, band };

struct PlotLine {
  std::string label;
  std::vector<double> x = {}, y = {};
  std::vector<double> error = {};  ///< half the length of a bar or band; empty: none
  std::size_t colour = 0;          ///< of palette, around and around; also chooses the marker
  Dash dash = Dash::solid;
  Spread spread = Spread::bars;
};

/// A faint line behind the data, to compare slopes with.
struct Guide {
  std::string label;
  std::vector<double> x, y;
};

/// A line across the whole plot at one value of an axis.
struct ReferenceLine {
  std::string label;
  double at = 0;
};

struct Figure {
  std::string title, subtitle;
  Axis x, y;
  std::vector<PlotLine> series = {};
  std::vector<Guide> guides = {};
  std::vector<ReferenceLine> horizontal = {}, vertical = {};
};

inline constexpr double wide_figure = 860;    ///< labels beside the plot
inline constexpr double narrow_figure = 480;  ///< for two figures side by side, and for telephones
/// Width: at least 320.
std::string svg(const Figure& figure, double width = wide_figure);

/// Colours in light and in dark surroundings. Contrast to the background is at least 3 (WCAG 2.2,
/// 1.4.11), that of texts 4.5; the six of the palette are at least 0.07 apart in Oklab, also as
/// seen with protanopia, deuteranopia and tritanopia (Machado et al. 2009).
struct Ink {
  std::string_view name, light, dark;
};
inline constexpr std::array<Ink, 6> palette = {{{"c0", "#0072b2", "#4ea8e6"},
                                                {"c1", "#d55e00", "#ff8a4c"},
                                                {"c2", "#1ca388", "#43e0b8"},
                                                {"c3", "#a72f67", "#e0569f"},
                                                {"c4", "#5f3d00", "#fbd846"},
                                                {"c5", "#9078f5", "#c7c8ff"}}};
inline constexpr Ink paper_ink{"paper", "#ffffff", "#14171a"};
inline constexpr Ink text_ink{"ink", "#1b1f24", "#e8eaec"};
inline constexpr Ink muted_ink{"muted", "#57606a", "#a3adb8"};
inline constexpr Ink axis_ink{"axis", "#8c959f", "#6b757f"};
inline constexpr Ink grid_ink{"grid", "#dde1e6", "#2f353b"};
inline constexpr Ink minor_ink{"minor", "#eff1f3", "#1f2429"};

}  // namespace tain
