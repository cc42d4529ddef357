// The mean of draws of topics.
//
// Definition: after draws phi_1 ... phi_n the mean is m_n = m_(n-1) + (phi_n - m_(n-1)) / n, cell
//   by cell, phi = weight(w, k) c_k with c = TopicWeights::inverse_sums().
// Laws: every cell has its own order of additions, that of the draws: threads do not matter. Rows
//   sum to 1 within rounding. What archive() wrote goes on with the same bits.
// Numerics: float. A draw moves the mean until 1/n times its distance is below 2^-24 of the mean:
//   millions of draws.
// Ranks: a rank has the mean of its own words.
// Cost: one pass over words x topics per draw; memory: a float per cell, once the first draw comes.
#pragma once

#include <cstdint>

#include "core/archive.hpp"
#include "core/parallel.hpp"
#include "lda/engine/exchange/sharding.hpp"
#include "lda/engine/topics.hpp"
#include "tain/core/block.hpp"

namespace tain {

class TopicAverage {
 public:
  /// Of so many words: those that this rank has.
  TopicAverage(std::uint32_t topics, std::uint32_t words);

  void add(const TopicWeights& topics, Threads& threads);
  std::uint64_t draws() const { return draws_; }
  /// W x padded K; empty before the first draw.
  ConstFloatBlock mean() const { return mean_.weights(); }
  /// The mean as topics, with their sums. `shards` together have all words. Collective.
  const TopicWeights& topics(Threads& threads, Comm& shards);

  /// All state; a process by itself.
  void archive(Archive& a);
  /// In parts, as Training::archive_common and archive_words: rows of the words `part`, of a rank
  /// that has the words `own`.
  void archive_common(Archive& a);
  void archive_words(Archive& a, Range part, Range own);

 private:
  std::uint32_t topics_, words_;
  std::uint64_t draws_ = 0;
  TopicWeights mean_;
};

/// phi of one draw, W x padded K.
FloatBlockStorage topic_probabilities(const TopicWeights& topics, Threads& threads);

}  // namespace tain
