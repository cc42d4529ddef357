// What a corpus says about the topics of a model: their shares, documents and coherence.
//
// Definition: topics of documents are inferred (inference.hpp). The share of a topic is its part in
//   the tokens that the model knows. The documents that stand for a topic have the largest
//   theta_dk = (n_dk + alpha_k) / (n_d + sum alpha), the posterior mean of its part in them: the
//   prior keeps documents of a few words back. Ties by number.
// Laws: the same for any number of threads.
// Memory: `best` documents per topic, and a batch of the corpus.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/parallel.hpp"
#include "lda/inference/inference.hpp"
#include "lda/model/model_data.hpp"
#include "lda/model/topic_words.hpp"
#include "tain/core/next.hpp"
#include "tain/text/corpus.hpp"

namespace tain {

struct TopicDocument {
  std::uint64_t document = 0;  ///< in the corpus, from 0
  std::string title;           ///< or its name, or "document 17" (from 1) if it has neither
  double share = 0;            ///< theta_dk
  std::uint64_t tokens = 0;    ///< that the model knows
};

struct CorpusTopicsPlan {
  std::uint64_t documents = std::numeric_limits<std::uint64_t>::max();  ///< at most, spread evenly
  std::size_t best = 0;       ///< documents of each topic to name
  std::uint32_t sweeps = 20;  ///< shares are means over all documents: noise is small
};

struct CorpusTopics {
  std::vector<double> shares;                         ///< one per topic, of the tokens
  std::vector<std::vector<TopicDocument>> documents;  ///< per topic, largest share first
  std::uint64_t looked_at = 0;                        ///< documents
};

/// None if `progress` stopped it. Throws Error (data) if the corpus has no word that the model
/// knows.
std::optional<CorpusTopics> infer_corpus_topics(const ModelData& model, const Corpus& corpus,
                                                const CorpusTopicsPlan& look, Threads& threads,
                                                const WorkWatch& progress);

/// Coherence (coherence.hpp) of every topic over the documents of a corpus.
std::vector<double> model_coherence(const ModelData& model, const Corpus& corpus,
                                    const TopicWords& words, Threads& threads);

}  // namespace tain
