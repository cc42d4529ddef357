#include "lda/export/pickle.hpp"

#include <bit>
#include <cstddef>

#include "tain/core/error.hpp"

namespace tain {
namespace {

template <std::size_t bytes>
std::string little_endian(std::uint64_t value) {
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) {
    text += static_cast<char>(value >> (8 * i) & 0xFF);
  }
  return text;
}

}  // namespace

void Pickle::global(std::string_view module, std::string_view name) {
  bytes_ += 'c';
  bytes_ += module;
  bytes_ += '\n';
  bytes_ += name;
  bytes_ += '\n';
}

void Pickle::begin_object(std::string_view module, std::string_view name) {
  global(module, name);
  bytes_ += ")\x81}(";  // an empty tuple, a new object, and a dictionary for its attributes
}

void Pickle::call(std::string_view module, std::string_view name, std::uint64_t argument) {
  global(module, name);
  number(argument);
  bytes_ += "\x85R";  // a tuple of one, the call
}

void Pickle::text(std::string_view utf8) {
  TAIN_EXPECTS(utf8.size() < 0x8000'0000, "a text of moderate length");
  bytes_ += 'X' + little_endian<4>(utf8.size());
  bytes_ += utf8;
}

void Pickle::number(std::uint64_t value) {
  if (value < 0x8000'0000) {
    bytes_ += 'J' + little_endian<4>(value);
  } else {
    bytes_ += "\x8a\x09" + little_endian<9>(value);  // signed: a byte of zero makes it positive
  }
}

void Pickle::number(double value) {
  const std::string reversed = little_endian<8>(std::bit_cast<std::uint64_t>(value));
  bytes_ += 'G';
  bytes_.append(reversed.rbegin(), reversed.rend());
}

}  // namespace tain
