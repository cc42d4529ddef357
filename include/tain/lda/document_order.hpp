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

#include "tain/random/noise.hpp"

namespace tain {

class DocumentOrder {
 public:
  /// `documents` from 1 to 2^32.
  DocumentOrder(const NoiseField& field, std::uint64_t documents);

  std::uint64_t documents() const { return documents_; }
  std::uint64_t at(std::uint64_t position) const;

 private:
  std::uint64_t permuted(std::uint64_t index, std::uint64_t pass) const;

  NoiseField field_;
  std::uint64_t documents_;
  int half_bits_;
};

}  // namespace tain
