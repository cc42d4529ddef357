// What a model says of documents: Model::infer and Model::evaluate.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "core/apart.hpp"
#include "core/fields.hpp"
#include "core/file.hpp"
#include "core/sizes.hpp"
#include "lda/inference/evaluate.hpp"
#include "lda/inference/inference.hpp"
#include "lda/inference/proportions_file.hpp"
#include "lda/model/model_state.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 2> first_id_words{"0", "1"};
constexpr std::array<std::string_view, 4> output_words{"auto", "npy", "csv", "jsonl"};

ProportionsFormat output_format(const InferPlan& plan) {
  if (plan.format && *plan.format != "auto") {
    return *plan.format == "npy"   ? ProportionsFormat::npy
           : *plan.format == "csv" ? ProportionsFormat::csv
                                   : ProportionsFormat::jsonl;
  }
  const std::optional<ProportionsFormat> format = proportions_format(plan.output);
  if (!format) {
    fail(Fault::usage, output_place(Field{"output"}, plan.output),
         "does not tell the format by its ending",
         Phrase("give ", Field{"format"}, ", or end it in .npy, .csv or .jsonl"));
  }
  return *format;
}

SourceOptions source_options(const InferPlan& plan) {
  SourceOptions source;
  if (plan.source_format && *plan.source_format != "auto") {
    source.format = format_from_name(*plan.source_format);
  }
  source.vocabulary = plan.vocab;
  source.svmlight_first_id = plan.first_id.value_or(source.svmlight_first_id);
  if (plan.first_id && source.format != Format::svmlight) {
    fail(Fault::config, Field{"first_id"}, "only svmlight leaves the number of its first word open",
         Phrase("leave it out, or give ", Field{"source_format", "svmlight"}));
  }
  return source;
}

/// To `result`; throws Error (interrupted) if it was stopped.
InferenceReport infer_from(const ModelData& model, DocumentSource& source, const InferPlan& plan,
                           const std::function<void(const InferredDocument&)>& result) {
  Threads threads(plan.threads);
  const std::optional<InferenceReport> report =
      infer_topics(model, source, {.sweeps = plan.sweeps, .seed = plan.seed}, threads,
                   {.result = result, .progress = watch_or_go_on(plan.progress)});
  if (!report) {
    fail_stopped(plan.output.empty() ? "memory" : plan.output);
  }
  return *report;
}

Inferred infer_source(const ModelData& model, DocumentSource& source, const InferPlan& plan) {
  Inferred found;
  InferenceReport report;
  const auto write = [&](const fs::path& path) {
    const std::unique_ptr<ProportionsFile> file =
        write_proportions(path, plan.output.string(), output_format(plan), model.topics().topics());
    report = infer_from(model, source, plan,
                        [&](const InferredDocument& document) { file->add(document); });
    file->finish();
  };
  if (plan.output.empty()) {
    report = infer_from(model, source, plan, [&](const InferredDocument& document) {
      found.proportions.insert(found.proportions.end(), document.topics.begin(),
                               document.topics.end());
    });
  } else if (plan.output == "-") {
    write("-");
  } else {
    write_atomically(plan.output, write);
  }
  found.documents = report.documents;
  found.tokens = report.tokens;
  found.unknown_tokens = report.unknown_tokens;
  found.without_words = report.without_words;
  return found;
}

/// What can be wrong before anything is read.
void require_output(const InferPlan& plan) {
  require_in_range(plan);
  if (plan.output.empty()) {
    return;
  }
  output_format(plan);
  if (plan.output != "-") {
    require_creatable(Field{"output"}, plan.output,
                      plan.overwrite ? Overwrite::yes : Overwrite::no);
  }
}

void require_files_apart(const InferPlan& plan, std::vector<NamedPath> inputs) {
  const NamedPath output{Field{"output"}, plan.output};
  inputs.push_back({Field{"vocab"}, plan.vocab.value_or("")});
  require_apart({&output, 1}, inputs);
}

/// Numbers of the model for those of the corpus: the same where the words are.
std::vector<std::uint32_t> numbers_of(const ModelData& model, const Corpus& corpus) {
  if (!std::ranges::equal(model.vocabulary(), corpus.vocabulary())) {
    return known_words(model.vocabulary(), corpus.vocabulary());
  }
  std::vector<std::uint32_t> same(corpus.words());
  std::iota(same.begin(), same.end(), 0U);
  return same;
}

/// Those held out, if the corpus is what the model was trained on; else all.
HeldOut documents_of(const Corpus& corpus, const ModelData& model, const EvaluatePlan& plan,
                     bool trained_on) {
  const NoiseField field(model.facts().seed);
  if (trained_on && model.facts().held_out > 0) {
    return HeldOut(corpus, model.facts().held_out, field);
  }
  if (trained_on && !plan.seen) {
    fail(Fault::config, corpus.name(),
         "the model was trained on all of its documents, none was held out",
         Phrase("give another corpus, or train with ", Field{"holdout"}));
  }
  require_evaluation_memory(corpus, model.topics());
  return HeldOut(corpus, numbers_of(model, corpus), field);
}

}  // namespace

void InferPlan::describe(Fields& fields) {
  describe_sweeps(fields, sweeps);
  fields.field("seed", seed);
  std::vector<std::string_view> formats = format_names();
  formats.insert(formats.begin(), "auto");
  fields.word("source_format", formats, source_format);
  fields.field("vocab", vocab);
  fields.choice("first_id", first_id_words, first_id);
  fields.word("format", output_words, format);
}

Inferred Model::infer(const Corpus& documents, const InferPlan& plan) const {
  require_output(plan);
  require_files_apart(plan, {{"the folder of the corpus", documents.folder()},
                             {"the folder of the model", folder()}});
  const ModelData& model = state_->data();
  return infer_source(model, *read_corpus(documents, numbers_of(model, documents)), plan);
}

Inferred Model::infer(const fs::path& source, const InferPlan& plan) const {
  require_output(plan);
  require_files_apart(plan, {{"the source", source}, {"the folder of the model", folder()}});
  const SourceOptions options = source_options(plan);
  const ModelData& model = state_->data();
  const OpenedSource opened = open_source(source, model, options);
  if (plan.note) {
    plan.note("reading " + opened.description);
  }
  return infer_source(model, *opened.documents, plan);
}

Evaluated Model::evaluate(const Corpus& corpus, const EvaluatePlan& plan) const {
  require_in_range(plan);
  const ModelData& model = state_->data();
  const bool trained_on = corpus.fingerprint() == model.facts().corpus_fingerprint;
  const HeldOut documents = documents_of(corpus, model, plan, trained_on);
  if (documents.test_tokens() == 0) {
    fail(Fault::data, corpus.name(),
         fmt::format("no document has {} tokens that the model knows, so that there is nothing to "
                     "predict",
                     test_token_interval),
         "give longer documents");
  }
  if (plan.note) {
    plan.note(fmt::format("predicting {} tokens of {} documents", grouped(documents.test_tokens()),
                          grouped(documents.documents().size())));
  }
  Threads threads(plan.threads);
  const TrainedBy training{.seed = model.facts().seed, .steps = model.facts().steps};
  return {.perplexity = evaluate_topics(model.topics(), model.facts().alpha, documents, plan,
                                        training, threads),
          .documents = documents.documents().size(),
          .test_tokens = documents.test_tokens(),
          .unknown_tokens = documents.dropped_tokens(),
          .held_out = trained_on && model.facts().held_out > 0};
}

}  // namespace tain
