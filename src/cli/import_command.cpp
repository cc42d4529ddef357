#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "cli/corpus_job.hpp"
#include "cli/fill.hpp"
#include "cli/program.hpp"
#include "cli/terminal.hpp"
#include "report/text.hpp"
#include "text/import_options.hpp"

namespace tain::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string reading_text(const ImportReport& report) {
  if (report.folder) {
    return fmt::format("reading {}, a folder: every file is a document", report.source);
  }
  return fmt::format("reading {} as {}{}", report.source, format_name(report.format),
                     report.detection.empty() ? "" : fmt::format(": {}", report.detection));
}

/// "1,234 too short, 5 stop words"
std::string dropped_text(const ImportReport& report) {
  const std::array<std::pair<std::uint64_t, std::string_view>, 11> reasons{
      {{report.read.redirects, "redirects"},
       {report.read.other_pages, "pages outside the main namespace"},
       {report.read.not_files, "entries that are no files"},
       {report.text.too_short, "tokens too short"},
       {report.text.too_long, "tokens too long"},
       {report.text.stop_words, "stop words"},
       {report.unknown_tokens, "tokens outside the vocabulary"},
       {report.text.invalid_bytes, "bytes that are no UTF-8"},
       {report.rare_words, "words in too few documents"},
       {report.common_words, "words in too many documents"},
       {report.words_beyond_limit, "words beyond --max-vocab"}}};
  std::string text;
  for (const auto& [count, reason] : reasons) {
    if (count > 0) {
      text += fmt::format("{}{} {}", text.empty() ? "" : ",\n           ", grouped(count), reason);
    }
  }
  return text.empty() ? "nothing" : text;
}

std::string report_text(const std::filesystem::path& folder, const ImportReport& report) {
  return fmt::format(
      "corpus     {}\ndocuments  {} ({} empty)\nwords      {}\ntokens     {}\ndropped    {}\n",
      folder.string(), grouped(report.documents), grouped(report.empty_documents),
      grouped(report.words), grouped(report.tokens), dropped_text(report));
}

}  // namespace

int import_command(const Command& command, const RawOptions& raw) {
  const Options options(command, raw);
  const ImportOptions import = filled(ImportOptions(), options);
  const ImportPlan plan = import.plan(required_argument(command, raw));
  const std::filesystem::path folder = required_output(command, options);
  const Console console(options.on("quiet") ? Console::Volume::silent : Console::Volume::normal);
  Threads threads(*options.count("threads"));
  JobProgress progress("import", JobProgress::Unit::bytes, options);
  ImportObserver observer;
  observer.format_known = [&](const ImportReport& report) {
    import.refuse_idle(report);
    console.note(reading_text(report));
  };
  observer.progress = [&](const ImportProgress& now) {
    return progress.show(now.phase, now.documents, now.consumed, now.size) ? Next::go_on
                                                                           : Next::stop;
  };
  const std::optional<ImportReport> report =
      import_corpus(plan, folder, overwrite(options), threads, observer);
  progress.clear();
  if (!report) {
    console.note(fmt::format("stopped; nothing was written to {}", folder.string()));
    return static_cast<int>(Fault::interrupted);
  }
  if (options.on("json")) {
    Json object{{"corpus", folder.string()}, {"seconds", progress.seconds()}};
    object.update(Json::parse(import_manifest(plan, *report)));
    print(object.dump(2) + "\n");
  } else {
    print(report_text(folder, *report));
  }
  return 0;
}

}  // namespace tain::cli
