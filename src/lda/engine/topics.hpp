// Topics: a weight for every word in every topic, and the counts of a batch of documents.
//
// Definition: phi_kw = weight(w, k) / sum over w of weight(w, k). Weights stay unnormalised, so
//   that an update touches each of them once; readers multiply by inverse_sums()[k].
// Layout: word-major float; the row of a word holds its K topics, padded with zeros to a multiple
//   of `row_alignment`, so that rows begin at cache lines and vector code has no remainder.
// Laws: sums are taken in double, block by block of `block_words` words, and added in ascending
//   order, over ranks too where each has the words of some blocks: they depend neither on threads
//   nor on ranks. Padding has weight 0 and inverse sum 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "tain/comm/comm.hpp"
#include "tain/core/block.hpp"

namespace tain {

inline constexpr std::size_t row_alignment = 16;  ///< floats: 64 bytes
inline constexpr std::size_t block_words = 64;

/// Length of a row for K topics.
constexpr std::size_t padded_topics(std::size_t topics) {
  return (topics + row_alignment - 1) / row_alignment * row_alignment;
}

class TopicWeights {
 public:
  TopicWeights(std::uint32_t topics, std::uint32_t words);

  std::uint32_t topics() const { return topics_; }
  std::uint32_t words() const { return static_cast<std::uint32_t>(weights_.rows()); }
  std::size_t row_length() const { return weights_.lanes(); }

  FloatBlock weights() { return weights_.view(); }
  ConstFloatBlock weights() const { return weights_.view(); }
  /// c_k = 1 / sum over w of weight(w, k); row_length() of them.
  std::span<const float> inverse_sums() const { return inverse_sums_; }
  std::span<float> inverse_sums() { return inverse_sums_; }
  /// Sums the weights anew. Throws Error (data) if a sum is not finite and positive.
  void sum(Threads& threads);
  /// The same where these are the words of one rank: `shards` together have all, in their order.
  void sum(Threads& threads, Comm& shards);

 private:
  std::uint32_t topics_;
  FloatBlockStorage weights_;
  std::vector<float> inverse_sums_;
};

/// Why a step failed: the weights of this topic do not sum to a positive finite number.
struct TopicFailure {
  std::uint32_t topic;
  double sum;
};

/// How often the words of a batch were assigned to each topic, added up over `kept` sweeps:
/// integers, so that any order of adding gives the same.
struct TopicCounts {
  std::vector<std::uint32_t> words;       ///< different, ascending
  BasicBlockStorage<std::uint32_t> sums;  ///< row i belongs to words[i]; at least words.size() rows
  std::uint32_t kept = 0;                 ///< sweeps; the mean count is sums / kept
};

}  // namespace tain
