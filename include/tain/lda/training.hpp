// Training: batches of documents, their topics by Gibbs, one step of the topics' sampler each.
//
// Definition: step t = 0, 1, ... visits the documents at positions tB ... (t + 1)B - 1 of the order
//   (document_order.hpp), infers their topics given the current ones (document_gibbs.hpp), and
//   advances the topics (topic_sampler.hpp) with scale R = D/B and step size a (1 + t/b)^-c.
// Laws: the state after t steps depends on corpus, held-out documents and plan; not on threads, nor
//   on how often training was stopped and resumed.
// Memory: see training_bytes; the corpus is mapped.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tain/core/archive.hpp"
#include "tain/core/parallel.hpp"
#include "tain/lda/document_gibbs.hpp"
#include "tain/lda/document_order.hpp"
#include "tain/lda/topic_sampler.hpp"
#include "tain/text/corpus.hpp"

namespace tain {

/// a (1 + t/b)^-c
struct StepSchedule {
  double a = 0.1, b = 1000, c = 0.55;
  double at(std::uint64_t t) const;
};

struct TrainingPlan {
  std::string method = "smld-root";
  std::uint32_t topics = 100;
  double alpha = 0.1;  ///< per topic
  double eta = 0.01;   ///< per word
  std::uint32_t batch = 50;
  std::uint32_t sweeps = 20;
  std::uint32_t burn_in = 10;  ///< sweeps
  StepSchedule step_size = {};
  std::uint64_t warm_up = 0;  ///< smld-preconditioned: steps during which it adapts
  Approximation approximation = Approximation::linear;
  double floor = 0;
  std::uint64_t seed = 1;
};

class Training {
 public:
  /// Trains on `documents` (numbers in the corpus, at least one). Corpus and threads must outlive
  /// this. Throws Error (config) for a plan out of range.
  Training(const Corpus& corpus, std::vector<std::uint32_t> documents, const TrainingPlan& plan,
           Threads& threads);

  /// One step. Throws Error (data) with the step and the cause if the topics broke down.
  void step();
  std::uint64_t steps() const { return steps_; }
  std::uint64_t documents_seen() const { return steps_ * plan_.batch; }
  std::uint64_t tokens_drawn() const { return tokens_drawn_; }
  const TopicWeights& topics() const { return sampler_->weights(); }
  std::span<const float> alpha() const { return alpha_; }
  const TrainingPlan& plan() const { return plan_; }
  void archive(Archive& a);

 private:
  void gather_batch();

  const Corpus& corpus_;
  std::vector<std::uint32_t> documents_;
  TrainingPlan plan_;
  Threads& threads_;
  NoiseField noise_;
  DocumentOrder order_;
  std::vector<float> alpha_;
  std::unique_ptr<TopicSampler> sampler_;
  DocumentGibbs gibbs_;
  std::uint64_t steps_ = 0, tokens_drawn_ = 0;

  std::vector<GibbsDocument> batch_;
  std::vector<std::vector<std::uint32_t>> expanded_;  // tokens of bags, reused
  TopicCounts counts_;
};

}  // namespace tain
