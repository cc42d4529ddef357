// What a character is to the tokenizer, by table.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "text/tokenizer.hpp"

namespace tain {

/// separator: ends a run, and nothing after it changes with what stood before it.
/// letter: becomes one letter, whatever stands before it; marks after it may still change it.
/// other: marks, ignorable characters, parts of Hangul syllables, letters that fold to several.
enum class LetterKind : std::uint8_t { separator, letter, other };

/// Kinds and folded forms of the code points of the basic multilingual plane.
class LetterTable {
 public:
  /// Built on first use (milliseconds), shared by all threads.
  static const LetterTable& of(LetterCase letter_case);

  LetterKind kind(std::int32_t code_point) const {
    return code_point < plane ? kinds_[static_cast<std::size_t>(code_point)] : LetterKind::other;
  }
  /// Of a letter in the sense of kind().
  std::int32_t folded(std::int32_t code_point) const {
    return folded_[static_cast<std::size_t>(code_point)];
  }
  /// Normal form of valid UTF-8 into `into`, which must hold `growth` code points for each one of
  /// the text; returns how many there are.
  std::size_t normalize(std::string_view text, std::vector<std::int32_t>& into) const;

  /// Most code points that one code point becomes (U+FDFA: 18).
  static constexpr std::size_t growth = 18;

 private:
  explicit LetterTable(LetterCase letter_case);
  LetterKind classify(std::int32_t code_point);

  static constexpr std::int32_t plane = 0x10000;
  int options_;
  std::vector<LetterKind> kinds_;
  std::vector<std::uint16_t> folded_;
};

bool is_letter(std::int32_t code_point);
bool is_mark(std::int32_t code_point);

/// One character of UTF-8; `bytes` is 0 where none begins.
struct Character {
  std::int32_t code_point = 0;
  std::size_t bytes = 0;
};
Character decode(std::string_view text, std::size_t position);
/// Writes at most four bytes and returns their number.
std::size_t encode(std::int32_t code_point, char* into);

}  // namespace tain
