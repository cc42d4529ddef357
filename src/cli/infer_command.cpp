#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/fill.hpp"
#include "cli/model_job.hpp"
#include "cli/program.hpp"
#include "core/sizes.hpp"

namespace tain::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string report_text(const std::filesystem::path& path, const Inferred& found) {
  std::string text =
      fmt::format("file       {}\ndocuments  {}", path.string(), grouped(found.documents));
  if (found.without_words > 0) {
    text += fmt::format(", {} with no known word: they have the prior's proportions",
                        grouped(found.without_words));
  }
  const std::uint64_t all = found.tokens + found.unknown_tokens;
  return text + fmt::format("\ntokens     {}, and {} of unknown words ({:.1f} %) left out\n",
                            grouped(found.tokens), grouped(found.unknown_tokens),
                            all == 0 ? 0.0
                                     : 100 * static_cast<double>(found.unknown_tokens) /
                                           static_cast<double>(all));
}

}  // namespace

int infer_command(const Command& command, const RawOptions& raw) {
  const Options options(command, raw);
  const auto [model_folder, source] = required_arguments(command, raw);
  InferPlan plan = filled(InferPlan(), options);
  plan.output = required_output(command, options);
  const bool to_stdout = plan.output == "-";
  if (to_stdout && options.on("json")) {
    fail(Fault::config, "--json", "standard output is taken by the proportions",
         "leave it out, or name a file with -o");
  }
  const Console console = console_of(options);
  JobProgress progress("infer", options);
  plan.overwrite = options.on("force");
  plan.threads = options.threads();
  plan.note = [&](std::string_view text) { console.note(text); };
  plan.progress = progress.watch();
  const Inferred found = Model::open(model_folder).infer(std::filesystem::path(source), plan);
  progress.clear();
  if (options.on("json")) {
    const Json object{{"file", plan.output.string()},
                      {"documents", found.documents},
                      {"documents_without_known_words", found.without_words},
                      {"tokens", found.tokens},
                      {"unknown_tokens", found.unknown_tokens},
                      {"seconds", progress.seconds()}};
    print(object.dump(2) + "\n");
  } else if (!to_stdout) {
    print(report_text(plan.output, found));
  }
  return 0;
}

}  // namespace tain::cli
