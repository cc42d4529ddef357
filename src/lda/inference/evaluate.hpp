// How well topics predict documents that training did not see (predictive.hpp).
#pragma once

#include <cstdint>
#include <span>

#include "lda/engine/predictive.hpp"
#include "tain/lda/model.hpp"

namespace tain {

/// Throws Error (config) if all documents of a corpus take more memory than the machine has when
/// they are evaluated.
void require_evaluation_memory(const Corpus& corpus, const TopicWeights& topics);

/// What topics came from, as far as noise depends on it.
struct TrainedBy {
  std::uint64_t seed = 1, steps = 0;
};
Perplexity evaluate_topics(const TopicWeights& topics, std::span<const float> alpha,
                           const HeldOut& documents, const EvaluatePlan& plan,
                           const TrainedBy& training, Threads& threads);

}  // namespace tain
