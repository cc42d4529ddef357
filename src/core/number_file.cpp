#include "core/number_file.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>

#include "core/file.hpp"
#include "core/text_cells.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

static_assert(std::endian::native == std::endian::little, "npy data are read as they are");

// ---- text --------------------------------------------------------------------------------------

std::vector<std::string_view> split(std::string_view line) {
  constexpr std::string_view separators = " \t\r,;";
  std::vector<std::string_view> cells;
  while (true) {
    line.remove_prefix(std::min(line.find_first_not_of(separators), line.size()));
    if (line.empty()) {
      return cells;
    }
    const auto end = line.find_first_of(separators);
    cells.push_back(line.substr(0, end));
    line.remove_prefix(std::min(end, line.size()));
  }
}

struct Ragged {
  std::vector<double> values;
  std::vector<std::size_t> row_sizes, lines;
};

Ragged parse_text(std::string_view text, std::string_view name) {
  text_cells::drop_byte_order_mark(text);
  Ragged table;
  bool first = true;
  for (std::size_t line_number = 1; !text.empty(); ++line_number) {
    const std::string_view line = text_cells::next_line(text);
    const auto cells = split(line.substr(0, line.find('#')));
    if (cells.empty()) {
      continue;
    }
    bool names = first;
    for (const std::string_view cell : cells) {
      names = names && !text_cells::number(cell);
    }
    first = false;
    if (names) {
      continue;
    }
    for (const std::string_view cell : cells) {
      const auto value = text_cells::number(cell);
      if (!value || std::isnan(*value)) {
        fail(Fault::data, fmt::format("{}:{}", name, line_number),
             fmt::format("'{}' is not a number", cell), "give numbers only");
      }
      table.values.push_back(*value);
    }
    table.row_sizes.push_back(cells.size());
    table.lines.push_back(line_number);
  }
  if (table.values.empty()) {
    fail(Fault::data, name, "no numbers", "give one or more");
  }
  return table;
}

// ---- npy ---------------------------------------------------------------------------------------

constexpr std::string_view npy_magic = "\x93NUMPY";

[[noreturn]] void bad_npy(std::string_view name, std::string_view problem) {
  fail(Fault::data, name, problem, "save a 1-d or 2-d float64 array with numpy.save");
}

/// What follows `'key':` in the header dictionary.
std::string_view header_value(std::string_view header, std::string_view key,
                              std::string_view name) {
  const auto at = header.find(fmt::format("'{}':", key));
  if (at == std::string_view::npos) {
    bad_npy(name, fmt::format("npy header has no '{}'", key));
  }
  header.remove_prefix(at + key.size() + 3);
  header.remove_prefix(std::min(header.find_first_not_of(' '), header.size()));
  return header;
}

/// The header dictionary; takes it and all before it off `bytes`.
std::string_view take_header(std::string_view& bytes, std::string_view name) {
  constexpr std::size_t fixed = 8;  // magic and two bytes of version
  if (bytes.size() < fixed + 4) {
    bad_npy(name, "npy file is cut short");
  }
  const auto byte = [&](std::size_t i) {
    return std::size_t{static_cast<unsigned char>(bytes[i])};
  };
  const bool wide = byte(6) >= 2;
  const std::size_t size =
      byte(8) | byte(9) << 8 | (wide ? byte(10) << 16 | byte(11) << 24 : std::size_t{0});
  const std::size_t start = fixed + (wide ? 4 : 2);
  if (byte(6) < 1 || byte(6) > 3 || size > bytes.size() - start) {
    bad_npy(name, "npy header is damaged");
  }
  const std::string_view header = bytes.substr(start, size);
  bytes.remove_prefix(start + size);
  return header;
}

std::vector<std::size_t> parse_shape(std::string_view tuple, std::string_view name) {
  std::vector<std::size_t> shape;
  const auto close = tuple.find(')');
  if (!tuple.starts_with('(') || close == std::string_view::npos) {
    bad_npy(name, "npy header is damaged");
  }
  for (const std::string_view cell : split(tuple.substr(1, close - 1))) {
    std::size_t extent = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), extent);
    if (error != std::errc{} || end != cell.data() + cell.size()) {
      bad_npy(name, "npy header is damaged");
    }
    shape.push_back(extent);
  }
  return shape;
}

NumberMatrix parse_npy(std::string_view bytes, std::string_view name) {
  const std::string_view header = take_header(bytes, name);
  if (!header_value(header, "descr", name).starts_with("'<f8'")) {
    bad_npy(name, "npy array is not of type '<f8'");
  }
  const bool fortran = header_value(header, "fortran_order", name).starts_with("True");
  const auto shape = parse_shape(header_value(header, "shape", name), name);
  if (shape.empty() || shape.size() > 2) {
    bad_npy(name, fmt::format("npy array is {}-d", shape.size()));
  }
  NumberMatrix m;
  m.rows = shape.size() == 2 ? shape[0] : 1;
  m.cols = shape.back();
  const std::size_t count = bytes.size() / sizeof(double);
  if (bytes.size() % sizeof(double) != 0 || m.rows == 0 || m.cols == 0 ||
      count / m.rows != m.cols || count % m.rows != 0) {
    bad_npy(name, fmt::format("npy array of shape {} x {} has {} bytes of data", m.rows, m.cols,
                              bytes.size()));
  }
  m.values.resize(count);
  std::memcpy(m.values.data(), bytes.data(), bytes.size());
  for (std::size_t i = 0; i < count; ++i) {
    if (std::isnan(m.values[i])) {
      bad_npy(name, fmt::format("number {} is NaN", i + 1));
    }
  }
  if (fortran && shape.size() == 2) {
    const std::vector<double> by_column = m.values;
    for (std::size_t i = 0; i < m.rows; ++i) {
      for (std::size_t j = 0; j < m.cols; ++j) {
        m.values[i * m.cols + j] = by_column[j * m.rows + i];
      }
    }
  }
  return m;
}

}  // namespace

NumberMatrix parse_matrix(std::string_view bytes, std::string_view name) {
  if (bytes.starts_with(npy_magic)) {
    return parse_npy(bytes, name);
  }
  Ragged table = parse_text(bytes, name);
  const std::size_t cols = table.row_sizes.front();
  for (std::size_t i = 0; i < table.row_sizes.size(); ++i) {
    if (table.row_sizes[i] != cols) {
      fail(Fault::data, fmt::format("{}:{}", name, table.lines[i]),
           fmt::format("{} numbers where the first row has {}", table.row_sizes[i], cols),
           "give rows of equal length");
    }
  }
  return {table.row_sizes.size(), cols, std::move(table.values)};
}

NumberMatrix read_matrix(const std::filesystem::path& path) {
  return parse_matrix(read_file(path), path.string());
}

std::vector<double> parse_numbers(std::string_view bytes, std::string_view name) {
  return bytes.starts_with(npy_magic) ? parse_npy(bytes, name).values
                                      : parse_text(bytes, name).values;
}

std::vector<double> read_numbers(const std::filesystem::path& path) {
  return parse_numbers(read_file(path), path.string());
}

Numbers loaded(Numbers numbers) {
  if (numbers.values.empty() && !numbers.source.empty()) {
    numbers.values = read_numbers(numbers.source);
  }
  return numbers;
}

}  // namespace tain
