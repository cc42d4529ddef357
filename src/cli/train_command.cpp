#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "cli/corpus_job.hpp"
#include "cli/fill.hpp"
#include "cli/program.hpp"
#include "cli/ranks.hpp"
#include "cli/results.hpp"
#include "cli/train_display.hpp"
#include "comm/agreement.hpp"
#include "core/archive.hpp"
#include "core/sizes.hpp"
#include "sampling/json_text.hpp"
#include "tain/lda/train.hpp"

namespace tain::cli {
namespace {

using Json = nlohmann::ordered_json;

/// What was found, of all that the manifest says.
Json found_json(const Model& model) {
  constexpr std::array keys{"steps",
                            "docs",
                            "passes",
                            "seconds",
                            "training_seconds",
                            "cpu_seconds",
                            "tokens_drawn",
                            "stop_reason",
                            "draws_kept",
                            "perplexity_average",
                            "standard_error_average",
                            "evaluations_averaged",
                            "perplexity_topics",
                            "standard_error_topics",
                            "perplexity",
                            "standard_error",
                            "verdict"};
  const Json manifest = parse_json(model.record().manifest);
  Json object{{"model", model.folder().string()}};
  for (const char* key : keys) {
    if (manifest.contains(key)) {
      object[key] = manifest[key];
    }
  }
  return object;
}

}  // namespace

int train_command(const Command& command, const RawOptions& raw) {
  const std::string command_line = shell_text(raw.words);
  const Options options(command, raw);
  const Console console = console_of(options);
  const std::string folder = required_argument(command, raw);
  require_same_on_ranks(ranks(), fingerprint(command_line), "command line",
                        "start all ranks with the same options");
  TrainPlan plan = filled(TrainPlan(), options);
  plan.output = required_output(command, options);
  plan.resume = options.on("resume");
  plan.overwrite = options.on("force");
  plan.threads = threads_of_rank(plan.threads);
  plan.command = command_line;
  plan.note = [&](std::string_view text) { console.note(text); };
  TrainDisplay display(job_progress_mode(options), ranks().ranks());
  plan.progress = [&](const TrainProgress& progress) {
    display.show(progress);
    if (stop_requested() || progress.share >= 1) {
      display.clear();
    }
    return stop_requested() ? Next::stop : Next::go_on;
  };
  const Model model = train(open_corpus(folder, ranks()), plan, ranks());
  display.clear();
  if (!model.finished()) {
    console.note(fmt::format("interrupted after {}; continue with: {}",
                             counted(model.record().facts.steps, "step"),
                             resume_command(command_line)));
    return static_cast<int>(stop_fault());
  }
  print(options.on("json") ? found_json(model).dump(2) + "\n" : model.text(terminal_style()));
  return options.on("strict") && !model.verdict().trust ? static_cast<int>(Fault::gate_failed) : 0;
}

}  // namespace tain::cli
