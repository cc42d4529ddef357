// What a training plan comes to, for a corpus and the machines at hand.
//
// Definition: what is left out is decided by method, corpus and length of the run
//   (suggested_plan, schedule_for); a run that is resumed takes it from its checkpoint.
#pragma once

#include <cstdint>
#include <filesystem>

#include "lda/training/stream_training.hpp"
#include "lda/training/training_run.hpp"
#include "tain/comm/comm.hpp"
#include "tain/lda/train.hpp"

namespace tain {

inline constexpr std::uint64_t most_kept_draws = 100'000;
inline constexpr std::uint64_t most_counted = 1'000'000'000;  ///< documents of a batch, and sweeps

/// The plan of a run that goes on from a checkpoint, whose settings stand where none are given.
TrainPlan resumed_plan(const TrainPlan& given, const std::filesystem::path& checkpoint);

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
