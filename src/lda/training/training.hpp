// Training: batches of documents, their topics, one step of the topics each.
//
// Definition: step t = 0, 1, ... visits the next documents of the order (document_order.hpp), in
//   two phases:
//   descent   while fewer than `descent` documents were seen: a step of mirror descent
//             (topic_descent.hpp) with rate `descent_rate` falling linearly to 0.
//   sampling  topics of the documents by Gibbs given the current ones (document_gibbs.hpp), then
//             a step of the topics' sampler (topic_sampler.hpp), of size a (1 + t/b)^-c with t the
//             sampler's steps so far. It begins a new pass.
//   With Assignments::fresh (the paper's) documents forget their topics, and the batch's counts
//   stand for the corpus's, times R = D/B. With Assignments::kept every document goes on from its
//   last topics, and the sampler sees the counts of the whole corpus: no noise of mini-batches. The
//   chain then alternates z | phi and phi | z, whose stationary law is the posterior if the
//   sampler's is Dirichlet (gibbs and scir: exactly; smld-root: up to its second moments). Its first
//   pass only draws topics of documents; phi moves after it.
//   Alpha is learned (alpha_fit.hpp) from the first `optimize_alpha` documents sampled, then stays, so
//   that what follows has one law.
// Ranks: each visits, and keeps the topics of, the documents of its own places, and has the topics
//   of the words of its Division. What documents tell of words travels to whoever has them, while
//   others are looked at. A step and whatever is said to be collective are called by all ranks.
// Laws: the state after t steps depends on corpus, held-out documents and plan; not on threads,
//   ranks or layout, nor on how often training was stopped and resumed, on whatever ranks.
// Memory: see training_state_bytes; the corpus is mapped.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/archive.hpp"
#include "core/parallel.hpp"
#include "lda/engine/document_order.hpp"
#include "lda/engine/kept_topics.hpp"
#include "lda/engine/topic_sampler.hpp"
#include "lda/engine/topic_steps.hpp"
#include "tain/text/corpus.hpp"

namespace tain {

/// Where topics come from: noise, a few documents each, or mirror descent from those.
enum class Start { random, documents, descent };
enum class Assignments { fresh, kept };

struct TrainingPlan {
  std::string method = "smld-root";
  std::uint32_t topics = 100;
  double alpha = 0.1;  ///< per topic
  double eta = 0.05;   ///< per word
  std::uint32_t batch = 50;
  Assignments assignments = Assignments::fresh;
  std::uint32_t sweeps = 20;
  std::uint32_t sweeps_burn_in = 10;       ///< sweeps of fresh assignments that are not counted
  Schedule step_size = {0.1, 1000, 0.55};  ///< of methods that have one
  Start start = Start::random;
  double first_weight = 1;    ///< of a word, at a random start
  std::uint64_t descent = 0;  ///< documents; 0 unless the start is a descent
  std::uint32_t descent_batch = 500;
  double descent_rate = 0.5;         ///< in (0, 1]
  std::uint64_t optimize_alpha = 0;  ///< documents
  std::uint64_t warmup = 0;          ///< smld-preconditioned: steps during which it adapts
  Approximation approximation = Approximation::linear;
  double floor = 0;
  std::uint64_t seed = 1;
};

/// Sum of alpha over topics: what learning it on encyclopedia articles comes near (3.8 at K = 100).
inline constexpr double prior_topics = 5;
/// What suits a method and the length of a run: for smld-root, gibbs and scir a descent over three fifths
/// of the documents to be seen, then sampling with kept assignments; for the others what the paper
/// does, from random topics (those of smld-approximate at the scale of the posterior). Settings
/// measured in bench/lda_quality.
TrainingPlan suggested_plan(std::string_view method, std::uint32_t topics, const Corpus& corpus,
                            std::uint64_t documents, double passes);
/// Passes that suit a corpus: 5, and more over small ones.
double suggested_passes(std::uint64_t documents);

class CountExchange;
struct ChangedDocument;

class Training {
 public:
  /// Trains on `documents` (at least one). Corpus, threads and the division's ranks must outlive
  /// this. Collective. Throws Error (config) for a plan out of range.
  Training(const Corpus& corpus, TrainingDocuments documents, const TrainingPlan& plan,
           const Sharding& sharding, Threads& threads);
  /// A process by itself.
  Training(const Corpus& corpus, TrainingDocuments documents, const TrainingPlan& plan,
           Threads& threads);
  ~Training();
  Training(const Training&) = delete;
  Training& operator=(const Training&) = delete;

