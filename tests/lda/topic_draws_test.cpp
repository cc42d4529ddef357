// Draws of topics: which are kept, that they are in the model bit for bit whatever stopped the
// training, and that damage is refused.
#include "lda/model/topic_draws.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>

#include "core/file.hpp"
#include "lda/training/kept_draws.hpp"
#include "lda/training/training_report.hpp"
#include "support/errors.hpp"
#include "support/synthetic_corpus.hpp"
#include "tain/core/error.hpp"
#include "trained.hpp"

namespace tain::topic_draws_test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

const TrainingObserver silent = [](const TrainProgress&) { return Next::go_on; };

/// Topics that say when they were drawn.
TopicWeights topics_at(std::uint64_t documents, Threads& threads) {
  TopicWeights topics(3, 5);
  for (std::size_t w = 0; w < 5; ++w) {
    for (std::size_t k = 0; k < 3; ++k) {
      topics.weights().at(w, k) = static_cast<float>(1 + (documents + 7 * w + 3 * k) % 101);
    }
  }
  topics.sum(threads);
  return topics;
}

/// Draws every ten documents after the first hundred, up to `end`.
KeptDraws kept_until(std::uint64_t end, const KeptDrawsPlan& plan, Threads& threads) {
  KeptDraws kept(3, Sharding(5), plan);
  for (std::uint64_t documents = 110; documents <= end; documents += 10) {
    if (kept.due(documents)) {
      kept.keep(documents, topics_at(documents, threads), {}, threads);
    }
  }
  return kept;
}

TEST(KeptDraws, AreEvenlySpacedAndTheLastIsTheEnd) {
  Threads threads(1);
  // 100 documents of draws, 5 wanted: 21 apart, so that the fifth would come after the end.
  KeptDraws kept = kept_until(200, {.count = 5, .first = 100, .every = 21}, threads);
  EXPECT_THAT(kept.documents(), ElementsAre(130, 150, 170, 190));
  EXPECT_FALSE(kept.thinned());
  const DrawFiles files = kept.with_last(200, topics_at(200, threads), {}, threads);
  EXPECT_THAT(files.documents, ElementsAre(130, 150, 170, 190, 200));
  ASSERT_EQ(files.draws.size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) {
    const TopicWeights topics = topics_at(files.documents[i], threads);
    for (std::size_t k = 0; k < 3; ++k) {
      double sum = 0;
      for (std::size_t w = 0; w < 5; ++w) {
        const float value = files.draws[i][k * 5 + w];
        EXPECT_NEAR(value, topics.weights().at(w, k) * topics.inverse_sums()[k], 0x1p-22);
        sum += static_cast<double>(value);
      }
      EXPECT_NEAR(sum, 1, 5 * 0x1p-24);
    }
  }
}

// By hand: with room for three, blocks 1, 2, 3 of 10 documents; the fourth doubles the blocks to 20
// and leaves 120 and 140; then 160, and 180 doubles again: 140, 180.
TEST(KeptDraws, OfALongerRunAreThinnedOut) {
  Threads threads(1);
  const KeptDrawsPlan plan{.count = 4, .first = 100, .every = 10};
  EXPECT_THAT(kept_until(130, plan, threads).documents(), ElementsAre(110, 120, 130));
  EXPECT_THAT(kept_until(140, plan, threads).documents(), ElementsAre(120, 140));
  EXPECT_THAT(kept_until(170, plan, threads).documents(), ElementsAre(120, 140, 160));
  EXPECT_THAT(kept_until(180, plan, threads).documents(), ElementsAre(140, 180));
  EXPECT_TRUE(kept_until(180, plan, threads).thinned());
  for (std::uint64_t end = 110; end < 3000; end += 10) {
    KeptDraws kept = kept_until(end, plan, threads);
    const DrawFiles files = kept.with_last(end, topics_at(end, threads), {}, threads);
    EXPECT_LE(files.draws.size(), 4U);
    EXPECT_GE(files.draws.size(), std::min<std::size_t>(2, (end - 100) / 10));
    EXPECT_EQ(files.documents.back(), end);
    for (std::size_t i = 0; i < files.draws.size(); ++i) {  // positions did not get mixed up
      const TopicWeights topics = topics_at(files.documents[i], threads);
      EXPECT_NEAR(files.draws[i][0], topics.weights().at(0, 0) * topics.inverse_sums()[0], 1e-6);
    }
  }
}

