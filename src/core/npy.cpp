#include "tain/core/npy.hpp"

#include <fmt/format.h>

#include <bit>

#include "tain/core/error.hpp"

namespace tain {

static_assert(std::endian::native == std::endian::little, "npy files are written little-endian");

std::string npy_header(std::string_view type, std::span<const std::uint64_t> shape) {
  constexpr std::size_t fixed_bytes = 10;  // magic, version 1.0, 16-bit length of the dictionary
  constexpr std::size_t data_alignment = 64;
  std::string lengths;
  for (const std::uint64_t length : shape) {
    lengths += fmt::format("{}{}", lengths.empty() ? "" : ", ", length);
  }
  lengths += shape.size() == 1 ? "," : "";  // a tuple of one
  std::string dictionary =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type, lengths);
  const std::size_t unpadded = fixed_bytes + dictionary.size() + 1;
  dictionary.append((data_alignment - unpadded % data_alignment) % data_alignment, ' ');
  dictionary.push_back('\n');
  TAIN_EXPECTS(dictionary.size() < 65536, "an array of few dimensions");
  std::string header("\x93NUMPY\x01", 7);
  header += {'\0', static_cast<char>(dictionary.size() & 0xff),
             static_cast<char>(dictionary.size() >> 8)};
  return header + dictionary;
}

}  // namespace tain
