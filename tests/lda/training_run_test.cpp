// Runs of training: what they measure, keep and leave, and that stopping changes nothing.
#include "lda/training/training_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/file.hpp"
#include "lda/model/model_data.hpp"
#include "lda/training/training_report.hpp"
#include "support/errors.hpp"
#include "support/forged.hpp"
#include "support/synthetic_corpus.hpp"
#include "tain/core/error.hpp"
#include "tain/text/synthesize.hpp"
#include "trained.hpp"

namespace tain::training_run_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const TrainingObserver silent = [](const TrainProgress&) { return Next::go_on; };

class TrainingRunTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    made_ = std::make_unique<test::SyntheticCorpus>("training-run",
                                                    SyntheticPlan{.docs = 500,
                                                                  .topics = 4,
                                                                  .vocab_size = 200,
                                                                  .mean_length = 50,
                                                                  .base = BaseFrequencies::uniform,
                                                                  .seed = 3});
    corpus_ = &made_->corpus();
    folder_ = made_->folder();
  }
  static void TearDownTestSuite() { made_.reset(); }

  static TrainingPlan plan() {
    TrainingPlan plan;
    plan.topics = 4;
    plan.batch = 20;
    plan.sweeps = 6;
    plan.sweeps_burn_in = 3;
    plan.step_size = {0.05, 100, 0.6};
    return plan;
  }
  /// 450 documents trained on; evaluations at 100, 200, ...; draws from 310 on.
  static TrainingSchedule schedule() {
    return {.held_out = 50, .eval_every = 100, .burn_in = 310, .average_every = 40};
  }
  static std::vector<float> topics_of(TrainingRun& run) {
    const auto flat = run.published().weights().flat();
    return {flat.begin(), flat.end()};
  }
  /// history.csv without its columns of time.
  static std::string timeless(const History& history) {
    History copy;
    for (Evaluation row : history.rows()) {
      row.time = {};
      copy.add(row);
    }
    return copy.csv();
  }

  inline static fs::path folder_;
  inline static std::unique_ptr<test::SyntheticCorpus> made_;
  inline static const Corpus* corpus_ = nullptr;
};

TEST_F(TrainingRunTest, EvaluatesAndKeepsDrawsWhenTheScheduleSays) {
  Threads threads(2);
  TrainingRun run(*corpus_, plan(), schedule(), threads);
  EXPECT_EQ(run.run({.steps = 30}, {}, silent), StopReason::steps);
  const History history = run.history_to_the_end();
  ASSERT_EQ(history.rows().size(), 6U);  // 100 ... 600, the last one at the end
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(history.rows()[i].documents, 100 * (i + 1));
    EXPECT_EQ(history.rows()[i].step, 5 * (i + 1));
    // The average begins anew past document 310.
    EXPECT_EQ(history.rows()[i].averaged, i < 3 ? i + 1 : i - 2);
  }
  // Multiples of 40 in 320 ... 600.
  EXPECT_EQ(run.average().draws(), 8U);
  EXPECT_EQ(history.rows().back().draws_kept, 8U);
  EXPECT_GT(history.rows().back().time.cpu_seconds, 0);
  EXPECT_LT(history.rows().back().single.value, history.rows().front().single.value);
}

TEST_F(TrainingRunTest, TheMeanOfTopicsIsTheMeanOfTheDraws) {
  Threads threads(2);
  TrainingRun run(*corpus_, plan(), schedule(), threads);
  std::vector<double> sums(corpus_->words() * padded_topics(4), 0.0);
  double draws = 0;
  run.run({.steps = 26}, {}, [&](const TrainProgress& progress) {
    if (progress.documents >= 320 && progress.documents % 40 == 0) {
      const FloatBlockStorage phi = topic_probabilities(run.training().topics(), threads);
      for (std::size_t i = 0; i < sums.size(); ++i) {
        sums[i] += static_cast<double>(phi.view().flat()[i]);
      }
      ++draws;
    }
    return Next::go_on;
  });
  ASSERT_EQ(run.average().draws(), draws);
  const auto mean = run.average().mean().flat();
  for (std::size_t i = 0; i < sums.size(); ++i) {
    // Each of the additions rounds by 2^-24 of the largest mean so far, which is below 1.
    EXPECT_NEAR(mean[i], sums[i] / draws, draws * 0x1p-23 * std::max(sums[i] / draws, 1e-3));
  }
}

