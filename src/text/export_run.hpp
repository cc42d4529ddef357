// What the exports of bags and of text share while they run.
#pragma once

#include "core/failpoint.hpp"
#include "text/byte_sink.hpp"
#include "text/export.hpp"

namespace tain {

/// Thrown where the observer asks to stop; never leaves export_corpus.
struct CorpusExportStopped {};

struct CorpusExportRun {
  const Corpus& corpus;
  const ExportPlan& plan;
  const DocumentObserver& observer;
  std::string name;  ///< of the file, for messages
  ExportReport& report;

  /// Calls work(d) for every document and shows the progress.
  template <class Work>
  void for_documents(std::string_view phase, const Work& work) const {
    constexpr std::uint64_t documents_between_reports = 1000;
    for (std::uint64_t d = 0; d < corpus.documents(); ++d) {
      if (d % documents_between_reports == 0) {
        show({phase, d, corpus.documents()});
      }
      work(d);
    }
    show({phase, corpus.documents(), corpus.documents()});
  }
  void show(const DocumentProgress& progress) const {
    failpoint_count("documents", progress.documents);
    if (observer(progress) == Next::stop) {
      throw CorpusExportStopped{};
    }
  }
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
