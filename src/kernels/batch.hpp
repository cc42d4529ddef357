// Mini-batches by position: which terms a chain looks at in a step (paper, Algorithm 1, line 3).
//
// Definition: b of N terms, uniformly at random, with or without replacement, drawn for every chain
//   on its own: the batch is a function of (seed, chain, step). Chains that shared batches would
//   share gradient noise, and agree with each other more than with the target.
// Laws: every term is in a batch with probability b/N (without replacement), every index of a
//   batch is uniform; without replacement no term comes twice. A batch of N terms without
//   replacement is the whole potential, in order.
// Cost: O(b) words per chain with replacement, O(b log b) without.
#pragma once

#include <cstdint>

#include "random/noise.hpp"
#include "tain/targets/potential.hpp"

namespace tain {

/// Batches of step t for the chains first_chain, first_chain + 1, ...; indices live in `ws`.
Batches draw_batches(const NoiseField& noise, std::uint64_t t, std::uint32_t first_chain,
                     std::size_t lanes, std::uint64_t terms, const Batching& batching,
                     Workspace& ws);

}  // namespace tain
