// Training on a stream: documents as they come, each seen once, without end.
//
// Definition: documents are taken in batches whose places depend on nothing but the number of
//   documents. The first `first` of them are waited for: topics start from their words
//   (topics_from_documents). A batch that takes the stream from n to n + B documents moves the
//   topics for the time
//     h = forgetting log((n + B + first) / (n + first)),
//   with its counts times min(max(n + B, first), total_documents) / B: topics claim to know what
//   was seen, and no more than there is. While fewer than `descent` documents were seen it is a
//   step of mirror descent with rate 1 - e^-h (topic_descent.hpp). Then the batch's documents get
//   their topics by Gibbs sampling, and it is a step of the sampler of size h (topic_sampler.hpp);
//   the topics published are the mean over these steps.
//   Documents without words say nothing: they are counted, no more.
// Why: by that clock document m weighs (m / n)^forgetting after n documents, however many these
//   are: a stream has no length that a rate could fall over. Batches grow with n: the first
//   documents make many steps, later ones cheap steps.
// Laws: the state after n documents depends on plan, number of words and these documents in their
//   order; not on the calls that they came in, on threads, nor on saving and restoring. Bits are
//   those of an instruction set: a state that moves to another machine goes on, up to rounding.
// Memory: the topics, their mean once draws are averaged, and the documents of a batch.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/archive.hpp"
#include "core/parallel.hpp"
#include "lda/engine/topics.hpp"
#include "tain/core/next.hpp"
#include "tain/text/corpus.hpp"

namespace tain {

struct StreamPlan {
  std::string method = "smld-root";  ///< or scir: those whose step sizes are times
  std::uint32_t topics = 100;
  double alpha = 0.05;  ///< per topic
  double eta = 0.05;    ///< per word
  std::uint64_t total_documents = 1'000'000;
  std::uint64_t first = 1000;          ///< documents, at least 1
  std::uint32_t batch = 500;           ///< most documents of a step
  double forgetting = 6;               ///< > 0
  std::uint64_t descent = 1ULL << 62;  ///< documents; sampling begins after them
  std::uint32_t sweeps = 10, sweeps_burn_in = 5;
  std::uint64_t seed = 1;
};

/// What suits so many topics: descent without end, from the words of ten documents per topic, at
/// most 10,000. Sampling from 50,000 documents on gives topics that predict no worse than they did,
/// but descent goes on to better ones, in a quarter of the time.
StreamPlan stream_plan(std::uint32_t topics);

/// Topics as they are published.
struct StreamTopics {
  TopicWeights topics;         ///< phi: weights sum to 1 in every topic, but for rounding
  std::vector<double> masses;  ///< sum_w theta_kw: tokens and prior that stand behind topic k
  /// Of the masses, one per topic.
  std::vector<double> shares() const;
};

/// Draw `number` of phi_k ~ Dirichlet(mass_k phi_k): topics given the topics of all tokens. It is
/// the law that a sampler comes to whose counts stay the same (topic_sampler.hpp), and narrower
/// than the posterior, in which the topics of tokens are uncertain too.
TopicWeights draw_topics(const StreamTopics& published, std::uint64_t seed, std::uint32_t number,
                         Threads& threads);

/// Asked after every step, with the documents taken since the call began.
using StreamObserver = std::function<Next(std::uint64_t documents)>;

class StreamTraining {
 public:
  /// Throws Error (config) for a plan out of range, (usage) for a method that is no sampler.
  StreamTraining(std::uint32_t words, const StreamPlan& plan);
  ~StreamTraining();
  StreamTraining(StreamTraining&&) noexcept;
  StreamTraining& operator=(StreamTraining&&) noexcept;

  /// The documents of a corpus, in their order. Those that make no batch yet wait in a copy. False
  /// if the observer stopped it: documents() tells how many came in. Throws Error (data) if the
  /// corpus has not as many words.
  bool add(const Corpus& corpus, Threads& threads, const StreamObserver& observer = {});

  /// With those that wait, and those without words.
  std::uint64_t documents() const;
  std::uint64_t steps() const;
  std::uint32_t words() const;
  const StreamPlan& plan() const;
  std::span<const float> alpha() const;
  /// As if the stream ended here: documents that wait are looked at in a copy. Throws Error (data)
  /// if there was no document with words.
  StreamTopics topics(Threads& threads) const;

  /// All of it, plan included, with a checksum.
  std::string save() const;
  /// Throws Error (data) if the bytes are damaged, or of another version of the program.
  static StreamTraining restore(std::string_view bytes);

 private:
  struct State;
  explicit StreamTraining(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace tain
