// Comma-separated values with a header row, as tables of numbers.
//
// Definition: the first line names the columns (quotes allowed, "" for a quote inside them); every
//   further line holds one finite number per column. Lines end with LF or CRLF, a byte-order mark
//   and blank lines at the end are ignored, and so are blanks around a cell.
// Laws: any bytes give a table or Error (data) with the message `<name>:<line>: ...`; numbers are
//   read the same in every locale.
// Cost: one pass.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tain {

struct CsvTable {
  std::string name;                  ///< file, for messages
  std::vector<std::string> columns;  ///< all different, none empty
  std::size_t rows = 0;
  std::vector<double> values;      ///< row-major
  std::vector<std::size_t> lines;  ///< line of the file each row stands on, from 1
};

CsvTable parse_csv(std::string_view text, std::string_view name);
/// Throws Error (no_input) if the file cannot be read.
CsvTable read_csv(const std::filesystem::path& path);

}  // namespace tain
