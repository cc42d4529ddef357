// The law of document Gibbs against enumeration of all assignments, and Geweke's joint test, each
// with a saboteur that the same test must catch. False-alarm rates and power:
// support/statistics.hpp.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>

#include "document_gibbs_support.hpp"
#include "support/statistics.hpp"

namespace tain::document_gibbs_law_test {
namespace {

using testing::small_model;
using testing::SmallModel;
using testing::Texts;
using Assignment = std::vector<std::uint16_t>;

double phi(const SmallModel& model, std::uint32_t word, std::size_t k) {
  double sum = 0;
  for (std::uint32_t w = 0; w < model.topics.words(); ++w) {
    sum += static_cast<double>(model.topics.weights().at(w, k));
  }
  return static_cast<double>(model.topics.weights().at(word, k)) / sum;
}

// phi_kw, 1 for a word that no topic has.
std::vector<double> likelihood(const SmallModel& model, std::uint32_t word) {
  std::vector<double> of(model.alpha.size());
  double sum = 0;
  for (std::size_t k = 0; k < of.size(); ++k) {
    sum += of[k] = phi(model, word, k);
  }
  return sum > 0 ? of : std::vector<double>(of.size(), 1.0);
}

// A document whose assignments can be enumerated: assignment number a gives token i the topic
// a / K^i mod K.
struct Tiny {
  SmallModel model;
  std::vector<std::uint32_t> words;

