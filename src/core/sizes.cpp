#include "core/sizes.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

namespace tain {

std::optional<std::uint64_t> bytes_of(std::string_view text) {
  constexpr std::string_view units = "kMGT";
  for (const std::string_view ending : {"iB", "B"}) {
    if (text.ends_with(ending)) {
      text.remove_suffix(ending.size());
      break;
    }
  }
  double factor = 1;
  if (!text.empty()) {
    const char unit = text.back() == 'K' ? 'k' : text.back();
    if (const std::size_t power = units.find(unit); power != std::string_view::npos) {
      factor = std::pow(1024.0, static_cast<double>(power + 1));
      text.remove_suffix(1);
    }
  }
  text.remove_prefix(text.starts_with('+') ? 1 : 0);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size() && !text.empty();
  if (!whole || !(number > 0) || !(number * factor < 9e18)) {
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(number * factor);
}

std::string format_bytes(double bytes) {
  constexpr std::array<std::string_view, 7> units{"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  std::size_t unit = 0;
  while (bytes >= 1000 && unit + 1 < units.size()) {
    bytes /= 1024;
    ++unit;
  }
  return unit == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.3g} {}", bytes, units[unit]);
}

std::string grouped(std::uint64_t count) {
  std::string text = std::to_string(count);
  for (std::size_t left = text.size(); left > 3; left -= 3) {
    text.insert(left - 3, ",");
  }
  return text;
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(count), noun, count == 1 ? "" : "s");
}

}  // namespace tain
