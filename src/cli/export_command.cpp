#include <fmt/format.h>

#include <array>

#include "cli/corpus_job.hpp"
#include "cli/program.hpp"
#include "cli/terminal.hpp"
#include "report/text.hpp"
#include "text/export.hpp"

namespace tain::cli {
namespace {

using Json = nlohmann::ordered_json;

/// By the ending of the file, that of a compression left out.
Format format_by_ending(const std::filesystem::path& path) {
  constexpr std::array<std::pair<std::string_view, Format>, 9> endings{
      {{".mm", Format::mm},
       {".mtx", Format::mm},
       {".ldac", Format::ldac},
       {".uci", Format::uci},
       {".svmlight", Format::svmlight},
       {".svm", Format::svmlight},
       {".vw", Format::vw},
       {".tsv", Format::tsv},
       {".txt", Format::text}}};
  std::filesystem::path plain = path;
  if (const std::string last = path.extension().string();
      last == ".gz" || last == ".bz2" || last == ".xz" || last == ".zst") {
    plain = path.stem();
  }
  for (const auto& [ending, format] : endings) {
    if (plain.extension() == ending) {
      return format;
    }
  }
  fail(Fault::usage, "-o " + path.string(), "does not tell the format by its ending",
       "give --format, or end it in .mm, .ldac, .uci, .svmlight, .vw, .tsv or .txt");
}

ExportPlan export_plan(const Command& command, const Options& options) {
  ExportPlan plan;
  plan.path = required_output(command, options);
  plan.format = options.choice("format") == "auto" ? format_by_ending(plan.path)
                                                   : format_from_name(options.choice("format"));
  if (options.given("first-id") && plan.format != Format::svmlight) {
    fail(Fault::config, "--first-id",
         fmt::format("{} fixes the number of its first word", format_name(plan.format)),
         "leave it out");
  }
  plan.svmlight_first_id = options.choice("first-id") == "0" ? FirstId::zero : FirstId::one;
  return plan;
}

Json report_json(const ExportPlan& plan, const ExportReport& report, double seconds) {
  Json object{{"file", plan.path.string()},
              {"format", format_name(plan.format)},
              {"documents", report.documents},
              {"tokens", report.tokens},
              {"seconds", seconds}};
  if (report.vocabulary) {
    object["vocabulary"] = report.vocabulary->string();
  }
  return object;
}

std::string report_text(const ExportPlan& plan, const ExportReport& report) {
  std::string text =
      fmt::format("file       {} ({})\ndocuments  {}\ntokens     {}\n", plan.path.string(),
                  format_name(plan.format), grouped(report.documents), grouped(report.tokens));
  if (report.vocabulary) {
    text += fmt::format("words      {}\n", report.vocabulary->string());
  }
  return text;
}

}  // namespace

int export_command(const Command& command, const RawOptions& raw) {
  const Options options(command, raw);
  const std::string folder = required_argument(command, raw);
  const ExportPlan plan = export_plan(command, options);
  const bool to_stdout = plan.path == "-";
  if (to_stdout && options.on("json")) {
    fail(Fault::config, "--json", "standard output is taken by the export",
         "leave it out, or name a file with -o");
  }
  const Corpus corpus = Corpus::open(folder);
  JobProgress progress("export", options);
  const std::optional<ExportReport> report =
      export_corpus(corpus, plan, overwrite(options), [&](const DocumentProgress& now) {
        return progress.show({now.phase, now.documents, now.documents, now.total});
      });
  progress.clear();
  const Console console = talk_of(options);
  if (!report) {
    console.note(fmt::format("stopped; nothing was written to {}", plan.path.string()));
    return static_cast<int>(Fault::interrupted);
  }
  if (options.on("json")) {
    print(report_json(plan, *report, progress.seconds()).dump(2) + "\n");
  } else if (!to_stdout) {
    print(report_text(plan, *report));
  }
  return 0;
}

}  // namespace tain::cli
