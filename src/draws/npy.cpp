#include "core/npy.hpp"

#include <fmt/format.h>

#include <cstring>
#include <limits>
#include <string>

#include "draws/formats.hpp"
#include "draws/output.hpp"
#include "tain/core/error.hpp"

namespace tain::draws {
namespace {

std::size_t item_bytes(const NpyHead& head, std::string_view file) {
  if (head.type == "<f8") {
    return 8;
  }
  if (head.type == "<f4") {
    return 4;
  }
  fail(Fault::data, file, fmt::format("holds items of type '{}'", head.type),
       "save little-endian float64 or float32");
}

}  // namespace

void write_npy(const std::filesystem::path& path, const Draws& draws) {
  const std::uint64_t lengths[] = {draws.chains, draws.draws, draws.names.size()};
  Output out(path);
  out.text(npy_header("<f8", lengths));
  out.raw(draws.values);
  out.close();
}

DrawsFile parse_npy(std::span<const std::byte> bytes, std::string_view name) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const NpyHead head = parse_npy_head(text, name);
  const std::size_t item = item_bytes(head, name);
  const std::span<const std::byte> data = bytes.subspan(head.data_offset);
  const std::size_t items = npy_items(head, data.size(), item, name);
  const std::size_t rank = head.shape.size();
  if (rank == 0 || rank > 3) {
    fail(Fault::data, name, fmt::format("the array has {} dimensions", rank),
         "give shape (chains, draws, coordinates)");
  }
  // A vector is one chain, a matrix (chains, draws) of one quantity: what ArviZ makes of them too.
  const std::uint64_t chains = rank == 1 ? 1 : head.shape[0];
  const std::uint64_t draws = rank == 1 ? head.shape[0] : head.shape[1];
  const std::uint64_t dim = rank == 3 ? head.shape[2] : 1;
  if (items == 0) {
    fail(Fault::data, name, "holds no draws");
  }
  if (chains > std::numeric_limits<std::uint32_t>::max()) {
    fail(Fault::data, name, fmt::format("{} chains are too many", chains));
  }
  DrawsFile file;
  file.chains = static_cast<std::uint32_t>(chains);
  file.draws = draws;
  file.names = coordinate_names({}, dim);
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
