// Words and their numbers.
//
// Definition: a set of words, numbered from 0 in the order they were added.
// Laws: find(word(i)) = i; add() of a known word changes nothing and gives its number.
// Cost: one hash and about one comparison per look-up, which for words of at most eight bytes is
//   that of a number; memory is the words' bytes plus 40 bytes each, at most twice that while
//   growing.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/letter_case.hpp"

namespace tain {

class Vocabulary {
 public:
  static constexpr std::uint32_t none = 0xFFFF'FFFF;

  /// Number of the word, old or new.
  std::uint32_t add(std::string_view word) { return add(word, beginning_of(word)); }
  /// Number of the word, or `none`.
  std::uint32_t find(std::string_view word) const { return find(word, beginning_of(word)); }
  /// The same for words of which at least eight bytes are readable, such as tokens.
  std::uint32_t add_padded(std::string_view word) { return add(word, padded_beginning(word)); }
  std::uint32_t find_padded(std::string_view word) const {
    return find(word, padded_beginning(word));
  }
  std::string_view word(std::uint32_t id) const {
    return {letters_.data() + ends_[id], ends_[id + 1] - ends_[id]};
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(ends_.size() - 1); }
  /// Memory in use.
  std::size_t bytes() const;
  /// What these words need at least: bytes() is never more than twice that, but for small ones.
  std::size_t least_bytes() const;
  void clear();

 private:
  struct Slot {
    std::uint64_t beginning = 0;  ///< of the word: its first bytes, then zeros
    std::uint32_t size = 0;       ///< of the word, in bytes
    std::uint32_t id = none;
  };
  static constexpr std::size_t beginning_bytes = 8;

  static std::uint64_t beginning_of(std::string_view word) {
    std::uint64_t beginning = 0;
    if (!word.empty()) {
      std::memcpy(&beginning, word.data(), std::min(word.size(), beginning_bytes));
    }
    return beginning;
  }
  static std::uint64_t padded_beginning(std::string_view word) {
    std::uint64_t beginning;
    std::memcpy(&beginning, word.data(), beginning_bytes);
    const auto unused =
        static_cast<unsigned>(8 * (beginning_bytes - std::min(word.size(), beginning_bytes)));
    return std::endian::native == std::endian::little ? beginning << unused >> unused
                                                      : beginning >> unused << unused;
  }
  std::uint32_t add(std::string_view word, std::uint64_t beginning);
  std::uint32_t find(std::string_view word, std::uint64_t beginning) const;
  std::size_t place_of(std::string_view word, std::uint64_t beginning) const;
  void grow();

  std::vector<char> letters_;
  std::vector<std::size_t> ends_{0};  ///< word i has [ends_[i], ends_[i + 1]) of letters_
  std::vector<Slot> slots_ = std::vector<Slot>(64);
};

/// One word per line, as in published lists: surrounding blanks dropped, lower-cased (ASCII) if
/// case is folded. Empty lines, words that come twice, control characters and bytes that are not
/// UTF-8 are errors. Throws Error with file:line.
Vocabulary read_vocabulary(const std::filesystem::path& path, LetterCase letter_case);

}  // namespace tain
