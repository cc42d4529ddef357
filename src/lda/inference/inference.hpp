// Topic proportions of documents, new or old.
//
// Definition: Gibbs on the tokens of a document given the topics (document_gibbs.hpp); with n_dk
//   the mean of its topic counts over the second half of the sweeps,
//     theta_dk = (n_dk + alpha_k) / (n_d + sum alpha).
//   A document without a word that the model knows has the prior mean, alpha_k / sum alpha.
// Laws: theta depends on the model, the seed, the sweeps and on which words the document has how
//   often: not on their order, on the other documents, nor on threads. The same document has the
//   same proportions in every source, every time.
// Memory: a batch of documents, whatever the size of the source.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "core/fields.hpp"
#include "core/parallel.hpp"
#include "lda/inference/document_source.hpp"
#include "lda/model/model_data.hpp"
#include "tain/core/progress.hpp"

namespace tain {

/// Leaves noise for a million tokens of a document.
inline constexpr std::uint32_t most_inference_sweeps = 4096;

/// Sweeps over a document that has to be inferred: a number within bounds.
void describe_sweeps(Fields& fields, std::uint32_t& sweeps);
void describe_sweeps(Fields& fields, std::optional<std::uint64_t>& sweeps);

struct InferencePlan {
  std::uint32_t sweeps = 50;  ///< from 2; the first half is forgotten
  std::uint64_t seed = 1;
  void describe(Fields& fields);
};

/// One document's result; the views hold during the call only.
struct InferredDocument {
  std::uint64_t number = 0;  ///< in the source, from 1
  std::string_view name;     ///< empty where the source has none
  std::uint64_t tokens = 0;  ///< that the model knows
  std::uint64_t unknown = 0;
  std::span<const float> topics;   ///< theta, one per topic
  std::span<const double> counts;  ///< n_dk, which theta is made of
};

struct InferenceReport {
  std::uint64_t documents = 0, tokens = 0, unknown_tokens = 0;
  std::uint64_t without_words = 0;  ///< documents that got the prior mean
};

struct InferenceObserver {
  std::function<void(const InferredDocument&)> result;  ///< in the order of the source
  WorkWatch progress = [](const WorkProgress&) { return Next::go_on; };
};

/// None if the observer stopped it. Throws Error (config) for a plan out of range or a document of
/// more tokens than sweeps have noise for.
std::optional<InferenceReport> infer_topics(const TopicWeights& topics,
                                            std::span<const float> alpha, DocumentSource& source,
                                            const InferencePlan& plan, Threads& threads,
                                            const InferenceObserver& observer);
/// With topics and alpha of a model.
std::optional<InferenceReport> infer_topics(const ModelData& model, DocumentSource& source,
                                            const InferencePlan& plan, Threads& threads,
                                            const InferenceObserver& observer);

}  // namespace tain
