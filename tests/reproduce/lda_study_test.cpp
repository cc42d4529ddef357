// The study of topic models: curves, threads, stopping and resuming, files, plans that cannot run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>

#include "core/file.hpp"
#include "lda/engine/predictive.hpp"
#include "lda_made_up_study.hpp"
#include "reproduce/lda_file.hpp"
#include "reproduce/study_file.hpp"
#include "support/folder.hpp"
#include "support/synthetic_corpus.hpp"
#include "tain/core/error.hpp"

namespace tain::lda_study_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class LdaStudyTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    made_ = std::make_unique<test::SyntheticCorpus>("lda-study",
                                                    SyntheticPlan{.docs = 600,
                                                                  .topics = 4,
                                                                  .vocab_size = 200,
                                                                  .mean_length = 40,
                                                                  .base = BaseFrequencies::uniform,
                                                                  .seed = 5});
    corpus_ = &made_->corpus();
    folder_ = made_->folder();
  }
  static void TearDownTestSuite() { made_.reset(); }

  static LdaStudySettings plan() {
    LdaStudySettings plan;
    plan.documents = 400;
    plan.held_out = 50;
    plan.every = 100;
    plan.sweeps = 4;
    plan.runs = 2;
    plan.topics = 4;
    plan.alpha = 0.1;
    plan.grids = {{"smld-approximate", 4, {1e-3, 3e-3, 0.01}},
                  {"sgrld", 4, {0.001, 0.003, 0.01}, 2},
                  {"sgrhmc", 2, {0.001}}};
    return plan;
  }
  static LdaStudy fresh(const LdaStudySettings& plan) {
    LdaStudy study;
    study.plan = plan;
    return study;
  }
  static Next go_on(const StudyProgress&) { return Next::go_on; }
  static void drop(const LdaStudy&) {}

  static LdaStudy whole(std::size_t threads) {
    LdaStudy study = fresh(plan());
    Threads pool(threads);
    EXPECT_TRUE(run_lda_study(study, *corpus_, pool, go_on, drop));
    return study;
  }
  /// All but the seconds.
  static void expect_same(const std::vector<LdaCurve>& a, const std::vector<LdaCurve>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_EQ(a[i].key, b[i].key);
      ASSERT_EQ(a[i].points.size(), b[i].points.size());
      for (std::size_t j = 0; j < a[i].points.size(); ++j) {
        EXPECT_EQ(a[i].points[j].documents, b[i].points[j].documents);
        EXPECT_EQ(a[i].points[j].perplexity, b[i].points[j].perplexity);
        EXPECT_EQ(a[i].points[j].average, b[i].points[j].average);
      }
    }
  }

  static inline fs::path folder_;
  inline static std::unique_ptr<test::SyntheticCorpus> made_;
  inline static const Corpus* corpus_ = nullptr;
};

TEST_F(LdaStudyTest, ACurveIsTrainingLookedAtFromOutside) {
  const LdaStudy study = whole(1);
  const LdaCurve& curve = study.grid[4];  // sgrld
  ASSERT_EQ(curve.key, (LdaCurveKey{"sgrld", 4, 0.003, 1}));
  const HeldOut held_out(*corpus_, 50, NoiseField(1));
  TrainingPlan training;
  training.method = "sgrld";
  training.topics = 4;
  training.alpha = 0.1;
  training.eta = 0.01;
  training.sweeps = 4;
  training.sweeps_burn_in = 2;
  training.step_size = {0.003, 1000, 0.55};
  training.first_weight = 2;
  training.seed = 1;
  Threads threads(2);
  Training same(*corpus_, TrainingDocuments(*corpus_, held_out), training, threads);
  Predictive predictive(held_out, lda_look_sweeps, evaluation_noise(1));
  double seconds = 0;
  for (const LdaPoint& point : curve.points) {
    while (same.documents_seen() < point.documents) {
      same.step();
    }
    predictive.evaluate(same.topics(), same.alpha(), same.steps(), threads);
    EXPECT_EQ(point.perplexity, predictive.last().value);
    EXPECT_EQ(point.average, predictive.average().value);
    EXPECT_GT(point.seconds, seconds);
    seconds = point.seconds;
  }
  EXPECT_EQ(curve.points.size(), 4u);
}

