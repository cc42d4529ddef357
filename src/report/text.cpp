#include "report/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tain {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

/// Bytes of the character at the front of `text`; 0 if it is no UTF-8 that XML allows.
std::size_t character_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  const std::size_t bytes = lead < 0x80             ? 1
                            : (lead & 0xE0) == 0xC0 ? 2
                            : (lead & 0xF0) == 0xE0 ? 3
                            : (lead & 0xF8) == 0xF0 ? 4
                                                    : 0;
  if (bytes == 0 || bytes > text.size()) {
    return 0;
  }
  std::uint32_t code = bytes == 1 ? lead : lead & (0x7Fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) {
      return 0;
    }
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  constexpr std::array<std::uint32_t, 5> least = {0, 0, 0x80, 0x800, 0x10000};
  const bool control = code < 0x20 && code != '\t' && code != '\n' && code != '\r';
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  const bool no_character = code == 0xFFFE || code == 0xFFFF || code > 0x10FFFF;
  return code < least[bytes] || control || surrogate || no_character ? 0 : bytes;
}

/// The minus sign of typography.
std::string signed_text(const std::string& number) {
  return number.starts_with('-') ? "−" + number.substr(1) : number;
}

std::string without_trailing_zeros(std::string number) {
  if (number.find('.') != std::string::npos) {
    number.erase(number.find_last_not_of('0') + 1);
    if (number.back() == '.') {
      number.pop_back();
    }
  }
  return number;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t bytes = character_bytes(text);
    switch (text.front()) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += bytes == 0 ? replacement : text.substr(0, bytes);
    }
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return out;
}

std::string measured(double value, double error) {
  if (!std::isfinite(value)) {
    return "–";
  }
  if (!std::isfinite(error) || !(error > 0)) {
    return compact(value, 4);
  }
  int digits = -leading_digit(error);
  // Two digits for errors that begin with 1: one would round them by up to a half.
  digits += error * std::pow(10.0, digits) < 1.95 ? 1 : 0;
  digits = std::max(digits, 0);
  if (digits > 8) {
    return fmt::format("{} ± {}", compact(value, 4), compact(error, 1));
  }
  return signed_text(fmt::format("{:.{}f} ± {:.{}f}", value, digits, error, digits));
}

int leading_digit(double value) {
  return static_cast<int>(std::floor(std::log10(std::abs(value))));
}

std::string compact(double value, int digits) {
  if (!std::isfinite(value)) {
    return "–";
  }
  if (value == 0) {
    return "0";
  }
  const std::string scientific = fmt::format("{:.{}e}", value, digits - 1);  // rounds first
  const std::size_t mark = scientific.find('e');
  const int leading = std::stoi(scientific.substr(mark + 1));
  if (leading >= -4 && leading <= 5) {
    return signed_text(
        without_trailing_zeros(fmt::format("{:.{}f}", value, std::max(0, digits - 1 - leading))));
  }
  const std::string mantissa = without_trailing_zeros(scientific.substr(0, mark));
  return mantissa == "1" ? power_of_ten(leading)
                         : signed_text(mantissa) + "×" + power_of_ten(leading);
}

std::string duration(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) {
    return "–";
  }
  if (seconds < 59.95) {
    return fmt::format("{:.1f} s", seconds);
  }
  const double whole = std::round(seconds);
  if (whole < 3600) {
    return fmt::format("{:.0f} min {:.0f} s", std::floor(whole / 60), std::fmod(whole, 60));
  }
  const double minutes = std::round(seconds / 60);
  return fmt::format("{:.0f} h {:.0f} min", std::floor(minutes / 60), std::fmod(minutes, 60));
}

std::string power_of_ten(int k) {
  constexpr std::array<std::string_view, 10> digits = {"⁰", "¹", "²", "³", "⁴",
                                                       "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = "10";
  for (const char c : std::to_string(k)) {
    text += c == '-' ? std::string_view("⁻") : digits[static_cast<std::size_t>(c - '0')];
  }
  return text;
}

}  // namespace tain
