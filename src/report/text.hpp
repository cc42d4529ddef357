// Numbers and texts as people read them, and as markup takes them.
#pragma once

#include <string>
#include <string_view>

#include "core/sizes.hpp"

namespace tain {

/// For element content and quoted attributes of XML and HTML: & < > " ' escaped, control characters
/// that XML forbids and bytes that are no UTF-8 replaced by U+FFFD.
std::string escaped(std::string_view text);

/// Value with the digits that its error leaves, e.g. "0.0123 ± 0.0004"; the error gets one digit,
/// two if it begins with 1. Without an error (0 or not finite) four significant digits; NaN: "–".
std::string measured(double value, double error);
/// Significant digits without trailing zeros: 0.0005 as "0.0005", 3e-6 as "3×10⁻⁶".
std::string compact(double value, int digits = 3);
/// "3 h 12 min", "4 min 10 s", "8.2 s".
std::string duration(double seconds);
/// The power of ten of the first digit: 0.05 has -2.
int leading_digit(double value);
/// 10 to the k, in superscript digits.
std::string power_of_ten(int k);

}  // namespace tain