TEST_F(LdaStudyTest, RunsTheGridThenTheBestWithOtherSeeds) {
  const LdaStudy study = whole(1);
  ASSERT_EQ(study.grid.size(), 7u);
  const bool published_is_best = ranked(study.grid, "sgrld", 4).front()->key.step_size == 0.01;
  ASSERT_EQ(study.best.size(), 2u * (3 + (published_is_best ? 1 : 2) + 1));
  EXPECT_TRUE(std::ranges::any_of(study.best, [](const LdaCurve& curve) {
    return curve.key.method == "sgrld" && curve.key.step_size == published_sgrld_step;
  }));
  EXPECT_EQ(study.best[0].key.step_size,
            ranked(study.grid, "smld-approximate", 4).front()->key.step_size);
  EXPECT_EQ(study.best[0].key.seed, 2u);
  EXPECT_EQ(study.best[1].key.seed, 3u);
  const auto order = ranked(study.grid, "smld-approximate", 4);
  const auto score = [](const LdaCurve* curve) {
    double product = 1;
    for (const LdaPoint& point : curve->points) {
      product *= point.average / 200;
    }
    return product;
  };
  EXPECT_LE(score(order[0]), score(order[1]));
  EXPECT_LE(score(order[1]), score(order[2]));
}

TEST_F(LdaStudyTest, ThreadsStoppingAndFilesChangeNothing) {
  const LdaStudy one = whole(1), two = whole(2);
  expect_same(one.grid, two.grid);
  expect_same(one.best, two.best);
  const fs::path file = folder_ / "study.json";
  LdaStudy study = fresh(plan());
  study.corpus = lda_corpus_facts(study.plan, *corpus_);
  write_study(file, study);
  Threads threads(2);
  int stops = 0;
  while (true) {
    study = read_study(file, study);
    int kept = 0;
    // Every time stops after two more curves at the latest.
    if (run_lda_study(
            study, *corpus_, threads,
            [&](const StudyProgress& now) {
              EXPECT_GE(now.share, 0);
              EXPECT_LE(now.share, 1);
              return kept >= 2 ? Next::stop : Next::go_on;
            },
            [&](const LdaStudy& now) {
              ++kept;
              write_study(file, now);
            })) {
      break;
    }
    ASSERT_LT(++stops, 20);
  }
  EXPECT_GE(stops, 3);
  expect_same(one.grid, study.grid);
  expect_same(one.best, study.best);
  EXPECT_THAT(curves_csv(study), HasSubstr("\nbest,sgrhmc,2,0.001,3,400,"));
}

TEST_F(LdaStudyTest, CurvesThatBreakDownEndThereAndComeLast) {
  LdaStudySettings wild = plan();
  wild.grids = {{"sgrhmc", 4, {0.001, 100}}};
  LdaStudy study = fresh(wild);
  Threads threads(1);
  ASSERT_TRUE(run_lda_study(study, *corpus_, threads, go_on, drop));
  EXPECT_EQ(study.grid[1].key.step_size, 100);
  EXPECT_THAT(study.grid[1].trouble, HasSubstr("weights of topic"));
  EXPECT_EQ(ranked(study.grid, "sgrhmc", 4).back(), &study.grid[1]);
  wild.grids = {{"sgrhmc", 4, {100}}};
  LdaStudy broken = fresh(wild);
  ASSERT_TRUE(run_lda_study(broken, *corpus_, threads, go_on, drop));
  EXPECT_EQ(broken.best.size(), 0u);  // a step size that broke down is not run again
  write_study(folder_ / "wild.json", study);
  EXPECT_EQ(read_study(folder_ / "wild.json", study).grid[1].trouble, study.grid[1].trouble);
}

