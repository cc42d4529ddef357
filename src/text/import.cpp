#include "text/import.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/file.hpp"
#include "tain/core/error.hpp"
#include "text/import_plan.hpp"
#include "text/import_run.hpp"

namespace tain {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t copy_bytes = std::size_t{1} << 20;

/// A source under another name: messages about a copy name what was copied.
class RenamedBytes final : public ByteSource {
 public:
  RenamedBytes(std::unique_ptr<ByteSource> source, std::string name)
      : source_(std::move(source)), name_(std::move(name)) {}
  std::size_t read(std::span<char> into) override { return source_->read(into); }
  const std::string& name() const override { return name_; }
  std::uint64_t consumed() const override { return source_->consumed(); }
  std::optional<std::uint64_t> size() const override { return source_->size(); }

 private:
  std::unique_ptr<ByteSource> source_;
  std::string name_;
};

std::string reading_text(const ImportReport& report) {
  if (report.folder) {
    return fmt::format("reading {}, a folder: every file is a document", report.source);
  }
  return fmt::format("reading {} as {}{}", report.source, report.format,
                     report.detection.empty() ? "" : fmt::format(": {}", report.detection));
}

bool lies_in(const fs::path& inner, const fs::path& outer) {
  return std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

/// A corpus inside its source would be read while it is written; a source inside the folder that is
/// replaced would go with it.
void require_apart(const fs::path& source, const fs::path& folder) {
  if (source == "-") {
    return;
  }
  std::error_code ignored;  // gives an empty path: then whoever opens it says what is wrong
  const fs::path from = fs::weakly_canonical(fs::absolute(source), ignored);
  const fs::path to = fs::weakly_canonical(fs::absolute(folder), ignored);
  if (!from.empty() && !to.empty() && (lies_in(to, from) || lies_in(from, to))) {
    fail(Fault::config, output_place(Field{"output"}, folder),
         fmt::format("the corpus and its source {} would lie one in the other", source.string()),
         "choose another folder");
  }
}

/// A pipe to a file, decompressed on the way.
void copy_source(const ImportRun& run, ByteSource& source, const fs::path& to) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(to.c_str(), "wb"),
                                                             &std::fclose);
  std::vector<char> buffer(copy_bytes);
  while (const std::size_t got = source.read(buffer)) {
    if (!file || std::fwrite(buffer.data(), 1, got, file.get()) != got) {
      fail(Fault::io, to.string(), std::strerror(errno), "make room on the disk and try again");
    }
    run.show({"copying", 0, source.consumed(), source.size()});
  }
  if (!file || std::fflush(file.get()) != 0) {
    fail(Fault::io, to.string(), std::strerror(errno), "make room on the disk and try again");
  }
}

/// Decides the format; copies what can be read once only: standard input and other pipes.
void prepare_source(ImportRun& run) {
  const bool standard_input = run.plan.source == "-";
  std::error_code ignored;
  if (!standard_input && fs::is_directory(run.plan.source, ignored)) {
    if (run.plan.format && *run.plan.format != Format::text) {
      fail(Fault::config, run.plan.source.string(),
           fmt::format("is a folder, which cannot be read as {}", format_name(*run.plan.format)),
           "give a file, or leave the format out: every file of a folder is a document");
    }
    run.report.folder = true;
    run.report.detection = run.plan.format ? "" : "it is a folder: every file is a document";
    run.observer.format_known(run.report);
    return;
  }
  PeekedBytes source(open_bytes(run.plan.source), detection_bytes);
  const Detection detection = detect_format(source.first(), run.plan.source.filename().string());
  run.report.format = format_name(run.plan.format.value_or(detection.format));
  run.report.detection = run.plan.format ? "" : detection.reason;
  run.observer.format_known(run.report);
  if (standard_input || !source.size()) {
    run.source = run.scratch.path() / "copy";
    copy_source(run, source, run.source);
  }
}

}  // namespace

