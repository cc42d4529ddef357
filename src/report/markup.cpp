#include "report/markup.hpp"

#include <fmt/format.h>

#include <cmath>
#include <initializer_list>

#include "report/text.hpp"

namespace tain::report {
namespace {

std::string attribute(std::string_view property, std::string_view prefix, const Ink& ink) {
  return fmt::format(R"(class="tain-{}-{}" {}="{}")", prefix, ink.name, property, ink.light);
}

}  // namespace

std::string px(double value) {
  const double tenths = std::round(value * 10);
  std::string text = fmt::format("{:.1f}", tenths == 0 ? 0.0 : tenths / 10);
  if (text.ends_with(".0")) {
    text.resize(text.size() - 2);
  }
  return text;
}

std::string stroke(const Ink& ink) { return attribute("stroke", "s", ink); }
std::string fill(const Ink& ink) { return attribute("fill", "f", ink); }

std::string dark_style() {
  std::string rules;
  const auto add = [&](const Ink& ink) {
    rules += fmt::format(".tain-s-{0}{{stroke:{1}}}.tain-f-{0}{{fill:{1}}}", ink.name, ink.dark);
  };
  for (const Ink& ink : {paper_ink, text_ink, muted_ink, axis_ink, grid_ink, minor_ink}) {
    add(ink);
  }
  for (const Ink& ink : palette) {
    add(ink);
  }
  return "<style>@media(prefers-color-scheme:dark){" + rules + "}</style>\n";
}

double text_width(std::string_view text, double size) {
  double em = 0;
  for (const char c : text) {
    if (std::string_view("iljI.,:;|!' ").find(c) != std::string_view::npos) {
      em += 0.34;
    } else if (std::string_view("ftr()[]-/").find(c) != std::string_view::npos) {
      em += 0.41;
    } else if (std::string_view("mwMW%@").find(c) != std::string_view::npos) {
      em += 0.97;
    } else if (c >= 'A' && c <= 'Z') {
      em += 0.7;
    } else if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) {  // not the rest of a character
      em += 0.63;
    }
  }
  return em * size;
}

std::vector<std::string> wrapped(std::string_view text, double size, double width) {
  std::vector<std::string> lines;
  std::string line;
  while (!text.empty()) {
    const std::size_t space = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, space);
    text.remove_prefix(std::min(space + 1, text.size()));
    if (!line.empty() &&
        text_width(line, size) + text_width(" ", size) + text_width(word, size) > width) {
      lines.push_back(std::move(line));
      line.clear();
    }
    line += (line.empty() ? "" : " ") + std::string(word);
  }
  if (!line.empty()) {
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string text_element(double x, double y, std::string_view text, const LabelStyle& style) {
  constexpr std::string_view anchors[] = {"", R"( text-anchor="middle")", R"( text-anchor="end")"};
  const std::string weight =
      style.weight == 400 ? "" : fmt::format(R"( font-weight="{}")", style.weight);
  return fmt::format(R"(<text x="{}" y="{}" font-size="{}"{}{} {}>{}</text>)"
                     "\n",
                     px(x), px(y), px(style.size), anchors[static_cast<int>(style.anchor)], weight,
                     fill(style.ink), escaped(text));
}

}  // namespace tain::report
