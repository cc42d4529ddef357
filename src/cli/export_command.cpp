#include <fmt/format.h>

#include "cli/corpus_job.hpp"
#include "cli/program.hpp"
#include "cli/terminal.hpp"
#include "core/file.hpp"
#include "report/text.hpp"
#include "text/export.hpp"

namespace tain::cli {
namespace {

using Json = nlohmann::ordered_json;

Format format_by_ending(const std::filesystem::path& path) {
  const auto found = format_from_ending(path.filename().string());
  if (!found) {
    fail(Fault::usage, output_place(Field{"output"}, path),
         "does not tell the format by its ending",
         fmt::format("give --format, or end it in {}", written_endings()));
  }
  return *found;
}

ExportPlan export_plan(const Command& command, const Options& options) {
  ExportPlan plan;
  plan.path = required_output(command, options);
  plan.format = options.choice("format") == "auto" ? format_by_ending(plan.path)
                                                   : format_from_name(options.choice("format"));
  if (options.given("first-id") && !format_row(plan.format).chooses_first_id) {
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
  const Console console = console_of(options);
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