TEST(KeptDraws, NoneAndOne) {
  Threads threads(1);
  EXPECT_TRUE(kept_until(500, {.count = 0, .first = 100, .every = 10}, threads)
                  .with_last(500, topics_at(500, threads), {}, threads)
                  .draws.empty());
  KeptDraws one = kept_until(500, {.count = 1, .first = 100, .every = 10}, threads);
  EXPECT_TRUE(one.documents().empty());
  EXPECT_EQ(one.with_last(500, topics_at(500, threads), {}, threads).draws.size(), 1U);
}

TEST(KeptDraws, UsualNumberFitsInto256Megabytes) {
  EXPECT_EQ(usual_kept_draws(100, 8000), 10U);
  EXPECT_EQ(usual_kept_draws(1000, 16'000), 4U);
  EXPECT_EQ(usual_kept_draws(2000, 50'000), 0U);
}

class DrawsOfRunTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    made_ = std::make_unique<test::SyntheticCorpus>("draws",
                                                    SyntheticPlan{.docs = 300,
                                                                  .topics = 4,
                                                                  .vocab_size = 120,
                                                                  .mean_length = 40,
                                                                  .base = BaseFrequencies::uniform,
                                                                  .seed = 3});
  }
  static void TearDownTestSuite() { made_.reset(); }
  static const Corpus& corpus() { return made_->corpus(); }

  static TrainingPlan plan(Assignments assignments) {
    TrainingPlan plan;
    plan.topics = 4;
    plan.batch = 20;
    plan.assignments = assignments;
    plan.sweeps = assignments == Assignments::kept ? 2 : 6;
    plan.sweeps_burn_in = assignments == Assignments::kept ? 0 : 3;
    plan.step_size = {0.5, 100, 0.6};
    return plan;
  }
  static TrainingSchedule schedule(const TrainingPlan& plan, const StopRule& stop,
                                   std::uint64_t draws) {
    return schedule_for({.held_out = 30, .burn_in = 600, .keep_draws = draws}, stop,
                        corpus().documents(), plan);
  }
  fs::path folder(const std::string& name) {
    const fs::path path = folder_.path() / name;
    fs::create_directories(path);
    return path;
  }
  static CheckpointPlan checkpoints(const fs::path& folder) {
    return {folder / "checkpoint.bin", 60, 1e9};
  }
  static void publish(const fs::path& folder, TrainingRun& run) {
    test::write_trained(folder, run, report_on(run, StopReason::passes), "{}", "");
  }
  static void expect_same_draws(const fs::path& a, const fs::path& b) {
    for (const std::string_view name : {"draws.npy", "draw_shares.npy", "topics.npy"}) {
      EXPECT_EQ(read_file(a / name), read_file(b / name)) << name;
    }
  }

  inline static std::unique_ptr<test::SyntheticCorpus> made_;
  test::Folder folder_{"draws-of-run"};
};

TEST_F(DrawsOfRunTest, AreThoseOfTheChainWithTheirShares) {
  Threads threads(2);
  const TrainingPlan kept = plan(Assignments::kept);
  const StopRule stop{.passes = 6.0};
  TrainingRun run(corpus(), kept, schedule(kept, stop, 5), threads);
  std::map<std::uint64_t, FloatBlockStorage> seen;
  std::map<std::uint64_t, std::vector<double>> counted;
  run.run(stop, {}, [&](const TrainProgress& progress) {
    seen.emplace(progress.documents, topic_probabilities(run.training().topics(), threads));
    std::vector<double> totals(4, 0.0);
    double all = 0;
    for (std::size_t d = 0; d < run.training().places().end; ++d) {
      for (const std::uint16_t topic : run.training().kept()->of(d)) {
        if (topic != KeptTopics::unknown) {
          totals[topic] += 1;
          all += 1;
        }
      }
    }
    for (double& total : totals) {
      total /= all;
    }
    counted.emplace(progress.documents, totals);
    return Next::go_on;
  });
  const fs::path model = folder("model");
  publish(model, run);
  const std::optional<TopicDraws> draws = TopicDraws::open(model);
  ASSERT_TRUE(draws.has_value());
  ASSERT_EQ(draws->draws(), 5U);
  EXPECT_EQ(draws->topics(), 4U);
  EXPECT_EQ(draws->words(), 120U);
  EXPECT_EQ(draws->documents().back(), run.training().documents_seen());
  for (std::uint64_t s = 0; s < 5; ++s) {
    const std::uint64_t documents = draws->documents()[s];
    if (s > 0) {  // 1,020 documents after the burn-in
      EXPECT_NEAR(static_cast<double>(documents - draws->documents()[s - 1]), 204, 2 * 20 + 1);
    }
    for (std::uint32_t k = 0; k < 4; ++k) {
      EXPECT_EQ(draws->shares(s)[k], counted.at(documents)[k]);
      for (std::uint32_t w = 0; w < 120; ++w) {
        EXPECT_NEAR(draws->topic(s, k)[w], seen.at(documents).view().at(w, k), 0x1p-22);
      }
    }
  }
  EXPECT_EQ(ModelData::open(model).facts().draw_documents.size(), 5U);
}

TEST_F(DrawsOfRunTest, WithFreshAssignmentsHaveNoShares) {
  Threads threads(1);
  const TrainingPlan fresh = plan(Assignments::fresh);
  TrainingRun run(corpus(), fresh, schedule(fresh, {.passes = 4.0}, 3), threads);
  run.run({.passes = 4.0}, {}, silent);
  const fs::path model = folder("fresh");
  publish(model, run);
  const std::optional<TopicDraws> draws = TopicDraws::open(model);
  ASSERT_TRUE(draws.has_value());
  EXPECT_EQ(draws->draws(), 3U);
  EXPECT_TRUE(draws->shares(0).empty());
  EXPECT_FALSE(fs::exists(model / "draw_shares.npy"));
}

TEST_F(DrawsOfRunTest, ARunWithoutDrawsHasNone) {
  Threads threads(1);
  const TrainingPlan kept = plan(Assignments::kept);
  TrainingRun run(corpus(), kept, schedule(kept, {.passes = 1.0}, 5), threads);
  run.run({.passes = 1.0}, {}, silent);  // ends in the burn-in
  const fs::path model = folder("short");
  publish(model, run);
  EXPECT_FALSE(TopicDraws::open(model).has_value());
  EXPECT_FALSE(fs::exists(model / "draws.npy"));
}

// Killed on all parts of the way: the file of draws is then ahead of the checkpoint, by up to three
// batches or, where there are no checkpoints but those that thinning out asks for, by far (the
// schedule believes in three passes, the run takes nine).
TEST_F(DrawsOfRunTest, SameBitsAfterAnyKill) {
  Threads one(1), two(2);
  const TrainingPlan kept = plan(Assignments::kept);
  const StopRule stop{.passes = 9.0};
  const TrainingSchedule short_sighted = schedule(kept, {.passes = 3.0}, 4);
  TrainingRun whole(corpus(), kept, short_sighted, one);
  whole.run(stop, checkpoints(folder("whole")), silent);
  publish(folder("whole"), whole);
  EXPECT_EQ(TopicDraws::open(folder("whole"))->documents().back(),
            whole.training().documents_seen());
  EXPECT_FALSE(fs::exists(folder("whole") / "checkpoint.draws"));
  struct Killed {};
  for (std::uint64_t step = 41; step < whole.training().steps(); step += 17) {
    const fs::path model = folder("killed" + std::to_string(step));
    CheckpointPlan places = checkpoints(model);
    if (step % 2 == 0) {
      places.documents = std::nullopt;
    }
    try {
      TrainingRun first(corpus(), kept, short_sighted, two);
      first.run(stop, places, [&](const TrainProgress& progress) {
        return progress.step == step ? throw Killed() : Next::go_on;
      });
    } catch (const Killed&) {
    }
    TrainingRun second(corpus(), kept, short_sighted, one);
    second.restore(places.file);
    second.run(stop, places, silent);
    publish(model, second);
    expect_same_draws(folder("whole"), model);
  }
}

TEST_F(DrawsOfRunTest, AFinishedModelThatIsTrainedOnKeepsItsDraws) {
  Threads threads(1);
  const TrainingPlan kept = plan(Assignments::kept);
  // Draws were thinned out before the model was finished: they are not where they came first.
  const TrainingSchedule once = schedule(kept, {.passes = 3.0}, 6);
  const fs::path whole = folder("told"), grown = folder("grown");
  {
    TrainingRun run(corpus(), kept, once, threads);
    run.run({.passes = 7.0}, checkpoints(whole), silent);
    publish(whole, run);
  }
  {
    TrainingRun run(corpus(), kept, once, threads);
    run.run({.passes = 5.0}, checkpoints(grown), silent);
    publish(grown, run);
    EXPECT_GE(TopicDraws::open(grown)->draws(), 3U);
  }
  TrainingRun run(corpus(), kept, once, threads);
  run.restore(checkpoints(grown).file);
  run.run({.passes = 7.0}, checkpoints(grown), silent);
  publish(grown, run);
  expect_same_draws(whole, grown);
}

// A folder with draws but without a checkpoint could neither be resumed nor begun anew.
TEST_F(DrawsOfRunTest, AreNeverThereWithoutACheckpoint) {
  Threads threads(1);
  const TrainingPlan kept = plan(Assignments::kept);
  const CheckpointPlan places = checkpoints(folder("early"));
  fs::create_directory(places.file);  // in the way of the checkpoint, not of the draws
  TrainingRun run(corpus(), kept, schedule(kept, {.passes = 3.0}, 4), threads);
  EXPECT_THROW(run.run({.passes = 3.0}, places, silent), Error);
  EXPECT_FALSE(fs::exists(places.draws_file()));
}

TEST_F(DrawsOfRunTest, MissingOrDamagedDrawsAreRefusedUntilTheyAreLetGo) {
  Threads threads(1);
  const TrainingPlan kept = plan(Assignments::kept);
  const TrainingSchedule planned = schedule(kept, {.passes = 6.0}, 4);
  const fs::path model = folder("stopped");
  const CheckpointPlan places = checkpoints(model);
  {
    TrainingRun run(corpus(), kept, planned, threads);
    run.run({.passes = 5.0}, places, silent);
  }
  const auto resume = [&](const TrainingSchedule& schedule) {
    TrainingRun run(corpus(), kept, schedule, threads);
    run.restore(places.file);
    run.run({.passes = 6.0}, places, silent);
    publish(model, run);
  };
  const std::string bytes = read_file(places.draws_file());
  std::string damaged = bytes;
  damaged[9] = static_cast<char>(damaged[9] ^ 1);
  write_atomically(places.draws_file(), damaged);
  EXPECT_THAT(test::message_of(Fault::data, [&] { resume(planned); }), HasSubstr("are damaged"));
  write_atomically(places.draws_file(), std::string_view(bytes).substr(100));
  EXPECT_THAT(test::message_of(Fault::data, [&] { resume(planned); }), HasSubstr("are damaged"));
  fs::remove(places.draws_file());
  EXPECT_THAT(test::message_of(Fault::data, [&] { resume(planned); }), HasSubstr("are missing"));
  TrainingSchedule other = planned;
  other.keep_draws = 3;
  EXPECT_THAT(test::message_of(Fault::config, [&] { resume(other); }),
              HasSubstr("keep-draws was 4, now it is 3"));
  other.keep_draws = 0;
  resume(other);
  EXPECT_FALSE(TopicDraws::open(model).has_value());
}

TEST_F(DrawsOfRunTest, DamageOfTheModelIsFound) {
  Threads threads(1);
  const TrainingPlan kept = plan(Assignments::kept);
  TrainingRun run(corpus(), kept, schedule(kept, {.passes = 6.0}, 3), threads);
  run.run({.passes = 6.0}, {}, silent);
  const fs::path model = folder("damaged");
  publish(model, run);
  for (const std::string_view name : {"draws.npy", "draw_shares.npy"}) {
    const std::string bytes = read_file(model / name);
    for (std::size_t at = 0; at < bytes.size(); at += bytes.size() / 7) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ 2);
      write_atomically(model / name, damaged);
      EXPECT_THAT(test::message_of(Fault::data, [&] { TopicDraws::open(model); }),
                  HasSubstr(std::string(name)));
      write_atomically(model / name, std::string_view(bytes).substr(0, at));
      EXPECT_THAT(test::message_of(Fault::data, [&] { TopicDraws::open(model); }),
                  HasSubstr(std::string(name)));
    }
    write_atomically(model / name, bytes);
  }
  EXPECT_EQ(TopicDraws::open(model)->draws(), 3U);
  // Whoever removes the large file has a model without draws.
  fs::remove(model / "draws.npy");
  EXPECT_FALSE(TopicDraws::open(model).has_value());
  EXPECT_NO_THROW(ModelData::open(model));
}

}  // namespace
}  // namespace tain::topic_draws_test
