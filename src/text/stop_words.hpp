// Words too common to tell one text from another.
//
// Definition: a set of words, compared byte for byte with tokens after case folding and before
//   stemming. The English list holds function words only (articles, pronouns, prepositions,
//   conjunctions, auxiliaries) and what contractions leave behind once the apostrophe separates
//   (`don`, `ll`, `ve`): no word that could name a topic.
// Cost: the first eight bytes of a word are one number, looked up without branches that depend on
//   the word; only words of which a longer stop word shares these bytes are looked at again.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace tain {

/// Sorted, lower-case.
std::span<const std::string_view> english_stop_words();

class StopWords {
 public:
  /// Words that hold NUL bytes and empty words are never stop words.
  void add(std::string_view word);
  bool contains(std::string_view word) const {
    std::array<char, key_bytes> padded{};
    std::memcpy(padded.data(), word.data(), std::min(word.size(), key_bytes));
    return contains(word, key_of(padded.data(), word.size()));
  }
  /// The same for a word of which at least eight bytes are readable.
  bool contains_padded(std::string_view word) const {
    return contains(word, key_of(word.data(), word.size()));
  }
  std::size_t size() const { return num_short_ + long_.size(); }

 private:
  static constexpr std::size_t key_bytes = 8;

  /// Looks up views without making strings of them.
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view word) const {
      return std::hash<std::string_view>()(word);
    }
  };

  /// What a key is: a stop word, the first bytes of longer ones, or both.
  static constexpr std::uint8_t whole = 1, beginning = 2;

  bool contains(std::string_view text, std::uint64_t key) const {
    const std::size_t first = slot(key);
    unsigned meaning = 0;
    for (std::size_t s = first; s <= first + reach_; ++s) {
      meaning |= meanings_[s] & (0U - static_cast<unsigned>(keys_[s] == key));
    }
    if ((meaning & beginning) != 0 && text.size() > key_bytes) {
      return long_.contains(text);
    }
    return ((meaning & whole) != 0) & (text.size() <= key_bytes);
  }
  /// The first bytes of the word, zeros behind them, as one number.
  static std::uint64_t key_of(const char* bytes, std::size_t size) {
    std::uint64_t key;
    std::memcpy(&key, bytes, key_bytes);
    const auto unused = static_cast<unsigned>(8 * (key_bytes - std::min(size, key_bytes)));
    if (unused == 64) {
      return 0;
    }
    return std::endian::native == std::endian::little ? key << unused >> unused
                                                      : key >> unused << unused;
  }
  std::size_t slot(std::uint64_t key) const {
    return static_cast<std::size_t>((key * 0x9E3779B97F4A7C15U) >> shift_);
  }
  void put(std::uint64_t key, std::uint8_t meaning);
  bool place(std::uint64_t key, std::uint8_t meaning);

  static constexpr std::size_t first_slots = 1024;
  /// Open addressing without wrapping: a key is at most `reach_` slots behind its own; 0 is free.
  std::size_t reach_ = 2;
  unsigned shift_ = 64 - 10;  ///< 64 less the logarithm of the number of slots
  std::vector<std::uint64_t> keys_ = std::vector<std::uint64_t>(first_slots + 2);
  std::vector<std::uint8_t> meanings_ = std::vector<std::uint8_t>(first_slots + 2);  ///< per slot
  std::size_t num_short_ = 0;
  std::unordered_set<std::string, Hash, std::equal_to<>> long_;
};

}  // namespace tain
