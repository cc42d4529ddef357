#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/fill.hpp"
#include "cli/model_job.hpp"
#include "cli/program.hpp"
#include "core/sizes.hpp"

namespace tain::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string report_text(const Evaluated& found) {
  std::string documents =
      fmt::format("{}, {}", grouped(found.documents),
                  found.held_out ? "held out from training" : "none of the corpus trained on");
  if (found.unknown_tokens > 0) {
    documents +=
        fmt::format("; {} tokens of unknown words left out", grouped(found.unknown_tokens));
  }
  const Perplexity& perplexity = found.perplexity;
  return fmt::format(
      "perplexity   {}\ntest tokens  {}, every 10th of a document\ndocuments    {}\n",
      std::isfinite(perplexity.value)
          ? fmt::format("{:.2f} ± {:.2f}", perplexity.value, perplexity.standard_error)
          : std::string("infinite: a test token's word has no weight in any topic"),
      grouped(found.test_tokens), documents);
}

}  // namespace

int evaluate_command(const Command& command, const RawOptions& raw) {
  const Options options(command, raw);
  const auto start = std::chrono::steady_clock::now();
  const auto [model_folder, corpus_folder] = required_arguments(command, raw);
  const Model model = Model::open(model_folder);
  EvaluatePlan plan = filled(EvaluatePlan(), options);
  plan.threads = options.threads();
  std::optional<ElapsedLine> waiting;
  plan.note = [&](std::string_view text) {
    waiting.emplace(job_progress_mode(options), fmt::format("evaluate  {}", text));
  };
  const Evaluated found = model.evaluate(Corpus::open(corpus_folder), plan);
  waiting.reset();
  const Json object{{"perplexity", found.perplexity.value},
                    {"standard_error", found.perplexity.standard_error},
                    {"test_tokens", found.test_tokens},
                    {"documents", found.documents},
                    {"unknown_tokens", found.unknown_tokens},
                    {"held_out_from_training", found.held_out},
                    {"model", model_folder},
                    {"corpus", corpus_folder},
                    {"seconds", seconds_since(start)}};
  print(options.on("json") ? object.dump(2) + "\n" : report_text(found));
  return 0;
}

}  // namespace tain::cli
