#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "cli/fill.hpp"
#include "cli/model_job.hpp"
#include "cli/program.hpp"
#include "cli/terminal.hpp"
#include "lda/inference/document_source.hpp"
#include "lda/inference/evaluate.hpp"
#include "report/text.hpp"

namespace tain::cli {
namespace {

using Json = nlohmann::ordered_json;

/// Is this what the model was trained on, so that only documents held out may be asked?
enum class Relation { trained_on, other };

struct ModelEvaluation {
  Relation relation;
  std::uint64_t documents, test_tokens, unknown_tokens;
  Perplexity perplexity;
};

HeldOut documents_of(const Corpus& corpus, const Model& model, Relation relation) {
  const NoiseField field(model.facts().seed);
  if (relation == Relation::trained_on) {
    if (model.facts().held_out == 0) {
      fail(Fault::config, corpus.folder().string(),
           "the model was trained on all of its documents, none was held out",
           "give another corpus, or train with --holdout");
    }
    return HeldOut(corpus, model.facts().held_out, field);
  }
  require_evaluation_memory(corpus, model.topics());
  return HeldOut(corpus, known_words(model.vocabulary(), corpus.vocabulary()), field);
}

ModelEvaluation evaluate(const Model& model, const Corpus& corpus, const Options& options) {
  const Relation relation = corpus.fingerprint() == model.facts().corpus_fingerprint
                                ? Relation::trained_on
                                : Relation::other;
  const EvaluatePlan plan = filled(EvaluatePlan(), options);
  Threads threads(*options.count("threads"));
  const HeldOut held_out = documents_of(corpus, model, relation);
  if (held_out.test_tokens() == 0) {
    fail(Fault::data, corpus.folder().string(),
         fmt::format("no document has {} tokens that the model knows, so that there is nothing to "
                     "predict",
                     test_token_interval),
         "give longer documents");
  }
  const ElapsedLine waiting(
      job_progress_mode(options),
      fmt::format("evaluate  predicting {} tokens of {} documents", grouped(held_out.test_tokens()),
                  grouped(held_out.documents().size())));
  return {relation, held_out.documents().size(), held_out.test_tokens(), held_out.dropped_tokens(),
          evaluate_topics(model.topics(), model.facts().alpha, held_out, plan,
                          {.seed = model.facts().seed, .steps = model.facts().steps}, threads)};
}

std::string documents_text(const ModelEvaluation& found) {
  std::string text =
      fmt::format("{}, {}", grouped(found.documents),
                  found.relation == Relation::trained_on ? "held out from training"
                                                         : "none of the corpus trained on");
  if (found.unknown_tokens > 0) {
    text += fmt::format("; {} tokens of unknown words left out", grouped(found.unknown_tokens));
  }
  return text;
}

std::string report_text(const ModelEvaluation& found) {
  const bool finite = std::isfinite(found.perplexity.value);
  return fmt::format(
      "perplexity   {}\ntest tokens  {}, every {}th of a document\ndocuments    {}\n",
      finite
          ? fmt::format("{:.2f} ± {:.2f}", found.perplexity.value, found.perplexity.standard_error)
          : std::string("infinite: a test token's word has no weight in any topic"),
      grouped(found.test_tokens), test_token_interval, documents_text(found));
}

Json report_json(const ModelEvaluation& found, const Model& model, const Corpus& corpus,
                 double seconds) {
  return {{"perplexity", found.perplexity.value},
          {"standard_error", found.perplexity.standard_error},
          {"test_tokens", found.test_tokens},
          {"documents", found.documents},
          {"unknown_tokens", found.unknown_tokens},
          {"held_out_from_training", found.relation == Relation::trained_on},
          {"model", model.folder().string()},
          {"corpus", corpus.folder().string()},
          {"seconds", seconds}};
}

}  // namespace

int evaluate_command(const Command& command, const RawOptions& raw) {
  const Options options(command, raw);
  const auto start = std::chrono::steady_clock::now();
  const auto [model_folder, corpus_folder] = required_arguments(command, raw);
  const Model model = Model::open(model_folder);
  const Corpus corpus = Corpus::open(corpus_folder);
  const ModelEvaluation found = evaluate(model, corpus, options);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  print(options.on("json") ? report_json(found, model, corpus, seconds).dump(2) + "\n"
                           : report_text(found));
  return 0;
}

}  // namespace tain::cli
