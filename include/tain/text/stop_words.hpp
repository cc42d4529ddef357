// Words too common to tell one text from another.
//
// Definition: a set of words, compared byte for byte with tokens after case folding and before
//   stemming. The English list holds function words only (articles, pronouns, prepositions,
//   conjunctions, auxiliaries) and what contractions leave behind once the apostrophe separates
//   (`don`, `ll`, `ve`): no word that could name a topic.
// Cost: a word of at most eight bytes is one number, looked up without a loop in most cases.
#pragma once

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
    if (word.size() > short_bytes) {
      return (long_sizes_ & size_bit(word)) != 0 && long_.contains(word);
    }
    std::array<char, short_bytes> padded{};
    std::memcpy(padded.data(), word.data(), word.size());
    return contains_short(padded.data(), word.size());
  }
  /// The same for a word followed by as many readable bytes as make eight.
  bool contains_padded(std::string_view word) const {
    return word.size() > short_bytes ? contains(word) : contains_short(word.data(), word.size());
  }
  std::size_t size() const { return num_short_ + long_.size(); }

 private:
  static constexpr std::size_t short_bytes = 8;

  /// Looks up views without making strings of them.
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view word) const {
      return std::hash<std::string_view>()(word);
    }
  };

  /// All sizes from 63 on share a bit.
  static std::uint64_t size_bit(std::string_view word) {
    return std::uint64_t{1} << (word.size() < 63 ? word.size() : 63);
  }
  bool contains_short(const char* bytes, std::size_t size) const {
    if (slots_.empty() || size == 0) {
      return false;
    }
    const std::uint64_t key = key_of(bytes, size);
    for (std::size_t s = slot(key);; s = (s + 1) & (slots_.size() - 1)) {
      if (slots_[s] == key || slots_[s] == 0) {
        return slots_[s] == key;
      }
    }
  }
  /// The bytes of the word and zeros, as one number.
  static std::uint64_t key_of(const char* bytes, std::size_t size) {
    std::uint64_t key;
    std::memcpy(&key, bytes, short_bytes);
    const auto unused = static_cast<unsigned>(8 * (short_bytes - size));
    return std::endian::native == std::endian::little ? key << unused >> unused
                                                      : key >> unused << unused;
  }
  std::size_t slot(std::uint64_t key) const {
    return static_cast<std::size_t>((key * 0x9E3779B97F4A7C15U) >> shift_);
  }
  void put_short(std::uint64_t key);

  std::vector<std::uint64_t> slots_;  ///< open addressing, at most a quarter full; 0: free
  unsigned shift_ = 0;                ///< 64 less the logarithm of the number of slots
  std::size_t num_short_ = 0;
  std::unordered_set<std::string, Hash, std::equal_to<>> long_;
  std::uint64_t long_sizes_ = 0;
};

}  // namespace tain
