#include "text/letter_runs.hpp"

namespace tain {
namespace {

constexpr std::size_t mask_bytes = 64;
static_assert(LetterRuns::most_bytes % mask_bytes == 0);

/// Gathers the high bits of eight bytes: bit k is that of byte k.
std::uint64_t gather(std::uint64_t high) { return ((high >> 7) * 0x0102040810204080U) >> 56; }

/// Sixty-four bytes: which are ASCII letters, which are beyond ASCII; bit k speaks of byte k.
struct BlockMasks {
  std::uint64_t letters = 0, beyond = 0;
};

/// Writes the bytes with the bits of `fold` set to `folded`.
BlockMasks look_at_block(const char* bytes, std::uint64_t fold, char* folded) {
  BlockMasks masks;
  for (unsigned k = 0; k < mask_bytes / word_bytes; ++k) {
    const std::uint64_t word = load({bytes + word_bytes * k, word_bytes}, 0);
    masks.letters |= gather(ascii_letters(word)) << (word_bytes * k);
    masks.beyond |= word & high_bits;
    std::uint64_t stored = word | fold;
    if constexpr (std::endian::native == std::endian::big) {
      stored = __builtin_bswap64(stored);
    }
    std::memcpy(folded + word_bytes * k, &stored, word_bytes);
  }
  if (masks.beyond != 0) {
    masks.beyond = 0;
    for (unsigned k = 0; k < mask_bytes; ++k) {
      masks.beyond |= std::uint64_t{static_cast<unsigned char>(bytes[k])} >> 7 << k;
    }
  }
  return masks;
}

}  // namespace

void LetterRuns::look_at(std::string_view text, std::uint64_t fold) {
  text = text.substr(0, most_bytes);
  num_edges_ = 0;
  size_ = text.size();
  std::uint64_t before = 0;  // whether the byte before the block is a letter
  for (std::size_t at = 0; at < size_; at += mask_bytes) {
    char* const folded = folded_.data() + at;
    BlockMasks masks;
    if (size_ - at >= mask_bytes) {
      masks = look_at_block(text.data() + at, fold, folded);
    } else {
      std::array<char, mask_bytes> rest{};
      std::memcpy(rest.data(), text.data() + at, size_ - at);
      masks = look_at_block(rest.data(), fold, folded);
    }
    if (masks.beyond != 0) {
      const auto limit = static_cast<unsigned>(std::countr_zero(masks.beyond));
      size_ = at + limit;
      masks.letters &= (std::uint64_t{1} << limit) - 1;
    }
    put_edges(masks.letters ^ (masks.letters << 1 | before), at);
    before = masks.letters >> (mask_bytes - 1);
  }
  // A run that reaches the end may go on beyond it.
  if (num_edges_ > 0 && edges_[num_edges_ - 1] == size_) {
    --num_edges_;
  }
}

void LetterRuns::put_edges(std::uint64_t edges, std::size_t at) {
  std::uint32_t* to = edges_.data() + num_edges_;
  while (edges != 0) {
    for (std::size_t k = 0; k < edges_at_once; ++k) {
      *to++ = static_cast<std::uint32_t>(at) + static_cast<std::uint32_t>(std::countr_zero(edges));
      num_edges_ += edges != 0;
      edges &= edges - 1;
    }
  }
}

}  // namespace tain
