#include <fmt/format.h>

#include <array>

#include "cli/corpus_job.hpp"
#include "cli/fill.hpp"
#include "cli/program.hpp"
#include "cli/terminal.hpp"
#include "report/text.hpp"
#include "tain/text/import.hpp"

namespace tain::cli {
namespace {

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
  ImportPlan plan = filled(ImportPlan(), options);
  const std::string source = required_argument(command, raw);
  const std::filesystem::path folder = required_output(command, options);
  const Console console = console_of(options);
  JobProgress progress("import", options);
  ImportReport report;
  plan.threads = options.threads();
  plan.overwrite = options.on("force");
  plan.note = [&](std::string_view text) { console.note(text); };
  plan.progress = progress.watch();
  plan.report = [&](const ImportReport& done) { report = done; };
  import_corpus(source, folder, plan);
  progress.clear();
  if (options.on("json")) {
    print(made_json(folder, progress, report.manifest));
  } else {
    print(report_text(folder, report));
  }
  return 0;
}

}  // namespace tain::cli
