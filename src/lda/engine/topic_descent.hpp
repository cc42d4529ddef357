// First topics by stochastic mirror descent: the flow of smld-root without its noise.
//
// Definition: theta_kw > 0, phi_kw = theta_kw c_k with c_k = 1 / sum_w theta_kw, R = `scale`
//   (documents of the corpus per document of the batch). A step takes the mean of smld-root's
//   (topic_sampler.hpp; mirror map 4/3 sum theta^(3/2)), rate = 1 - e^-h, with expected counts:
//     theta' = (1 - rate) theta + rate (eta + R n_kw),  n_kw = sum_d count_dw q_dwk
//     q_dwk ~ m_dk phi_kw,  m_dk = max(n_dk - discount, 0) + alpha_k,  n_dk = sum_w count_dw q_dwk
//   The last line is iterated `rounds` times from n_dk = tokens / K. A token of topic k sees
//   n_dk - 1 others, as in the conditional law of Gibbs sampling; taking off a little more leaves
//   documents with few topics, which a mean would otherwise smear over many.
// Why: on the way from topics that say nothing, drawing topics of tokens costs sweeps and adds
//   noise that only sampling needs. A visit of a document is 5 to 10 times cheaper than 20 sweeps,
//   and the topics after a pass are those of many passes of Gibbs sampling. What it leaves is a
//   start near a mode, no draw from the posterior.
// Ranks: what a document's last round leaves (its shares m_dk c_k, where they are not alpha_k c_k,
//   and for every different word count_dw / sum_k m_dk phi_kw) travels to the ranks that have the
//   words, and these add up in the order of the batch.
// Laws: what a step does depends on weights, batch and its order; not on threads, ranks or layout.
//   With one topic n_1w is the batch's counts. No theta falls below min(its first value, eta) > 0.
// Numerics: float, sums over documents in the batch's order, sums over words in double as
//   TopicWeights takes them. A word without weight in any topic of a document counts for nothing.
// Cost: per round and different word of a document 2 K multiplications and additions, one pass over
//   words x topics per step. No allocation once the largest batch has been seen. Memory: a row of
//   K floats per document of the batch, 12 bytes per different word of each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "core/parallel.hpp"
#include "lda/engine/exchange/sharding.hpp"
#include "lda/engine/exchange/topic_rows.hpp"
#include "lda/engine/held_out.hpp"
#include "lda/engine/topics.hpp"
#include "random/noise.hpp"
#include "tain/text/corpus.hpp"

namespace tain {

struct DescentOptions {
  double eta = 0.01;          ///< prior weight of a word in a topic, > 0
  std::uint32_t rounds = 10;  ///< per document, at least 1
  double discount = 1.5;      ///< tokens, >= 0
};

/// Documents of a step.
struct DescentBatch {
  std::span<const DocumentWords> documents;   ///< of this rank, in the order of the batch
  std::span<const std::uint64_t> turns = {};  ///< where in the batch of all ranks each is
  std::uint64_t size = 0;                     ///< of that batch
  std::size_t pieces = 1;  ///< in which they are looked at, the same on all ranks
};

class TopicDescent {
 public:
  /// Changes these weights; they must outlive this.
  TopicDescent(TopicWeights& topics, const DescentOptions& options);
  /// Those of the words of one rank; `rows` are what its documents see, null if these are all.
  TopicDescent(TopicWeights& topics, const DescentOptions& options, const Sharding& sharding,
               TopicRows* rows);
  ~TopicDescent();
  TopicDescent(const TopicDescent&) = delete;
  TopicDescent& operator=(const TopicDescent&) = delete;

  /// One step; 0 < rate <= 1. A failure leaves topics that are of no use. Collective.
  [[nodiscard]] std::optional<TopicFailure> step(const DescentBatch& batch,
                                                 std::span<const float> alpha, double scale,
                                                 double rate, Threads& threads);
  /// A process by itself.
  [[nodiscard]] std::optional<TopicFailure> step(std::span<const DocumentWords> documents,
                                                 std::span<const float> alpha, double scale,
                                                 double rate, Threads& threads) {
    return step(DescentBatch{.documents = documents}, alpha, scale, rate, threads);
  }

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Topics to descend from, at the scale of the posterior: theta_kw = eta + (tokens of the corpus /
/// K) (a share of 1/5 of the words of a few documents, drawn by the seed for every topic, and 4/5
/// of those of the corpus). Frequencies are taken from at most 100,000 documents.
void topics_from_documents(const Corpus& corpus, const TrainingDocuments& documents, double eta,
                           const NoiseField& noise, Threads& threads, TopicWeights& topics);
/// Those of the words of one rank. Each rank counts its own documents for the frequencies; the few
/// documents of every topic are read by all. Collective.
void topics_from_documents(const Corpus& corpus, const TrainingDocuments& documents, double eta,
                           const NoiseField& noise, const Sharding& sharding, Threads& threads,
                           TopicWeights& topics);

}  // namespace tain