TEST_F(LdaStudyTest, TrainsOnAsManyDocumentsAsAsked) {
  LdaStudySettings few = plan();
  few.training_documents = 200;
  few.grids = {{"sgrld", 4, {0.01}}};
  few.runs = 1;
  EXPECT_EQ(lda_corpus_facts(few, *corpus_).documents_seen, 200u);
  few.every = 150;
  EXPECT_EQ(lda_corpus_facts(few, *corpus_).documents_seen, 150u);
  const LdaStudyCost cost = lda_study_cost(few, *corpus_);
  EXPECT_EQ(cost.curves, 2u);
  EXPECT_EQ(cost.documents, 300u);
  EXPECT_GT(cost.bytes_per_thread, topic_sampler_bytes("sgrld", 4, 200));
}

TEST_F(LdaStudyTest, RefusesPlansThatCannotRun) {
  const auto refused = [&](auto change, const char* why) {
    LdaStudySettings bad = plan();
    change(bad);
    try {
      lda_study_cost(bad, *corpus_);
      ADD_FAILURE() << why;
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::config);
      EXPECT_THAT(error.what(), HasSubstr(why));
    }
  };
  refused([](LdaStudySettings& p) { p.held_out = 600; }, "600 are to be held out");
  refused([](LdaStudySettings& p) { p.held_out = 0; }, "0 are to be held out");
  refused([](LdaStudySettings& p) { p.every = 70; }, "no multiple of batches of 50");
  refused([](LdaStudySettings& p) { p.every = 1000; }, "no curve gets to its first look");
  refused([](LdaStudySettings& p) { p.sweeps = 1; }, "burn-in");
}

TEST(LdaGrids, StartTheApproximationAtTheScaleOfThePosterior) {
  for (const LdaGrid& grid : lda_grids(100, 3061)) {
    EXPECT_TRUE(std::ranges::is_sorted(grid.steps)) << grid.method;
    const double scale = grid.topics == 100 ? 31 : 61;  // tokens per topic and word, two digits
    EXPECT_EQ(grid.first_weight, grid.method == paper_method ? scale : 1) << grid.method;
    EXPECT_EQ(grid.floor, grid.method == paper_method ? 0.5 : 0) << grid.method;
  }
}

TEST(LdaStudyFile, GivesBackWhatItWasGivenInfinitiesIncluded) {
  const test::Folder folder("lda-study");
  const fs::path file = folder / "study.json";
  LdaStudy study = made_up_lda_study();
  study.grid[0].points[0].average = std::numeric_limits<double>::infinity();
  study.command = "tain reproduce lda c";
  write_study(file, study);
  EXPECT_EQ(study_kind(file), lda_kind);
  EXPECT_EQ(read_lda_study(file).plan, study.plan);
  EXPECT_EQ(read_lda_study(file).corpus, study.corpus);
  EXPECT_EQ(read_lda_study(file).command, study.command);
  EXPECT_THROW(read_synthetic_study(file), Error);
  const LdaStudy again = read_study(file, study);
  ASSERT_EQ(again.grid.size(), study.grid.size());
  for (std::size_t i = 0; i < study.grid.size(); ++i) {
    EXPECT_EQ(again.grid[i].key, study.grid[i].key);
    EXPECT_EQ(again.grid[i].points, study.grid[i].points);
  }
  LdaStudy other = study;
  other.plan.eta = 0.02;
  EXPECT_THROW(read_study(file, other), Error);
  other = study;
  other.corpus.fingerprint += 1;
  EXPECT_THROW(read_study(file, other), Error);
  study.grid[1].points.pop_back();
  write_study(file, study);
  EXPECT_THROW(read_study(file, study), Error);
  write_atomically(file, std::string_view("{}"));
  EXPECT_THROW(read_study(file, study), Error);
}

}  // namespace
}  // namespace tain::lda_study_test
