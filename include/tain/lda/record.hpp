// What a topic model says of itself: how it came about and what it is worth.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tain/diagnose/summary.hpp"

namespace tain {

/// exp(-mean log p) over held-out tokens, by document completion; its error is over documents.
struct Perplexity {
  double value = 0;
  double standard_error = 0;
};

/// Time that training took, over all runs that were resumed.
struct TrainingTime {
  double seconds = 0;           ///< by the clock, all included
  double training_seconds = 0;  ///< without evaluations and checkpoints
  double cpu_seconds = 0;       ///< of all threads, without evaluations and checkpoints
};

/// One line of history.csv.
struct Evaluation {
  std::uint64_t step = 0, documents = 0;
  std::uint64_t tokens_drawn = 0;  ///< topics of tokens drawn anew
  std::uint64_t averaged = 0;      ///< evaluations in the average, this one included
  std::uint64_t draws_kept = 0;    ///< draws of topics in their mean so far
  Perplexity single, average;
  TrainingTime time;
};

/// When to stop: at whichever comes first; none: when the progress function says so.
struct StopRule {
  std::optional<std::uint64_t> steps = {};
  std::optional<double> passes = {};  ///< over the documents trained on
  std::optional<double> seconds = {};
};

/// What a model must say about itself to be used; stands in the manifest.
struct ModelFacts {
  std::string method;
  std::uint64_t seed = 0;
  double eta = 0;
  std::vector<float> alpha;              ///< one per topic
  std::uint64_t corpus_fingerprint = 0;  ///< of what it was trained on
  std::uint64_t corpus_documents = 0;    ///< with those held out
  std::uint64_t held_out = 0;            ///< documents, chosen by the seed, never trained on
  std::uint64_t steps = 0, documents_seen = 0;
  std::uint64_t draws_kept = 0;  ///< that topics.npy is the mean of
  std::string corpus_folder;     ///< where the corpus was, or `memory`; it may have gone since
  std::string corpus_manifest;   ///< its manifest.json, with how its text was cut; may be empty
  /// Documents seen when each of the draws in draws.npy was drawn.
  std::vector<std::uint64_t> draw_documents = {};
};

struct TrainRecord {
  ModelFacts facts = {};
  double passes = 0;
  double seconds = 0;  ///< of training, by the clock
  /// steps, passes or max-seconds: the rule; interrupted; or end of the stream.
  std::string stop_reason = {};
  std::vector<Evaluation> history = {};
  std::optional<Perplexity> perplexity = {};  ///< of the topics; none without held-out tokens
  /// Of every topic: of the tokens held out; where none were, of those of the first 1000 documents;
  /// after a stream, of all. The prior's where a model does not tell.
  std::vector<double> shares = {};
  Verdict verdict = {};
  std::string manifest = {};  ///< all of it, with every option, versions and times: JSON
};

}  // namespace tain
