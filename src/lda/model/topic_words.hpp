// The words that stand for a topic, and how much they are its own.
//
// Definition: share_k is the part of topic k in what is written: of its prior, alpha_k / sum alpha,
//   or of the tokens of a corpus (inference.hpp). With p(w) = sum_k share_k phi_kw, what the model
//   says of a random token, words are ordered by their relevance (Sievert & Shirley 2014)
//     r(w, k | lambda) = lambda log phi_kw + (1 - lambda) log(phi_kw / p(w)):
//   lambda = 1 is the order of probability, 0 that of lift; ties by number. The exclusivity of a
//   topic is the mean over its 10 most probable words of phi_kw / sum_j phi_jw: 1 / K if all topics
//   are the same, 1 if no other topic has these words.
// Numerics: double from float weights. A word without weight in a topic is never among its words.
// Cost: O(words log count) per topic, one pass over all weights for p(w).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lda/engine/topics.hpp"

namespace tain {

struct RankedWord {
  std::uint32_t word = 0;
  double probability = 0;  ///< phi_kw
  double relevance = 0;
};

/// How many words of a topic coherence and exclusivity look at.
inline constexpr std::size_t judged_words = 10;

/// alpha_k / sum alpha.
std::vector<double> prior_shares(std::span<const float> alpha);

class TopicWords {
 public:
  /// The topics must outlive this. One share per topic, summing to 1.
  TopicWords(const TopicWeights& topics, std::span<const double> shares);

  /// The first `count` words by relevance, or as many as have weight. `lambda` from 0 to 1.
  std::vector<RankedWord> ranked(std::uint32_t topic, std::size_t count, double lambda) const;
  /// The `judged_words` most probable ones, or as many as have weight.
  std::vector<std::uint32_t> judged(std::uint32_t topic) const;
  double exclusivity(std::uint32_t topic) const;
  /// Words that are among the first `count` by relevance for some lambda = 0, 0.1, ..., 1, by
  /// falling probability; ties by number. Costs O(words) logarithms, whatever the lambdas.
  std::vector<std::uint32_t> relevant(std::uint32_t topic, std::size_t count) const;
  /// p(w)
  double probability(std::uint32_t word) const { return marginal_[word]; }
  /// phi_kw
  double phi(std::uint32_t word, std::uint32_t topic) const;

 private:
  const TopicWeights& topics_;
  std::vector<double> marginal_;  // p(w)
  std::vector<double> totals_;    // sum_j phi_jw
};

}  // namespace tain
