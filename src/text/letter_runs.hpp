// Runs of ASCII letters in a chunk of text, 64 bytes at a time.
//
// Definition: a run is a longest sequence of bytes a-z and A-Z. Edges are the places where runs
//   begin and end, in turn; a run that reaches the end of the chunk has no end yet.
// Cost: a few operations per eight bytes; no branch depends on where runs begin and end.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace tain {

inline constexpr std::size_t word_bytes = 8;

constexpr std::uint64_t every_byte(unsigned char byte) { return 0x0101010101010101U * byte; }
inline constexpr std::uint64_t high_bits = every_byte(0x80);

/// Eight bytes of text, the first one lowest; beyond the end come zeros, which are no letters.
inline std::uint64_t load(std::string_view text, std::size_t position) {
  std::uint64_t word = 0;
  if (text.size() - position >= word_bytes) {
    std::memcpy(&word, text.data() + position, word_bytes);
  } else {
    std::memcpy(&word, text.data() + position, text.size() - position);
  }
  if constexpr (std::endian::native == std::endian::big) {
    word = __builtin_bswap64(word);
  }
  return word;
}

/// The high bit of every byte that is an ASCII letter. With bit 5 set, letters are 0x61 to 0x7A;
/// adding 0x80 less a bound carries into the high bit from that bound on, and no further.
inline std::uint64_t ascii_letters(std::uint64_t word) {
  const std::uint64_t low = (word | every_byte(0x20)) & ~high_bits;
  return (low + every_byte(0x80 - 'a')) & ~(low + every_byte(0x80 - ('z' + 1))) & ~word & high_bits;
}

/// Number of bytes before the first one marked.
inline std::size_t bytes_before(std::uint64_t marks) {
  return static_cast<std::size_t>(std::countr_zero(marks)) / 8;
}

class LetterRuns {
 public:
  /// Text looked at at a time: what is known of it stays in the nearest cache.
  static constexpr std::size_t most_bytes = 4096;

  /// Looks at text until its end, `most_bytes`, or a byte beyond ASCII. The bits of `fold` are set
  /// in the copy that text() gives.
  void look_at(std::string_view text, std::uint64_t fold);
  /// How many bytes were looked at.
  std::size_t size() const { return size_; }
  /// A copy of them, followed by eight readable bytes.
  const char* text() const { return folded_.data(); }
  /// The caller may write over them.
  std::span<std::uint32_t> edges() { return {edges_.data(), num_edges_}; }

  /// Where the run begins that reaches the end, or the end if there is none.
  std::size_t open_run() const { return num_edges_ % 2 == 1 ? edges_[num_edges_ - 1] : size_; }
  /// Lets it end there.
  void close_run() {
    edges_[num_edges_] = static_cast<std::uint32_t>(size_);
    num_edges_ += num_edges_ % 2;
  }

 private:
  void put_edges(std::uint64_t edges, std::size_t at);

  /// Edges are written so many at a time, the last of them perhaps for nothing.
  static constexpr std::size_t edges_at_once = 8;
  std::size_t size_ = 0;
  std::size_t num_edges_ = 0;
  std::array<char, most_bytes + word_bytes> folded_{};
  std::array<std::uint32_t, most_bytes + edges_at_once> edges_{};
};

}  // namespace tain
