// Topic samplers against the laws they claim. False-alarm rate of every assertion: 1e-8
// (support/statistics.hpp).
//
// Every topic is a chain of its own: as many topics as draws. All counts are those of the whole
// corpus, so A is the same at every step.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/special.hpp"
#include "lda/engine/topic_sampler.hpp"
#include "random/noise.hpp"
#include "support/statistics.hpp"

namespace tain::topic_law_test {
namespace {

constexpr std::uint32_t law_counts[] = {6, 3, 1, 0};
constexpr double law_eta = 0.8;

testing::Draws chain_draws(const std::string& method, double eps, std::uint64_t steps,
                           std::uint32_t word, const char* what) {
  return [=, what = std::string(what)](std::uint64_t stream, std::size_t n) {
    const auto topics = static_cast<std::uint32_t>(n);
    const auto sampler = make_topic_sampler(
        method, {.topics = topics, .words = 4, .eta = law_eta, .seed = 60 + stream, .warmup = 200});
    TopicCounts batch{{0, 1, 2, 3}, {4, padded_topics(topics)}, 1};
    for (std::size_t w = 0; w < 4; ++w) {
      std::fill_n(batch.sums.view().row(w), n, law_counts[w]);
    }
    Threads threads(1);
    sampler->start(threads);
    for (std::uint64_t t = 0; t < steps; ++t) {
      EXPECT_FALSE(sampler->advance(batch, 1, t, eps, threads));
    }
    std::vector<double> draws(n);
    for (std::size_t k = 0; k < n; ++k) {
      const double g = sampler->weights().weights().at(word, k);
      draws[k] = what == "theta" ? g : std::log(g * double(sampler->weights().inverse_sums()[k]));
    }
    return draws;
  };
}

testing::Cdf marginal(std::uint32_t word) {
  const double a = law_eta + law_counts[word], b = 4 * law_eta + 10 - a;
  return [=](double log_x) { return beta_cdf(std::min(log_x, 0.0), a, b); };
}

// The bias of smld at eps = 0.01 is 0.01 * 13 / 4 = 3 % of a variance at most, which 20,000 draws
// do not see; at eps = 0.25 it nearly doubles.
TEST(TopicLaw, SmldReachesTheDirichletPosterior) {
  for (const std::uint32_t w : {0U, 3U}) {
    testing::expect_distribution(chain_draws("smld", 0.01, 1500, w, "log phi"), marginal(w));
    EXPECT_TRUE(
        testing::detects_distribution(chain_draws("smld", 0.25, 150, w, "log phi"), marginal(w)));
  }
}

// P lies between 1/14 and 1: eps P <= 0.06, as above.
TEST(TopicLaw, PreconditionedReachesTheDirichletPosterior) {
  for (const std::uint32_t w : {0U, 3U}) {
    testing::expect_distribution(chain_draws("smld-preconditioned", 0.06, 1500, w, "log phi"),
                                 marginal(w));
    EXPECT_TRUE(testing::detects_distribution(
        chain_draws("smld-preconditioned", 1.5, 150, w, "log phi"), marginal(w)));
  }
}

// The saboteur: P of the current state, without the divergence such a P needs.
TEST(TopicLaw, APreconditionerOfTheCurrentStateWouldNot) {
  const auto draws = [](std::uint64_t stream, std::size_t n) {
    const std::uint64_t steps = 1500;
    const double eps = 0.06, A = 4 * law_eta + 10;
    std::vector<double> y(4 * padded_lanes(n), 0.0), draws_of_last(n);
    FloatBlockStorage xi(4, padded_lanes(n));
    const auto phi_of = [&](std::size_t l, std::size_t w) {
      double sum = 0;
      for (std::size_t v = 0; v < 4; ++v) {
        sum += std::exp(y[v * padded_lanes(n) + l] - y[w * padded_lanes(n) + l]);
      }
      return 1 / sum;
    };
    for (std::uint64_t t = 0; t < steps; ++t) {
      NoiseField(80 + stream).normals(Purpose::topics, t, 0, xi.view());
      for (std::size_t l = 0; l < n; ++l) {
        double phi[4];
        for (std::size_t w = 0; w < 4; ++w) {
          phi[w] = phi_of(l, w);
        }
        for (std::size_t w = 0; w < 4; ++w) {
          const double p = 1 / (A * phi[w] + 1);
          y[w * padded_lanes(n) + l] += eps * p * (law_eta + law_counts[w] - A * phi[w]) +
                                        std::sqrt(2 * eps * p) * double(xi.view().at(w, l));
        }
      }
    }
    for (std::size_t l = 0; l < n; ++l) {
      draws_of_last[l] = std::log(phi_of(l, 3));
    }
    return draws_of_last;
  };
  EXPECT_TRUE(testing::detects_distribution(draws, marginal(3), 2000));
}

TEST(TopicLaw, ScirIsExactAtEveryStepSize) {
  for (const std::uint32_t w : {0U, 3U}) {
    testing::expect_distribution(chain_draws("scir", 0.7, 25, w, "log phi"), marginal(w));
    EXPECT_TRUE(
        testing::detects_distribution(chain_draws("sgrld", 0.7, 25, w, "log phi"), marginal(w)));
  }
}

// Whatever topics were before: after one step.
TEST(TopicLaw, GibbsDrawsThePosterior) {
  for (const std::uint32_t w : {0U, 3U}) {
    testing::expect_distribution(chain_draws("gibbs", 1, 1, w, "log phi"), marginal(w));
    EXPECT_TRUE(
        testing::detects_distribution(chain_draws("scir", 1, 1, w, "log phi"), marginal(w)));
  }
}

// The variance's own error comes from the draws: their law has no closed fourth moment.
double p_of_variance(std::vector<double> x, double mean, double variance) {
  double fourth = 0;
  for (double& v : x) {
    v = (v - mean) * (v - mean);
    fourth += v * v;
  }
  const double second = testing::mean_of(x);
  return testing::p_of_mean(x, variance,
                            std::sqrt(fourth / static_cast<double>(x.size()) - second * second));
}

TEST(TopicLaw, RootHasTheMeanAndVarianceOfGammasAtEveryStepSize) {
  for (const double h : {0.2, 2.0}) {
    for (const std::uint32_t w : {0U, 3U}) {
      const double A = law_eta + law_counts[w];
      const auto steps = static_cast<std::uint64_t>(25 / h);  // e^-25 of the start is left
      const auto draws = chain_draws("smld-root", h, steps, w, "theta");
      const auto variance = [&](double wanted) {
        return testing::alarms(
            [&](auto stream, auto n) { return p_of_variance(draws(stream, n), A, wanted); },
            20'000);
      };
      testing::expect_mean(draws, A, std::sqrt(A));
      EXPECT_FALSE(variance(A)) << h << " " << w;
      EXPECT_TRUE(variance(1.25 * A)) << h << " " << w;
      EXPECT_TRUE(testing::detects_mean(draws, A + 0.1, std::sqrt(A)));
    }
  }
}

TEST(TopicLaw, RootReachesTheDirichletPosterior) {
  for (const std::uint32_t w : {0U, 3U}) {
    testing::expect_distribution(chain_draws("smld-root", 0.01, 1500, w, "log phi"), marginal(w));
    EXPECT_TRUE(
        testing::detects_distribution(chain_draws("smld-root", 2, 20, w, "log phi"), marginal(w)));
  }
}

}  // namespace
}  // namespace tain::topic_law_test
