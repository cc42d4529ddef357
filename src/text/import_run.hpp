// What the imports of text and of bags share while they run.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/failpoint.hpp"
#include "text/corpus_writer.hpp"
#include "text/import.hpp"
#include "text/scratch.hpp"
#include "text/vocabulary.hpp"

namespace tain {

/// Thrown where the observer asks to stop; never leaves import_corpus.
struct ImportStopped {};

struct ImportRun {
  const ImportSettings& plan;
  CorpusFolder& folder;
  Threads& threads;
  const ImportObserver& observer;
  Scratch& scratch;
  std::filesystem::path source;  ///< what is read: the plan's, or the copy of a pipe
  ImportReport& report;

  /// The source from its beginning, under the name the user gave it.
  std::unique_ptr<ByteSource> open() const;
  void show(WorkProgress progress) const {
    progress.unit = WorkProgress::Unit::bytes;
    failpoint_count("documents", progress.documents);
    if (observer.progress(progress) == Next::stop) {
      throw ImportStopped{};
    }
  }
};

void import_text(ImportRun& run);
void import_bags(ImportRun& run);
void import_word_bags(ImportRun& run);

/// Fills the report from the writer and moves the corpus to its place.
void finish_corpus(ImportRun& run, CorpusWriter& writer, const Vocabulary& vocabulary);
/// The selected words, numbered; the report says what was left out. Error (data) if none is left.
Vocabulary selected_vocabulary(ImportRun& run, std::span<WordCounter> counters);

}  // namespace tain
