#include "core/display.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "tain/core/text_style.hpp"

namespace tain {
namespace {

struct Range {
  std::uint32_t first, last;
};

constexpr std::array without_width{
    Range{0x0300, 0x036F},  // combining marks
    Range{0x0483, 0x0489}, Range{0x0591, 0x05BD},   Range{0x0610, 0x061A}, Range{0x064B, 0x065F},
    Range{0x0900, 0x0902}, Range{0x093C, 0x093C},   Range{0x0941, 0x0948}, Range{0x094D, 0x094D},
    Range{0x0E31, 0x0E31}, Range{0x0E34, 0x0E3A},   Range{0x0E47, 0x0E4E}, Range{0x1AB0, 0x1AFF},
    Range{0x1DC0, 0x1DFF}, Range{0x200B, 0x200F},   Range{0x20D0, 0x20FF}, Range{0xFE00, 0xFE0F},
    Range{0xFE20, 0xFE2F}, Range{0xE0100, 0xE01EF},
};

constexpr std::array wide{
    Range{0x1100, 0x115F},                             // Hangul Jamo
    Range{0x2E80, 0x303E},                             // radicals, punctuation of CJK
    Range{0x3041, 0xA4CF},                             // kana, ideographs, Yi
    Range{0xA960, 0xA97F},                             // more Jamo
    Range{0xAC00, 0xD7A3},                             // Hangul syllables
    Range{0xF900, 0xFAFF},                             // compatibility ideographs
    Range{0xFE30, 0xFE6F},                             // vertical forms
    Range{0xFF00, 0xFF60},                             // full-width forms
    Range{0xFFE0, 0xFFE6},   Range{0x1F300, 0x1F64F},  // emoji
    Range{0x1F900, 0x1F9FF}, Range{0x20000, 0x3FFFD},  // rare ideographs
};

template <std::size_t size>
bool is_in(const std::array<Range, size>& table, std::uint32_t code) {
  return std::ranges::any_of(
      table, [&](const Range& range) { return code >= range.first && code <= range.last; });
}

struct CodePoint {
  std::size_t bytes, width;
};

/// The first of a text that is not empty.
CodePoint first_of(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t bytes = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (bytes == 1 || bytes > text.size()) {
    return {1, 1};
  }
  std::uint32_t code = lead & (0xFFU >> (bytes + 1));
  for (const char c : text.substr(1, bytes - 1)) {
    if ((c & 0xC0) != 0x80) {
      return {1, 1};
    }
    code = code << 6U | (static_cast<unsigned char>(c) & 0x3FU);
  }
  constexpr std::array<std::uint32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
  if (code < least[bytes] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) {
    return {1, 1};
  }
  return {bytes, is_in(without_width, code) ? 0U : is_in(wide, code) ? 2U : 1U};
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const CodePoint point = first_of(text);
    width += point.width;
    text.remove_prefix(point.bytes);
  }
  return width;
}

bool is_readable(std::string_view text) {
  while (!text.empty()) {
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t bytes = first_of(text).bytes;
    if (lead < 0x20 || lead == 0x7F || (lead >= 0x80 && bytes == 1)) {
      return false;
    }
    text.remove_prefix(bytes);
  }
  return true;
}

std::string cut_to_width(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) {
    return std::string(text);
  }
  std::string_view rest = text;
  std::size_t used = 2;  // for ".."
  while (true) {
    const CodePoint point = first_of(rest);
    if (used + point.width > width) {
      return std::string(text.substr(0, text.size() - rest.size())) + "..";
    }
    used += point.width;
    rest.remove_prefix(point.bytes);
  }
}

std::string TextStyle::painted(std::string_view text, Paint paint) const {
  constexpr std::array<int, 3> codes{32, 31, 1};  // green, red, bold
  return colours ? fmt::format("\x1b[{}m{}\x1b[0m", codes[static_cast<std::size_t>(paint)], text)
                 : std::string(text);
}

}  // namespace tain
