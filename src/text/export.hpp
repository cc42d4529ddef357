// From a corpus to the files that other programs read.
//
// Definition: bags of words in `uci`, `ldac`, `mm`, `svmlight` (numbered words, with the words
//   beside them in a file of their own) and `vw` (words by name, the document's name as tag, with
//   '_' for characters that vw cannot write); documents of words in `text` (a line: the tokens in
//   text order, one blank between) and `tsv` (`id<TAB>title<TAB>tokens`; the id is the document's
//   name, or its number from 1 where it has none). Tokens in order are counted for bags; a corpus
//   without order has no text to write: Error (config).
// Files: the path's ending chooses a compression (byte_sink.hpp); "-" is standard output, plain,
//   with no file of words. The words of numbered formats go to vocabulary_path(), never compressed.
//   Files appear whole or not at all.
// Laws: import of an export, with its words, is the corpus again: exactly for bags of words, token
//   by token for text (whose words must be tokens of the importing rule). Words that a format
//   cannot write (vw, text, tsv: empty or with blanks; vw: `:` and `|` too) are Error (data), as
//   are more documents without words in a row than readers of uci and mm believe
//   (max_missing_documents).
// Cost: one pass, and one before it that counts for the totals of numbered formats; memory is a few
// buffers and 4 bytes per word.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "core/file.hpp"
#include "tain/text/corpus.hpp"
#include "text/bag.hpp"
#include "text/formats.hpp"
#include "text/progress.hpp"

namespace tain {

struct ExportPlan {
  Format format = Format::mm;  ///< any but wikipedia
  std::filesystem::path path;  ///< a file, or "-" for standard output
  FirstId svmlight_first_id = FirstId::one;
};

struct ExportReport {
  std::uint64_t documents = 0, tokens = 0;
  std::uint64_t entries = 0;  ///< pairs of document and word; 0 for text and tsv
  std::optional<std::filesystem::path> vocabulary = {};  ///< file of words, where one was written
};

/// Where the words of a file of numbered words go, one per line: `vocab.X` beside `docword.X` (the
/// UCI collection's habit), else the path with `.vocab` behind it, compression endings left out:
/// `corpus.mm.vocab` of `corpus.mm.gz`.
std::filesystem::path vocabulary_path(const std::filesystem::path& path);

/// None if the observer stopped it; then nothing is left. Throws Error for what cannot be written.
std::optional<ExportReport> export_corpus(const Corpus& corpus, const ExportPlan& plan,
                                          Overwrite overwrite, const DocumentObserver& observer);

}  // namespace tain
