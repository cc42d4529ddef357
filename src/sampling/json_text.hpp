// JSON as text and back: everybody who reads JSON reads it here.
//
// Laws: any bytes give a value, or Error (data) `<name>:<line>:<column>: is not valid JSON`. A value
//   is nested no deeper than `deepest_json` (copies, comparisons and printing are recursive), no
//   object has more than `most_members` (they keep their order, so that a key is looked up among
//   all), and the text is no larger than `most_record_bytes`.
// Cost: at most 4 s, and 30 bytes of memory for each of the text.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "tain/core/error.hpp"

namespace tain {

inline constexpr int deepest_json = 32;
inline constexpr std::size_t most_members = 500;

/// `name` and `remedy` are for messages.
nlohmann::ordered_json read_json(std::string_view text, std::string_view name,
                                 const Phrase& remedy = {});
/// For those who go on without: null where the text is none.
nlohmann::ordered_json parse_json(std::string_view text);
/// Whatever bytes its texts are.
std::string json_text(const nlohmann::ordered_json& json, int indent = -1);

}  // namespace tain