  std::size_t topics() const { return model.alpha.size(); }
  std::size_t size() const {
    return static_cast<std::size_t>(std::lround(std::pow(topics(), words.size())));
  }
  Assignment assignment(std::size_t number) const {
    Assignment z;
    for (std::size_t i = 0; i < words.size(); ++i, number /= topics()) {
      z.push_back(static_cast<std::uint16_t>(number % topics()));
    }
    return z;
  }
  std::size_t number(const Assignment& z) const {
    std::size_t sum = 0;
    for (std::size_t i = z.size(); i-- > 0;) {
      sum = sum * topics() + z[i];
    }
    return sum;
  }
  // Posterior: prod_i (alpha_k + those before i) phi, which is the Dirichlet-multinomial times the
  // likelihood. Filling divides each factor by its sum over k.
  enum class Law { posterior, filling };
  std::vector<double> probabilities(Law law) const {
    std::vector<double> p(size());
    for (std::size_t a = 0; a < p.size(); ++a) {
      const Assignment z = assignment(a);
      std::vector<double> weight(model.alpha.begin(), model.alpha.end());
      p[a] = 1;
      for (std::size_t i = 0; i < z.size(); ++i) {
        const std::vector<double> word = likelihood(model, words[i]);
        p[a] *= weight[z[i]] * word[z[i]];
        if (law == Law::filling) {
          p[a] /= std::inner_product(word.begin(), word.end(), weight.begin(), 0.0);
        }
        weight[z[i]] += 1;
      }
    }
    const double sum = std::accumulate(p.begin(), p.end(), 0.0);
    for (double& value : p) {
      value /= sum;
    }
    return p;
  }
};

// One sweep from z, in double: right, or with a mistake.
enum class Mistake { none, keeps_token, forgets_alpha, forgets_scale };
void sweep(const SmallModel& model, const std::vector<std::uint32_t>& words, Mistake mistake,
           Stream& stream, Assignment& z) {
  std::vector<double> weight(model.alpha.begin(), model.alpha.end());
  for (const std::uint16_t k : z) {
    weight[k] += 1;
  }
  for (std::size_t i = 0; i < z.size(); ++i) {
    weight[z[i]] -= mistake == Mistake::keeps_token ? 0 : 1;
    std::vector<double> p = likelihood(model, words[i]);
    for (std::size_t k = 0; k < p.size(); ++k) {
      p[k] *= weight[k] + (mistake == Mistake::forgets_alpha ? 1 - model.alpha[k] : 0);
      p[k] /= mistake == Mistake::forgets_scale ? model.topics.inverse_sums()[k] : 1;
    }
    weight[z[i]] += mistake == Mistake::keeps_token ? -1 : 0;
    z[i] = static_cast<std::uint16_t>(stream.categorical(p));
    weight[z[i]] += 1;
  }
}

// Draws of the posterior, by its table.
std::vector<Assignment> exact_draws(const Tiny& tiny, std::uint64_t seed, std::size_t n) {
  const std::vector<double> p = tiny.probabilities(Tiny::Law::posterior);
  std::vector<Assignment> draws;
  Stream stream(NoiseField(seed), Purpose::direct, 0, 0);
  for (std::size_t d = 0; d < n; ++d) {
    draws.push_back(tiny.assignment(stream.categorical(p)));
  }
  return draws;
}

std::vector<std::size_t> tally(const Tiny& tiny, const std::vector<Assignment>& draws) {
  std::vector<std::size_t> counts(tiny.size());
  for (const Assignment& z : draws) {
    ++counts[tiny.number(z)];
  }
  return counts;
}

// Counts and probabilities with all categories of fewer than 5 expected in one; what has
// probability 0 must not come up.
struct Categories {
  explicit Categories(const std::vector<double>& p, std::size_t n = testing::default_draws)
      : all(p), merged(1, 0.0) {
    for (const double value : p) {
      const bool large = value * static_cast<double>(n) >= 5;
      group.push_back(large ? merged.size() : 0);
      if (large) {
        merged.push_back(value);
      } else {
        merged[0] += value;
      }
    }
    if (merged[0] * static_cast<double>(n) < 5) {  // too few even together: to the first large one
      merged[1] += merged[0];
      merged.erase(merged.begin());
      for (std::size_t& g : group) {
        g -= g > 0 ? 1 : 0;
      }
    }
  }
  std::vector<std::size_t> of(const std::vector<std::size_t>& counts) const {
    std::vector<std::size_t> sums(merged.size());
    for (std::size_t i = 0; i < counts.size(); ++i) {
      EXPECT_TRUE(all[i] > 0 || counts[i] == 0) << "impossible assignment " << i;
      sums[group[i]] += counts[i];
    }
    return sums;
  }
  std::vector<double> all, merged;
  std::vector<std::size_t> group;
};

Texts repeated(const Tiny& tiny, std::size_t n) {
  return {std::vector<std::vector<std::uint32_t>>(n, tiny.words), {}};
}

class DocumentGibbsLaw : public ::testing::TestWithParam<GibbsAlgorithm> {
 protected:
  void expect_filling(const Tiny& tiny) const {
    const Categories categories(tiny.probabilities(Tiny::Law::filling));
    testing::expect_counts(
        [&](std::uint64_t stream, std::size_t n) {
          Texts texts = repeated(tiny, n);
          run(tiny, stream, texts.fill(), {.sweeps = 1});
          return categories.of(tally(tiny, texts.topics));
        },
        categories.merged);
  }
  // From exact draws, sweeps leave exact draws.
  void expect_invariance(const Tiny& tiny, std::uint32_t sweeps) const {
    const Categories categories(tiny.probabilities(Tiny::Law::posterior));
    testing::expect_counts(
        [&](std::uint64_t stream, std::size_t n) {
          Texts texts = repeated(tiny, n);
          texts.topics = exact_draws(tiny, 20 + stream, n);
          run(tiny, stream, texts.go_on(), {.sweeps = sweeps});
          return categories.of(tally(tiny, texts.topics));
        },
        categories.merged);
  }
  void run(const Tiny& tiny, std::uint64_t stream, const std::vector<GibbsDocument>& documents,
           const GibbsPlan& plan) const {
    Threads one(1);
    DocumentGibbs(tiny.model.topics, tiny.model.alpha, NoiseField(10 + stream), GetParam())
        .run(documents, plan, 7, one, {});
  }
};
INSTANTIATE_TEST_SUITE_P(Algorithm, DocumentGibbsLaw,
                         ::testing::Values(GibbsAlgorithm::dense, GibbsAlgorithm::sparse),
                         [](const auto& algorithm) {
                           return algorithm.param == GibbsAlgorithm::dense ? "dense" : "sparse";
                         });

Tiny three_tokens() { return {small_model(3, 5, 2, 1), {0, 4, 0}}; }
// Two blocks of lanes, the last with holes.
Tiny many_topics() { return {small_model(20, 3, 2, 2), {2, 1}}; }
// Word 1 is in some topics only, word 2 in none.
Tiny missing_words() {
  Tiny tiny{small_model(4, 3, 2, 3), {1, 2, 0}};
  for (std::size_t k = 0; k < 4; ++k) {
    tiny.model.topics.weights().at(2, k) = 0;
    tiny.model.topics.weights().at(1, k) *= k % 2 == 0 ? 0 : 1;
  }
  Threads one(1);
  tiny.model.topics.sum(one);
  return tiny;
}

TEST_P(DocumentGibbsLaw, FillsTokenByToken) {
  expect_filling(three_tokens());
  expect_filling(many_topics());
  expect_filling(missing_words());
}

TEST_P(DocumentGibbsLaw, LeavesThePosteriorInvariant) {
  expect_invariance(three_tokens(), 1);
  expect_invariance(three_tokens(), 3);
  expect_invariance(many_topics(), 1);
  expect_invariance(missing_words(), 2);
}

// From filling, 40 sweeps of three tokens: with weights and alphas of one size a sweep forgets more
// than half of where it came from, and 2^-40 cannot be seen.
TEST_P(DocumentGibbsLaw, ConvergesToThePosterior) {
  const Tiny tiny = three_tokens();
  const Categories categories(tiny.probabilities(Tiny::Law::posterior));
  testing::expect_counts(
      [&](std::uint64_t stream, std::size_t n) {
        Texts texts = repeated(tiny, n);
        run(tiny, stream, texts.fill(), {.sweeps = 40});
        return categories.of(tally(tiny, texts.topics));
      },
      categories.merged);
}

TEST_P(DocumentGibbsLaw, OneTokenHasItsClosedForm) {
  Tiny tiny{small_model(70, 2, 1, 4), {1}};
  expect_filling(tiny);
  expect_invariance(tiny, 1);
}

bool enumeration_detects(const Tiny& tiny, Mistake mistake) {
  const Categories categories(tiny.probabilities(Tiny::Law::posterior));
  return testing::detects_counts(
      [&](std::uint64_t stream, std::size_t n) {
        std::vector<Assignment> draws = exact_draws(tiny, 20 + stream, n);
        Stream noise(NoiseField(30 + stream), Purpose::direct, 0, 0);
        for (Assignment& z : draws) {
          sweep(tiny.model, tiny.words, mistake, noise, z);
        }
        return categories.of(tally(tiny, draws));
      },
      categories.merged);
}

TEST(DocumentGibbsLawTest, EnumerationSeesSaboteurs) {
  EXPECT_FALSE(enumeration_detects(three_tokens(), Mistake::none));
  EXPECT_TRUE(enumeration_detects(three_tokens(), Mistake::keeps_token));
  EXPECT_TRUE(enumeration_detects(three_tokens(), Mistake::forgets_alpha));
  EXPECT_TRUE(enumeration_detects(three_tokens(), Mistake::forgets_scale));
}

// ---- Geweke (2004): words and topics from their joint law; sweeps of z given the words in turns
// with new words given z leave that law as it is. Judged by n_d0, whose law is beta-binomial. ----

constexpr std::size_t joint_tokens = 8;
constexpr std::uint32_t joint_rounds = 4;

SmallModel joint_model() { return small_model(4, 6, 0.7, 5); }

std::vector<double> beta_binomial(const SmallModel& model) {
  const double a = model.alpha[0];
  const double b = std::accumulate(model.alpha.begin() + 1, model.alpha.end(), 0.0);
  std::vector<double> p;
  const auto n = static_cast<double>(joint_tokens);
  for (double k = 0; k <= n; ++k) {
    p.push_back(std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) +
                         std::lgamma(k + a) + std::lgamma(n - k + b) - std::lgamma(n + a + b) +
                         std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b)));
  }
  return p;
}

