// The topic of every token of the documents trained on, and their counts.
//
// Definition: z_di for token i of document d (tokens as they are in the corpus, or those of a bag
//   by ascending word), N_kw = how many tokens of word w have topic k.
// Ranks: one keeps the topics of the documents at some places, and counts some words: its own
//   tokens' changes go to whoever counts their words (count_exchange.hpp).
// Laws: counts() always are those of the topics known. Replacing the topics of different documents
//   at the same time gives the same counts in any order: they are integers.
// Memory: 2 bytes per token, 8 per document, 4 per word and topic.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "core/archive.hpp"
#include "core/parallel.hpp"
#include "lda/engine/exchange/sharding.hpp"
#include "lda/engine/held_out.hpp"
#include "lda/engine/topics.hpp"
#include "tain/core/error.hpp"
#include "tain/text/corpus.hpp"

namespace tain {

/// Tokens of a document; `expanded` is filled and used for a bag.
std::span<const std::uint32_t> document_tokens(const DocumentWords& words,
                                               std::vector<std::uint32_t>& expanded);

class KeptTopics {
 public:
  static constexpr std::uint16_t unknown = 0xFFFF;

  /// Of the documents at these places, with counts of these words; corpus and documents must
  /// outlive this.
  KeptTopics(const Corpus& corpus, const TrainingDocuments& documents, Range places,
             std::uint32_t topics, Range words);

  /// Documents whose topics are kept here.
  Range places() const { return places_; }
  bool is_known(std::uint64_t place) const {
    const std::span<const std::uint16_t> own = of(place);
    return own.empty() || own.front() != unknown;
  }
  /// Topics of the document at a place.
  std::span<const std::uint16_t> of(std::uint64_t place) const {
    const std::uint64_t begin = begin_[place - places_.first];
    return std::span(topics_).subspan(begin, begin_[place - places_.first + 1] - begin);
  }
  /// Gives the tokens of a document new topics, and counts them. Different documents may be
  /// replaced at the same time.
  void replace(std::uint64_t place, std::span<const std::uint32_t> words,
               std::span<const std::uint16_t> topics);
  /// The same without counting: what changed is to be told by add().
  void set(std::uint64_t place, std::span<const std::uint16_t> topics);
  /// All words that are counted here, kept = 1.
  const TopicCounts& counts() const { return counts_; }
  /// One count of one of these words.
  void add(std::uint32_t word, std::uint32_t topic, std::int64_t by) {
    count(word, topic) += static_cast<std::uint32_t>(by);
  }
  /// The same, where others add at the same time.
  void add_together(std::uint32_t word, std::uint32_t topic, std::int64_t by) {
    std::atomic_ref(count(word, topic))
        .fetch_add(static_cast<std::uint32_t>(by), std::memory_order_relaxed);
  }
  void forget_counts();
  /// Counts anew; where all words are counted here and all documents kept.
  void recount(Threads& threads);

  /// The topics of the documents at the places `part`. Writing: places(). Reading takes those that
  /// are kept here, and counts nothing.
  void archive(Archive& a, Range part);

 private:
  std::uint32_t& count(std::uint32_t word, std::uint32_t topic) {
    const BasicBlock<std::uint32_t> sums = counts_.sums.view();
    TAIN_EXPECTS(words_.contains(word) && topic < sums.lanes(), "a count that is kept here");
    return sums.at(word - words_.first, topic);
  }

  const Corpus& corpus_;
  const TrainingDocuments& documents_;
  Range places_, words_;
  std::uint32_t topics_of_model_;
  std::vector<std::uint64_t> begin_;
  std::vector<std::uint16_t> topics_;
  TopicCounts counts_;
};

std::uint64_t kept_topics_bytes(std::uint64_t documents, std::uint64_t tokens, std::uint32_t topics,
                                std::uint32_t words);

}  // namespace tain
