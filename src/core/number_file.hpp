// Vectors and matrices from files: counts, means, covariances, bounds.
//
// Definition: text: numbers separated by blanks, commas or semicolons, one row per line; blank
//   lines and what follows # are ignored, and so is a first line of names (none of its cells a
//   number). npy: NumPy's format, versions 1 to 3, little-endian float64, 1-d or 2-d, C or Fortran
//   order; recognised by its first bytes, whatever the file is called.
// Laws: any bytes give numbers or Error (data) that names the file and, for text, the line.
//   Infinities are numbers (a bound may be one), NaN is not.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>
#include <vector>

#include "tain/core/numbers.hpp"

namespace tain {

struct NumberMatrix {
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::vector<double> values;  ///< row-major
};

/// All rows have the same length. A 1-d npy array is one row.
NumberMatrix parse_matrix(std::string_view bytes, std::string_view name);
/// Throws Error (no_input) if the file cannot be read.
NumberMatrix read_matrix(const std::filesystem::path& path);
/// All numbers of the file in reading order; in text, rows may differ in length.
std::vector<double> parse_numbers(std::string_view bytes, std::string_view name);
std::vector<double> read_numbers(const std::filesystem::path& path);
/// With the numbers of the file, where they are still to be read. Throws Error (no_input, data).
Numbers loaded(Numbers numbers);

}  // namespace tain
