// Names and titles of documents: documents.tsv of a corpus.
//
// Definition: line d of the file is `name<TAB>title` of document d; a corpus without the file, or
//   without folder, has neither, and gives empty ones.
// Laws: opening checks that every document has its line, and that every line has one tab and an
//   end: afterwards name(d) and title(d) cannot fail. Damage is Error (data) with file and line.
// Cost: opening reads the file once. Looking one up reads at most `lines_per_mark` lines; memory is
//   8 bytes for every `lines_per_mark` documents, the file itself is mapped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "core/file.hpp"
#include "tain/text/corpus.hpp"

namespace tain {

class DocumentNames {
 public:
  static constexpr std::uint64_t lines_per_mark = 32;

  static DocumentNames open(const Corpus& corpus);
  /// Does the corpus have names at all?
  bool any() const { return !marks_.empty(); }
  std::string_view name(std::uint64_t d) const;
  std::string_view title(std::uint64_t d) const;

 private:
  std::string_view text() const;
  std::string_view line(std::uint64_t d) const;

  MappedFile file_;
  std::vector<std::size_t> marks_;  ///< where lines 0, lines_per_mark, ... begin
};

}  // namespace tain
