#include "lda/training/training_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <numeric>

#include "core/failpoint.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double evaluations_of_a_run = 16;
/// Documents to train on between evaluations, per document held out: evaluating one costs as much
/// as some ten to twenty visits.
constexpr std::uint64_t evaluation_interval = 5;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// CPU time of all threads of the process.
double cpu_now() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Did a count pass a multiple of `every` on its way?
bool passed_multiple(std::uint64_t before, std::uint64_t now, std::uint64_t every) {
  return now / every > before / every;
}

/// Documents after which a rule holds; none: a matter of time.
std::optional<double> documents_allowed(const StopRule& stop, double documents, double batch) {
  std::optional<double> allowed;
  if (stop.passes) {
    allowed = *stop.passes * documents;
  }
  if (stop.steps) {
    const double by_steps = static_cast<double>(*stop.steps) * batch;
    allowed = std::min(by_steps, allowed.value_or(by_steps));
  }
  return allowed;
}

/// Documents at the end of a run; none: a matter of time.
std::optional<double> documents_at_the_end(const StopRule& stop, double documents,
                                           const TrainingPlan& training) {
  std::optional<double> end = documents_allowed({.passes = stop.passes}, documents, training.batch);
  if (stop.steps) {
    const std::uint64_t descending = std::min(
        *stop.steps, (training.descent + training.descent_batch - 1) / training.descent_batch);
    const double by_steps = static_cast<double>(descending) * training.descent_batch +
                            static_cast<double>(*stop.steps - descending) * training.batch;
    end = std::min(by_steps, end.value_or(by_steps));
  }
  return end;
}

/// Documents between draws that are kept. A run ends with the batch that passes the last document:
/// the block that would begin there is not reached.
std::uint64_t draws_apart(const TrainingSchedule& schedule, const TrainingPlan& training,
                          std::optional<double> end) {
  const auto first = static_cast<double>(std::max(schedule.burn_in, training.descent));
  if (schedule.keep_draws == 0 || !end || *end <= first) {
    return schedule.average_every;
  }
  const double span = std::min(*end - first, 0x1p62) + training.batch;
  return 1 + static_cast<std::uint64_t>(span / static_cast<double>(schedule.keep_draws));
}

/// What rank 0 tells the others after a step.
struct Decision {
  bool stop = false;
  StopReason reason = StopReason::interrupted;
  bool checkpoint = false;
};

}  // namespace

std::string_view stop_reason_name(StopReason reason) {
  switch (reason) {
    case StopReason::steps:
      return "steps";
    case StopReason::passes:
      return "passes";
    case StopReason::seconds:
      return "max-seconds";
    case StopReason::interrupted:
      break;
  }
  return "interrupted";
}

std::uint64_t held_out_documents(std::optional<std::uint64_t> given, std::uint64_t documents) {
  const std::uint64_t chosen = given.value_or(std::min<std::uint64_t>(1000, documents / 10));
  if (chosen >= documents) {
    fail(Fault::config, "holdout",
         fmt::format("of {} documents {} would be held out, none is left to train on", documents,
                     chosen),
         "hold out fewer; a tenth is plenty");
  }
  return chosen;
}

TrainingSchedule schedule_for(const SchedulePlan& plan, const StopRule& stop,
                              std::uint64_t documents, const TrainingPlan& training) {
  const bool kept = training.assignments == Assignments::kept;
  TrainingSchedule schedule;
  schedule.held_out = held_out_documents(plan.held_out, documents);
  const std::uint64_t trained = documents - schedule.held_out;
  const std::optional<double> allowed =
      documents_allowed(stop, static_cast<double>(trained), training.batch);
  const double between = allowed ? *allowed / evaluations_of_a_run : double(trained) / 4;
  schedule.eval_every = plan.eval_every.value_or(
      std::max({std::uint64_t{1}, static_cast<std::uint64_t>(std::min(between, 0x1p62)),
                evaluation_interval * schedule.held_out}));
  // 2^62: more than any run sees, and a double holds it.
  const std::uint64_t usual =
      allowed ? static_cast<std::uint64_t>(std::min(*allowed / 2, 0x1p62)) : trained;
  const std::uint64_t settled =
      training.descent + std::max(kept ? trained : 0, training.optimize_alpha);
  const bool settles = !allowed || static_cast<double>(settled) < *allowed;
  schedule.burn_in = plan.burn_in.value_or(std::max(usual, settles ? settled : training.descent));
  schedule.average_every =
      plan.average_every.value_or((kept ? std::uint64_t{1} : std::uint64_t{10}) * training.batch);
  if (schedule.eval_every == 0 || schedule.average_every == 0) {
    fail(Fault::config, "schedule", "something is to happen every 0 documents", "give at least 1");
  }
  schedule.keep_draws = plan.keep_draws;
  schedule.draw_every = draws_apart(
      schedule, training, documents_at_the_end(stop, static_cast<double>(trained), training));
  return schedule;
}