TEST_F(TrainingRunTest, SameBitsForAnyThreadsAndAfterAnyStop) {
  Threads one(1), three(3);
  TrainingRun whole(*corpus_, plan(), schedule(), one);
  whole.run({.steps = 33}, {}, silent);
  TrainingRun parallel(*corpus_, plan(), schedule(), three);
  parallel.run({.steps = 33}, {}, silent);
  EXPECT_EQ(topics_of(whole), topics_of(parallel));
  EXPECT_EQ(timeless(whole.history_to_the_end()), timeless(parallel.history_to_the_end()));
  const CheckpointPlan checkpoints{folder_ / "checkpoint.bin", 40, 1e9};
  for (const std::uint64_t stop : {1U, 7U, 16U, 25U, 32U}) {
    {
      TrainingRun first(*corpus_, plan(), schedule(), one);
      first.run({.steps = 33}, checkpoints, [&](const TrainProgress& progress) {
        return progress.step == stop ? Next::stop : Next::go_on;
      });
    }
    TrainingRun second(*corpus_, plan(), schedule(), three);
    second.restore(checkpoints.file);
    EXPECT_EQ(second.training().steps(), stop);
    second.run({.steps = 33}, checkpoints, silent);
    EXPECT_EQ(topics_of(whole), topics_of(second)) << stop;
    EXPECT_EQ(timeless(whole.history_to_the_end()), timeless(second.history_to_the_end())) << stop;
  }
}

TEST_F(TrainingRunTest, SameBitsAfterStopsInEveryPhaseOfTheSuggestedPlan) {
  Threads one(1), two(2);
  const TrainingPlan kept = suggested_plan("smld-root", 4, *corpus_, 450, 5);
  const TrainingSchedule chosen = schedule_for({.held_out = 50}, {.passes = 5.0}, 500, kept);
  TrainingRun whole(*corpus_, kept, chosen, one);
  whole.run({.passes = 5.0}, {}, silent);
  const CheckpointPlan checkpoints{folder_ / "phases.bin", std::nullopt, 1e9};
  const std::uint64_t steps = whole.training().steps();
  for (const std::uint64_t stop : {steps / 4, steps * 7 / 10, steps - 3}) {
    {
      TrainingRun first(*corpus_, kept, chosen, two);
      first.run({.steps = stop}, checkpoints, silent);
    }
    TrainingRun second(*corpus_, kept, chosen, one);
    second.restore(checkpoints.file);
    second.run({.passes = 5.0}, {}, silent);
    EXPECT_EQ(topics_of(whole), topics_of(second)) << stop;
    EXPECT_EQ(timeless(whole.history_to_the_end()), timeless(second.history_to_the_end())) << stop;
  }
}

// The evaluation at the end of a run is no part of its state.
TEST_F(TrainingRunTest, ARunThatGoesOnEqualsOneThatWasToldSo) {
  Threads threads(1);
  const CheckpointPlan checkpoints{folder_ / "grown.bin", std::nullopt, 1e9};
  {
    TrainingRun first(*corpus_, plan(), schedule(), threads);
    EXPECT_EQ(first.run({.passes = 1.0}, checkpoints, silent), StopReason::passes);
    EXPECT_EQ(first.training().documents_seen(), 460U);  // the batch that passes 450
    EXPECT_EQ(first.history_to_the_end().rows().size(), 5U);
  }
  TrainingRun grown(*corpus_, plan(), schedule(), threads),
      whole(*corpus_, plan(), schedule(), threads);
  grown.restore(checkpoints.file);
  grown.run({.passes = 2.0}, {}, silent);
  whole.run({.passes = 2.0}, {}, silent);
  EXPECT_EQ(topics_of(whole), topics_of(grown));
  EXPECT_EQ(timeless(whole.history_to_the_end()), timeless(grown.history_to_the_end()));
}

TEST_F(TrainingRunTest, CheckpointsOfOtherPlansAreRefusedByName) {
  Threads threads(1);
  const fs::path file = folder_ / "other.bin";
  TrainingRun(*corpus_, plan(), schedule(), threads).save(file);
  TrainingPlan other = plan();
  other.eta = 0.02;
  TrainingRun run(*corpus_, other, schedule(), threads);
  EXPECT_THAT(test::message_of(Fault::config, [&] { run.restore(file); }),
              HasSubstr("eta was 0.05, now it is 0.02"));
  TrainingSchedule rare = schedule();
  rare.eval_every = 77;
  TrainingRun second(*corpus_, plan(), rare, threads);
  EXPECT_THAT(test::message_of(Fault::config, [&] { second.restore(file); }),
              HasSubstr("eval-every was 100, now it is 77"));
  other = plan();
  other.method = "smld-approximate";
  TrainingRun third(*corpus_, other, schedule(), threads);
  EXPECT_THAT(test::message_of(Fault::config, [&] { third.restore(file); }),
              HasSubstr("method was"));
  EXPECT_EQ(checkpoint_settings(file), training_settings(*corpus_, plan(), schedule()));
}

