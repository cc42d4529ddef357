// Steps of topics on batches of documents that somebody else chose: what training in passes
// (training.hpp) and training on streams (stream_training.hpp) have in common.
//
// Definition: the topics of a sampler (topic_sampler.hpp) with the three things a batch can do to
//   them: a step of mirror descent (topic_descent.hpp); topics for its documents, by Gibbs sampling
//   (document_gibbs.hpp), and alpha from these (alpha_fit.hpp); a step of the sampler with counts.
//   Every batch is one step: the number of its noise.
// Laws: the state depends on what it was given, in its order; not on threads.
// Memory: the sampler's, and that of the largest batch.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/archive.hpp"
#include "core/parallel.hpp"
#include "lda/engine/alpha_fit.hpp"
#include "lda/engine/document_gibbs.hpp"
#include "lda/engine/exchange/topic_rows.hpp"
#include "lda/engine/topic_descent.hpp"
#include "lda/engine/topic_sampler.hpp"
#include "tain/text/corpus.hpp"

namespace tain {

class TopicSteps {
 public:
  /// Topics are to be started: by sampler(), or by first_weights() and, before they are sampled,
  /// take_weights(). Throws Error as make_topic_sampler does, and (config) for an alpha out of
  /// range.
  TopicSteps(std::string_view method, const TopicSamplerOptions& options, double alpha);
  /// The topics of the words of one rank.
  TopicSteps(std::string_view method, const TopicSamplerOptions& options, double alpha,
             const Sharding& sharding);
  TopicSteps(const TopicSteps&) = delete;
  TopicSteps& operator=(const TopicSteps&) = delete;

  /// A step of descent that looks at these documents.
  void descend(const DescentBatch& batch, double scale, double rate, Threads& threads);
  /// Topics of the documents of a batch. Takes their counts, unless null.
  void draw(std::span<const GibbsDocument> documents, const GibbsPlan& plan, TopicCounts* counts,
            Threads& threads);
  /// Tokens that all ranks drew, where there are several: draw() counts those of a process by
  /// itself.
  void note_drawn(std::uint64_t tokens) { tokens_drawn_ += tokens; }
  /// Moves alpha by the last topics of documents: those of all ranks that were added.
  void add_to_alpha(std::span<const GibbsDocument> documents);
  void fit_alpha();
  /// A step of the sampler.
  void sample(const TopicCounts& counts, double scale, double step_size, Threads& threads);
  /// Ends the batch, which had so many documents.
  void end_batch(std::uint64_t documents);

  /// Batches, and the documents in them.
  std::uint64_t steps() const { return steps_; }
  std::uint64_t documents_seen() const { return seen_; }
  /// Steps of the sampler.
  std::uint64_t updates() const { return updates_; }
  std::uint64_t tokens_drawn() const { return tokens_drawn_; }
  const TopicWeights& topics() const { return sampler_->weights(); }
  TopicSampler& sampler() { return *sampler_; }
  /// Rows that documents see, where this rank has not all words: to be taken before they are drawn.
  TopicRows* rows() { return rows_ ? &*rows_ : nullptr; }
  std::span<const float> alpha() const { return alpha_; }
  /// All state; a process by itself.
  void archive(Archive& a);
  /// In parts: what all ranks have in common, and rows of all that goes by word, of the words
  /// `part`: those of this rank when writing; when reading, those that are this rank's are taken.
  void archive_common(Archive& a);
  void archive_words(Archive& a, Range part);
  /// To be called when all words were read: throws Error (data) unless the weights have the sums
  /// that were read. Collective.
  void require_consistent(const Archive& a, Threads& threads);

 private:
  void require_possible(const Archive& a, const TopicArray& array, ConstFloatBlock rows) const;
  void require_sound(const std::optional<TopicFailure>& failure) const;

  std::vector<float> alpha_;
  std::unique_ptr<TopicSampler> sampler_;
  std::optional<TopicRows> rows_;
  TopicDescent descent_;
  DocumentGibbs gibbs_;
  AlphaFit alpha_fit_;
  std::uint64_t steps_ = 0, seen_ = 0, updates_ = 0, tokens_drawn_ = 0;
};

/// Documents of a batch with their tokens one by one and, where asked for, a place for the topic
/// of each. Memory is used again for the next batch.
class TokenBatch {
 public:
  void clear();
  /// A document of these words; `number` is its place in the noise.
  void add(std::uint32_t number, const DocumentWords& words);
  /// Gives every document a place for its last topics.
  void place_topics();
  /// Makes words the rows that they have in the table.
  void renumber(const TopicRows& rows);
  std::span<GibbsDocument> documents() { return documents_; }

 private:
  std::vector<GibbsDocument> documents_;
  std::vector<std::vector<std::uint32_t>> expanded_;  // tokens of bags
  std::vector<std::uint16_t> topics_;
};

}  // namespace tain
