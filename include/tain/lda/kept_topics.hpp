// The topic of every token of the documents trained on, and their counts.
//
// Definition: z_di for token i of document d (tokens as they are in the corpus, or those of a bag
//   by ascending word), N_kw = how many tokens of word w have topic k.
// Laws: counts() always are those of the topics known. Replacing the topics of different documents
//   at the same time gives the same counts in any order: they are integers.
// Memory: 2 bytes per token, 8 per document, 4 per word and topic.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tain/core/archive.hpp"
#include "tain/core/parallel.hpp"
#include "tain/lda/topics.hpp"
#include "tain/text/corpus.hpp"

namespace tain {

/// Tokens of a document; `expanded` is filled and used for a bag.
std::span<const std::uint32_t> document_tokens(const DocumentWords& words,
                                               std::vector<std::uint32_t>& expanded);

class KeptTopics {
 public:
  static constexpr std::uint16_t unknown = 0xFFFF;

  /// `documents`: numbers in the corpus; both must outlive this.
  KeptTopics(const Corpus& corpus, std::span<const std::uint32_t> documents, std::uint32_t topics);

  std::uint64_t documents() const { return documents_.size(); }
  /// How many documents have topics.
  std::uint64_t known() const { return known_; }
  bool is_known(std::size_t index) const {
    return topics_[begin_[index]] != unknown || begin_[index] == begin_[index + 1];
  }
  /// Topics of the document with this place among `documents`.
  std::span<const std::uint16_t> of(std::size_t index) const {
    return std::span(topics_).subspan(begin_[index], begin_[index + 1] - begin_[index]);
  }
  /// Gives the tokens of a document new topics. Different documents may be replaced at the same
  /// time; note_known() tells afterwards how many had none before.
  void replace(std::size_t index, std::span<const std::uint32_t> words,
               std::span<const std::uint16_t> topics);
  void note_known(std::uint64_t documents) { known_ += documents; }
  /// All words, kept = 1.
  const TopicCounts& counts() const { return counts_; }
  /// Reading counts anew.
  void archive(Archive& a, Threads& threads);

 private:
  const Corpus& corpus_;
  std::span<const std::uint32_t> documents_;
  std::vector<std::uint64_t> begin_;
  std::vector<std::uint16_t> topics_;
  TopicCounts counts_;
  std::uint64_t known_ = 0;
};

std::uint64_t kept_topics_bytes(std::uint64_t documents, std::uint64_t tokens, std::uint32_t topics,
                                std::uint32_t words);

}  // namespace tain
