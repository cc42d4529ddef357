// corpus.bin in bytes: its header, shared by writer and reader.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "core/checksum.hpp"

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

/// Of the header's own bytes.
std::uint64_t header_checksum(const Header& header);

}  // namespace tain::corpus_file
