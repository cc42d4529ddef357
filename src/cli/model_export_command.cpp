#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/fill.hpp"
#include "cli/model_job.hpp"
#include "cli/program.hpp"
#include "core/sizes.hpp"

namespace tain::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string report_text(const ExportedModel& exported) {
  std::string text;
  for (const std::filesystem::path& file : exported.files) {
    text += fmt::format("{}  {}\n", text.empty() ? "files    " : "         ", file.string());
  }
  if (!exported.corpus.empty()) {
    text +=
        fmt::format("documents  {} of {}\n", grouped(exported.documents), exported.corpus.string());
  }
  return text;
}

Json report_json(const ExportedModel& exported, double seconds) {
  Json object{{"files", Json::array()}};
  for (const std::filesystem::path& file : exported.files) {
    object["files"].push_back(file.string());
  }
  if (!exported.corpus.empty()) {
    object["corpus"] = exported.corpus.string();
    object["documents"] = exported.documents;
    object["unknown_tokens"] = exported.unknown_tokens;
  }
  object["seconds"] = seconds;
  return object;
}

}  // namespace

int model_export_command(const Command& command, const RawOptions& raw) {
  const Options options(command, raw);
  const std::string model = required_argument(command, raw);
  if (!options.given("format")) {
    fail(Fault::usage, command.name, "what to write is missing",
         "give --format pyldavis, mallet or gensim");
  }
  const std::filesystem::path folder = required_output(command, options);
  JobProgress progress("export", options);
  ModelExportPlan plan = filled(ModelExportPlan(), options);
  plan.corpus = given_corpus(options);
  plan.overwrite = options.on("force");
  plan.threads = options.threads();
  plan.progress = progress.watch();
  const ExportedModel exported =
      Model::open(model).export_to(folder, options.choice("format"), plan);
  progress.clear();
  print(options.on("json") ? report_json(exported, progress.seconds()).dump(2) + "\n"
                           : report_text(exported));
  return 0;
}

}  // namespace tain::cli
