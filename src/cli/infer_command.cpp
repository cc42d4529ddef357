#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/fill.hpp"
#include "cli/model_job.hpp"
#include "cli/program.hpp"
#include "cli/terminal.hpp"
#include "lda/inference/proportions_file.hpp"
#include "report/text.hpp"

namespace tain::cli {
namespace {

using Json = nlohmann::ordered_json;

/// Thrown to leave a file that is being written; caught below.
struct Stopped {};

ProportionsFormat output_format(const Options& options, const std::filesystem::path& path) {
  const std::string name = options.choice("format");
  if (name != "auto") {
    return name == "npy"   ? ProportionsFormat::npy
           : name == "csv" ? ProportionsFormat::csv
                           : ProportionsFormat::jsonl;
  }
  const std::optional<ProportionsFormat> format = proportions_format(path);
  if (!format) {
    fail(Fault::usage, "-o " + path.string(), "does not tell the format by its ending",
         "give --format, or end it in .npy, .csv or .jsonl");
  }
  return *format;
}

SourceOptions source_options(const Options& options) {
  SourceOptions source;
  if (options.choice("source-format") != "auto") {
    source.format = format_from_name(options.choice("source-format"));
  }
  source.vocabulary = options.text("vocab");
  source.svmlight_first_id = options.choice("first-id") == "0" ? FirstId::zero : FirstId::one;
  if (options.given("first-id") && source.format != Format::svmlight) {
    fail(Fault::config, "--first-id", "only svmlight leaves the number of its first word open",
         "leave it out, or give --source-format svmlight");
  }
  return source;
}

struct Job {
  const Model& model;
  InferencePlan plan;
  std::filesystem::path path;
  ProportionsFormat format;
};

/// None if a signal stopped it; then nothing is left.
std::optional<InferenceReport> infer(const Job& job, DocumentSource& source, Threads& threads,
                                     JobProgress& progress) {
  InferenceReport report;
  const auto write = [&](const std::filesystem::path& path) {
    const std::unique_ptr<ProportionsFile> file =
        write_proportions(path, job.path.string(), job.format, job.model.topics().topics());
    const std::optional<InferenceReport> done = infer_topics(
        job.model, source, job.plan, threads,
        {.result = [&](const InferredDocument& document) { file->add(document); },
         .progress = [&](const InferenceProgress& now) { return show(progress, now); }});
    if (!done) {
      throw Stopped{};
    }
    file->finish();
    report = *done;
  };
  try {
    if (job.path == "-") {
      write("-");
    } else {
      write_atomically(job.path, write);
    }
  } catch (const Stopped&) {
    return std::nullopt;
  }
  return report;
}

std::string report_text(const std::filesystem::path& path, const InferenceReport& report) {
  std::string text =
      fmt::format("file       {}\ndocuments  {}", path.string(), grouped(report.documents));
  if (report.without_words > 0) {
    text += fmt::format(", {} with no known word: they have the prior's proportions",
                        grouped(report.without_words));
  }
  const std::uint64_t all = report.tokens + report.unknown_tokens;
  return text + fmt::format("\ntokens     {}, and {} of unknown words ({:.1f} %) left out\n",
                            grouped(report.tokens), grouped(report.unknown_tokens),
                            all == 0 ? 0.0
                                     : 100 * static_cast<double>(report.unknown_tokens) /
                                           static_cast<double>(all));
}

Json report_json(const std::filesystem::path& path, const InferenceReport& report, double seconds) {
  return {{"file", path.string()},
          {"documents", report.documents},
          {"documents_without_known_words", report.without_words},
          {"tokens", report.tokens},
          {"unknown_tokens", report.unknown_tokens},
          {"seconds", seconds}};
}

}  // namespace

int infer_command(const Command& command, const RawOptions& raw) {
  const Options options(command, raw);
  const auto [model_folder, source_name] = required_arguments(command, raw);
  const std::filesystem::path path = required_output(command, options);
  const bool to_stdout = path == "-";
  if (to_stdout && options.on("json")) {
    fail(Fault::config, "--json", "standard output is taken by the proportions",
         "leave it out, or name a file with -o");
  }
  const ProportionsFormat format = output_format(options, path);
  const SourceOptions source_choice = source_options(options);
  const InferencePlan plan = filled(InferencePlan(), options);
  if (!to_stdout) {
    require_creatable(path, overwrite(options));
  }
  const Console console(options.on("quiet") ? Console::Volume::silent : Console::Volume::normal);
  const Model model = Model::open(model_folder);
  const OpenedSource source = open_source(source_name, model, source_choice);
  console.note("reading " + source.description);
  Threads threads(*options.count("threads"));
  JobProgress progress(
      "infer",
      source.unit == SourceUnit::bytes ? JobProgress::Unit::bytes : JobProgress::Unit::documents,
      options);
  const std::optional<InferenceReport> report =
      infer({model, plan, path, format}, *source.documents, threads, progress);
  progress.clear();
  if (!report) {
    console.note(to_stdout ? "stopped"
                           : fmt::format("stopped; nothing was written to {}", path.string()));
    return static_cast<int>(Fault::interrupted);
  }
  if (options.on("json")) {
    print(report_json(path, *report, progress.seconds()).dump(2) + "\n");
  } else if (!to_stdout) {
    print(report_text(path, *report));
  }
  return 0;
}

}  // namespace tain::cli
