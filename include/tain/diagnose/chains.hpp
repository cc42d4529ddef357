// Chains that are not like the others, whatever R-hat says: it dilutes one chain among a thousand.
#pragma once

#include <cstddef>
#include <vector>

namespace tain {

/// Chains, draws and coordinates count from 0; every list is in the order of chains.
struct OddChains {
  /// Did not move, in any coordinate, for so many draws from the first on: all of them, or a tenth
  /// and far longer than chains do. Chains that reject as often as these do, one draw like another,
  /// would have such a stretch in one run of 10,000.
  struct Still {
    std::size_t chain = 0, first = 0, draws = 0;
  };
  /// Has the draws of an earlier chain, bit for bit.
  struct Copy {
    std::size_t chain = 0, original = 0;
  };
  /// Never moved in a coordinate, at a value that chains which move there hardly have.
  struct Held {
    std::size_t chain = 0, coordinate = 0;
  };
  /// Lies elsewhere than the others, or is much wider or narrower; in the coordinate where that
  /// shows most. `distance` is that of its mean, in sd on the normal scale of ranks; 0: the spread.
  struct Apart {
    std::size_t chain = 0, coordinate = 0;
    double distance = 0;
  };
  std::vector<Still> frozen;  ///< never moved
  std::vector<Still> stuck;   ///< stood still for long
  std::vector<Copy> copies;
  std::vector<Held> held;
  std::vector<Apart> apart;
};

}  // namespace tain
