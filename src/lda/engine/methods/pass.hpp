// One step of a topic sampler as its blocks of words see it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lda/engine/topics.hpp"
#include "random/philox.hpp"

namespace tain {

/// Arrays of a row have `length` floats, one per topic; arrays of cells one row per word.
struct TopicPass {
  philox::Keys keys;
  philox::StepWords position;
  NoiseField noise;
  std::uint64_t step;
  const TopicCounts& batch;
  const std::uint32_t* no_counts;  ///< a row of zeros, for words the batch lacks

  std::size_t topics, words;          ///< words: of this rank
  std::size_t first_word, all_words;  ///< of the vocabulary: the number of row 0, of all ranks
  std::size_t length;
  float eta, count_scale;     ///< A = eta + count_scale * sum over the kept sweeps
  float scale;                ///< R
  double step_size;           ///< eps or h
  const float* totals;        ///< row: A_k
  const float* inverse_sums;  ///< row: 1 / sum of the weights the step starts from
  const float* pulls;  ///< row: eps A_k / sum, what takes a weight down; or as `prepare` says
  float* weights;      ///< cells, old values on entry, new ones on exit
  double* block_sums;  ///< length per block: sums of the new weights, NaN if a state is

  float* dual = nullptr;             ///< cells: y
  float* second = nullptr;           ///< cells: preconditioner or momentum
  const float* offsets = nullptr;    ///< row: what y is too large by
  std::uint8_t* exceeded = nullptr;  ///< per block: some y is too large for e^y
  float adaptation = 0;              ///< share of this state in the preconditioner, or 0
  float floor = 0;
};

/// Counts of the words of one block: pointers to rows.
struct BlockCounts {
  BlockCounts(const TopicPass& pass, std::size_t block);
  std::size_t first, count;  ///< rows [first, first + count) of this rank's words
  const std::uint32_t* rows[block_words];
};

/// columns[k] += counts(i, k) for the rows [first, end); whole numbers: any order gives the same.
void add_counts(BasicBlock<const std::uint32_t> counts, std::size_t first, std::size_t end,
                std::uint64_t* columns);

}  // namespace tain