TrainingRun::TrainingRun(const Corpus& corpus, const TrainingPlan& plan,
                         const TrainingSchedule& schedule, const Sharding& sharding,
                         Threads& threads)
    : corpus_(corpus),
      schedule_(schedule),
      threads_(threads),
      held_out_(corpus, schedule.held_out, NoiseField(plan.seed)),
      documents_(corpus.documents() - schedule.held_out),
      training_(corpus, TrainingDocuments(corpus, held_out_), plan, sharding, threads),
      predictive_(held_out_, evaluation_sweeps, evaluation_noise(plan.seed)),
      average_(plan.topics, static_cast<std::uint32_t>(sharding.words().size())),
      draws_(plan.topics, sharding,
             {.count = schedule.keep_draws,
              .first = std::max(schedule.burn_in, plan.descent),
              .every = schedule.draw_every}) {}

TrainingRun::TrainingRun(const Corpus& corpus, const TrainingPlan& plan,
                         const TrainingSchedule& schedule, Threads& threads)
    : TrainingRun(corpus, plan, schedule, Sharding(corpus.words()), threads) {}

double TrainingRun::passes() const {
  return static_cast<double>(training_.documents_seen()) / static_cast<double>(documents_);
}

Evaluation TrainingRun::evaluate(Predictive& predictive) {
  predictive.evaluate(training_.topics(), training_.sharding(), training_.alpha(),
                      training_.steps(), threads_);
  return {.step = training_.steps(),
          .documents = training_.documents_seen(),
          .tokens_drawn = training_.tokens_drawn(),
          .averaged = predictive.evaluations(),
          .draws_kept = average_.draws(),
          .single = predictive.last(),
          .average = predictive.average(),
          .time = time_};
}

/// Of the tokens trained on, by the topics they have now; empty where these are not kept.
std::vector<double> TrainingRun::token_shares() {
  const std::vector<std::uint64_t> totals = training_.tokens_by_topic();
  const auto all =
      static_cast<double>(std::max<std::uint64_t>(1, std::reduce(totals.begin(), totals.end())));
  std::vector<double> shares;
  for (const std::uint64_t total : totals) {
    shares.push_back(static_cast<double>(total) / all);
  }
  return shares;
}

void TrainingRun::keep_draw() {
  if (draws_.due(training_.documents_seen())) {
    draws_.keep(training_.documents_seen(), training_.topics(), token_shares(), threads_);
  }
}

const TopicWeights& TrainingRun::published() {
  Comm& shards = training_.sharding().shards();
  if (average_.draws() > 0) {
    return average_.topics(threads_, shards);
  }
  const TopicWeights& now = training_.topics();
  last_.emplace(now.topics(), now.words());
  const FloatBlock cells = last_->weights();
  threads_.for_each((now.words() + block_words - 1) / block_words, [&](std::size_t block) {
    const std::size_t end = std::min<std::size_t>(now.words(), (block + 1) * block_words);
    for (std::size_t w = block * block_words; w < end; ++w) {
      for (std::size_t k = 0; k < now.row_length(); ++k) {
        cells.at(w, k) = now.weights().at(w, k) * now.inverse_sums()[k];
      }
    }
  });
  last_->sum(threads_, shards);
  return *last_;
}

DrawFiles TrainingRun::draws() {
  if (average_.draws() == 0) {
    return {};
  }
  return draws_.with_last(training_.documents_seen(), training_.topics(), token_shares(), threads_);
}

