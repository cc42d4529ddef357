// Training with kept topics against the exact posterior of a corpus small enough to enumerate.
// False-alarm rate of every assertion: 1e-8 (support/statistics.hpp).
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "lda/training/training.hpp"
#include "support/statistics.hpp"
#include "text/corpus_writer.hpp"
#include "tiny_model.hpp"

namespace tain::training_law_test {
namespace {

constexpr std::array<std::array<std::uint32_t, 3>, 2> tokens{{{0, 0, 1}, {1, 2, 2}}};
constexpr double alpha = 0.4, eta = 0.7;

/// P(two tokens have the same topic) under p(z) = int int p(z, theta, phi | words), K = 2, W = 3:
/// the sum over all 64 assignments of
///   prod_d prod_k Gamma(alpha + n_dk) prod_k prod_w Gamma(eta + N_kw) / Gamma(3 eta + N_k).
double probability_of_same_topic(std::size_t a, std::size_t b, double prior_of_words) {
  double same = 0, all = 0;
  for (unsigned z = 0; z < 64; ++z) {
    double in_document[2][2] = {}, of_word[2][3] = {};
    for (std::size_t i = 0; i < 6; ++i) {
      const unsigned k = z >> i & 1U;
      ++in_document[i / 3][k];
      ++of_word[k][tokens[i / 3][i % 3]];
    }
    double log_p = 0;
    for (unsigned k = 0; k < 2; ++k) {
      double total = 3 * prior_of_words;
      for (const auto& counts : in_document) {
        log_p += std::lgamma(alpha + counts[k]);
      }
      for (const double count : of_word[k]) {
        log_p += std::lgamma(prior_of_words + count);
        total += count;
      }
      log_p -= std::lgamma(total);
    }
    all += std::exp(log_p);
    same += (z >> a & 1U) == (z >> b & 1U) ? std::exp(log_p) : 0;
  }
  return same / all;
}

class TrainingLaw : public ::testing::Test {
 protected:
  TrainingLaw() : folder_("training-law") {
    CorpusWriter writer(folder_.path() / "corpus", Order::text, Overwrite::no);
    for (const auto& document : tokens) {
      writer.add(document, "", "");
    }
    writer.finish(std::vector<std::string>{"a", "b", "c"}, "{}");
    corpus_ = std::make_unique<Corpus>(Corpus::open(folder_.path() / "corpus"));
  }

  /// 1 if tokens a and b have the same topic after 25 passes, in chains of their own.
  testing::Draws same_topic(std::size_t a, std::size_t b, const char* method, Start start) {
    return [=, this](std::uint64_t stream, std::size_t n) {
      TrainingPlan plan;
      plan.method = method;
      plan.topics = 2;
      plan.alpha = alpha;
      plan.eta = eta;
      plan.batch = 2;
      plan.assignments = Assignments::kept;
      plan.sweeps = 1;
      plan.step_size = {3, 1, 0};
      plan.start = start;
      plan.descent = start == Start::descent ? 6 : 0;
      Threads threads(1);
      std::vector<double> draws(n);
      for (std::size_t chain = 0; chain < n; ++chain) {
        plan.seed = stream * 1'000'000 + chain;
        Training training(*corpus_, std::vector<std::uint32_t>{0, 1}, plan, threads);
        while (training.documents_seen() < plan.descent + 2 * 25) {
          training.step();
        }
        const KeptTopics& kept = *training.kept();
        draws[chain] = kept.of(a / 3)[a % 3] == kept.of(b / 3)[b % 3] ? 1 : 0;
      }
      return draws;
    };
  }

  test::Folder folder_;
  std::unique_ptr<Corpus> corpus_;
};

TEST_F(TrainingLaw, KeptTopicsReachThePosterior) {
  constexpr std::size_t chains = 4'000;
  for (const auto& [a, b] : {std::pair{0, 2}, std::pair{2, 3}, std::pair{0, 1}}) {
    const double p = probability_of_same_topic(a, b, eta);
    for (const char* method : {"gibbs", "scir"}) {
      for (const Start start : {Start::random, Start::descent}) {
        testing::expect_mean(same_topic(a, b, method, start), p, std::sqrt(p * (1 - p)), chains);
      }
    }
  }
  // The saboteur: a prior of words that is not the one in use.
  const double wrong = probability_of_same_topic(0, 1, 3 * eta);
  EXPECT_TRUE(testing::detects_mean(same_topic(0, 1, "gibbs", Start::random), wrong,
                                    std::sqrt(wrong * (1 - wrong)), chains));
}

}  // namespace
}  // namespace tain::training_law_test