  /// One step. Collective. Throws Error (data) with the step and the cause if the topics broke
  /// down: then all ranks do.
  void step();
  std::uint64_t steps() const { return steps_.steps(); }
  std::uint64_t documents_seen() const { return steps_.documents_seen(); }
  std::uint64_t tokens_drawn() const { return steps_.tokens_drawn(); }
  /// Are the topics a point that still descends, rather than a draw?
  bool descending() const { return documents_seen() < plan_.descent; }
  const Sharding& sharding() const { return sharding_; }
  /// Documents that this rank visits.
  Range places() const { return places_; }
  /// Of the words division().words().
  const TopicWeights& topics() const { return steps_.topics(); }
  std::span<const float> alpha() const { return steps_.alpha(); }
  const TrainingPlan& plan() const { return plan_; }
  /// Topics of the documents of this rank; null unless they are kept.
  const KeptTopics* kept() const { return kept_ ? &*kept_ : nullptr; }
  /// Tokens of the corpus by the topics that are kept; empty if none are. Collective.
  std::vector<std::uint64_t> tokens_by_topic() const;

  /// All state; a process by itself.
  void archive(Archive& a);
  /// In parts, written by any ranks in any layout and read by any others. What all ranks have in
  /// common;
  void archive_common(Archive& a);
  /// what goes by word, of the words `part`: writing, those of this rank; reading, those that are
  /// this rank's are taken;
  void archive_words(Archive& a, Range part);
  /// the topics of the documents at the places `part`, in the same way.
  void archive_documents(Archive& a, Range part);
  /// To be called when all parts were read. Collective.
  void restored(const Archive& a);

 private:
  void gather(std::uint64_t position, std::uint64_t count);
  void descend();
  void sample();
  void draw_documents(const GibbsPlan& plan, std::uint64_t count);
  void fill_batch(Range piece);
  void keep_topics(Range piece);
  void send_counts(Range piece, const GibbsPlan& plan);
  void receive_counts();
  std::size_t pieces(std::uint64_t count) const;

  const Corpus& corpus_;
  TrainingDocuments documents_;
  TrainingPlan plan_;
  Sharding sharding_;
  Range places_;
  Threads& threads_;
  NoiseField noise_;
  RangeOrder order_;
  TopicSteps steps_;
  std::optional<KeptTopics> kept_;

  std::vector<RangeOrder::Visit> visits_;    // of a batch, by this rank
  std::vector<std::uint64_t> chosen_;        // their places
  std::vector<std::uint64_t> turns_;         // and where they are in the batch
  std::vector<DocumentWords> words_;         // of a batch that descends
  TokenBatch batch_;                         // of a piece
  TopicCounts counts_;                       // of a batch of fresh assignments
  bool learns_alpha_ = false;                // from this batch
  std::unique_ptr<CountExchange> exchange_;  // where there are several ranks
  std::vector<ChangedDocument> changed_;     // of a piece of kept assignments
};

/// Memory of a Training on so many documents and tokens, of one of `ranks`.
std::uint64_t training_state_bytes(const TrainingPlan& plan, std::uint32_t words,
                                   std::uint64_t documents, std::uint64_t tokens, int ranks = 1,
                                   Layout layout = Layout::replicated);

}  // namespace tain