void TrainingRun::advance() {
  const std::uint64_t before = training_.documents_seen();
  const Clock::time_point start = Clock::now();
  const double cpu_start = cpu_now();
  training_.step();
  const std::uint64_t now = training_.documents_seen();
  const bool keeping = now > first_kept();
  if (keeping && passed_multiple(before, now, schedule_.average_every)) {
    average_.add(training_.topics(), threads_);
    keep_draw();
  }
  const double passed = seconds_since(start);
  time_.seconds += passed;
  time_.training_seconds += passed;
  time_.cpu_seconds += cpu_now() - cpu_start;
  if (now > schedule_.burn_in && before <= schedule_.burn_in) {
    predictive_.clear();
  }
  if (held_out_.test_tokens() > 0 && passed_multiple(before, now, schedule_.eval_every)) {
    const Clock::time_point evaluation = Clock::now();
    Evaluation row = evaluate(predictive_);
    time_.seconds += seconds_since(evaluation);
    row.time = time_;
    history_.add(row);
  }
}

std::optional<StopReason> TrainingRun::reached(const StopRule& stop) const {
  if (stop.steps && training_.steps() >= *stop.steps) {
    return StopReason::steps;
  }
  if (stop.passes && passes() >= *stop.passes) {
    return StopReason::passes;
  }
  if (stop.seconds && time_.seconds >= *stop.seconds) {
    return StopReason::seconds;
  }
  return std::nullopt;
}

double TrainingRun::share(const StopRule& stop) const {
  double done = 0;
  if (stop.steps) {
    done = static_cast<double>(training_.steps()) / static_cast<double>(*stop.steps);
  }
  if (stop.passes) {
    done = std::max(done, passes() / *stop.passes);
  }
  if (stop.seconds) {
    done = std::max(done, time_.seconds / *stop.seconds);
  }
  return std::min(done, 1.0);
}

std::uint64_t TrainingRun::first_kept() const {
  return std::max(schedule_.burn_in, training_.plan().descent);
}

TrainProgress TrainingRun::progress(const StopRule& stop) const {
  return {.step = training_.steps(),
          .documents = training_.documents_seen(),
          .tokens_drawn = training_.tokens_drawn(),
          .passes = passes(),
          .share = share(stop),
          .time = time_,
          .phase = training_.descending()                       ? "descent"
                   : training_.documents_seen() <= first_kept() ? "burn-in"
                                                                : "averaging",
          .last = history_.rows().empty() ? nullptr : &history_.rows().back(),
          .stop = stop};
}

StopReason TrainingRun::run(const StopRule& stop, const std::optional<CheckpointPlan>& checkpoints,
                            const TrainingObserver& observer) {
  stop_ = stop;
  Clock::time_point last = Clock::now();
  std::uint64_t last_documents = training_.documents_seen();
  const auto checkpoint = [&] {
    if (checkpoints) {
      const Clock::time_point start = Clock::now();
      save(checkpoints->file);
      if (checkpoints->saved && comm().is_root()) {
        checkpoints->saved();
      }
      last = Clock::now();
      last_documents = training_.documents_seen();
      time_.seconds += std::chrono::duration<double>(last - start).count();
    }
  };
  checkpoint();  // a disk that is full or read-only shows at once
  if (checkpoints) {
    draws_.use_file(checkpoints->draws_file());  // never there without a checkpoint
    failpoint("run/draws-file");
  }
  const auto due = [&] {
    return checkpoints && (draws_.thinned() || seconds_since(last) >= checkpoints->seconds ||
                           (checkpoints->documents && training_.documents_seen() - last_documents >=
                                                          *checkpoints->documents));
  };
  const auto decide = [&](bool asked) {
    Decision decision;
    if (comm().is_root()) {
      const std::optional<StopReason> rule = reached(stop);
      decision.stop = asked || rule;
      decision.reason = asked ? StopReason::interrupted : rule.value_or(StopReason::interrupted);
      decision.checkpoint = !decision.stop && due();
    }
    return broadcast_value(comm(), decision);
  };
  Decision decision = decide(false);
  while (!decision.stop) {
    advance();
    failpoint_count("steps", training_.steps());
    failpoint_count("documents", training_.documents_seen());
    decision = decide(comm().is_root() && observer(progress(stop)) == Next::stop);
    if (decision.checkpoint) {
      checkpoint();
    }
  }
  checkpoint();
  return decision.reason;
}

History TrainingRun::history_to_the_end() {
  corpus_.require_whole();
  History history = history_;
  const bool evaluated = !history.rows().empty() && history.rows().back().step == training_.steps();
  if (held_out_.test_tokens() > 0 && !evaluated) {
    Predictive closing = predictive_;
    history.add(evaluate(closing));
  }
  return history;
}

}  // namespace tain
