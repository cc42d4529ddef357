// Ranks of draws among the draws of all chains: do the chains tell the same story?
//
// Definition: rank r of a draw among all S = chains * draws of them, 1 the smallest, ties sharing
//   their mean rank. Chain c has counts of ranks in equal bins (a rank plot), and the ECDF
//     F_c(z) = share of its draws with r <= z S,
//   looked at in the points z_k = k/K, 0 < k < K. If all chains draw independently from one law,
//   which draws have which ranks is a uniformly random arrangement: the counts N F_c(z_k) are
//   hypergeometric, and from one point to the next a Markov chain with hypergeometric steps.
// Band (after Saeilynoja, Buerkner & Vehtari 2022): at every point the central interval of that
//   hypergeometric law at one common level, the level such that a chain stays inside at all points
//   with probability 1 - (1 - confidence)/L, computed exactly by following the Markov chain. Over L
//   chains the union bound gives the confidence; with two chains, each other's mirror image, L
//   counts as 1.
// Laws: ranks do not change under increasing maps; bins of all chains together are as full as each
//   other (without ties, where the bins divide S). The false-alarm rate is at most 1 - confidence
//   for independent draws without ties (exactly enumerated and simulated in the tests).
// Numerics: longer chains than `exact_draws` take the band of that length, scaled by 1/sqrt of the
//   lengths' ratio: its false alarms are then as many as the normal limit's (measured: 0.039 to
//   0.054 at lengths up to 8000). From much shorter chains scaling would not do: at 300 draws the
//   counts near both ends are few and skewed, and four chains of 1000 gave 0.076.
// Cost: ranks O(S); a band at most a tenth of a second.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "diagnose/convergence.hpp"

namespace tain {

/// Rank of every value, same layout; all values finite.
std::vector<double> ranks(const Series& s);

/// Draws of every chain by rank: (chain, bin). Bin b holds the ranks in (b S/B, (b + 1) S/B].
std::vector<double> rank_counts(std::span<const double> ranks, std::size_t chains,
                                std::size_t bins);

/// F_c(z_k) - z_k: (chain, point), K - 1 points. z_k is taken where it can lie, at m_k / S with
/// m_k = floor(k S / K), so that all chains together lie at 0.
std::vector<double> rank_ecdf_differences(std::span<const double> ranks, std::size_t chains,
                                          std::size_t points);

/// Bounds of F_c(z_k) - z_k, K - 1 of each.
struct RankBand {
  std::vector<double> low, high;
};
inline constexpr std::size_t exact_draws = 2000;
/// At least two chains of at least one draw.
RankBand rank_band(std::size_t chains, std::size_t draws, std::size_t points,
                   double confidence = 0.95);

}  // namespace tain
