// Simulation-based calibration (Talts et al. 2018) of training with kept topics: topics, shares and
// words are drawn from the model, a chain is trained on the words, and the true values are ranked
// among some of its draws. If these are draws from the posterior, and far apart, every rank is as
// probable as every other. False-alarm rate of every assertion: 1e-8 (support/statistics.hpp).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "bags.hpp"
#include "lda/training/training.hpp"
#include "support/gammas.hpp"
#include "support/statistics.hpp"

namespace tain::calibration_test {
namespace {

// So few tokens that chains forget within twenty passes: ranks among draws that are alike would pile
// up at the ends.
constexpr std::uint32_t topics = 3, words = 8, documents = 5, length = 6;
constexpr double alpha = 1, eta = 0.05;
constexpr std::size_t draws = 15, passes_before = 100, passes_between = 20;
/// Below, a weight may be at the floor of floats: all the same.
constexpr double least = 1e-30;

/// What is ranked; it does not depend on the order of the topics.
enum Quantity : std::size_t { largest_share, word, rare_word, quantities };
constexpr std::array<const char*, quantities> names{"largest share", "word", "rare word"};
using Values = std::array<double, quantities>;

/// Of shares of the tokens and phi of word 0: the largest share; the probability of the word, all
/// topics alike; its probability in the topic that has least of it.
Values values_of(std::array<double, topics> shares, std::array<double, topics> phi) {
  double sum = 0;
  for (const double p : phi) {
    sum += p;
  }
  return {*std::ranges::max_element(shares), std::max(sum, least),
          std::max(*std::ranges::min_element(phi), least)};
}

struct Replicate {
  test::Bags bags;
  Values truth;
};

Replicate draw_replicate(std::uint64_t seed) {
  const NoiseField noise(seed);
  const auto dirichlet = [&](std::uint64_t step, std::uint32_t chain, std::size_t size, double a) {
    testing::GammaSource gamma(noise, Purpose::direct, step, chain);
    std::vector<double> logs(size);
    for (double& y : logs) {
      y = gamma.log(a);
    }
    const double largest = *std::ranges::max_element(logs);
    double sum = 0;
    for (double& y : logs) {
      sum += y = std::exp(y - largest);
    }
    for (double& y : logs) {
      y /= sum;
    }
    return logs;
  };
  std::vector<std::string> vocabulary(words);
  for (std::uint32_t w = 0; w < words; ++w) {
    vocabulary[w] = "w" + std::to_string(w);
  }
  std::vector<std::vector<double>> phi;
  std::array<double, topics> shares{}, of_word{};
  for (std::uint32_t k = 0; k < topics; ++k) {
    phi.push_back(dirichlet(0, k, words, eta));
    of_word[k] = phi[k][0];
  }
  Replicate replicate{test::Bags(vocabulary), {}};
  for (std::uint32_t d = 0; d < documents; ++d) {
    const std::vector<double> theta = dirichlet(1, d, topics, alpha);
    std::array<std::uint32_t, words> counts{};
    Stream stream(noise, Purpose::direct, 2, d);
    for (std::uint32_t i = 0; i < length; ++i) {
      const std::size_t k = stream.categorical(theta);
      shares[k] += 1.0 / (documents * length);
      ++counts[stream.categorical(phi[k])];
    }
    replicate.bags.add(counts);
  }
  replicate.truth = values_of(shares, of_word);
  return replicate;
}

Values values_of(const Training& training) {
  const std::vector<std::uint64_t> tokens = training.tokens_by_topic();
  std::array<double, topics> shares{}, phi{};
  for (std::uint32_t k = 0; k < topics; ++k) {
    shares[k] = double(tokens[k]) / (documents * length);
    phi[k] =
        double(training.topics().weights().at(0, k)) * double(training.topics().inverse_sums()[k]);
  }
  return values_of(shares, phi);
}

/// Ranks of the true values in one replicate; among equal ones by lot.
std::array<std::size_t, quantities> ranks_of(const std::string& method, std::uint64_t seed) {
  const Replicate replicate = draw_replicate(seed);
  const Corpus corpus = replicate.bags.corpus();
  TrainingPlan plan;
  plan.method = method;
  plan.topics = topics;
  plan.alpha = alpha;
  plan.eta = eta;
  plan.batch = documents;
  plan.assignments = Assignments::kept;
  plan.sweeps = 1;
  plan.sweeps_burn_in = 0;
  plan.step_size = {3, 1, 0};
  plan.seed = seed + 1;
  std::vector<std::uint32_t> all(documents);
  for (std::uint32_t d = 0; d < documents; ++d) {
    all[d] = d;
  }
  Threads threads(1);
  Training training(corpus, all, plan, threads);
  Stream lots(NoiseField(seed), Purpose::check, 0, 0);
  std::array<std::size_t, quantities> below{}, equal{};
  for (std::size_t pass = 1; pass <= passes_before + draws * passes_between; ++pass) {
    training.step();
    if (pass > passes_before && (pass - passes_before) % passes_between == 0) {
      const Values drawn = values_of(training);
      for (std::size_t q = 0; q < quantities; ++q) {
        const double distance = drawn[q] - replicate.truth[q];
        const bool same = std::abs(distance) <= 1e-6 * replicate.truth[q];
        below[q] += !same && distance < 0 ? 1 : 0;
        equal[q] += same ? 1 : 0;
      }
    }
  }
  for (std::size_t q = 0; q < quantities; ++q) {
    below[q] += static_cast<std::size_t>(lots.uniform() * double(equal[q] + 1));
  }
  return below;
}

using RankCounts = std::array<std::vector<std::size_t>, quantities>;

/// Of n replicates; those of a method are drawn once for all quantities.
const RankCounts& rank_counts(const std::string& method, std::uint64_t stream, std::size_t n) {
  static std::map<std::tuple<std::string, std::uint64_t, std::size_t>, RankCounts> known;
  const auto [place, is_new] = known.try_emplace({method, stream, n});
  RankCounts& counts = place->second;
  if (is_new) {
    counts.fill(std::vector<std::size_t>(draws + 1));
    for (std::size_t i = 0; i < n; ++i) {
      const auto ranks = ranks_of(method, 2 * (stream * 100'000'000 + i) + 10);
      for (std::size_t q = 0; q < quantities; ++q) {
        ++counts[q][ranks[q]];
      }
    }
  }
  return counts;
}

bool detects_ranks(const std::string& method, Quantity quantity) {
  const std::vector<double> uniform(draws + 1, 1.0 / (draws + 1));
  const testing::Counts counts = [&](std::uint64_t stream, std::size_t n) {
    return rank_counts(method, stream, n)[quantity];
  };
  return testing::detects_counts(counts, uniform, 1000);
}

TEST(Calibration, GibbsAndScirDrawFromThePosterior) {
  for (const char* method : {"gibbs", "scir"}) {
    for (const Quantity quantity : {largest_share, word, rare_word}) {
      EXPECT_FALSE(detects_ranks(method, quantity)) << method << ", " << names[quantity];
    }
  }
}

// Two moments of theta are right, but words without tokens have by far too much of it; shares of the
// tokens hardly depend on that.
TEST(Calibration, RootIsOffInRareWords) {
  EXPECT_TRUE(detects_ranks("smld-root", rare_word));
  EXPECT_TRUE(detects_ranks("smld-root", word));
}

}  // namespace
}  // namespace tain::calibration_test
