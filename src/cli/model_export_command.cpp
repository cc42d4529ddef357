#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/fill.hpp"
#include "cli/model_job.hpp"
#include "cli/program.hpp"
#include "cli/terminal.hpp"
#include "lda/export/model_export.hpp"
#include "report/text.hpp"

namespace tain::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

ModelFormat required_format(const Command& command, const Options& options) {
  if (!options.given("format")) {
    fail(Fault::usage, command.name, "what to write is missing",
         "give --format pyldavis, mallet or gensim");
  }
  return model_format(options.choice("format"));
}

/// Options that would do nothing are refused.
void refuse_idle_options(const Options& options, ModelFormat format) {
  if (documents_of(format) == Documents::needed) {
    return;
  }
  for (const std::string_view flag : {"corpus", "sweeps"}) {
    if (options.given(flag)) {
      fail(Fault::config, fmt::format("--{}", flag), "this format says nothing of documents",
           "leave it out");
    }
  }
}

std::optional<Corpus> required_corpus(const Options& options, const Model& model,
                                      ModelFormat format) {
  if (documents_of(format) == Documents::none) {
    return std::nullopt;
  }
  std::optional<Corpus> corpus = reference_corpus(options, model);
  if (!corpus) {
    fail(Fault::config, "--corpus",
         fmt::format("the format needs documents, and those trained on are not in {} any more",
                     model.facts().corpus_folder),
         "give --corpus DIR");
  }
  return corpus;
}

/// The folder, and that nothing in it is overwritten unless asked to.
void prepare_folder(const fs::path& folder, ModelFormat format, Overwrite overwrite) {
  std::error_code error;
  if (!fs::is_directory(folder, error) && !fs::create_directory(folder, error)) {
    fail(Fault::cannot_create, folder.string(),
         error ? error.message() : std::string("is no folder"), "choose another folder");
  }
  for (const std::string_view name : export_files(format)) {
    require_creatable(folder / name, overwrite);
  }
}

std::string report_text(const fs::path& folder, ModelFormat format, const Corpus* corpus,
                        const InferenceReport& report) {
  std::string text;
  for (const std::string_view name : export_files(format)) {
    text +=
        fmt::format("{}  {}\n", text.empty() ? "files    " : "         ", (folder / name).string());
  }
  if (corpus != nullptr) {
    text +=
        fmt::format("documents  {} of {}\n", grouped(report.documents), corpus->folder().string());
  }
  return text;
}

Json report_json(const fs::path& folder, ModelFormat format, const Corpus* corpus,
                 const InferenceReport& report, double seconds) {
  Json object{{"files", Json::array()}};
  for (const std::string_view name : export_files(format)) {
    object["files"].push_back((folder / name).string());
  }
  if (corpus != nullptr) {
    object["corpus"] = corpus->folder().string();
    object["documents"] = report.documents;
    object["unknown_tokens"] = report.unknown_tokens;
  }
  object["seconds"] = seconds;
  return object;
}

}  // namespace

int model_export_command(const Command& command, const RawOptions& raw) {
  const Options options(command, raw);
  const std::string model_folder = required_argument(command, raw);
  const ModelFormat format = required_format(command, options);
  refuse_idle_options(options, format);
  const fs::path folder = required_output(command, options);
  const InferencePlan plan = filled(InferencePlan(), options);
  const Model model = Model::open(model_folder);
  const std::optional<Corpus> corpus = required_corpus(options, model, format);
  prepare_folder(folder, format, overwrite(options));
  Threads threads(*options.count("threads"));
  JobProgress progress("export", JobProgress::Unit::documents, options);
  const Corpus* const read = corpus ? &*corpus : nullptr;
  const std::optional<InferenceReport> report =
      export_model({model, format, folder, plan}, read, threads,
                   [&](const InferenceProgress& now) { return show(progress, now); });
  progress.clear();
  if (!report) {
    std::error_code ignored;  // not empty: then it was there before
    fs::remove(folder, ignored);
    Console(options.on("quiet") ? Console::Volume::silent : Console::Volume::normal)
        .note(fmt::format("stopped; nothing was written to {}", folder.string()));
    return static_cast<int>(Fault::interrupted);
  }
  print(options.on("json")
            ? report_json(folder, format, read, *report, progress.seconds()).dump(2) + "\n"
            : report_text(folder, format, read, *report));
  return 0;
}

}  // namespace tain::cli
