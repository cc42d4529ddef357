// Training and prediction: bits, resuming, closed cases, and that topics are found.
#include "lda/training/training.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>

#include "lda/engine/predictive.hpp"
#include "support/synthetic_corpus.hpp"
#include "tain/core/error.hpp"

namespace tain::training_test {
namespace {

class TrainingTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    made_ = std::make_unique<test::SyntheticCorpus>("training",
                                                    SyntheticPlan{.docs = 600,
                                                                  .topics = 5,
                                                                  .vocab_size = 300,
                                                                  .mean_length = 60,
                                                                  .base = BaseFrequencies::uniform,
                                                                  .seed = 3});
    corpus_ = &made_->corpus();
  }
  static void TearDownTestSuite() { made_.reset(); }

  static TrainingPlan plan() {
    TrainingPlan plan;
    plan.topics = 5;
    plan.sweeps = 10;
    plan.sweeps_burn_in = 5;
    plan.step_size = {0.05, 100, 0.6};
    return plan;
  }
  static std::vector<std::uint32_t> all_documents() {
    std::vector<std::uint32_t> numbers(corpus_->documents());
    std::iota(numbers.begin(), numbers.end(), 0U);
    return numbers;
  }
  static std::vector<float> weights_of(const Training& training) {
    const auto flat = training.topics().weights().flat();
    return {flat.begin(), flat.end()};
  }

  inline static std::unique_ptr<test::SyntheticCorpus> made_;
  inline static const Corpus* corpus_ = nullptr;
};

TEST_F(TrainingTest, SameBitsForAnyThreadsAndAfterResuming) {
  for (const std::string_view method : topic_methods()) {
    TrainingPlan chosen = plan();
    chosen.method = method;
    chosen.warmup = 4;
    chosen.step_size.a = method == "smld" || method == "smld-preconditioned" ? 1e-4 : 0.01;
    Threads one(1), three(3);
    Training whole(*corpus_, all_documents(), chosen, one),
        parallel(*corpus_, all_documents(), chosen, three),
        first(*corpus_, all_documents(), chosen, one),
        second(*corpus_, all_documents(), chosen, one);
    for (int t = 0; t < 8; ++t) {
      whole.step();
      parallel.step();
    }
    for (int t = 0; t < 5; ++t) {
      first.step();
    }
    Archive saved;
    first.archive(saved);
    Archive read(saved.finish(), "state");
    second.archive(read);
    read.expect_end();
    for (int t = 0; t < 3; ++t) {
      second.step();
    }
    EXPECT_EQ(weights_of(whole), weights_of(parallel)) << method;
    EXPECT_EQ(weights_of(whole), weights_of(second)) << method;
    EXPECT_EQ(whole.tokens_drawn(), second.tokens_drawn());
    EXPECT_NE(weights_of(whole), weights_of(first)) << method;
  }
}

// Stopped in the descent, in the first pass of kept topics, and after it.
TEST_F(TrainingTest, DescentAndKeptTopicsGiveTheSameBitsToo) {
  TrainingPlan chosen = plan();
  chosen.start = Start::descent;
  chosen.descent = 700;
  chosen.descent_batch = 90;
  chosen.assignments = Assignments::kept;
  chosen.batch = 110;  // a pass of 600 ends with a batch of 50
  chosen.sweeps = 2;
  chosen.optimize_alpha = 900;
  chosen.step_size = {3, 1, 0};
  Threads one(1), three(3);
  Training whole(*corpus_, all_documents(), chosen, one),
      parallel(*corpus_, all_documents(), chosen, three);
  const int last = 8 + 6 + 6 + 6;
  for (int t = 0; t < last; ++t) {
    whole.step();
    parallel.step();
  }
  EXPECT_EQ(whole.documents_seen(), 700U + 3 * 600U);
  EXPECT_EQ(weights_of(whole), weights_of(parallel));
  for (const int stop : {3, 8, 11, 14, 18, 25}) {
    Training first(*corpus_, all_documents(), chosen, three),
        second(*corpus_, all_documents(), chosen, one);
    for (int t = 0; t < stop; ++t) {
      first.step();
    }
    EXPECT_EQ(first.descending(), stop < 8) << stop;
    EXPECT_NE(weights_of(whole), weights_of(first)) << stop;
    Archive saved;
    first.archive(saved);
    Archive read(saved.finish(), "state");
    second.archive(read);
    read.expect_end();
    for (int t = stop; t < last; ++t) {
      second.step();
    }
    EXPECT_EQ(weights_of(whole), weights_of(second)) << stop;
    EXPECT_TRUE(std::ranges::equal(whole.alpha(), second.alpha())) << stop;
  }
  EXPECT_NE(whole.alpha()[0], static_cast<float>(chosen.alpha));
}

