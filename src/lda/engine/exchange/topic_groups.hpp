// Topics by groups of `row_alignment`, each with all its words: how they leave memory for files.
//
// Definition: a source is the rows of words that this rank has (topics.hpp), and a factor per topic
//   (none: 1); group g holds topics [16 g, min(K, 16 g + 16)), topic-major, all words, values
//   weight(w, k) * factor_k in float.
// Laws: the values do not depend on how words are divided among ranks, nor on threads.
// Memory: one group on rank 0; where topics are sharded, what comes from the others besides. No
//   rank ever holds all topics of all words because of this.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "lda/engine/exchange/sharding.hpp"
#include "lda/engine/topics.hpp"
#include "tain/core/block.hpp"

namespace tain {

/// Where topics are: views.
struct TopicSource {
  TopicSource() = default;
  /// All words, in this process.
  TopicSource(ConstFloatBlock cells) : rows(cells) {}  // NOLINT(google-explicit-constructor)
  TopicSource(FloatBlock cells) : rows(cells) {}       // NOLINT(google-explicit-constructor)
  TopicSource(ConstFloatBlock cells, std::span<const float> factor, const Sharding& words)
      : rows(cells), factors(factor), sharding(&words) {}

  ConstFloatBlock rows;                ///< words of this rank x padded K
  std::span<const float> factors;      ///< one per topic, or empty
  const Sharding* sharding = nullptr;  ///< null: this process has all words
  bool here() const { return sharding == nullptr || sharding->whole(); }
  bool is_root() const { return sharding == nullptr || sharding->comm().is_root(); }
  std::size_t words() const { return sharding == nullptr ? rows.rows() : sharding->all_words(); }
};

class TopicGroups {
 public:
  TopicGroups(const TopicSource& source, std::uint32_t topics);
  ~TopicGroups();
  TopicGroups(const TopicGroups&) = delete;
  TopicGroups& operator=(const TopicGroups&) = delete;

  std::size_t size() const { return (topics_ + row_alignment - 1) / row_alignment; }
  std::size_t words() const { return source_.words(); }
  std::size_t first_topic(std::size_t group) const { return group * row_alignment; }
  std::size_t topics_of(std::size_t group) const;
  /// Topic after topic, words() values each; valid until the next call. Collective, in ascending
  /// order of groups; empty but on rank 0.
  std::span<float> read(std::size_t group, Threads* threads = nullptr);

 private:
  void gather(std::size_t group);

  TopicSource source_;
  std::size_t topics_;
  std::vector<float> values_, own_;
  std::unique_ptr<Transfer> transfer_;
};

/// Sums of the topics of a group, in double and in the order of words; `first` is the number of its
/// first topic. Throws Error (data) for a topic that has no sum.
std::vector<double> topic_sums(std::span<const float> group, std::size_t words, std::size_t first);

/// Words of highest weight of every topic, descending; ties by number. As many as `count`, or all
/// words. Collective; the same on all ranks.
std::vector<std::vector<std::uint32_t>> top_words(const TopicSource& source, std::uint32_t topics,
                                                  std::size_t count);

}  // namespace tain
