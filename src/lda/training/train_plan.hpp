// A training run as people ask for it: every option of `tain lda train` by its name, and what
// follows from those given for a corpus and the machines at hand.
//
// Definition: what is left out is decided by method, corpus and length of the run
//   (suggested_plan, schedule_for); a run that is resumed takes it from its checkpoint.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "core/fields.hpp"
#include "core/simd.hpp"
#include "lda/training/stream_training.hpp"
#include "lda/training/training_run.hpp"
#include "tain/comm/comm.hpp"

namespace tain {

struct TrainPlan {
  std::optional<std::uint64_t> topics = {};  ///< 100
  std::optional<double> alpha = {};          ///< per topic; 5 over the topics
  std::optional<double> eta = {};            ///< per word; 0.05
  std::optional<bool> optimize_alpha = {};   ///< no

  std::optional<std::string> method = {};  ///< one of topic_methods(); smld-root
  std::optional<Start> start = {};
  std::optional<std::uint64_t> descent = {}, descent_batch = {};  ///< documents
  std::optional<double> descent_rate = {};
  std::optional<Assignments> assignments = {};
  std::optional<std::uint64_t> batch = {}, sweeps = {};
  Numbers step_size = {};                           ///< A, or A, B, C for A(1 + t/B)^-C
  std::optional<Approximation> approximation = {};  ///< smld-approximate: linear
  std::optional<double> floor = {};                 ///< smld-approximate: 0
  std::optional<std::uint64_t> warmup = {};         ///< smld-preconditioned: 200

  std::optional<std::uint64_t> steps = {};  ///< at most one of the three says when to stop
  std::optional<double> passes = {}, max_seconds = {};

  std::optional<std::uint64_t> holdout = {}, eval_every = {}, burn_in = {}, average_every = {};
  std::optional<std::uint64_t> keep_draws = {};

  std::optional<std::uint64_t> seed = {};  ///< 1
  std::optional<Isa> isa = {};             ///< for whoever pins it: that of the process holds
  std::optional<Layout> layout = {};       ///< by memory
  std::size_t threads = 0;                 ///< 0: all
  std::optional<std::uint64_t> checkpoint_every = {};  ///< documents; by time alone
  double checkpoint_seconds = 30;

  void describe(Fields& fields);
};

/// The plan of a run that goes on from a checkpoint, whose settings stand where none are given.
TrainPlan resumed_plan(TrainPlan given, const std::filesystem::path& checkpoint);

/// What a plan comes to.
struct TrainingRequest {
  StopRule stop;
  TrainingPlan plan;
  TrainingSchedule schedule;
  int ranks = 1;
  Layout layout = Layout::replicated;
};
/// What is suggested for the method, the corpus, the documents trained on and the length of the
/// run, with what the plan says in its place. `given` is what was asked for now, without what a
/// checkpoint adds: an option there that would do nothing is refused. Where the plan leaves the
/// layout open, the topics are sharded if all of them, and what goes with them, would take more
/// than three fifths of the memory that a rank has. Collective. Throws Error: data if the corpus
/// has no words, config if options contradict each other or a rank has not enough memory.
TrainingRequest training_request(const TrainPlan& plan, const TrainPlan& given,
                                 const Corpus& corpus, Comm& comm);

/// Bytes that a run takes: memory of a rank, disk of all.
struct TrainingSizes {
  double memory, disk;
};
TrainingSizes training_sizes(const TrainingRequest& request, const Corpus& corpus);

CheckpointPlan checkpoint_plan(const TrainPlan& plan, std::filesystem::path file);

/// What the plan says of a stream of so many documents in the end.
StreamPlan stream_plan(const TrainPlan& plan, std::uint64_t total_documents);

}  // namespace tain
