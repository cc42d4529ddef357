#include "text/letters.hpp"

#include <utf8proc.h>

#include <algorithm>

#include "tain/core/error.hpp"

namespace tain {
namespace {

constexpr std::int32_t zero_width_space = 0x200B;

/// Hangul vowels and final consonants, the only letters that join the character before them.
bool joins_backwards(std::int32_t c) {
  return (c >= 0x1160 && c <= 0x11FF) || (c >= 0xD7B0 && c <= 0xD7FF);
}

int options_of(LetterCase letter_case) {
  const int common = UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_COMPOSE | UTF8PROC_IGNORE;
  return letter_case == LetterCase::fold ? common | UTF8PROC_CASEFOLD : common;
}

}  // namespace

bool is_letter(std::int32_t code_point) {
  const auto category = utf8proc_category(code_point);
  return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
}

bool is_mark(std::int32_t code_point) {
  const auto category = utf8proc_category(code_point);
  return category >= UTF8PROC_CATEGORY_MN && category <= UTF8PROC_CATEGORY_ME;
}

Character decode(std::string_view text, std::size_t position) {
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data()) + position;
  std::int32_t code_point = 0;
  const auto length =
      utf8proc_iterate(bytes, static_cast<utf8proc_ssize_t>(text.size() - position), &code_point);
  return {code_point, length > 0 ? static_cast<std::size_t>(length) : 0};
}

std::size_t encode(std::int32_t code_point, char* into) {
  return static_cast<std::size_t>(
      utf8proc_encode_char(code_point, reinterpret_cast<utf8proc_uint8_t*>(into)));
}

const LetterTable& LetterTable::of(LetterCase letter_case) {
  if (letter_case == LetterCase::fold) {
    static const LetterTable fold(LetterCase::fold);
    return fold;
  }
  static const LetterTable keep(LetterCase::keep);
  return keep;
}

LetterTable::LetterTable(LetterCase letter_case)
    : options_(options_of(letter_case)), kinds_(plane), folded_(plane) {
  for (std::int32_t c = 0; c < plane; ++c) {
    kinds_[static_cast<std::size_t>(c)] = classify(c);
  }
}

LetterKind LetterTable::classify(std::int32_t code_point) {
  if (code_point == zero_width_space) {
    return LetterKind::separator;
  }
  std::array<std::int32_t, growth> parts;
  const auto options = static_cast<utf8proc_option_t>(options_);
  int boundary = 0;
  auto length = utf8proc_decompose_char(code_point, parts.data(), parts.size(), options, &boundary);
  if (length <= 0 || utf8proc_get_property(parts[0])->combining_class != 0 ||
      joins_backwards(parts[0]) || is_mark(parts[0])) {
    return LetterKind::other;
  }
  if (std::none_of(parts.begin(), parts.begin() + length, is_letter)) {
    return LetterKind::separator;
  }
  length = utf8proc_normalize_utf32(parts.data(), length, options);
  if (length != 1 || !is_letter(parts[0]) || parts[0] >= plane) {
    return LetterKind::other;
  }
  folded_[static_cast<std::size_t>(code_point)] = static_cast<std::uint16_t>(parts[0]);
  return LetterKind::letter;
}

std::size_t LetterTable::normalize(std::string_view text, std::vector<std::int32_t>& into) const {
  const auto options = static_cast<utf8proc_option_t>(options_);
  const auto size = static_cast<utf8proc_ssize_t>(into.size());
  const auto parts =
      utf8proc_decompose(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                         static_cast<utf8proc_ssize_t>(text.size()), into.data(), size, options);
  if (parts < 0 || parts > size) {
    fail(Fault::internal, "normalize", "text is not UTF-8 or has grown too much",
         "please report it");
  }
  const auto length = utf8proc_normalize_utf32(into.data(), parts, options);
  return static_cast<std::size_t>(length);
}

}  // namespace tain