// After the descent topics stand still until every document has its own.
TEST_F(TrainingTest, TheFirstPassOfKeptTopicsOnlyDrawsThem) {
  TrainingPlan chosen = suggested_plan("smld-root", 5, *corpus_, 600, 5);
  Threads threads(2);
  Training training(*corpus_, all_documents(), chosen, threads);
  while (training.descending()) {
    training.step();
  }
  const std::vector<float> descended = weights_of(training);
  while (training.documents_seen() < chosen.descent + 600 - chosen.batch) {
    training.step();
    EXPECT_EQ(weights_of(training), descended);
  }
  training.step();
  EXPECT_NE(weights_of(training), descended);
  ASSERT_NE(training.kept(), nullptr);
  // Four sweeps the first time, then two.
  EXPECT_EQ(training.tokens_drawn(), 4 * corpus_->tokens());
  for (std::uint64_t seen = 0; seen < 600; seen += chosen.batch) {
    training.step();
  }
  EXPECT_EQ(training.tokens_drawn(), 6 * corpus_->tokens());
}

TEST_F(TrainingTest, TheRateOfTheDescentFallsLinearly) {
  TrainingPlan chosen = plan();
  chosen.start = Start::descent;
  chosen.descent = 700;
  chosen.descent_batch = 100;
  chosen.descent_rate = 0.4;
  Threads threads(1);
  Training training(*corpus_, all_documents(), chosen, threads);
  TopicWeights topics(chosen.topics, corpus_->words());
  topics_from_documents(*corpus_, all_documents(), chosen.eta, NoiseField(chosen.seed), threads,
                        topics);
  TopicDescent descent(topics, {.eta = chosen.eta});
  const DocumentOrder order(NoiseField(chosen.seed), 600);
  for (std::uint64_t t = 0; t < 7; ++t) {
    std::vector<DocumentWords> batch;
    for (std::uint64_t i = 0; i < 100; ++i) {
      batch.push_back(corpus_->document(order.at(100 * t + i)));
    }
    ASSERT_FALSE(descent.step(batch, training.alpha(), 6, 0.4 * (1 - double(t) / 7), threads));
    training.step();
    const auto flat = topics.weights().flat();
    const std::vector<float> found = weights_of(training);
    // The rate is rounded in another order: one unit in the last place of a double.
    for (std::size_t i = 0; i < flat.size(); ++i) {
      ASSERT_NEAR(found[i], flat[i], 1e-5 * flat[i]) << t;
    }
  }
}

TEST_F(TrainingTest, DescentFindsTopicsFaster) {
  Threads threads(2);
  const HeldOut held_out(*corpus_, 100, NoiseField(1));
  const TrainingDocuments documents(*corpus_, held_out);
  const auto perplexity = [&](const TrainingPlan& chosen) {
    Training training(*corpus_, documents, chosen, threads);
    while (training.documents_seen() < 2 * documents.size()) {
      training.step();
    }
    Predictive predictive(held_out, {.sweeps = 20, .burn_in = 10}, NoiseField(2));
    predictive.evaluate(training.topics(), training.alpha(), 0, threads);
    return predictive.last().value;
  };
  EXPECT_LT(perplexity(suggested_plan("smld-root", 5, *corpus_, documents.size(), 2)),
            perplexity(plan()));
}

TEST_F(TrainingTest, PlansOutOfRangeAreRefused) {
  Threads threads(1);
  const auto refused = [&](auto change) {
    TrainingPlan chosen = plan();
    change(chosen);
    try {
      Training(*corpus_, all_documents(), chosen, threads);
      return false;
    } catch (const Error& error) {
      return error.fault() == Fault::config;
    }
  };
  EXPECT_FALSE(refused([](TrainingPlan&) {}));
  EXPECT_TRUE(refused([](TrainingPlan& p) { p.batch = 0; }));
  EXPECT_TRUE(refused([](TrainingPlan& p) { p.descent = 10; }));
  EXPECT_TRUE(refused([](TrainingPlan& p) { p.start = Start::descent; }));
  EXPECT_TRUE(refused([](TrainingPlan& p) { p.descent_rate = 1.5; }));
  EXPECT_TRUE(refused([](TrainingPlan& p) { p.first_weight = 0; }));
}

