// What plans of training come to, fresh and resumed, and which are refused.
#include "lda/training/train_plan.hpp"

#include <gtest/gtest.h>

#include "bags.hpp"
#include "support/errors.hpp"
#include "support/folder.hpp"

namespace tain::train_plan_test {
namespace {

using test::message_of;

test::Bags some_documents() {
  test::Bags bags({"a", "b", "c"});
  for (std::uint32_t d = 0; d < 60; ++d) {
    bags.add(std::vector<std::uint32_t>{d % 3 + 1, 4, d % 2});
  }
  return bags;
}

class TrainPlans : public ::testing::Test {
 protected:
  TrainingRequest request(const TrainPlan& plan, const TrainPlan& given) {
    return training_request(plan, given, corpus, alone);
  }
  TrainingRequest request(const TrainPlan& plan) { return request(plan, plan); }
  std::vector<Setting> settings(const TrainPlan& plan, const TrainPlan& given) {
    const TrainingRequest found = request(plan, given);
    return training_settings(corpus, found.plan, found.schedule);
  }
  std::string refused(const TrainPlan& plan, Fault fault = Fault::config) {
    return message_of(fault, [&] { request(plan); });
  }

  const test::Bags bags = some_documents();
  const Corpus corpus = bags.corpus();
  Alone alone;
};

TEST_F(TrainPlans, LeaveOpenWhatMethodAndCorpusDecide) {
  const TrainingRequest found = request({});
  EXPECT_EQ(found.plan.method, "smld-root");
  EXPECT_EQ(found.plan.topics, 100U);
  EXPECT_EQ(found.plan.start, Start::descent);
  EXPECT_EQ(found.plan.assignments, Assignments::kept);
  EXPECT_EQ(found.schedule.held_out, 6U);
  EXPECT_EQ(found.stop.passes, 50.0);
  EXPECT_EQ(request({.method = "smld-preconditioned"}).plan.warmup, 200U);
  EXPECT_EQ(request({.assignments = "fresh"}).plan.sweeps, TrainingPlan().sweeps);
  EXPECT_EQ(request({.method = "gibbs"}).plan.start, Start::descent);
  EXPECT_EQ(request({.method = "gibbs"}).plan.assignments, Assignments::kept);
  EXPECT_EQ(request({.step_size = 0.1}).plan.step_size.c, 0);
}

TEST_F(TrainPlans, ContradictionsAreRefused) {
  EXPECT_EQ(refused({.floor = 0.1}),
            "floor: does nothing to smld-root; leave it out, or give method = smld-approximate");
  EXPECT_EQ(refused({.method = "gibbs", .step_size = 3}),
            "step_size: does nothing to gibbs; leave it out, or give method = smld-root");
  EXPECT_EQ(
      refused({.method = "sgrld", .descent_rate = 0.1}),
      "descent_rate: nothing descends from this start; leave it out, or give start = descent");
  EXPECT_EQ(refused({.steps = 3, .passes = 2}),
            "steps, passes, max_seconds: more than one says when to stop; give one of them");
  EXPECT_EQ(refused({.holdout = 0, .eval_every = 3}),
            "eval_every: no document is held out to be evaluated; leave it out, or give holdout");
  EXPECT_EQ(refused({.holdout = 60}),
            "holdout: leaves none of 60 documents to train on; hold out fewer; a tenth are 6");
  EXPECT_EQ(refused({.topics = 0}), "topics: is 0; give at least 1");
  EXPECT_EQ(refused({.method = "magic"}).substr(0, 37), "method: unknown value 'magic'; give o");
  EXPECT_EQ(refused({.step_size = {1, 2}}),
            "step_size: has 2 numbers; give one, or three: A,B,C for A(1 + t/B)^-C");
}

TEST_F(TrainPlans, AResumedRunTakesFromItsCheckpointWhatIsLeftOut) {
  const test::Folder folder("train-plan");
  Threads threads(1);
  for (const TrainPlan& first :
       {TrainPlan{.topics = 3, .alpha = 0.3, .optimize_alpha = true, .steps = 9, .seed = 5},
        TrainPlan{.topics = 2, .method = "sgrld", .batch = 7, .step_size = {0.01, 30, 0.6}},
        TrainPlan{.topics = 2, .method = "gibbs", .steps = 4},
        TrainPlan{.topics = 2,
                  .method = "smld-approximate",
                  .start = "documents",
                  .approximation = "quadratic",
                  .floor = 0.125,
                  .keep_draws = 3}}) {
    const TrainingRequest found = request(first);
    TrainingRun run(corpus, found.plan, found.schedule, threads);
    const std::filesystem::path file = folder.path() / "checkpoint.bin";
    run.save(file);
    EXPECT_EQ(settings(resumed_plan({}, file), {}), settings(first, first));
    EXPECT_EQ(resumed_plan({.topics = 9}, file).topics, 9U);
    EXPECT_EQ(resumed_plan({.optimize_alpha = false}, file).optimize_alpha, false);
    EXPECT_EQ(resumed_plan({.start = "random"}, file).start, "random");
    if (found.plan.method == "gibbs") {
      EXPECT_FALSE(resumed_plan({}, file).step_size.given());
      continue;
    }
    EXPECT_EQ(resumed_plan({.step_size = 0.5}, file).step_size.values, std::vector<double>{0.5});
  }
}

TEST_F(TrainPlans, StreamsTakeTheirPart) {
  const StreamPlan stream =
      stream_plan({.topics = 4, .alpha = 0.2, .batch = 30, .sweeps = 6, .seed = 9}, 500);
  EXPECT_EQ(stream.topics, 4U);
  EXPECT_EQ(stream.alpha, 0.2);
  EXPECT_EQ(stream.batch, 30U);
  EXPECT_EQ(stream.sweeps, 6U);
  EXPECT_EQ(stream.sweeps_burn_in, 3U);
  EXPECT_EQ(stream.total_documents, 500U);
  EXPECT_EQ(stream.eta, stream_plan(4).eta);
  EXPECT_EQ(message_of(Fault::config, [] { stream_plan(TrainPlan{.batch = 0}, 1); }),
            "batch: is 0; give at least 1");
}

}  // namespace
}  // namespace tain::train_plan_test
