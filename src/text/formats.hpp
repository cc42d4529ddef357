// The formats of text that can be read, and which of them a file is in.
//
// Definition: `text` and `tsv` are documents of words in order, `wikipedia` is a dump of articles;
//   `uci`, `ldac`, `mm`, `svmlight` are bags of numbered words, `vw` bags of words by name.
// Laws: the detection looks at the first bytes, decompressed, and at the name only where the bytes
//   fit two formats or there are none; it never fails, and says in words what it saw.
// Cost: one look at each byte given, for each format that is still possible; `detection_bytes` are
//   enough.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace tain {

enum class Format { text, tsv, uci, ldac, mm, svmlight, vw, wikipedia };

/// "text", "tsv", "uci", "ldac", "mm", "svmlight", "vw", "wikipedia".
std::string_view format_name(Format format);
/// Of all formats, in their order.
std::span<const std::string_view> format_names();
/// Throws Error (usage) with the nearest name if there is none.
Format format_from_name(std::string_view name);

/// How much of a file detect_format should see.
inline constexpr std::size_t detection_bytes = std::size_t{64} << 10;

struct Detection {
  Format format = Format::text;
  std::string reason;  ///< e.g. "every line is a number of words and as many id:count pairs"
};

Detection detect_format(std::string_view first_bytes, std::string_view file_name);

}  // namespace tain
