#include "text/export.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/file.hpp"
#include "tain/core/error.hpp"
#include "text/export_run.hpp"
#include "text/fields.hpp"

namespace tain {
namespace {

namespace fs = std::filesystem;

bool is_text(const FormatRow& row) { return row.content == Content::text; }
bool is_numbered(const FormatRow& row) { return row.content == Content::numbers; }

void require_possible(const Corpus& corpus, const FormatRow& row) {
  if (!row.written) {
    fail(Fault::config, fmt::format("format {}", row.name), "can be read but not written",
         fmt::format("write {}", format_list(is_text)));
  }
  if (is_text(row) && corpus.order() == Order::none) {
    fail(Fault::config, corpus.name(),
         fmt::format("holds counts of words, not their order, which {} needs", row.name),
         fmt::format("write a bag of words: {}",
                     format_list([](const FormatRow& other) { return !is_text(other); })));
  }
}

void write_to(CorpusExportRun& run, const fs::path& path, Compression compression) {
  const std::unique_ptr<ByteSink> sink = open_sink(path, compression, run.name);
  const Content content = format_row(run.plan.format).content;
  (content == Content::numbers ? export_bags
   : content == Content::words ? export_word_bags
                               : export_text)(run, *sink);
  sink->finish();
}

void write_vocabulary(const Corpus& corpus, const fs::path& path) {
  write_atomically(path, [&](const fs::path& temporary) {
    const std::unique_ptr<ByteSink> sink = open_sink(temporary, Compression::none, path.string());
    std::string lines;
    for (const std::string& word : corpus.vocabulary()) {
      lines += word;
      lines += '\n';
    }
    sink->write(lines);
    sink->finish();
  });
}

void write_files(CorpusExportRun& run, Overwrite overwrite) {
  const fs::path& path = run.plan.path;
  if (path == "-") {
    write_to(run, path, Compression::none);
    return;
  }
  require_creatable(Field{"output"}, path, overwrite);
  if (is_numbered(format_row(run.plan.format))) {
    run.report.vocabulary = vocabulary_path(path);
    require_creatable(Field{"output"}, *run.report.vocabulary, overwrite);
  }
  write_atomically(path, [&](const fs::path& temporary) {
    write_to(run, temporary, compression_from_ending(path));
  });
  if (run.report.vocabulary) {
    write_vocabulary(run.corpus, *run.report.vocabulary);
  }
}

}  // namespace

WritableWords::WritableWords(const CorpusExportRun& run, std::string_view forbidden)
    : run_(run), writable_(run.corpus.words()) {
  for (std::uint32_t id = 0; id < run.corpus.words(); ++id) {
    const std::string& word = run.corpus.word(id);
    writable_[id] = !word.empty() && word.find_first_of(forbidden) == std::string::npos;
  }
}

void WritableWords::refuse(std::uint32_t id) const {
  fail(Fault::data, run_.name,
       fmt::format("word {} cannot be written", text::quoted(run_.corpus.word(id))),
       fmt::format("{} has no way to write it; write {}", format_name(run_.plan.format),
                   format_list(is_numbered)));
}

fs::path vocabulary_path(const fs::path& path) {
  constexpr std::string_view uci_beginning = "docword.";
  const fs::path plain = without_compression_ending(path);
  const std::string name = plain.filename().string();
  return plain.parent_path() / (name.starts_with(uci_beginning)
                                    ? "vocab." + name.substr(uci_beginning.size())
                                    : name + ".vocab");
}

std::optional<ExportReport> export_corpus(const Corpus& corpus, const ExportPlan& plan,
                                          Overwrite overwrite, const DocumentObserver& observer) {
  require_possible(corpus, format_row(plan.format));
  ExportReport report{.documents = corpus.documents(), .tokens = corpus.tokens()};
  CorpusExportRun run{corpus, plan, observer,
                      plan.path == "-" ? "standard output" : plan.path.string(), report};
  try {
    write_files(run, overwrite);
  } catch (const CorpusExportStopped&) {
    return std::nullopt;
  }
  return report;
}

}  // namespace tain
