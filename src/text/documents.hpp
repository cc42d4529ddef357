// Documents of text, read one by one.
//
// Definition: what is one document, and what its id is:
//   - text: a line; the id is the line's number. Empty lines are empty documents, so that numbers
//     stay what they are in the file;
//   - tsv: a line `id<TAB>title<TAB>text` or `id<TAB>text`; the first line says which, and a line
//     with another number of columns is an error;
//   - a folder: each file in it and in its folders, by relative path (the id) in the order of
//     bytes; the title is the file's name. Links to folders are not followed and things that are
//     neither file nor folder are not read; both are counted;
//   - wikipedia: an article of a MediaWiki dump (`pages-articles`), its markup removed; the id is
//     the page's. Redirects and pages outside the main namespace are skipped and counted. Of
//     several revisions the last is taken.
// Laws: any bytes give documents or Error (data) with the message `<name>:<line>: ...`. The text
//   may hold any bytes: what is not UTF-8 is for the tokenizer to count.
// Cost: one pass; memory is that of the longest document (at most `max_document_bytes`), and in a
//   folder the names in the folders open.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "tain/text/import.hpp"
#include "text/bytes.hpp"
#include "text/formats.hpp"

namespace tain {

inline constexpr std::size_t max_document_bytes = std::size_t{256} << 20;

struct Document {
  std::string_view id;
  std::string_view title;
  std::string_view text;
};

/// What was read, and what was passed over for which reason.
class DocumentReader {
 public:
  virtual ~DocumentReader() = default;
  /// The next document, valid until the next call; false at the end.
  virtual bool next(Document& document) = 0;
  /// Where the document read last begins: `<name>:<line>`, or the file's path in a folder.
  virtual std::string where() const = 0;
  /// Progress: bytes of the stored files used so far, and how many there are (none: not known).
  virtual std::uint64_t consumed() const = 0;
  virtual std::optional<std::uint64_t> size() const = 0;

  const DocumentCounts& counts() const { return counts_; }

 protected:
  DocumentCounts counts_;
};

/// A reader of text, tsv or wikipedia; another format is Error (internal).
std::unique_ptr<DocumentReader> read_documents(Format format, std::unique_ptr<ByteSource> source);
/// A reader of the files of a folder, each decompressed. Error (no_input) if it cannot be read.
std::unique_ptr<DocumentReader> read_folder(const std::filesystem::path& folder);

}  // namespace tain
