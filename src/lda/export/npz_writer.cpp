#include "lda/export/npz_writer.hpp"

#include <zlib.h>

#include <algorithm>
#include <type_traits>

#include "core/npy.hpp"

namespace tain {
namespace {

constexpr std::uint16_t version = 45;       // 64-bit sizes
constexpr std::uint16_t date = 0x21;        // 1 January 1980, the first there is
constexpr std::uint32_t in_extra = ~0U;     // a size that stands in the extra field
constexpr std::size_t local_head = 30;      // bytes before a name
constexpr std::size_t place_of_crc = 14;    // in the local head
constexpr std::uint16_t wide_sizes = 0x01;  // the extra field of ZIP64

/// Integers one after the other, little-endian.
class ZipFields {
 public:
  template <class T>
  ZipFields& add(T value) {
    static_assert(std::is_unsigned_v<T>);
    for (std::size_t i = 0; i < sizeof value; ++i) {
      bytes_ += static_cast<char>(std::uint64_t{value} >> (8 * i) & 0xFF);
    }
    return *this;
  }
  ZipFields& text(std::string_view text) {
    bytes_ += text;
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

using Half = std::uint16_t;
using Word = std::uint32_t;
using Long = std::uint64_t;

/// What local heads and the directory have in common: from the version to the length of the name.
void add_common(ZipFields& fields, Word crc, std::size_t name_bytes) {
  fields.add(version).add(Half{0}).add(Half{0}).add(Half{0}).add(date);
  fields.add(crc).add(in_extra).add(in_extra).add(static_cast<Half>(name_bytes));
}

}  // namespace

void NpzWriter::begin(std::string_view name) {
  entries_.push_back({std::string(name) + ".npy", file_.size()});
  const std::string& path = entries_.back().name;
  ZipFields fields;
  fields.add(Word{0x04034b50});
  add_common(fields, 0, path.size());
  fields.add(Half{20}).text(path).add(wide_sizes).add(Half{16}).add(Long{0}).add(Long{0});
  file_.write(fields.bytes());
}

void NpzWriter::begin(std::string_view name, std::string_view type,
                      std::span<const std::uint64_t> shape) {
  begin(name);
  const std::string head = npy_header(type, shape);
  write(std::as_bytes(std::span(head)));
}

void NpzWriter::write(std::span<const std::byte> bytes) {
  Entry& entry = entries_.back();
  entry.crc = static_cast<std::uint32_t>(
      ::crc32_z(entry.crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
  entry.bytes += bytes.size();
  file_.write(bytes);
}

void NpzWriter::end() {
  const Entry& entry = entries_.back();
  file_.write_at(entry.position + place_of_crc, ZipFields().add(entry.crc).bytes());
  file_.write_at(entry.position + local_head + entry.name.size() + 2 * sizeof(Half),
                 ZipFields().add(entry.bytes).add(entry.bytes).bytes());
}

void NpzWriter::finish() {
  const std::uint64_t directory = file_.size();
  for (const Entry& entry : entries_) {
    ZipFields fields;
    fields.add(Word{0x02014b50}).add(version);
    add_common(fields, entry.crc, entry.name.size());
    fields.add(Half{28}).add(Half{0}).add(Half{0}).add(Half{0}).add(Word{0}).add(in_extra);
    fields.text(entry.name).add(wide_sizes).add(Half{24});
    fields.add(entry.bytes).add(entry.bytes).add(entry.position);
    file_.write(fields.bytes());
  }
  const std::uint64_t end = file_.size();
  const auto count = static_cast<Long>(entries_.size());
  ZipFields fields;
  fields.add(Word{0x06064b50}).add(Long{44}).add(version).add(version).add(Word{0}).add(Word{0});
  fields.add(count).add(count).add(end - directory).add(directory);
  fields.add(Word{0x07064b50}).add(Word{0}).add(end).add(Word{1});
  fields.add(Word{0x06054b50}).add(Half{0}).add(Half{0});
  fields.add(static_cast<Half>(count)).add(static_cast<Half>(count));
  fields.add(in_extra).add(in_extra).add(Half{0});
  file_.write(fields.bytes());
}

}  // namespace tain