ScratchFolder::ScratchFolder(fs::path path) : path_(std::move(path)) {
  std::error_code error;
  fs::remove_all(path_, error);
  if (!fs::create_directory(path_, error) || error) {
    fail(Fault::cannot_create, path_.string(), error.message(),
         "check the folder above it and its permissions");
  }
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::unique_ptr<ByteSource> ImportRun::open() const {
  return std::make_unique<RenamedBytes>(open_bytes(source), report.source);
}

Vocabulary selected_vocabulary(ImportRun& run, std::span<WordCounter> counters) {
  const SelectedWords selected = select_words(counters, run.plan.selection);
  run.report.rare_words = selected.too_rare;
  run.report.common_words = selected.too_common;
  run.report.words_beyond_limit = selected.beyond_limit;
  if (selected.kept.empty() && selected.too_rare + selected.too_common == 0) {
    fail(Fault::data, run.report.source,
         "no word is left: it has none, or all are stop words, too short or too long",
         "give another source, or other rules for words");
  }
  if (selected.kept.empty()) {
    fail(Fault::data, run.report.source,
         fmt::format("no word is left: {} in too few documents, {} in too many", selected.too_rare,
                     selected.too_common),
         Phrase("lower ", Field{"min_df"}, ", or raise ", Field{"max_df"}));
  }
  Vocabulary vocabulary;
  for (const WordCount& count : selected.kept) {
    vocabulary.add(count.word);
  }
  return vocabulary;
}

void finish_corpus(ImportRun& run, CorpusWriter& writer, const Vocabulary& vocabulary) {
  run.report.documents = writer.documents();
  run.report.tokens = writer.tokens();
  run.report.words = vocabulary.size();
  std::vector<std::string> words;
  words.reserve(vocabulary.size());
  for (std::uint32_t id = 0; id < vocabulary.size(); ++id) {
    words.emplace_back(vocabulary.word(id));
  }
  run.report.manifest = import_manifest(run.plan, run.report);
  writer.finish(words, run.report.manifest);
}

std::optional<ImportReport> import_documents(const ImportSettings& plan,
                                             const fs::path& destination, Overwrite overwrite,
                                             Threads& threads, const ImportObserver& observer) {
  // `corpus/` is `corpus`: temporary files stand beside it, not in it.
  const fs::path folder = folder_path(destination);
  if (plan.source.empty()) {
    fail(Fault::no_input, "source", "is empty", "give a file or a folder");
  }
  require_apart(plan.source, folder);
  require_corpus_place(folder, overwrite);
  ImportReport report;
  report.source = plan.source == "-" ? "standard input" : plan.source.string();
  ScratchFolder scratch(folder.string() + ".scratch");
  ImportRun run{plan, folder, overwrite, threads, observer, scratch, plan.source, report};
  try {
    prepare_source(run);
    switch (content_of(format_from_name(report.format))) {
      case Content::text:
        import_text(run);
        break;
      case Content::words:
        import_word_bags(run);
        break;
      case Content::numbers:
        import_bags(run);
        break;
    }
  } catch (const ImportStopped&) {
    return std::nullopt;
  }
  return report;
}

std::string import_manifest(const ImportSettings& plan, const ImportReport& report) {
  const Content content = content_of(format_from_name(report.format));
  Json json{{"source", report.source},       {"format", report.folder ? "folder" : report.format},
            {"documents", report.documents}, {"empty_documents", report.empty_documents},
            {"words", report.words},         {"tokens", report.tokens}};
  if (!report.detection.empty()) {
    json["detected_because"] = report.detection;
  }
  if (plan.vocabulary) {
    json["vocabulary"] = plan.vocabulary->string();
  } else if (content != Content::numbers) {
    json["vocabulary"] = {{"min_df", plan.selection.min_documents},
                          {"max_df", plan.selection.max_share},
                          {"max_vocab", plan.selection.max_words}};
  }
  if (content == Content::text) {
    json["tokenizer"] = {{"rule", plan.tokenizer.rule == TokenRule::ascii ? "ascii" : "unicode"},
                         {"keep_case", plan.tokenizer.letter_case == LetterCase::keep},
                         {"min_length", plan.tokenizer.min_characters},
                         {"max_length", plan.tokenizer.max_characters},
                         {"stop_words", plan.tokenizer.stop_words},
                         {"stemmer", plan.tokenizer.stemmer}};
  }
  json["dropped"] = {{"redirects", report.read.redirects},
                     {"pages_of_other_namespaces", report.read.other_pages},
                     {"not_files", report.read.not_files},
                     {"tokens_too_short", report.text.too_short},
                     {"tokens_too_long", report.text.too_long},
                     {"stop_words", report.text.stop_words},
                     {"invalid_bytes", report.text.invalid_bytes},
                     {"tokens_outside_vocabulary", report.unknown_tokens},
                     {"words_in_too_few_documents", report.rare_words},
                     {"words_in_too_many_documents", report.common_words},
                     {"words_beyond_limit", report.words_beyond_limit}};
  // Names of files need not be UTF-8; JSON must be.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Corpus import_corpus(const fs::path& source, const fs::path& folder, const ImportPlan& plan) {
  const ImportSettings settings = import_settings(plan, source);
  ImportObserver observer;
  observer.format_known = [&](const ImportReport& report) {
    refuse_idle(plan, report);
    if (plan.note) {
      plan.note(reading_text(report));
    }
  };
  if (plan.progress) {
    observer.progress = plan.progress;
  }
  Threads threads(plan.threads);
  const std::optional<ImportReport> report = import_documents(
      settings, folder, plan.overwrite ? Overwrite::yes : Overwrite::no, threads, observer);
  if (!report) {
    fail_stopped(folder);
  }
  if (plan.report) {
    plan.report(*report);
  }
  return Corpus::open(folder);
}

}  // namespace tain
