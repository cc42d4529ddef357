#include "lda/inference/evaluate.hpp"

#include <fmt/format.h>

#include "core/fields.hpp"
#include "core/machine.hpp"
#include "core/sizes.hpp"
#include "lda/inference/inference.hpp"
#include "tain/core/error.hpp"

namespace tain {

void EvaluatePlan::describe(Fields& fields) {
  describe_sweeps(fields, sweeps);
  fields.field("seed", seed);
}

void require_evaluation_memory(const Corpus& corpus, const TopicWeights& topics) {
  // Tokens, and a count per document and topic.
  const double needed =
      4.0 * static_cast<double>(corpus.tokens()) +
      4.0 * static_cast<double>(corpus.documents()) * static_cast<double>(topics.row_length());
  const double machine = machine_memory();
  if (needed > 0.8 * machine) {
    fail(Fault::config, corpus.name(),
         fmt::format("its {} documents take {}, the machine has {}", grouped(corpus.documents()),
                     format_bytes(needed), format_bytes(machine)),
         "evaluate on a part of them");
  }
}

Perplexity evaluate_topics(const TopicWeights& topics, std::span<const float> alpha,
                           const HeldOut& documents, const EvaluatePlan& plan,
                           const TrainedBy& training, Threads& threads) {
  require_in_range(plan);
  Predictive predictive(documents, {.sweeps = plan.sweeps, .burn_in = plan.sweeps / 2},
                        evaluation_noise(plan.seed.value_or(training.seed)));
  predictive.evaluate(topics, alpha, training.steps, threads);
  return predictive.last();
}

}  // namespace tain
