// Widths of texts on a terminal.
//
// Definition: a code point takes no column if it is a mark that combines with the one before or has
//   no width of its own, two if East Asian typography or emoji make it wide, else one. Bytes that
//   are not UTF-8 take one each. The table is coarse: whole blocks of Unicode, not single
//   characters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tain {

/// Columns that a text takes.
std::size_t display_width(std::string_view text);

/// Is it UTF-8 without control characters?
bool is_readable(std::string_view text);

/// The text if it fits, else its beginning and "..", together at most `width` columns (at least 2).
/// Never cuts inside a code point.
std::string cut_to_width(std::string_view text, std::size_t width);

}  // namespace tain