TEST_F(TrainingTest, SuggestionsSuitTheMethodAndTheCorpus) {
  const TrainingPlan root = suggested_plan("smld-root", 50, *corpus_, 600, 5);
  EXPECT_EQ(root.start, Start::descent);
  EXPECT_EQ(root.descent, 1800U);
  EXPECT_EQ(root.assignments, Assignments::kept);
  EXPECT_DOUBLE_EQ(root.alpha, 0.1);
  for (const std::string_view method : topic_methods()) {
    const TrainingPlan plan = suggested_plan(method, 50, *corpus_, 600, 5);
    EXPECT_EQ(plan.method, method);
    Threads threads(1);
    Training training(*corpus_, all_documents(), plan, threads);
    for (int t = 0; t < 60; ++t) {
      ASSERT_NO_THROW(training.step()) << method;
    }
  }
  EXPECT_EQ(suggested_passes(1'000'000), 5);
  EXPECT_EQ(suggested_passes(20'000), 25);
  EXPECT_EQ(suggested_passes(0), 50);
}

// With one topic theta is 1, and a token's probability is that of the word.
TEST_F(TrainingTest, OneTopicPredictsByTheFrequencyOfWords) {
  const HeldOut held_out(*corpus_, 100, NoiseField(1));
  TopicWeights topics(1, corpus_->words());
  for (std::uint32_t w = 0; w < corpus_->words(); ++w) {
    topics.weights().at(w, 0) = static_cast<float>(w + 1);
  }
  Threads threads(2);
  topics.sum(threads);
  Predictive predictive(held_out, {.sweeps = 2, .burn_in = 1}, NoiseField(2));
  const std::vector<float> alpha{0.3F};
  predictive.evaluate(topics, alpha, 0, threads);
  predictive.evaluate(topics, alpha, 1, threads);
  const double total = 0.5 * corpus_->words() * (corpus_->words() + 1.0);
  double logs = 0;
  std::vector<double> by_document;
  for (std::size_t d = 0; d < 100; ++d) {
    double sum = 0;
    for (const std::uint32_t w : held_out.test(d)) {
      sum += std::log((w + 1) / total);
    }
    by_document.push_back(sum);
    logs += sum;
  }
  const auto tokens = static_cast<double>(held_out.test_tokens());
  const double expected = std::exp(-logs / tokens);
  double squares = 0;
  for (std::size_t d = 0; d < 100; ++d) {
    const double n = static_cast<double>(held_out.test(d).size());
    squares += std::pow(by_document[d] - logs / tokens * n, 2);
  }
  // Weights are float: relative error 2^-24 each.
  EXPECT_NEAR(predictive.last().value / expected, 1, 1e-6);
  EXPECT_NEAR(predictive.average().value / expected, 1, 1e-6);
  EXPECT_NEAR(predictive.last().standard_error / (expected * std::sqrt(squares) / tokens), 1, 1e-5);
  EXPECT_EQ(predictive.evaluations(), 2U);
}

TEST_F(TrainingTest, WordsWithoutWeightMakeThePerplexityInfinite) {
  const HeldOut held_out(*corpus_, 100, NoiseField(1));
  TopicWeights topics(2, corpus_->words());
  topics.weights().at(0, 0) = topics.weights().at(0, 1) = 1;
  Threads threads(1);
  topics.sum(threads);
  Predictive predictive(held_out, {.sweeps = 2, .burn_in = 1}, NoiseField(2));
  predictive.evaluate(topics, std::vector<float>{0.1F, 0.1F}, 0, threads);
  EXPECT_TRUE(std::isinf(predictive.last().value));
}

// Averaging over evaluations happens before the logarithm, so the average is below the perplexity
// of a typical one (Jensen), and what was archived goes on.
TEST_F(TrainingTest, TrainingImprovesThePrediction) {
  Threads threads(2);
  const HeldOut held_out(*corpus_, 100, NoiseField(1));
  Training training(*corpus_, TrainingDocuments(*corpus_, held_out), plan(), threads);
  Predictive predictive(held_out, {.sweeps = 10, .burn_in = 5}, NoiseField(2));
  predictive.evaluate(training.topics(), training.alpha(), 0, threads);
  const double before = predictive.last().value;
  predictive.clear();
  double mean = 0;
  for (int round = 0; round < 4; ++round) {
    for (int t = 0; t < 30; ++t) {
      training.step();
    }
    predictive.evaluate(training.topics(), training.alpha(), training.steps(), threads);
    mean += std::log(predictive.last().value) / 4;
  }
  // Random topics predict no better than a uniform law over 300 words; five topics with eta = 0.05
  // on 300 words have an entropy far below.
  EXPECT_GT(before, 150);
  EXPECT_LT(predictive.last().value, 0.7 * before);
  EXPECT_LT(predictive.average().value, std::exp(mean));
  Archive saved;
  predictive.archive(saved);
  Predictive other(held_out, {.sweeps = 10, .burn_in = 5}, NoiseField(2));
  Archive read(saved.finish(), "state");
  other.archive(read);
  EXPECT_EQ(other.average().value, predictive.average().value);
  EXPECT_EQ(training.documents_seen(), 120U * 50U);
}

}  // namespace
}  // namespace tain::training_test
