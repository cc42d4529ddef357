// Any bytes give numbers or Error (data): the readers of targets/csv.hpp and core/number_file.hpp.
//   clang++-19 -fsanitize=fuzzer,address,undefined ...; also run by tests/targets/files_test.cpp.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string_view>

#include "core/number_file.hpp"
#include "tain/core/error.hpp"
#include "targets/csv.hpp"

namespace {

void require(bool condition, const char* law) {
  if (!condition) {
    throw std::logic_error(law);
  }
}

template <class F>
void allow_data_errors(F read) {
  try {
    read();
  } catch (const tain::Error& error) {
    require(error.fault() == tain::Fault::data, "a bad file is a data error");
    require(std::string_view(error.what()).starts_with("fuzz"), "messages name the file");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  allow_data_errors([&] {
    const tain::CsvTable table = tain::parse_csv(bytes, "fuzz");
    require(table.values.size() == table.rows * table.columns.size(), "one number per cell");
    require(table.lines.size() == table.rows && table.rows > 0, "one line per row");
    for (const double value : table.values) {
      require(std::isfinite(value), "numbers are finite");
    }
  });
  allow_data_errors([&] {
    const tain::NumberMatrix matrix = tain::parse_matrix(bytes, "fuzz");
    require(matrix.values.size() == matrix.rows * matrix.cols && !matrix.values.empty(),
            "a matrix is full");
  });
  allow_data_errors([&] {
    for (const double value : tain::parse_numbers(bytes, "fuzz")) {
      require(!std::isnan(value), "no number is NaN");
    }
  });
  return 0;
}
