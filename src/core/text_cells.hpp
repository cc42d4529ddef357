// Cells and numbers of text files: shared by the readers of numbers and of tables.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace tain::text_cells {

inline constexpr std::string_view blanks = " \t\r";

inline std::string_view trim(std::string_view cell) {
  const auto first = cell.find_first_not_of(blanks);
  if (first == std::string_view::npos) {
    return {};
  }
  return cell.substr(first, cell.find_last_not_of(blanks) - first + 1);
}

/// The number that is all of `cell` (a leading + allowed), or none. "inf" and "nan" are numbers
/// here; a number too large or too small for a double is not.
inline std::optional<double> number(std::string_view cell) {
  if (cell.size() > 1 && cell[0] == '+' && cell[1] != '-') {
    cell.remove_prefix(1);
  }
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc{} || end != cell.data() + cell.size()) {
    return std::nullopt;
  }
  return value;
}

/// Takes the next line off `rest`, without its line end.
inline std::string_view next_line(std::string_view& rest) {
  const auto end = rest.find('\n');
  std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  if (!line.empty() && line.back() == '\r') {
    line.remove_suffix(1);
  }
  return line;
}

inline void drop_byte_order_mark(std::string_view& text) {
  if (text.starts_with("\xEF\xBB\xBF")) {
    text.remove_prefix(3);
  }
}

}  // namespace tain::text_cells
