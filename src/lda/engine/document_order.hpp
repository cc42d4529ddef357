// The order in which training visits documents: every pass a new permutation.
//
// Definition: position i of the endless sequence is document sigma_p(i mod n) of pass p = i / n,
//   where sigma_p is a permutation of 0 ... n - 1 that depends on the seed and on p only: a Feistel
//   network of six rounds on the smallest even number of bits that holds n, walked along its cycle
//   until it lands below n.
// Laws: a pass visits every document once; any position is known without those before it, so a
//   resumed or a divided run needs no memory of the past.
// Cost: O(1) per position, about 4 walks at worst on average; no memory.
#pragma once

#include <cstdint>
#include <vector>

#include "core/parallel.hpp"
#include "lda/engine/exchange/sharding.hpp"
#include "random/noise.hpp"

namespace tain {

class DocumentOrder {
 public:
  /// `documents` from 1 to 2^32.
  DocumentOrder(const NoiseField& field, std::uint64_t documents);

  std::uint64_t documents() const { return documents_; }
  std::uint64_t at(std::uint64_t position) const;
  /// Where in a pass a document is: at(pass n + where) is the document.
  std::uint64_t where(std::uint64_t document, std::uint64_t pass) const;

 private:
  std::uint64_t permuted(std::uint64_t index, std::uint64_t pass) const;
  std::uint64_t unpermuted(std::uint64_t index, std::uint64_t pass) const;
  std::uint64_t mixed(std::uint64_t half, std::uint64_t pass, std::uint32_t round) const;

  NoiseField field_;
  std::uint64_t documents_;
  int half_bits_;
};

/// The visits of a range of documents: those that a rank makes. A pass costs a walk back per
/// document of the range, so the ranks together walk no further than one process does.
class RangeOrder {
 public:
  struct Visit {
    std::uint64_t position, document;
  };

  RangeOrder(const DocumentOrder& order, Range documents) : order_(order), range_(documents) {}

  /// Those at the positions [first, first + count), ascending.
  void find(std::uint64_t first, std::uint64_t count, Threads& threads, std::vector<Visit>& visits);

 private:
  bool whole() const { return range_ == Range{0, order_.documents()}; }
  void take_pass(std::uint64_t pass, Threads& threads);

  DocumentOrder order_;
  Range range_;
  std::uint64_t pass_ = ~std::uint64_t{0};
  std::vector<std::uint64_t> visits_;  // of the pass: where << 32 | place in the range, ascending
};

}  // namespace tain
