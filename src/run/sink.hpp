// Where the draws of a run go: a place for every (chain, draw), so that the order of writing is
// free.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tain {

/// One kept state of one chain.
struct Draw {
  std::uint32_t chain = 0;
  std::uint64_t draw = 0;          ///< 0-based, warm-up not counted
  std::span<const double> primal;  ///< x, borrowed for the call
  std::span<const double> dual;    ///< y, borrowed for the call
  double log_density = 0;          ///< -W(y), up to the target's constant
  double acceptance = 1;  ///< Metropolis acceptance probability of the last step into this draw
  bool divergent = false;
};

/// put() is called concurrently for different chains, never twice for one (chain, draw).
class DrawSink {
 public:
  virtual ~DrawSink() = default;
  virtual void put(const Draw& draw) = 0;
};

}  // namespace tain
