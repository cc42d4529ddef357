#include "targets/csv.hpp"

#include <fmt/format.h>

#include <cmath>
#include <unordered_set>

#include "core/file.hpp"
#include "core/text_cells.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

/// Walks the cells of one line.
class Cells {
 public:
  Cells(std::string_view line, std::string where) : rest_(line), where_(std::move(where)) {}

  bool more() const { return more_; }

  /// The next cell, without blanks and quotes.
  std::string next() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(text_cells::blanks), rest_.size()));
    if (rest_.starts_with('"')) {
      return quoted();
    }
    const auto comma = rest_.find(',');
    std::string cell(text_cells::trim(rest_.substr(0, comma)));
    skip_to(comma);
    return cell;
  }

 private:
  std::string quoted() {
    std::string cell;
    for (std::size_t i = 1; i < rest_.size(); ++i) {
      if (rest_[i] != '"') {
        cell += rest_[i];
      } else if (i + 1 < rest_.size() && rest_[i + 1] == '"') {
        cell += rest_[i++];
      } else {
        const auto comma = rest_.find(',', i);
        if (!text_cells::trim(rest_.substr(i + 1, comma - std::min(comma, i + 1))).empty()) {
          fail(Fault::data, where_, "text after a closing quote", "quote the whole cell");
        }
        skip_to(comma);
        return cell;
      }
    }
    fail(Fault::data, where_, "quote is not closed", "close it on the same line");
  }

  void skip_to(std::size_t comma) {
    more_ = comma != std::string_view::npos;
    rest_.remove_prefix(more_ ? comma + 1 : rest_.size());
  }

  std::string_view rest_;
  std::string where_;
  bool more_ = true;
};

std::vector<std::string> parse_header(std::string_view line, const std::string& where) {
  std::vector<std::string> columns;
  std::unordered_set<std::string> seen;
  Cells cells(line, where);
  while (cells.more()) {
    columns.push_back(cells.next());
    if (columns.back().empty()) {
      fail(Fault::data, where, fmt::format("column {} has no name", columns.size()),
           "name every column in the first line");
    }
    if (!seen.insert(columns.back()).second) {
      fail(Fault::data, where, fmt::format("two columns are named '{}'", columns.back()),
           "give every column its own name");
    }
  }
  return columns;
}

void parse_row(std::string_view line, const std::string& where, CsvTable& table) {
  Cells cells(line, where);
  std::size_t column = 0;
  for (; cells.more(); ++column) {
    const std::string cell = cells.next();
    if (column == table.columns.size()) {
      fail(Fault::data, where, fmt::format("more than {} cells", table.columns.size()),
           "give one cell per column");
    }
    const auto value = text_cells::number(cell);
    if (!value || !std::isfinite(*value)) {
      fail(Fault::data, where,
           cell.empty() ? fmt::format("column '{}' is empty", table.columns[column])
                        : fmt::format("column '{}': '{}' is not a finite number",
                                      table.columns[column], cell),
           "remove or repair the row");
    }
    table.values.push_back(*value);
  }
  if (column < table.columns.size()) {
    fail(Fault::data, where, fmt::format("{} cells but {} columns", column, table.columns.size()),
         "give one cell per column");
  }
}

}  // namespace

CsvTable parse_csv(std::string_view text, std::string_view name) {
  text_cells::drop_byte_order_mark(text);
  CsvTable table;
  table.name = name;
  std::size_t line_number = 1;
  const std::string_view header = text_cells::next_line(text);
  if (text_cells::trim(header).empty()) {
    fail(Fault::data, fmt::format("{}:1", name), "no header", "name the columns in the first line");
  }
  table.columns = parse_header(header, fmt::format("{}:1", name));
  while (!text.empty()) {
    ++line_number;
    const std::string_view line = text_cells::next_line(text);
    if (text_cells::trim(line).empty()) {
      // Blank lines may only end the file: in the middle they are as likely a damaged row.
      if (text.find_first_not_of(" \t\r\n") != std::string_view::npos) {
        fail(Fault::data, fmt::format("{}:{}", name, line_number), "blank line", "remove it");
      }
      break;
    }
    parse_row(line, fmt::format("{}:{}", name, line_number), table);
    table.lines.push_back(line_number);
    ++table.rows;
  }
  if (table.rows == 0) {
    fail(Fault::data, fmt::format("{}:{}", name, line_number), "no rows after the header",
         "give one line of numbers or more");
  }
  return table;
}

CsvTable read_csv(const std::filesystem::path& path) {
  return parse_csv(read_file(path), path.string());
}

}  // namespace tain
