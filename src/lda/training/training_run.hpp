// A training run: steps until a stop rule holds, with evaluations, averages and checkpoints.
//
// Definition: after every step, in this order:
//   - past the burn-in and the descent, the draw of topics is added to their mean whenever the
//     documents seen pass a multiple of `average_every`, and some of these draws are kept beside it
//     (kept_draws.hpp);
//   - the average of predictions begins anew when the burn-in ends (if that is in the descent, it
//     is one over points of a stochastic descent, not over draws);
//   - held-out documents are evaluated whenever the documents seen pass a multiple of
//     `eval_every`, and a line is added to the history;
//   - a checkpoint is written when one is due.
// Laws: the state after t steps depends on corpus, plan and schedule: not on threads, on the stop
//   rule, on when checkpoints were written, nor on how often the run was killed and resumed; times
//   apart. What finish() adds (an evaluation at the end) is no part of the state, so that a run
//   that stopped after one pass and goes on to five equals one that was told five.
// Ranks: all of them make the same run and call what is said to be collective. Rank 0 decides what
//   depends on time and on the observer, and tells the others after every step.
// Memory: see training_bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lda/engine/topic_average.hpp"
#include "lda/model/history.hpp"
#include "lda/training/kept_draws.hpp"
#include "lda/training/training.hpp"
#include "tain/lda/train.hpp"

namespace tain {

enum class StopReason { steps, passes, seconds, interrupted };
std::string_view stop_reason_name(StopReason reason);

/// What is measured and kept; in documents. What is not given is chosen by schedule_for.
struct SchedulePlan {
  std::optional<std::uint64_t> held_out = {}, eval_every = {}, burn_in = {}, average_every = {};
  std::uint64_t keep_draws = 0;
};
struct TrainingSchedule {
  std::uint64_t held_out = 0;       ///< documents never trained on; 0: no evaluation
  std::uint64_t eval_every = 1;     ///< documents seen between evaluations
  std::uint64_t burn_in = 0;        ///< documents seen before draws are averaged
  std::uint64_t average_every = 1;  ///< documents seen between draws added to the mean
  std::uint64_t keep_draws = 0;     ///< draws kept beside their mean, the last state included
  std::uint64_t draw_every = 1;     ///< documents between them, to begin with
};
/// Documents held out: 1,000 unless given, at most a tenth. Throws Error (config) if nothing would
/// be left to train on.
std::uint64_t held_out_documents(std::optional<std::uint64_t> given, std::uint64_t documents);
/// Chosen where not given: 16 evaluations in a run (every fourth of a pass where only time stops),
/// but none before five times the documents held out were seen; a burn-in of half the documents
/// that the stop rule allows, or one pass where only time stops, and no less than the descent, the
/// pass in which kept assignments are drawn first and what alpha is learned from; a draw kept every
/// batch where assignments are kept, else every ten batches. Draws that are kept beside the mean
/// divide what follows the burn-in evenly; where only time stops, they do so as time passes.
TrainingSchedule schedule_for(const SchedulePlan& plan, const StopRule& stop,
                              std::uint64_t documents, const TrainingPlan& training);

/// Where and how often a run can be resumed from.
struct CheckpointPlan {
  std::filesystem::path file;
  std::optional<std::uint64_t> documents = {};  ///< seen between checkpoints
  double seconds = 30;                          ///< between checkpoints
  std::function<void()> saved = {};             ///< called after each, on rank 0
  /// Beside the checkpoint: draws of topics on their way to the model.
  std::filesystem::path draws_file() const {
    return std::filesystem::path(file).replace_extension(".draws");
  }
};

using TrainingObserver = std::function<Next(const TrainProgress&)>;

/// An option by the name that files have for it, and its value.
struct Setting {
  using Value = std::variant<std::string, std::uint64_t, double, bool, std::vector<double>>;
  std::string name;
  Value value;
  bool operator==(const Setting&) const = default;
  /// The value as one would type it.
  std::string text() const;
};
/// Everything that shapes the draws and what is averaged: what a resumed run must agree on.
std::vector<Setting> training_settings(const Corpus& corpus, const TrainingPlan& plan,
                                       const TrainingSchedule& schedule);
/// Those that a checkpoint was written with. Throws Error: no_input, or data if it is damaged.
std::vector<Setting> checkpoint_settings(const std::filesystem::path& file);

/// Disk that a run takes at most: its model, checkpoints, and draws on their way to the model.
std::uint64_t training_disk_bytes(const TrainingPlan& plan, const TrainingSchedule& schedule,
                                  std::uint32_t words, std::uint64_t documents,
                                  std::uint64_t tokens);
/// Memory of a process that runs on so many documents and tokens, of the rank that takes most (0)
/// of so many: training, mean, the topics as they are written at the end, the program and its
/// words; documents, which are mapped, not included.
std::uint64_t training_bytes(const TrainingPlan& plan, std::uint32_t words, std::uint64_t documents,
                             std::uint64_t tokens, int ranks = 1,
                             Layout layout = Layout::replicated);

class TrainingRun {
 public:
  /// Corpus, threads and the division's ranks must outlive this. Collective. Throws Error (config)
  /// for a plan out of range.
  TrainingRun(const Corpus& corpus, const TrainingPlan& plan, const TrainingSchedule& schedule,
              const Sharding& sharding, Threads& threads);
  /// A process by itself.
  TrainingRun(const Corpus& corpus, const TrainingPlan& plan, const TrainingSchedule& schedule,
              Threads& threads);
  TrainingRun(const TrainingRun&) = delete;
  TrainingRun& operator=(const TrainingRun&) = delete;

