// Chains as whole points: which stand still, which are copies.
#pragma once

#include <span>

#include "tain/diagnose/chains.hpp"

namespace tain {
class Threads;
}

namespace tain::diagnostics {

/// Fills `frozen`, `stuck` and `copies`; values are (chain, draw, coordinate).
/// Cost: two draws that differ do so in their first coordinates, so that hardly more than those
///   are read; equal ones are compared to the end.
void find_still_and_copies(OddChains& odd, std::span<const double> values, std::size_t chains,
                           std::size_t draws, std::size_t dim, Threads& threads);

}  // namespace tain::diagnostics
