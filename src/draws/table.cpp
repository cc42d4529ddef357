#include "draws/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <iterator>
#include <utility>

#include "tain/core/error.hpp"

namespace tain {
namespace {

// First bytes of every table. The last word tells a table of another machine's byte order apart.
struct Header {
  std::array<char, 8> magic = {'T', 'A', 'I', 'N', 'D', 'R', 'W', '1'};
  std::uint64_t chains = 0, draws = 0, primal_dim = 0, dual_dim = 0;
  std::uint64_t byte_order = 0x0102030405060708;
  std::uint64_t spare[2] = {};
};
static_assert(sizeof(Header) == 64, "the arrays after the header start on a cache line");

Header header_of(const DrawShape& shape) {
  Header header;
  header.chains = shape.chains;
  header.draws = shape.draws;
  header.primal_dim = shape.primal_dim;
  header.dual_dim = shape.dual_dim;
  return header;
}

void write_header(const MappedFile& file, const DrawShape& shape) {
  const Header header = header_of(shape);
  std::memcpy(file.bytes().data(), &header, sizeof header);
}

// Arrays in the order of the file, as (offset, length) in doubles behind the header.
struct Offset {
  std::size_t offset, length;
};
enum Array : std::size_t {
  primal_array,
  dual_array,
  log_density_array,
  acceptance_array,
  diverging_array
};

Offset place_of(const DrawShape& shape, Array array) {
  const std::size_t pairs = shape.chains * static_cast<std::size_t>(shape.draws);
  const std::size_t lengths[] = {pairs * shape.primal_dim, pairs * shape.dual_dim, pairs, pairs,
                                 pairs};
  std::size_t offset = 0;
  for (std::size_t before = 0; before < array; ++before) {
    offset += lengths[before];
  }
  return {offset, lengths[array]};
}

double* first_of(const MappedFile& file) {
  return reinterpret_cast<double*>(file.bytes().data() + sizeof(Header));
}

std::span<const double> array_of(const MappedFile& file, const DrawShape& shape, Array array) {
  const Offset place = place_of(shape, array);
  return {first_of(file) + place.offset, place.length};
}

std::uint64_t mixed(std::uint64_t bits, std::uint64_t place) {
  std::uint64_t x = bits ^ (place * 0x9E3779B97F4A7C15);
  x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93;
  x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93;
  return x ^ (x >> 32);
}

}  // namespace

std::size_t DrawShape::bytes() const {
  constexpr std::size_t limit = std::size_t{1} << 62;
  std::size_t pairs = 0, width = 0, numbers = 0, total = 0;
  const bool overflow = __builtin_mul_overflow(std::size_t{chains}, std::size_t{draws}, &pairs) ||
                        __builtin_add_overflow(primal_dim, dual_dim, &width) ||
                        __builtin_add_overflow(width, std::size_t{3}, &width) ||
                        __builtin_mul_overflow(pairs, width, &numbers) ||
                        __builtin_mul_overflow(numbers, sizeof(double), &total) ||
                        __builtin_add_overflow(total, sizeof(Header), &total);
  if (overflow || total > limit) {
    fail(Fault::config, Field{"draws"},
         fmt::format("{} chains of {} draws in {} dimensions are more than a file can hold", chains,
                     draws, primal_dim),
         Phrase("keep fewer draws, or raise ", Field{"thin"}));
  }
  return total;
}

DrawTable::DrawTable(MappedFile file, const DrawShape& shape)
    : file_(std::move(file)), shape_(shape) {}

DrawTable DrawTable::in_memory(const DrawShape& shape) {
  DrawTable table(MappedFile::anonymous(shape.bytes()), shape);
  write_header(table.file_, shape);
  return table;
}

DrawTable DrawTable::create(const std::filesystem::path& path, const DrawShape& shape) {
  DrawTable table(MappedFile::create(path, shape.bytes()), shape);
  write_header(table.file_, shape);
  return table;
}

DrawTable DrawTable::reopen(const std::filesystem::path& path, const DrawShape& shape) {
  DrawTable table(MappedFile::open_read_write(path), shape);
  const std::span<const std::byte> bytes = table.file_.bytes();
  const Header expected = header_of(shape);
  if (bytes.size() < sizeof(Header) ||
      std::memcmp(bytes.data(), expected.magic.data(), expected.magic.size()) != 0) {
    fail(Fault::data, path.string(), "not a table of draws", "start the run anew");
  }
  Header found;
  std::memcpy(&found, bytes.data(), sizeof found);
  if (std::memcmp(&found, &expected, sizeof found) != 0) {
    fail(Fault::data, path.string(),
         fmt::format("holds {} chains of {} draws in {} ({}) dimensions, not {} of {} in {} ({})",
                     found.chains, found.draws, found.primal_dim, found.dual_dim, shape.chains,
                     shape.draws, shape.primal_dim, shape.dual_dim),
         "resume with the options the run was started with");
  }
  if (bytes.size() != shape.bytes()) {
    fail(Fault::data, path.string(),
         fmt::format("has {} bytes, its header promises {}", bytes.size(), shape.bytes()),
         "the file was cut; start the run anew");
  }
  return table;
}

void DrawTable::put(const Draw& draw) {
  // In every build: what is written beside its place damages what others have.
  if (draw.chain >= shape_.chains || draw.draw >= shape_.draws ||
      draw.primal.size() != shape_.primal_dim || draw.dual.size() != shape_.dual_dim) {
    fail(Fault::internal, "draws",
         fmt::format("draw {} of chain {} in {} ({}) dimensions has no place among {} of {} in {} "
                     "({})",
                     draw.draw, draw.chain, draw.primal.size(), draw.dual.size(), shape_.draws,
                     shape_.chains, shape_.primal_dim, shape_.dual_dim),
         "please report it");
  }
  const std::size_t pair = draw.chain * static_cast<std::size_t>(shape_.draws) + draw.draw;
  double* const first = first_of(file_);
  const auto at = [&](Array array) { return first + place_of(shape_, array).offset; };
  std::ranges::copy(draw.primal, at(primal_array) + pair * shape_.primal_dim);
  std::ranges::copy(draw.dual, at(dual_array) + pair * shape_.dual_dim);
  at(log_density_array)[pair] = draw.log_density;
  at(acceptance_array)[pair] = draw.acceptance;
  at(diverging_array)[pair] = draw.divergent ? 1.0 : 0.0;
}

// A sum of numbers that depend on bits and place alone: any order of adding gives the same.
std::uint64_t DrawTable::checksum(std::uint64_t first, std::uint64_t end) const {
  const std::size_t widths[] = {shape_.primal_dim, shape_.dual_dim, 1, 1, 1};
  const double* const values = first_of(file_);
  std::uint64_t sum = 0;
  for (std::size_t array = 0; array < std::size(widths); ++array) {
    const std::size_t offset = place_of(shape_, static_cast<Array>(array)).offset;
    for (std::size_t chain = 0; chain < shape_.chains; ++chain) {
      const std::size_t row = chain * static_cast<std::size_t>(shape_.draws);
      for (std::size_t i = offset + (row + first) * widths[array];
           i < offset + (row + end) * widths[array]; ++i) {
        sum += mixed(std::bit_cast<std::uint64_t>(values[i]), i);
      }
    }
  }
  return sum;
}

void DrawTable::sync() const { file_.sync(); }

std::span<const double> DrawTable::primal() const { return array_of(file_, shape_, primal_array); }
std::span<const double> DrawTable::dual() const { return array_of(file_, shape_, dual_array); }
std::span<const double> DrawTable::log_density() const {
  return array_of(file_, shape_, log_density_array);
}
std::span<const double> DrawTable::acceptance() const {
  return array_of(file_, shape_, acceptance_array);
}
std::span<const double> DrawTable::diverging() const {
  return array_of(file_, shape_, diverging_array);
}

}  // namespace tain
