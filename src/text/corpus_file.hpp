// corpus.bin in bytes: header and checksum, shared by writer and reader.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace tain::corpus_file {

inline constexpr std::array<char, 8> magic{'T', 'A', 'I', 'N', 'C', 'O', 'R', 'P'};
inline constexpr std::uint32_t version = 2;
inline constexpr std::uint32_t byte_order = 0x01020304;
inline constexpr std::size_t section_alignment = 64;

struct Section {
  std::uint64_t begin = 0;  ///< byte of the file
  std::uint64_t elements = 0;
  std::uint64_t checksum = 0;
};

/// First bytes of the file; all fields little-endian.
struct Header {
  std::array<char, 8> mark = magic;
  std::uint32_t format = version;
  std::uint32_t order_of_bytes = byte_order;
  std::uint32_t has_text_order = 0;
  std::uint32_t words = 0;
  std::uint64_t tokens = 0;
  Section ids, counts, offsets;
  std::uint64_t file_bytes = 0;
  std::uint64_t words_checksum = 0;  ///< of vocab.txt
  std::uint64_t checksum = 0;        ///< of the header before this field
};
static_assert(sizeof(Header) == 128 && std::is_trivially_copyable_v<Header>);
inline constexpr std::size_t header_bytes = sizeof(Header);

/// A checksum that can be fed in pieces of any size: four sums of 64-bit words, each multiplied by
/// an odd constant before the next word is added, so that order matters; at memory speed.
class Checksum {
 public:
  void add(std::span<const std::byte> bytes);
  std::uint64_t value() const;

 private:
  void add_stripe(const std::byte* stripe);
  static constexpr std::size_t stripe_bytes = 32;
  std::array<std::uint64_t, 4> sums_{0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB,
                                     0xD6E8FEB86659FD93};
  std::array<std::byte, stripe_bytes> rest_{};
  std::size_t left_ = 0;
  std::uint64_t length_ = 0;
};

/// Of the header's own bytes.
std::uint64_t header_checksum(const Header& header);

}  // namespace tain::corpus_file
