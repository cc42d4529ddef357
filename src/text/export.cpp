#include "text/export.hpp"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "core/apart.hpp"
#include "core/failpoint.hpp"
#include "core/fields.hpp"
#include "core/file.hpp"
#include "tain/core/error.hpp"
#include "text/fields.hpp"

namespace tain {
namespace {

namespace fs = std::filesystem;

const Field output{"output"};

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

const FormatRow& chosen_format(const fs::path& path, const CorpusExportPlan& plan) {
  if (plan.format && *plan.format != "auto") {
    return format_row(format_from_name(*plan.format));
  }
  const auto found = format_from_ending(path.filename().string());
  if (!found) {
    fail(Fault::usage, output_place(output, path), "does not tell the format by its ending",
         Phrase("give ", Field{"format"}, ", or end it in ", written_endings()));
  }
  return format_row(*found);
}

void write_to(CorpusExportRun& run, const fs::path& path, Compression compression) {
  const std::unique_ptr<ByteSink> sink = open_sink(path, compression, run.name);
  const Content content = run.row.content;
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

void write_files(CorpusExportRun& run) {
  const fs::path& path = run.path;
  if (path == "-") {
    write_to(run, path, Compression::none);
    return;
  }
  const Overwrite overwrite = run.plan.overwrite ? Overwrite::yes : Overwrite::no;
  std::vector<NamedPath> outputs{{output, path}};
  if (is_numbered(run.row)) {
    run.exported.vocabulary = vocabulary_path(path);
    outputs.push_back({"the file of words", *run.exported.vocabulary});
  }
  const NamedPath corpus{"the folder of the corpus", run.corpus.folder()};
  require_apart(outputs, {&corpus, 1});
  for (const NamedPath& file : outputs) {
    require_creatable(output, file.path, overwrite);
  }
  write_atomically(path, [&](const fs::path& temporary) {
    write_to(run, temporary, compression_from_ending(path));
    run.corpus.require_whole();
  });
  if (run.exported.vocabulary) {
    write_vocabulary(run.corpus, *run.exported.vocabulary);
  }
}

}  // namespace

void CorpusExportRun::show(std::string_view phase, std::uint64_t documents) const {
  failpoint_count("documents", documents);
  if (plan.progress &&
      plan.progress({phase, documents, documents, corpus.documents()}) == Next::stop) {
    fail_stopped(name);
  }
}

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
       fmt::format("{} has no way to write it; write {}", run_.row.name, format_list(is_numbered)));
}

fs::path vocabulary_path(const fs::path& path) {
  constexpr std::string_view uci_beginning = "docword.";
  const fs::path plain = without_compression_ending(path);
  const std::string name = plain.filename().string();
  return plain.parent_path() / (name.starts_with(uci_beginning)
                                    ? "vocab." + name.substr(uci_beginning.size())
                                    : name + ".vocab");
}

void CorpusExportPlan::describe(Fields& fields) {
  constexpr std::array<std::string_view, 2> first_id_words{"0", "1"};
  std::vector<std::string_view> formats = format_names(&FormatRow::written);
  formats.insert(formats.begin(), "auto");
  fields.word("format", formats, format);
  fields.choice("first_id", first_id_words, first_id);
}

ExportedCorpus Corpus::export_to(const fs::path& path, const CorpusExportPlan& plan) const {
  require_in_range(plan);
  const FormatRow& row = chosen_format(path, plan);
  require_possible(*this, row);
  if (plan.first_id && !row.chooses_first_id) {
    fail(Fault::config, Field{"first_id"},
         fmt::format("{} fixes the number of its first word", row.name), "leave it out");
  }
  ExportedCorpus exported{
      .format = std::string(row.name), .documents = documents(), .tokens = tokens()};
  CorpusExportRun run{*this,   plan, row, path, path == "-" ? "standard output" : path.string(),
                      exported};
  write_files(run);
  return exported;
}

}  // namespace tain