TEST_F(TrainingRunTest, DamagedCheckpointsAreRefused) {
  Threads threads(1);
  const fs::path file = folder_ / "damaged.bin";
  TrainingRun run(*corpus_, plan(), schedule(), threads);
  run.save(file);
  const std::string bytes = read_file(file);
  for (std::size_t at = 0; at < bytes.size(); at += bytes.size() / 23) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    write_atomically(file, damaged);
    EXPECT_THAT(test::message_of(Fault::data, [&] { run.restore(file); }),
                HasSubstr("damaged.bin"));
    write_atomically(file, std::string_view(bytes).substr(0, at));
    EXPECT_THAT(test::message_of(Fault::data, [&] { run.restore(file); }),
                HasSubstr("damaged.bin"));
  }
}

// A step far too large: the run stops with the step and the cause, and the checkpoint is that of a
// sound state.
TEST_F(TrainingRunTest, ABreakdownLeavesTheLastCheckpointIntact) {
  Threads threads(1);
  TrainingPlan wild = plan();
  wild.method = "smld";
  wild.step_size = {1e37, 1000, 0};
  const CheckpointPlan checkpoints{folder_ / "wild.bin", 20, 1e9};
  TrainingRun run(*corpus_, wild, schedule(), threads);
  const std::string message =
      test::message_of(Fault::data, [&] { run.run({.steps = 100}, checkpoints, silent); });
  EXPECT_THAT(message, HasSubstr("step "));
  EXPECT_THAT(message, HasSubstr("step_size"));
  TrainingRun again(*corpus_, wild, schedule(), threads);
  again.restore(checkpoints.file);
  EXPECT_LE(again.training().steps(), run.training().steps());
  for (const float inverse : again.training().topics().inverse_sums().first(4)) {
    EXPECT_TRUE(std::isfinite(inverse) && inverse > 0);
  }
}

TEST_F(TrainingRunTest, TimeStopsAndIsTheReason) {
  Threads threads(1);
  TrainingRun run(*corpus_, plan(), schedule(), threads);
  EXPECT_EQ(run.run({.seconds = 0.05}, {}, silent), StopReason::seconds);
  EXPECT_GE(run.time().seconds, 0.05);
  EXPECT_GE(run.time().seconds, run.time().training_seconds);
  EXPECT_EQ(stop_reason_name(StopReason::seconds), "max-seconds");
}

