// Documents that ranks share out: each looks at some, with the topics that all have together.
//
// Definition: of n documents rank r of R looks at [n r / R, n (r + 1) / R), by Gibbs sampling given
//   the topics (document_gibbs.hpp).
// Laws: what is found of a document depends neither on threads nor on ranks or layout.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "lda/engine/document_gibbs.hpp"
#include "lda/engine/exchange/sharding.hpp"
#include "lda/engine/topics.hpp"
#include "random/noise.hpp"

namespace tain {

/// Topics that all ranks together have, to look at documents with.
struct ShardedTopics {
  const TopicWeights& own;
  const Sharding& sharding;
  std::span<const float> alpha;
};

/// A document that was looked at.
struct SharedDocument {
  std::size_t document;
  std::span<const std::uint32_t> assigned;  ///< n_dk, added up over the sweeps kept
  const TopicWeights& topics;               ///< rows that are at hand
  std::span<const std::uint32_t> others;    ///< rows of the other words asked for
};

/// Looks at the documents of this rank, documents[d] with number d and the rows of others[d] at
/// hand too, and calls `see` for each, from several threads at once. Collective.
void gibbs_over_ranks(const ShardedTopics& topics, const NoiseField& noise,
                      std::span<const std::span<const std::uint32_t>> documents,
                      std::span<const std::span<const std::uint32_t>> others, const GibbsPlan& plan,
                      std::uint64_t visit, Threads& threads,
                      const std::function<void(const SharedDocument&)>& see);

/// Of all documents together: how often each topic was given, over the sweeps kept. Collective.
std::vector<std::uint64_t> tokens_by_topic(
    const Sharding& sharding, const TopicWeights& own, std::span<const float> alpha,
    const NoiseField& noise, std::span<const std::span<const std::uint32_t>> documents,
    const GibbsPlan& plan, std::uint64_t visit, Threads& threads);

}  // namespace tain
