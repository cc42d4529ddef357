// Which chains a rank runs.
#pragma once

#include <cstdint>

namespace tain {

/// Chains first, ..., first + count - 1.
struct ChainRange {
  std::uint32_t first = 0, count = 0;
};

/// Consecutive ranges, as even as can be; rank 0 has chain 0, and one of the largest. Ranks beyond
/// the number of chains have none.
ChainRange chains_of_rank(std::uint32_t chains, int rank, int ranks);

}  // namespace tain
