#include "text/import.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/apart.hpp"
#include "core/file.hpp"
#include "tain/core/error.hpp"
#include "text/byte_sink.hpp"
#include "text/import_plan.hpp"
#include "text/import_run.hpp"

namespace tain {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t copy_bytes = std::size_t{1} << 20;
constexpr const char* standard_input_file = "/dev/stdin";

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

/// A corpus inside its source would be read while it is written; what is read is not replaced.
void require_source_apart(const ImportSettings& plan, const fs::path& folder) {
  std::vector<NamedPath> inputs{{"the source", plan.source}};
  if (plan.vocabulary) {
    inputs.push_back({Field{"vocab"}, *plan.vocabulary});
  }
  require_apart(NamedPath{Field{"output"}, folder}, inputs);
  std::error_code ignored;  // gives an empty path: then whoever opens it says what is wrong
  const fs::path to = fs::weakly_canonical(fs::absolute(folder), ignored);
  for (const NamedPath& input : inputs) {
    const fs::path from = fs::weakly_canonical(fs::absolute(input.path), ignored);
    if (input.path != "-" && !from.empty() && !to.empty() &&
        (lies_in(to, from) || lies_in(from, to))) {
      fail(Fault::config, output_place(Field{"output"}, folder),
           Phrase("the corpus and ")
               .add(input.name)
               .add(fmt::format(" {} would lie one in the other", input.path.string())),
           "choose another folder");
    }
  }
}

/// A pipe to a file, decompressed on the way.
void copy_source(ImportRun& run, ByteSource& source, const fs::path& to) {
  const std::unique_ptr<ByteSink> file = open_sink(to, Compression::none, to.string());
  std::vector<char> buffer(copy_bytes);
  while (const std::size_t got = source.read(buffer)) {
    run.scratch.take(got);
    file->write({buffer.data(), got});
    run.show({"copying", 0, source.consumed(), source.size()});
  }
  file->finish();
}

/// A file that a shell opened as standard input, from its beginning.
bool is_whole_file(int file) {
  struct stat status{};
  return ::fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
         ::lseek(file, 0, SEEK_CUR) == 0 && ::access(standard_input_file, R_OK) == 0;
}

/// Decides the format; copies what can be read once only: standard input and other pipes.
void prepare_source(ImportRun& run) {
  if (run.source == "-" && is_whole_file(STDIN_FILENO)) {
    run.source = standard_input_file;
  }
  std::error_code ignored;
  if (fs::is_directory(run.source, ignored)) {
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
  PeekedBytes source(open_bytes(run.source), detection_bytes);
  const Detection detection = detect_format(source.first(), run.plan.source.filename().string());
  run.report.format = format_name(run.plan.format.value_or(detection.format));
  run.report.detection = run.plan.format ? "" : detection.reason;
  run.observer.format_known(run.report);
  if (run.source == "-" || !source.size()) {
    run.source = run.scratch.folder() / "copy";
    copy_source(run, source, run.source);
  }
}

}  // namespace

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
  const fs::path folder = folder_path(destination);
  if (plan.source.empty()) {
    fail(Fault::no_input, "source", "is empty", "give a file or a folder");
  }
  require_source_apart(plan, folder);
  CorpusFolder place(folder, overwrite);
  ImportReport report;
  report.source = plan.source == "-" ? "standard input" : plan.source.string();
  Scratch scratch(place.scratch(), plan.scratch_bytes);
  ImportRun run{plan, place, threads, observer, scratch, plan.source, report};
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
