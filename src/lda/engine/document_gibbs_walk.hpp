// What a worker needs to walk documents; shared by the code of all instruction sets.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lda/engine/document_gibbs.hpp"
#include "tain/core/block.hpp"

namespace tain::gibbs {

/// Documents walked in turns by one worker. Measured on AVX-512 with 2 MB of second cache, sparse
/// at K = 1,000: 4 take 48 ns a draw, 6 take 55, 8 take 64: their rows of weights have to stay in
/// the cache between sweeps. At K = 100, dense, 6 to 12 are alike and 4 are slower by a tenth.
inline constexpr std::size_t turns = 8;
constexpr std::size_t turns_for(std::size_t row_length) { return row_length > 256 ? 4 : turns; }
/// Uniforms generated at a time, per document: they stay in the first cache.
inline constexpr std::uint32_t segment = 1024;

/// The topics as a run sees them. alpha, scale and prior have one block of 16 zeros more than a
/// row: `nobody`, the topic of a token that has none yet, is an index there. Taking such a token
/// away or putting it back changes cells that no draw reads, which spares a branch per token.
struct Topics {
  ConstFloatBlock weights;
  std::uint32_t count = 0;
  const float* alpha = nullptr;
  const float* scale = nullptr;       ///< c_k
  const float* prior = nullptr;       ///< alpha_k c_k
  const float* prior_mass = nullptr;  ///< by word: sum_k alpha_k c_k weight(w, k); sparse only

  std::size_t length() const { return weights.lanes(); }
  std::uint16_t nobody() const { return static_cast<std::uint16_t>(weights.lanes()); }
};

/// One document of a run.
struct DocumentSlot {
  const GibbsDocument* document = nullptr;
  /// Topics of token i in the sweeps kept are cells[i * columns + 0, 1, ...]; one token more than
  /// the document has. Null: nobody asks, the worker has room for one column.
  std::uint16_t* cells = nullptr;
  std::uint32_t* sums = nullptr;  ///< n_dk over the sweeps kept, or null
};

/// What all workers of a run share.
struct Job {
  Topics topics;
  GibbsPlan plan;
  GibbsAlgorithm algorithm = GibbsAlgorithm::dense;
  std::uint64_t seed = 0, visit = 0;
  std::size_t columns = 1;
  std::span<const DocumentSlot> walks;
  std::atomic<std::size_t>* next = nullptr;  ///< walk to be taken up next
};

/// One of the documents a worker walks in turns.
struct DocumentState {
  // Of the tokens left in this segment.
  const std::uint32_t* words = nullptr;
  const float* uniforms = nullptr;
  const std::uint16_t* before = nullptr;  ///< topics of the sweep before, one token ahead
  std::uint16_t* after = nullptr;
  std::size_t stride = 1;
  // Of the document. m: dense, by topic, (alpha_k + n_dk) c_k; sparse, by place in the list, n_dk
  // c_k. Both keep a value for `nobody` at index row length.
  float* m = nullptr;
  std::int32_t* n = nullptr;
  float* partial = nullptr;           ///< sums over the blocks up to each
  float* prefix = nullptr;            ///< sums over the lanes up to each, after a zero
  std::int32_t* list = nullptr;       ///< sparse: topics the document has or had in this sweep
  std::uint16_t* position = nullptr;  ///< sparse: where a topic is in the list
  std::uint32_t listed = 0;
  // Of the token under way, between weighing and choosing.
  float target = 0;
  std::uint32_t above = 0;  ///< lanes whose prefix sum is above it
  // Progress.
  float* noise = nullptr;
  std::uint16_t* own_cells = nullptr;
  const DocumentSlot* walk = nullptr;
  std::uint16_t* cells = nullptr;
  std::uint32_t size = 0, position_in_sweep = 0, left = 0, sweep = 0;
};

/// Memory of one worker, kept from run to run.
class Scratch {
 public:
  void fit(std::size_t length, std::size_t own_cells) {
    if (length_ != length) {
      floats_ = FloatBlockStorage(turns, 2 * (length + 16) + 32 + segment + 64);
      integers_ = BasicBlockStorage<std::int32_t>(turns, 2 * (length + 16));
      positions_ = BasicBlockStorage<std::uint16_t>(turns, length + 32);
      length_ = length;
    }
    if (cells_.lanes() < own_cells) {
      cells_ = BasicBlockStorage<std::uint16_t>(
          turns, (std::max(own_cells, 2 * cells_.lanes()) + 31) / 32 * 32);
    }
  }
  DocumentState place(std::size_t i) {
    DocumentState place;
    place.m = floats_.view().row(i);
    place.partial = place.m + length_ + 16;
    place.prefix = place.partial + length_ + 16 + 15;  // so that prefix + 1 is aligned
    place.noise = place.prefix + 17;
    place.n = integers_.view().row(i);
    place.list = place.n + length_ + 16;
    place.position = positions_.view().row(i);
    place.own_cells = cells_.lanes() == 0 ? nullptr : cells_.view().row(i);
    return place;
  }

 private:
  std::size_t length_ = 0;
  FloatBlockStorage floats_;
  BasicBlockStorage<std::int32_t> integers_;
  BasicBlockStorage<std::uint16_t> positions_, cells_;
};

/// Walks documents until none is left. Several workers may share a job.
void walk_documents(const Job& job, Scratch& scratch);
/// mass[w] for every word of `words`.
void sum_priors(const Topics& topics, std::span<const std::uint32_t> words, Scratch& scratch,
                float* mass);

}  // namespace tain::gibbs