void redraw_words(const SmallModel& model, Stream& stream, Texts& texts) {
  std::vector<std::vector<double>> word_law(model.alpha.size());
  for (std::size_t k = 0; k < word_law.size(); ++k) {
    for (std::uint32_t w = 0; w < model.topics.words(); ++w) {
      word_law[k].push_back(phi(model, w, k));
    }
  }
  for (std::size_t d = 0; d < texts.words.size(); ++d) {
    for (std::size_t i = 0; i < joint_tokens; ++i) {
      texts.words[d][i] =
          static_cast<std::uint32_t>(stream.categorical(word_law[texts.topics[d][i]]));
    }
  }
}

using Transition = std::function<void(std::uint64_t stream, std::uint32_t round, Texts& texts)>;

testing::Counts joint_counts(const SmallModel& model, const Transition& transition) {
  return [&model, transition](std::uint64_t stream, std::size_t n) {
    Stream noise(NoiseField(40 + stream), Purpose::direct, 0, 0);
    testing::GammaSource gamma(NoiseField(40 + stream), Purpose::direct, 0, 0);
    Texts texts{std::vector(n, std::vector<std::uint32_t>(joint_tokens)),
                std::vector(n, Assignment(joint_tokens))};
    for (Assignment& z : texts.topics) {
      std::vector<double> theta;
      for (const float a : model.alpha) {
        theta.push_back(gamma(double(a)));
      }
      for (std::uint16_t& topic : z) {
        topic = static_cast<std::uint16_t>(noise.categorical(theta));
      }
    }
    for (std::uint32_t round = 0; round < joint_rounds; ++round) {
      redraw_words(model, noise, texts);
      transition(stream, round, texts);
    }
    std::vector<std::size_t> counts(joint_tokens + 1);
    for (const Assignment& z : texts.topics) {
      ++counts[static_cast<std::size_t>(std::count(z.begin(), z.end(), 0))];
    }
    return counts;
  };
}

