#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/corpus_job.hpp"
#include "cli/fill.hpp"
#include "cli/program.hpp"
#include "report/text.hpp"
#include "tain/text/corpus.hpp"

namespace tain::cli {
namespace {

using Json = nlohmann::ordered_json;

Json report_json(const std::string& file, const ExportedCorpus& exported, double seconds) {
  Json object{{"file", file},
              {"format", exported.format},
              {"documents", exported.documents},
              {"tokens", exported.tokens},
              {"seconds", seconds}};
  if (exported.vocabulary) {
    object["vocabulary"] = exported.vocabulary->string();
  }
  return object;
}

std::string report_text(const std::string& file, const ExportedCorpus& exported) {
  std::string text =
      fmt::format("file       {} ({})\ndocuments  {}\ntokens     {}\n", file, exported.format,
                  grouped(exported.documents), grouped(exported.tokens));
  if (exported.vocabulary) {
    text += fmt::format("words      {}\n", exported.vocabulary->string());
  }
  return text;
}

}  // namespace

int export_command(const Command& command, const RawOptions& raw) {
  const Options options(command, raw);
  const std::string folder = required_argument(command, raw);
  const std::string file = required_output(command, options);
  const bool to_stdout = file == "-";
  if (to_stdout && options.on("json")) {
    fail(Fault::config, "--json", "standard output is taken by the export",
         "leave it out, or name a file with -o");
  }
  CorpusExportPlan plan = filled(CorpusExportPlan(), options);
  JobProgress progress("export", options);
  plan.overwrite = options.on("force");
  plan.progress = progress.watch();
  const ExportedCorpus exported = Corpus::open(folder).export_to(file, plan);
  progress.clear();
  if (options.on("json")) {
    print(report_json(file, exported, progress.seconds()).dump(2) + "\n");
  } else if (!to_stdout) {
    print(report_text(file, exported));
  }
  return 0;
}

}  // namespace tain::cli
