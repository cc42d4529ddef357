// From a corpus to the files that other programs read: Corpus::export_to.
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

#include <filesystem>

#include "tain/text/corpus.hpp"
#include "text/bag.hpp"
#include "text/byte_sink.hpp"
#include "text/formats.hpp"

namespace tain {

/// Where the words of a file of numbered words go, one per line: `vocab.X` beside `docword.X` (the
/// UCI collection's habit), else the path with `.vocab` behind it, compression endings left out:
/// `corpus.mm.vocab` of `corpus.mm.gz`.
std::filesystem::path vocabulary_path(const std::filesystem::path& path);

/// What the exports of bags and of text share while they run.
struct CorpusExportRun {
  const Corpus& corpus;
  const CorpusExportPlan& plan;
  const FormatRow& row;
  std::filesystem::path path;  ///< a file, or "-" for standard output
  std::string name;            ///< of the file, for messages
  ExportedCorpus& exported;

  /// Calls work(d) for every document and shows the progress.
  template <class Work>
  void for_documents(std::string_view phase, const Work& work) const {
    constexpr std::uint64_t documents_between_reports = 1000;
    for (std::uint64_t d = 0; d < corpus.documents(); ++d) {
      if (d % documents_between_reports == 0) {
        show(phase, d);
      }
      work(d);
    }
    show(phase, corpus.documents());
  }

 private:
  void show(std::string_view phase, std::uint64_t documents) const;
};

void export_bags(CorpusExportRun& run, ByteSink& sink);
void export_word_bags(CorpusExportRun& run, ByteSink& sink);
void export_text(CorpusExportRun& run, ByteSink& sink);

/// Which words a format can write, asked once per word and not once per token.
class WritableWords {
 public:
  /// Words that are empty or hold one of `forbidden` are refused.
  WritableWords(const CorpusExportRun& run, std::string_view forbidden);
  /// The word of an id; Error (data) if it cannot be written.
  std::string_view operator[](std::uint32_t id) const {
    if (!writable_[id]) {
      refuse(id);
    }
    return run_.corpus.word(id);
  }

 private:
  [[noreturn]] void refuse(std::uint32_t id) const;

  const CorpusExportRun& run_;
  std::vector<bool> writable_;
};

}  // namespace tain