  /// Goes on until the rule holds or the observer, asked after every step on rank 0, says stop;
  /// writes a checkpoint before the first step and after the last. Collective. Throws Error (data)
  /// if the topics break down: the last checkpoint is then intact.
  StopReason run(const StopRule& stop, const std::optional<CheckpointPlan>& checkpoints,
                 const TrainingObserver& observer);

  /// One file if one rank writes it, else a part of every rank beside it. Collective. Whatever ends
  /// it, the file is that of this state or that of the last one, with all its parts.
  void save(const std::filesystem::path& file);
  /// For a run that begins where another was saved: its parts keep their names until there is a
  /// checkpoint of this run. Collective.
  void save_after(const std::filesystem::path& file);
  /// From what any number of ranks saved, in any layout: gives their number. Collective. Throws
  /// Error: data if the file or a part of it is damaged or missing, config naming the first setting
  /// that differs. A run that this failed for is of no use.
  std::uint64_t restore(const std::filesystem::path& file);

  const Corpus& corpus() const { return corpus_; }
  const Training& training() const { return training_; }
  const TrainingSchedule& schedule() const { return schedule_; }
  const HeldOut& held_out() const { return held_out_; }
  const TopicAverage& average() const { return average_; }
  /// The mean of the draws, or the last one if there is none; of the words of this rank. Holds
  /// until the run goes on. Collective.
  const TopicWeights& published();
  /// Draws kept beside their mean, and the last state; none if no draw is in the mean, nor but on
  /// rank 0. The views hold until the run goes on. Collective.
  DrawFiles draws();
  /// The draws are in a model now: those on their way are of no use.
  void discard_draws_file() { draws_.discard_file(); }
  const TrainingTime& time() const { return time_; }
  double passes() const;
  /// The part of the rule that holds already.
  std::optional<StopReason> reached(const StopRule& stop) const;
  std::uint64_t training_documents() const { return documents_; }
  /// With a last evaluation of the topics as they are, if the last step had none. Collective.
  History history_to_the_end();
  Threads& threads() { return threads_; }

 private:
  void advance();
  void keep_draw();
  std::vector<double> token_shares();
  Evaluation evaluate(Predictive& predictive);
  double share(const StopRule& stop) const;
  /// Documents after which states are draws that are averaged.
  std::uint64_t first_kept() const;
  TrainProgress progress(const StopRule& stop) const;
  Comm& comm() const { return training_.sharding().comm(); }
  /// What all ranks have in common, and what is in a part: rows of words, topics of documents.
  void archive_common(Archive& a);
  void archive_part(Archive& a, Range words, Range places);

  const Corpus& corpus_;
  TrainingSchedule schedule_;
  Threads& threads_;
  HeldOut held_out_;
  std::uint64_t documents_;
  Training training_;
  Predictive predictive_;
  TopicAverage average_;
  KeptDraws draws_;
  History history_;
  TrainingTime time_;
  StopRule stop_;                     // of the run under way, for who resumes it
  std::uint64_t saves_ = 0;           // so far: names the parts of a checkpoint
  std::optional<TopicWeights> last_;  // as probabilities, where it is published
};

}  // namespace tain
