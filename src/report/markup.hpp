// Pieces of SVG: numbers, colours, and how much room a text needs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/figure.hpp"

namespace tain::report {

/// Places on the paper, to a tenth of a pixel: "12.5", "3", never "-0".
std::string px(double value);

/// Attributes of an ink: the light colour as an attribute, a class for the dark one.
std::string stroke(const Ink& ink);
std::string fill(const Ink& ink);
/// The style sheet of the classes in dark surroundings.
std::string dark_style();

/// Room that a text takes at most in the fonts of svg(): the widths of DejaVu Sans, the widest of
/// them.
double text_width(std::string_view text, double size);
/// Lines of at most `width`, broken at spaces (a word that is longer has its own line).
std::vector<std::string> wrapped(std::string_view text, double size, double width);

enum class Anchor { start, middle, end };
struct LabelStyle {
  double size = 12;
  Ink ink = muted_ink;
  Anchor anchor = Anchor::start;
  int weight = 400;
};
/// A <text> element, escaped.
std::string text_element(double x, double y, std::string_view text, const LabelStyle& style);

}  // namespace tain::report
