// How the topics of a training run are divided among ranks.
//
// Definition: `replicated`: every rank has the weights of all words and applies the same update to
//   them; only counts travel. `sharded`: rank r has the words of the blocks (topics.hpp)
//   [r B / n, (r + 1) B / n) of B = ceil(W / block_words), updates these, and lends their rows to
//   the documents of others. Ranges begin at whole blocks, so that sums over blocks are the same
//   for every number of ranks; with more ranks than blocks some have none.
// Laws: neither the layout nor the number of ranks changes any bit of the topics.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "tain/comm/comm.hpp"

namespace tain {

enum class Layout { replicated, sharded };
constexpr std::string_view layout_name(Layout layout) {
  return layout == Layout::sharded ? "sharded" : "replicated";
}

/// Numbers [first, end).
struct Range {
  std::uint64_t first = 0, end = 0;
  std::uint64_t size() const { return end - first; }
  bool empty() const { return first == end; }
  bool contains(std::uint64_t i) const { return i >= first && i < end; }
  bool operator==(const Range&) const = default;
};
/// What two ranges have in common; empty if nothing.
constexpr Range common(Range a, Range b) {
  const std::uint64_t first = std::max(a.first, b.first), end = std::min(a.end, b.end);
  return {first, std::max(first, end)};
}

class Sharding {
 public:
  /// A process by itself.
  explicit Sharding(std::uint32_t words);
  /// The Comm must outlive this.
  Sharding(Comm& comm, Layout layout, std::uint32_t words);

  /// All ranks of the run.
  Comm& comm() const { return *comm_; }
  /// The ranks whose words together are all words: those of the run if they are sharded, else this
  /// process by itself.
  Comm& shards() const { return layout_ == Layout::sharded ? *comm_ : alone(); }
  Layout layout() const { return layout_; }
  /// Does this rank have the weights of all words?
  bool whole() const { return layout_ == Layout::replicated || comm_->alone(); }
  std::uint32_t all_words() const { return words_; }
  /// Words whose weights this rank has.
  Range words() const { return words_of(comm_->rank()); }
  Range words_of(int rank) const;
  /// The rank that has a word; sharded only.
  int owner(std::uint32_t word) const;

 private:
  static Comm& alone();

  Comm* comm_;
  Layout layout_;
  std::uint32_t words_;
};

}  // namespace tain