TEST_F(TrainingRunTest, DefaultsOfTheSchedule) {
  TrainingPlan fresh = plan();
  fresh.batch = 50;
  const TrainingSchedule large = schedule_for({}, {.passes = 2.0}, 100'000, fresh);
  EXPECT_EQ(large.held_out, 1000U);
  EXPECT_EQ(large.eval_every, 12'375U);  // a sixteenth
  EXPECT_EQ(large.burn_in, 99'000U);
  EXPECT_EQ(large.average_every, 500U);
  fresh.batch = 8;
  const TrainingSchedule small = schedule_for({}, {.steps = 10}, 200, fresh);
  EXPECT_EQ(small.held_out, 20U);
  EXPECT_EQ(small.eval_every, 100U);
  EXPECT_EQ(small.burn_in, 40U);
  EXPECT_EQ(schedule_for({}, {.seconds = 5}, 200, fresh).burn_in, 180U);
  EXPECT_EQ(schedule_for({}, {.passes = 1.0}, 5, fresh).held_out, 0U);
  EXPECT_THAT(
      test::message_of(Fault::config,
                       [&] { schedule_for({.held_out = 200}, {.passes = 1.0}, 200, fresh); }),
      HasSubstr("holdout"));
}

// Draws come after the descent, and kept assignments are all drawn once before the topics move.
TEST_F(TrainingRunTest, NothingIsAveragedBeforeThereAreDraws) {
  const TrainingPlan kept = suggested_plan("smld-root", 4, *corpus_, 450, 5);
  ASSERT_EQ(kept.descent, 1350U);
  const TrainingSchedule chosen = schedule_for({.held_out = 50}, {.passes = 5.0}, 500, kept);
  EXPECT_EQ(chosen.burn_in, 1800U);
  EXPECT_EQ(chosen.average_every, kept.batch);
  EXPECT_EQ(schedule_for({.held_out = 50}, {.passes = 3.5}, 500, kept).burn_in, 1350U);
  Threads threads(1);
  TrainingSchedule early = chosen;
  early.burn_in = 0;
  TrainingRun run(*corpus_, kept, early, threads);
  run.run({.passes = 5.0}, {}, [&](const TrainProgress& progress) {
    EXPECT_EQ(run.average().draws() > 0, progress.documents > 1350) << progress.documents;
    EXPECT_EQ(progress.phase, progress.documents < 1350   ? "descent"
                              : progress.documents > 1350 ? "averaging"
                                                          : "burn-in");
    return Next::go_on;
  });
  EXPECT_GT(run.average().draws(), 0U);
}

TEST_F(TrainingRunTest, WithoutHeldOutDocumentsNothingIsEvaluated) {
  Threads threads(1);
  TrainingSchedule none = schedule();
  none.held_out = 0;
  TrainingRun run(*corpus_, plan(), none, threads);
  run.run({.steps = 30}, {}, silent);
  const TrainingReport report = report_on(run, StopReason::steps);
  EXPECT_TRUE(report.history.rows().empty());
  EXPECT_FALSE(report.perplexity.has_value());
  EXPECT_FALSE(report.verdict.trust);
  double total = 0;
  for (const double share : report.shares) {
    total += share;
  }
  EXPECT_NEAR(total, 1, 1e-12);
}

TEST_F(TrainingRunTest, TheModelOnDiskIsTheRun) {
  Threads threads(1);
  TrainingRun run(*corpus_, plan(), schedule(), threads);
  run.run({.steps = 40}, {}, silent);
  const TrainingReport report = report_on(run, StopReason::steps);
  const fs::path folder = folder_ / "model";
  fs::create_directory(folder);
  test::write_trained(folder, run, report, R"({"stop_reason": "steps"})", "tain lda train corpus");
  const ModelData model = ModelData::open(folder);
  EXPECT_EQ(model.facts().steps, 40U);
  EXPECT_EQ(model.facts().held_out, 50U);
  EXPECT_EQ(model.facts().draws_kept, run.average().draws());
  EXPECT_EQ(model.facts().corpus_fingerprint, corpus_->fingerprint());
  EXPECT_EQ(read_file(folder / "history.csv"), report.history.csv());
  const std::string card = read_file(folder / "README.md");
  for (const std::string_view part :
       {"# model: 4 topics of 200 words", "50 held out", "| method | smld-root |",
        "tain lda train corpus", "## Topics", "exp(-mean log p)"}) {
    EXPECT_THAT(card, HasSubstr(std::string(part)));
  }
  // Rows of topics.npy and those reported differ by the rounding of floats.
  const auto published = run.published().weights().flat(), read = model.topics().weights().flat();
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_NEAR(read[i], published[i], 1e-6);
  }
}

Evaluation at_perplexity(double value) {
  Evaluation row;
  row.single = row.average = {value, 1};
  return row;
}

TEST(Trend, SeesAFallAndARest) {
  std::vector<Evaluation> falling, resting;
  for (int i = 0; i < 12; ++i) {
    const double wiggle = i % 2 == 0 ? 1.001 : 0.999;
    falling.push_back(at_perplexity(1500 * std::pow(0.99, i) * wiggle));
    resting.push_back(at_perplexity(1500 * wiggle));
  }
  const Trend fall = perplexity_trend(falling);
  EXPECT_EQ(fall.evaluations, 6U);
  // A wiggle of 0.1 % tilts a line through six points by 3 * 0.002 / 17.5.
  EXPECT_NEAR(fall.slope, std::log(0.99), 4e-4);
  EXPECT_TRUE(still_falling(fall));
  EXPECT_FALSE(still_falling(perplexity_trend(resting)));
  EXPECT_FALSE(still_falling(perplexity_trend(std::span(falling).first(3))));
}

TEST(Trend, BeginsWhereSamplingTakesOver) {
  std::vector<Evaluation> rows(12);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool sampled = i >= 7;
    rows[i].single.value =
        sampled ? 1100 + 0.1 * static_cast<double>(i % 2) : 1500 - 70 * static_cast<double>(i);
    rows[i].tokens_drawn = sampled ? i : 0;
  }
  EXPECT_NEAR(perplexity_trend(rows).outlook(), 0, 1e-3);
  EXPECT_LT(perplexity_trend(std::span(rows).first(7)).outlook(), -0.1);  // no sampling yet
  rows[8].tokens_drawn = 0;  // a saboteur: rows of both kinds
  rows[7].tokens_drawn = 0;
  rows[9].tokens_drawn = 0;
  EXPECT_GT(std::abs(perplexity_trend(rows).outlook()), 1e-2);
}

TEST(Verdict, NamesWhatIsWrong) {
  History rest, fall;
  for (int i = 0; i < 12; ++i) {
    rest.add(at_perplexity(i % 2 == 0 ? 1001 : 1000));
    fall.add(at_perplexity(1000 * std::pow(0.98, i)));
  }
  const std::vector<double> even{0.5, 0.5}, uneven{0.9999, 0.0001};
  EXPECT_TRUE(judge_training(rest, 2, even, StopReason::passes, 5).trust);
  EXPECT_THAT(judge_training(rest, 0.4, even, StopReason::passes, 5).headline,
              HasSubstr("only 40 % of the documents"));
  EXPECT_THAT(judge_training(fall, 2, even, StopReason::passes, 5).headline,
              HasSubstr("still falling"));
  EXPECT_THAT(judge_training(rest, 0.99999, even, StopReason::passes, 5).headline,
              HasSubstr("only 99 % of the documents"));
  EXPECT_THAT(judge_training(rest, 0.004, even, StopReason::passes, 5).headline,
              HasSubstr("only 0.4 % of the documents"));
  EXPECT_THAT(judge_training(rest, 2, uneven, StopReason::passes, 5).headline,
              HasSubstr("1 of 2 topics hardly occurs (below"));
  EXPECT_THAT(judge_training(rest, 2, even, StopReason::passes, 0).headline,
              HasSubstr("no draw was kept"));
}

TEST(Verdict, WhatCannotBeToldIsANote) {
  History few;
  few.add(at_perplexity(1000));
  const std::vector<double> even{0.5, 0.5};
  const Verdict verdict = judge_training(few, 2, even, StopReason::passes, 5);
  EXPECT_TRUE(verdict.trust);
  EXPECT_THAT(
      format_verdict(verdict),
      HasSubstr("\nnote  1 evaluation cannot tell whether the perplexity has come to rest.\n"));
  few.add(at_perplexity(1000));
  EXPECT_THAT(format_verdict(judge_training(few, 2, even, StopReason::passes, 5)),
              HasSubstr("\nnote  2 evaluations cannot tell"));
}

// A right checksum says nothing of who wrote it.
TEST(TrainingRun, ForgedCheckpointsAreRefusedOrGoOn) {
  const test::SyntheticCorpus made("forged", SyntheticPlan{.docs = 8,
                                                           .topics = 2,
                                                           .vocab_size = 5,
                                                           .mean_length = 4,
                                                           .base = BaseFrequencies::uniform,
                                                           .seed = 3});
  const auto folder = test::Folder::in_memory("forged");
  const fs::path path = folder / "forged.bin";
  Threads threads(1);
  for (const char* method : {"smld-root", "smld-preconditioned"}) {
    for (const Assignments assignments : {Assignments::fresh, Assignments::kept}) {
      TrainingPlan plan;
      plan.method = method;
      plan.topics = 2;
      plan.batch = plan.descent_batch = 2;
      plan.sweeps = 2;
      plan.sweeps_burn_in = assignments == Assignments::fresh ? 1 : 0;
      plan.assignments = assignments;
      plan.optimize_alpha = 40;
      const TrainingSchedule schedule{.held_out = 1,
                                      .eval_every = 4,
                                      .burn_in = 4,
                                      .average_every = 2,
                                      .keep_draws = 4,
                                      .draw_every = 2};
      const auto make = [&] {
        return std::make_unique<TrainingRun>(made.corpus(), plan, schedule, threads);
      };
      const auto run = make();
      run->run({.steps = 12}, {}, silent);
      run->save(path);
      const int taken = test::for_forged(read_file(path), 0, [&](const std::string& bytes) {
        std::ofstream(path, std::ios::binary) << test::with_checksum(bytes);
        const auto forged = make();
        forged->restore(path);
        forged->run({.steps = forged->training().steps() + 2}, {}, silent);
        forged->history_to_the_end();
      });
      EXPECT_GT(taken, 0) << "some numbers may be anything";
    }
  }
}

}  // namespace
}  // namespace tain::training_run_test
