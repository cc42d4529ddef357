// The words of wikitext's grammar: HTML entities and elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tain {

/// Code point of `name` in &name; or &#digits; (without & and ;), or 0 if it means none.
std::int32_t entity_code_point(std::string_view name);

/// contents: vanishes with all it contains; verbatim: contains text without markup; block: its
/// tags separate words; inline_text: its tags do not; unknown: no tag at all.
enum class Element : std::uint8_t { unknown, contents, verbatim, block, inline_text };

/// `name` in lower-case.
Element element_kind(std::string_view name);

}  // namespace tain
