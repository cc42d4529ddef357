#include "diagnose/finding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace tain::diagnostics {

std::string plural(std::uint64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string chains_text(std::span<const std::size_t> chains) {
  constexpr std::size_t most = 3;
  const std::size_t shown = std::min(chains.size(), most), more = chains.size() - shown;
  std::string text = chains.size() == 1 ? "chain" : "chains";
  for (std::size_t i = 0; i < shown; ++i) {
    const bool last = i + 1 == shown && more == 0 && i > 0;
    text += fmt::format("{}{}", i == 0 ? " " : last ? " and " : ", ", chains[i] + 1);
  }
  return more == 0 ? text : fmt::format("{} and {} more", text, more);
}

std::string beside(double value, double gate, int decimals) {
  if (!std::isfinite(value)) {
    return value > 0 ? "inf" : "-inf";
  }
  constexpr int most = 15;
  std::string text;
  do {
    text = fmt::format("{:.{}f}", value, decimals);
    const double shown = std::strtod(text.c_str(), nullptr);
    if ((shown < gate) == (value < gate) && (shown > gate) == (value > gate)) {
      break;
    }
  } while (++decimals <= most);
  return text;
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  if (part >= whole) {
    return "100 %";
  }
  const double value = 100 * static_cast<double>(part) / static_cast<double>(whole);
  constexpr double least = 0.001, most = 99.9;
  if (part > 0 && value < least) {
    return "below 0.001 %";
  }
  if (value > most) {
    return "above 99.9 %";
  }
  const int decimals =
      value == 0 ? 0 : std::max(0, 2 - static_cast<int>(std::floor(std::log10(value))));
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (decimals > 0) {
    text.erase(text.find_last_not_of('0') + 1);
    text.erase(text.find_last_not_of('.') + 1);
  }
  return text + " %";
}

}  // namespace tain::diagnostics