TEST_P(DocumentGibbsLaw, PassesGewekesJointTest) {
  const SmallModel model = joint_model();
  testing::expect_counts(joint_counts(model,
                                      [&](std::uint64_t stream, std::uint32_t round, Texts& texts) {
                                        Threads one(1);
                                        DocumentGibbs(model.topics, model.alpha,
                                                      NoiseField(50 + stream), GetParam())
                                            .run(texts.go_on(), {.sweeps = 1}, round, one, {});
                                      }),
                         beta_binomial(model));
}

TEST(DocumentGibbsLawTest, GewekesJointTestSeesSaboteurs) {
  const SmallModel model = joint_model();
  const auto detects = [&](Mistake mistake) {
    return testing::detects_counts(
        joint_counts(model,
                     [&](std::uint64_t stream, std::uint32_t round, Texts& texts) {
                       Stream noise(NoiseField(60 + stream), Purpose::direct, round, 0);
                       for (std::size_t d = 0; d < texts.words.size(); ++d) {
                         sweep(model, texts.words[d], mistake, noise, texts.topics[d]);
                       }
                     }),
        beta_binomial(model), 5'000);
  };
  EXPECT_FALSE(detects(Mistake::none));
  EXPECT_TRUE(detects(Mistake::keeps_token));
  EXPECT_TRUE(detects(Mistake::forgets_alpha));
}

}  // namespace
}  // namespace tain::document_gibbs_law_test
