// From the options of `lda train` to plans.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "recording.hpp"
#include "tain/comm/comm.hpp"
#include "tain/lda/training_run.hpp"
#include "values.hpp"

namespace tain::cli {

/// Fresh, resume or replace. Throws Error (config) if both --resume and --force are given.
Continuation continuation_of(const Options& options);

/// Options with those of the run that is resumed in the place of the ones left out.
RawOptions with_settings(const Command& command, const RawOptions& raw,
                         std::span<const Setting> stored);

/// One rule: steps, passes or seconds; none given: the passes that suit so many documents.
StopRule stop_rule(const Options& options, std::uint64_t documents);
/// What is suggested for the method, the corpus, the documents trained on and the length of the
/// run, with what was given in its place. `given` holds what the user wrote: flags that would do
/// nothing are refused there.
TrainingPlan training_plan(const Options& options, const Options& given, const Corpus& corpus,
                           std::uint64_t documents, const StopRule& stop);
/// Documents of the corpus that are held out.
std::uint64_t held_out(const Options& options, std::uint64_t documents);
TrainingSchedule training_schedule(const Options& options, const Options& given,
                                   const StopRule& stop, const Corpus& corpus,
                                   const TrainingPlan& plan);

/// A run on a corpus: all of the above.
struct TrainingRequest {
  StopRule stop;
  TrainingPlan plan;
  TrainingSchedule schedule;
  int ranks = 1;
  Layout layout = Layout::replicated;
};
/// With --layout auto the topics are sharded if all of them, and what goes with them, would take
/// more than three fifths of the memory that a rank has. Collective. Throws Error: data if the
/// corpus has no words, config if a rank has not enough memory.
TrainingRequest training_request(const Options& options, const Options& given, const Corpus& corpus,
                                 Comm& comm);
/// Bytes that a run takes: memory of a rank, disk of all.
struct TrainingSizes {
  double memory, disk;
};
TrainingSizes training_sizes(const TrainingRequest& request, const Corpus& corpus);

CheckpointPlan checkpoint_plan(const Options& options, std::filesystem::path file);

}  // namespace tain::cli
