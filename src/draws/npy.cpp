// NumPy's array file: magic, version, length of a Python dictionary literal, the dictionary, data.
#include "tain/core/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <string>

#include "formats.hpp"
#include "output.hpp"
#include "tain/core/error.hpp"

namespace tain::draws {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t fixed_bytes = 10;  // magic, version 1.0, 16-bit length of the dictionary

struct NpyHeader {
  std::string_view dtype;
  std::vector<std::uint64_t> shape;
  std::size_t data_offset = 0;
};

// Reads the dictionary of a header: literals of the few kinds NumPy writes, nothing more.
class Dictionary {
 public:
  Dictionary(std::string_view text, std::string_view file) : rest_(text), file_(file) {}

  NpyHeader parse() {
    expect('{');
    while (!accept('}')) {
      const std::string_view key = quoted();
      expect(':');
      if (key == "descr") {
        header_.dtype = quoted();
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
    return header_;
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
      if (error != std::errc() || header_.shape.size() == most_dimensions) {
        broken("a shape that is no list of lengths");
      }
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      header_.shape.push_back(length);
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
  }

  std::string_view rest_;
  std::string_view file_;
  NpyHeader header_;
};

NpyHeader parse_header(std::string_view bytes, std::string_view file) {
  if (!bytes.starts_with(magic) || bytes.size() < fixed_bytes) {
    fail(Fault::data, file, "not an npy file");
  }
  const auto byte = [&](std::size_t i) {
    return std::size_t{static_cast<unsigned char>(bytes[i])};
  };
  std::size_t length = byte(8) | byte(9) << 8;
  std::size_t start = fixed_bytes;
  if (byte(6) == 2 || byte(6) == 3) {  // the length has 32 bits
    start = fixed_bytes + 2;
    if (bytes.size() < start) {
      fail(Fault::data, file, "cut inside its npy header");
    }
    length |= byte(10) << 16 | byte(11) << 24;
  } else if (byte(6) != 1) {
    fail(Fault::data, file, fmt::format("npy version {} is unknown", byte(6)));
  }
  if (bytes.size() - start < length) {
    fail(Fault::data, file, "cut inside its npy header");
  }
  NpyHeader header = Dictionary(bytes.substr(start, length), file).parse();
  header.data_offset = start + length;
  return header;
}

std::size_t item_bytes(const NpyHeader& header, std::string_view file) {
  if (header.dtype == "<f8") {
    return 8;
  }
  if (header.dtype == "<f4") {
    return 4;
  }
  fail(Fault::data, file, fmt::format("holds items of type '{}'", header.dtype),
       "save little-endian float64 or float32");
}

// Number of items, checked against what the file has.
std::size_t checked_items(const NpyHeader& header, std::size_t available, std::size_t item,
                          std::string_view file) {
  std::size_t bytes = item;
  for (const std::uint64_t length : header.shape) {
    if (__builtin_mul_overflow(bytes, length, &bytes)) {
      fail(Fault::data, file, "its npy header promises more data than any file can hold");
    }
  }
  if (bytes != available) {
    fail(Fault::data, file,
         fmt::format("its npy header promises {} bytes of data, the file has {}", bytes, available),
         "the file was cut or damaged");
  }
  return bytes / item;
}

}  // namespace

void write_npy(const std::filesystem::path& path, const DrawTable& table, std::uint64_t draws) {
  const DrawShape& shape = table.shape();
  const std::uint64_t lengths[] = {shape.chains, draws, shape.primal_dim};
  Output out(path);
  out.text(npy_header("<f8", lengths));
  const std::size_t kept = static_cast<std::size_t>(draws) * shape.primal_dim;
  const std::size_t stride = static_cast<std::size_t>(shape.draws) * shape.primal_dim;
  for (std::uint32_t chain = 0; chain < shape.chains; ++chain) {
    out.raw(table.primal().subspan(chain * stride, kept));
  }
  out.close();
}

DrawsFile parse_npy(std::span<const std::byte> bytes, std::string_view name) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const NpyHeader header = parse_header(text, name);
  const std::size_t item = item_bytes(header, name);
  const std::span<const std::byte> data = bytes.subspan(header.data_offset);
  const std::size_t items = checked_items(header, data.size(), item, name);
  const std::size_t rank = header.shape.size();
  if (rank == 0 || rank > 3) {
    fail(Fault::data, name, fmt::format("the array has {} dimensions", rank),
         "give shape (chains, draws, coordinates)");
  }
  // A vector is one chain, a matrix (chains, draws) of one quantity: what ArviZ makes of them too.
  const std::uint64_t chains = rank == 1 ? 1 : header.shape[0];
  const std::uint64_t draws = rank == 1 ? header.shape[0] : header.shape[1];
  const std::uint64_t dim = rank == 3 ? header.shape[2] : 1;
  if (items == 0) {
    fail(Fault::data, name, "holds no draws");
  }
  if (chains > std::numeric_limits<std::uint32_t>::max()) {
    fail(Fault::data, name, fmt::format("{} chains are too many", chains));
  }
  DrawsFile file;
  file.chains = static_cast<std::uint32_t>(chains);
  file.draws = draws;
  file.names = default_names(dim);
  file.info.names = file.names;
  file.values.resize(items);
  if (item == sizeof(double)) {
    std::memcpy(file.values.data(), data.data(), data.size());
    return file;
  }
  for (std::size_t i = 0; i < items; ++i) {
    float value = 0;
    std::memcpy(&value, data.data() + i * sizeof value, sizeof value);
    file.values[i] = value;
  }
  return file;
}

}  // namespace tain::draws
