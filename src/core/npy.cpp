#include "core/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>

#include "tain/core/error.hpp"

namespace tain {

static_assert(std::endian::native == std::endian::little, "npy files are written little-endian");

namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t fixed_bytes = 10;  // magic, version 1.0, 16-bit length of the dictionary

// Reads the dictionary of a header: literals of the few kinds NumPy writes, nothing more.
class Dictionary {
 public:
  Dictionary(std::string_view text, std::string_view file) : rest_(text), file_(file) {}

  NpyHead parse() {
    expect('{');
    while (!accept('}')) {
      const std::string_view key = quoted();
      expect(':');
      if (key == "descr") {
        head_.type = quoted();
      } else if (key == "fortran_order") {
        require_c_order(word());
      } else if (key == "shape") {
        tuple();
      } else {
        broken("an unknown key");
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    return head_;
  }

 private:
  [[noreturn]] void broken(std::string_view what) const {
    fail(Fault::data, file_, fmt::format("its npy header has {}", what),
         "write the file again with numpy.save");
  }
  void skip_blanks() {
    const std::size_t blanks = rest_.find_first_not_of(" \n");
    rest_.remove_prefix(std::min(blanks, rest_.size()));
  }
  bool accept(char c) {
    skip_blanks();
    if (rest_.empty() || rest_.front() != c) {
      return false;
    }
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!accept(c)) {
      broken(fmt::format("no '{}' where one belongs", c));
    }
  }
  std::string_view quoted() {
    expect('\'');
    const std::size_t end = rest_.find('\'');
    if (end == std::string_view::npos) {
      broken("a string without end, or a structured type");
    }
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return text;
  }
  std::string_view word() {
    skip_blanks();
    const std::size_t end = std::min(rest_.find_first_of(",} "), rest_.size());
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return text;
  }
  void require_c_order(std::string_view value) const {
    if (value == "True") {
      fail(Fault::data, file_, "the array is in Fortran order",
           "save numpy.ascontiguousarray(array) instead");
    }
    if (value != "False") {
      broken("neither True nor False as fortran_order");
    }
  }
  void tuple() {
    constexpr std::size_t most_dimensions = 32;
    expect('(');
    while (!accept(')')) {
      std::uint64_t length = 0;
      skip_blanks();
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), length);
      if (error != std::errc() || head_.shape.size() == most_dimensions) {
        broken("a shape that is no list of lengths");
      }
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      head_.shape.push_back(length);
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
  }

  std::string_view rest_;
  std::string_view file_;
  NpyHead head_;
};

}  // namespace

std::string npy_header(std::string_view type, std::span<const std::uint64_t> shape) {
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

NpyHead parse_npy_head(std::string_view bytes, std::string_view name) {
  if (!bytes.starts_with(magic) || bytes.size() < fixed_bytes) {
    fail(Fault::data, name, "not an npy file");
  }
  const auto byte = [&](std::size_t i) {
    return std::size_t{static_cast<unsigned char>(bytes[i])};
  };
  std::size_t length = byte(8) | byte(9) << 8;
  std::size_t start = fixed_bytes;
  if (byte(6) == 2 || byte(6) == 3) {  // the length has 32 bits
    start = fixed_bytes + 2;
    if (bytes.size() < start) {
      fail(Fault::data, name, "cut inside its npy header");
    }
    length |= byte(10) << 16 | byte(11) << 24;
  } else if (byte(6) != 1) {
    fail(Fault::data, name, fmt::format("npy version {} is unknown", byte(6)));
  }
  if (bytes.size() - start < length) {
    fail(Fault::data, name, "cut inside its npy header");
  }
  NpyHead head = Dictionary(bytes.substr(start, length), name).parse();
  head.data_offset = start + length;
  return head;
}

std::size_t npy_items(const NpyHead& head, std::size_t available, std::size_t item_bytes,
                      std::string_view name) {
  std::size_t bytes = item_bytes;
  for (const std::uint64_t length : head.shape) {
    if (__builtin_mul_overflow(bytes, length, &bytes)) {
      fail(Fault::data, name, "its npy header promises more data than any file can hold");
    }
  }
  if (bytes != available) {
    fail(Fault::data, name,
         fmt::format("its npy header promises {} bytes of data, the file has {}", bytes, available),
         "the file was cut or damaged");
  }
  return bytes / item_bytes;
}

}  // namespace tain
