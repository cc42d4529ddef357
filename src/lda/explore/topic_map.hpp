// Topics as points of a plane, near where they share their words.
//
// Definition: the distance of topics p and q is the square root of their Jensen-Shannon divergence
//     JS(p, q) = 1/2 sum p log p + 1/2 sum q log q - sum m log m,   m = (p + q) / 2,
//   a metric that embeds into a Hilbert space (Endres & Schindelin 2003; Fuglede & Topsoe 2004), so
//   that B = -1/2 J (d^2) J with J = 1 - 1/K has no negative eigenvalues. Classical scaling: with
//   its largest eigenvalues l_1, l_2 and their unit vectors, topic k is at (sqrt(l_1) v_1k,
//   sqrt(l_2) v_2k), and l_i / trace B is the part of all squared distances that axis i explains.
//   The entry of largest size in each vector is positive (the first such, if there are several).
//   Where pairs of topics times words are more than `most_terms`, words that are rare in all topics
//   are merged, those with their largest probability in the same topic into one cell: merging can
//   only lower JS, and by no more than log 2 times the mean of both topics' probabilities merged.
// Laws: permuting topics permutes the points, up to rounding and the signs of axes. Equal topics
//   have distance 0 and the same place. Bits do not depend on threads.
// Numerics: probabilities and logarithms as float, sums and eigenvectors in double: JS errs by less
//   than 1e-6. Eigenvectors by the Lanczos process with full reorthogonalisation until the residual
//   is below 1e-10 l_1.
// Cost: K^2 / 2 times words logarithms, at most `most_terms` (2^35: some ten seconds of a core);
//   memory K^2 doubles and K x words floats.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/parallel.hpp"
#include "lda/engine/topics.hpp"

namespace tain {

/// More topics than this have no map: the matrix of distances would take gigabytes.
inline constexpr std::uint32_t most_mapped_topics = 8192;

struct TopicMapPlan {
  std::uint64_t most_terms = std::uint64_t{1} << 35;
  std::size_t neighbours = 3;
};

struct TopicMap {
  std::vector<std::array<double, 2>> places;
  std::array<double, 2> explained{};  ///< by the axes, of all squared distances
  /// The nearest other topics by distance (not by place), nearest first; ties by number.
  std::vector<std::vector<std::uint32_t>> nearest;
  double merged = 0;  ///< largest probability of a topic in merged words
};

/// Throws Error (config) for more than `most_mapped_topics`.
TopicMap map_topics(const TopicWeights& topics, Threads& threads, const TopicMapPlan& plan = {});

/// Squared distances, K x K.
std::vector<double> squared_distances(const TopicWeights& topics, Threads& threads,
                                      const TopicMapPlan& plan = {});

}  // namespace tain
