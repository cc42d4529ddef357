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
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tain {

enum class Format { text, tsv, uci, ldac, mm, svmlight, vw, wikipedia };

class BagReader;
class BagWriter;
class ByteSource;
class DocumentReader;
struct BagOptions;
struct BagTotals;
struct FormatSample;
enum class FirstId : std::uint32_t;

using ReadDocuments = std::unique_ptr<DocumentReader>(std::unique_ptr<ByteSource>);
using ReadBags = std::unique_ptr<BagReader>(std::unique_ptr<ByteSource>, const BagOptions&);
using WriteBags = std::unique_ptr<BagWriter>(std::ostream&, std::string name, const BagTotals&,
                                             FirstId);

/// What a source holds: texts to be cut into tokens, bags of words by name, or by number.
enum class Content { text, words, numbers };

/// All that is known of a format; reading, detecting, writing and help go by its row.
struct FormatRow {
  Format format;
  std::string_view name;
  std::string_view endings;  ///< of its files with blanks between, those of compressions apart
  Content content;
  std::size_t asked;  ///< its turn when a format is detected
  /// Does the sample fit? `named`: does its name, too? For where bytes fit two formats.
  bool (*detect)(const FormatSample& sample, bool named);
  std::string_view reason;  ///< what one sees then
  ReadDocuments* read_text = nullptr;
  ReadBags* read_bags = nullptr;
  WriteBags* write_bags = nullptr;
  bool written = true;            ///< or only read?
  bool loses_empty = false;       ///< leaves no trace of documents without words
  bool chooses_first_id = false;  ///< may the first word be 0 or 1?
};
const FormatRow& format_row(Format format);

std::string_view format_name(Format format);
/// Of all formats in their order, or of those that have something.
std::vector<std::string_view> format_names(bool FormatRow::* has = nullptr);
/// "uci, ldac or mm": those that are written and that the function wants.
std::string format_list(bool (*wanted)(const FormatRow&));
/// By the ending of the name, that of a compression left out; none if it is nobody's.
std::optional<Format> format_from_ending(std::string_view file_name);
/// The usual ending of every format that is written: ".txt, .tsv or ...".
std::string written_endings();
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
