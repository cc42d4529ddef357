// The arithmetic of TopicDescent, per document and per block of words; dispatched by Highway.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tain/core/block.hpp"

namespace tain::descent {

/// A different word of a document.
struct Entry {
  std::uint32_t word;
  float count;
};

struct Document {
  ConstFloatBlock weights;    ///< theta, word-major
  const float* alpha;         ///< rows as long as those of the weights, padding 0
  const float* inverse_sums;  ///< c
  float uniform;              ///< tokens / K
  float discount;
  std::uint32_t rounds;
  std::span<const Entry> entries;
  std::span<float> ratios;  ///< takes count / sum_k m_k c_k theta_kw of every entry
  float* shares;            ///< takes m_k c_k of the last round
  float* sums;              ///< scratch: a row
};
void infer(const Document& document);

/// Of a word in a document.
struct Occurrence {
  std::uint32_t document;  ///< row of shares
  float ratio;
};

struct Block {
  FloatBlock weights;
  std::size_t first, end;         ///< words
  const std::uint32_t* begin;     ///< by word: its first occurrence
  const Occurrence* occurrences;  ///< of a word, in the order of the batch
  ConstFloatBlock shares;
  float keep, gain;    ///< 1 - rate, rate R
  const float* prior;  ///< rate eta, a row
  float* scratch;      ///< a row
  double* sums;        ///< takes the sum of the new weights, a row
};
void update(const Block& block);

}  // namespace tain::descent
