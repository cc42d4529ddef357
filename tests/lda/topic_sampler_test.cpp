// Topic samplers against their formulas in double, and what runs rely on.
#include "lda/engine/topic_sampler.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "random/gamma.hpp"
#include "support/isa.hpp"
#include "tain/core/error.hpp"

namespace tain::topic_sampler_test {
namespace {

constexpr std::uint64_t seed = 17;

/// Every `every`-th word, each topic with a different count.
TopicCounts counts_of(std::uint32_t topics, std::uint32_t words, std::uint32_t every,
                      std::uint32_t kept) {
  TopicCounts batch;
  for (std::uint32_t w = every / 2; w < words; w += every) {
    batch.words.push_back(w);
  }
  batch.sums = BasicBlockStorage<std::uint32_t>(batch.words.size() + 1, padded_topics(topics));
  for (std::size_t i = 0; i < batch.words.size(); ++i) {
    for (std::uint32_t k = 0; k < topics; ++k) {
      batch.sums.view().at(i, k) = static_cast<std::uint32_t>((i * 7 + k * 3) % 11 / 7 * (k + i));
    }
  }
  batch.kept = kept;
  return batch;
}

TopicSamplerOptions options_of(std::uint32_t topics, std::uint32_t words) {
  return {.topics = topics, .words = words, .eta = 0.02, .seed = seed, .warmup = 3};
}

std::map<std::string, std::vector<double>> snapshot(TopicSampler& sampler) {
  std::map<std::string, std::vector<double>> copy;
  for (const TopicArray& array : sampler.state()) {
    const auto flat = array.values.flat();
    copy[std::string(array.name)] = std::vector<double>(flat.begin(), flat.end());
  }
  return copy;
}

/// What a method of the test is tried with.
struct Trial {
  std::string method;
  double step_size;
  Approximation approximation = Approximation::linear;
  double floor = 0;
};
const std::vector<Trial> trials = {{"smld", 2e-3},
                                   {"smld-approximate", 0.02},
                                   {"smld-approximate", 0.02, Approximation::linear, 0.6},
                                   {"smld-approximate", 0.02, Approximation::quadratic, 0},
                                   {"smld-preconditioned", 0.3},
                                   {"smld-root", 0.1},
                                   {"sgrld", 1e-3},
                                   {"sgrhmc", 1e-3},
                                   {"gibbs", 1},
                                   {"scir", 0.1}};

std::unique_ptr<TopicSampler> make(const Trial& trial, TopicSamplerOptions options) {
  options.approximation = trial.approximation;
  options.floor = trial.floor;
  return make_topic_sampler(trial.method, options);
}

// ---- one step in double

/// A cell before the step and what the step needs to know; results in the second row.
struct Cell {
  double g, y, second;  // weight; dual; preconditioner or momentum
  double A, A_k, counted, sum, R, eps, xi, log_sum, share;
  double size = 0;  // of the terms that were added: what rounding is relative to
};

void dual_step(const Trial& trial, Cell& cell) {
  const double p = trial.method == "smld-preconditioned" ? cell.second : 1;
  const double phi = cell.g / cell.sum;
  const double before = cell.y - cell.log_sum;
  const double noise = std::sqrt(2 * cell.eps * p) * cell.xi;
  cell.size = std::abs(cell.y) + std::abs(cell.log_sum) + p * cell.eps * (cell.A + cell.A_k * phi) +
              std::abs(noise);
  cell.y = before + p * cell.eps * (cell.A - cell.A_k * phi) + noise;
  cell.second = 1 / ((1 - cell.share) / p + cell.share * (cell.A_k * phi + cell.R));
  const double z = std::max(cell.y, -1.0);
  cell.g = trial.method != "smld-approximate"                ? std::exp(cell.y)
           : trial.approximation == Approximation::quadratic ? 1 + z + z * z / 2
                                                             : std::max(trial.floor, 1 + cell.y);
}

void expanded_step(const Trial& trial, Cell& cell) {
  const double theta = cell.g, pull = 1 + cell.counted / cell.sum, eps = cell.eps;
  if (trial.method == "sgrld") {
    const double noise = std::sqrt(2 * eps * theta) * cell.xi;
    cell.g = std::abs(theta + eps * (cell.A - theta * pull) + noise);
    cell.size = theta + eps * (cell.A + theta * pull) + std::abs(noise);
  } else if (trial.method == "sgrhmc") {
    const double root = std::sqrt(theta);
    const double force = (cell.A - 0.5) / root - root * pull - theta * cell.second;
    const double p = cell.second + eps * force + std::sqrt(2 * eps * theta) * cell.xi;
    const double moved = theta + eps * root * p;
    cell.size = theta + std::abs(cell.second) +
                eps * ((cell.A + 0.5) / root + root * pull + theta * std::abs(cell.second)) +
                std::sqrt(2 * eps * theta) * std::abs(cell.xi);
    cell.second = moved < 0 ? -p : p;
    cell.g = std::abs(moved);
  } else {
    const double c = 1 - std::exp(-eps), kept = std::exp(-eps) * theta;
    const double m = kept + c * cell.A, v = c * (2 * kept + c * cell.A);
    const double s2 = std::log1p(v / (m * m));
    cell.g = m * std::exp(std::sqrt(s2) * cell.xi - s2 / 2);
    cell.size = cell.g * (1 + std::sqrt(s2) * std::abs(cell.xi) + s2);
  }
}

/// gibbs and scir: what random/gamma.hpp draws for all cells at once.
FloatBlockStorage exact_step(const Trial& trial, double factor, std::uint64_t t,
                             ConstFloatBlock shapes, ConstFloatBlock states) {
  FloatBlockStorage drawn(shapes.rows(), shapes.lanes());
  const Gammas gammas(static_cast<float>(options_of(1, 1).eta * factor));
  const NoisePlace place{Purpose::topics, t};
  if (trial.method == "gibbs") {
    gammas.draw(NoiseField(seed), place, shapes, drawn.view());
  } else {
    gammas.step(NoiseField(seed), place, shapes, trial.step_size, states, drawn.view());
  }
  return drawn;
}

class TopicSteps : public testing::OnEveryIsa {};
INSTANTIATE_TEST_SUITE_P(Isa, TopicSteps, ::testing::ValuesIn(supported_isas()),
                         testing::isa_label);

// Every rounding is 2^-24 of the terms it meets, and a step has some ten of them on the way to a
// cell (drift, noise, shift, the sums in it); elementary functions add 2e-7 = 3.4 2^-24. 24 bounds
// the sum.
constexpr double allowed = 24 * 0x1p-24;

/// Largest error of four steps in units of what is allowed; the formula's step is `factor` off.
double worst_error(const Trial& trial, double factor) {
  const std::uint32_t topics = 21, words = 203;
  const double R = 40;
  const TopicSamplerOptions options = options_of(topics, words);
  const auto sampler = make(trial, options);
  Threads threads(1);
  sampler->start(threads);
  const std::size_t length = padded_topics(topics);
  FloatBlockStorage xi(words, length);
  double worst = 0;
  for (std::uint64_t t = 0; t < 4; ++t) {
    const TopicCounts batch = counts_of(topics, words, 3 + static_cast<std::uint32_t>(t), 2);
    auto before = snapshot(*sampler);
    EXPECT_FALSE(sampler->advance(batch, R, t, trial.step_size, threads).has_value());
    auto after = snapshot(*sampler);
    NoiseField(seed).normals(Purpose::topics, t, 0, xi.view());
    const std::string own = trial.method == "sgrhmc" ? "momenta" : "preconditioner";
    const bool exact = trial.method == "gibbs" || trial.method == "scir";
    FloatBlockStorage shapes(words, length), states(words, length);
    for (std::uint32_t k = 0; k < topics; ++k) {
      double counted = 0, sum = 0;
      for (std::size_t i = 0; i < batch.words.size(); ++i) {
        counted += R / batch.kept * batch.sums.view().at(i, k);
      }
      for (std::uint32_t w = 0; w < words; ++w) {
        sum += before["weights"][w * length + k];
      }
      const double A_k = words * options.eta + counted;
      for (std::uint32_t w = 0; w < words; ++w) {
        const std::size_t at = w * length + k;
        const auto row = std::find(batch.words.begin(), batch.words.end(), w);
        const double n =
            row == batch.words.end() ? 0 : batch.sums.view().at(row - batch.words.begin(), k) / 2.0;
        Cell cell{.g = before["weights"][at],
                  .y = before.contains("dual") ? before["dual"][at] : 0,
                  .second = before.contains(own) ? before[own][at] : 0,
                  .A = options.eta + R * n,
                  .A_k = A_k,
                  .counted = counted,
                  .sum = sum,
                  .R = R,
                  .eps = factor * trial.step_size,
                  .xi = xi.view().at(w, k),
                  .log_sum = before.contains("log sums") ? before["log sums"][k] : 0,
                  .share = t < options.warmup ? 1.0 / double(2 + t) : 0};
        if (own == "preconditioner" && t == 0) {
          cell.second = 1 / (A_k / words + R);
        }
        if (exact) {
          shapes.view().at(w, k) = static_cast<float>(factor * cell.A);
          states.view().at(w, k) = static_cast<float>(cell.g);
          continue;
        }
        if (before.contains("dual")) {
          dual_step(trial, cell);
          const double unit = allowed * cell.size;
          worst = std::max(worst, std::abs(after["dual"][at] - cell.y) / unit);
          // d(e^y) = e^y dy; slopes of the approximations are 1 and 1 + y.
          const double slope = trial.method != "smld-approximate" ? cell.g : 1 + std::abs(cell.y);
          cell.size = (cell.size + 1) * slope;
        } else {
          expanded_step(trial, cell);
        }
        worst = std::max(worst, std::abs(after["weights"][at] - cell.g) / (allowed * cell.size));
        if (after.contains(own)) {
          const double size = own == "momenta" ? cell.size : cell.second;
          worst = std::max(worst, std::abs(after[own][at] - cell.second) / (allowed * size));
        }
      }
    }
    if (exact) {
      // Padding has some shape, too.
      for (std::size_t at = 0; at < words * length; ++at) {
        shapes.view().data()[at] += at % length < topics ? 0.0F : 1.0F;
      }
      const FloatBlockStorage drawn = exact_step(trial, factor, t, shapes.view(), states.view());
      for (std::uint32_t w = 0; w < words; ++w) {
        for (std::uint32_t k = 0; k < topics; ++k) {
          const double theta = drawn.view().at(w, k);
          const double error = std::abs(after["weights"][w * length + k] - theta);
          worst = std::max(worst, error / (allowed * theta));
        }
      }
    }
  }
  return worst;
}

TEST_P(TopicSteps, AreTheFormulaUpToRounding) {
  for (const Trial& trial : trials) {
    EXPECT_LT(worst_error(trial, 1), 1) << trial.method;
    EXPECT_GT(worst_error(trial, 1.01), 10) << trial.method;
  }
}

// ---- what runs rely on

void expect_same(TopicSampler& a, TopicSampler& b, const std::string& what) {
  const auto left = snapshot(a), right = snapshot(b);
  ASSERT_EQ(left.size(), right.size());
  for (const auto& [name, values] : left) {
    ASSERT_EQ(values, right.at(name)) << what << ", " << name;
  }
}

TEST(TopicSampler, BitsDoNotDependOnThreads) {
  const std::uint32_t topics = 37, words = 3000;
  for (const Trial& trial : trials) {
    const auto run = [&](std::size_t count) {
      auto sampler = make(trial, options_of(topics, words));
      Threads threads(count);
      sampler->start(threads);
      for (std::uint64_t t = 0; t < 3; ++t) {
        EXPECT_FALSE(
            sampler->advance(counts_of(topics, words, 2, 3), 40, t, trial.step_size, threads));
      }
      return sampler;
    };
    const auto one = run(1);
    expect_same(*one, *run(2), trial.method);
    expect_same(*one, *run(3), trial.method);
  }
}

TEST(TopicSampler, GoesOnFromASavedStateWithTheSameBits) {
  const std::uint32_t topics = 5, words = 130;
  Threads threads(1);
  for (const Trial& trial : trials) {
    const auto step = [&](TopicSampler& sampler, std::uint64_t t) {
      EXPECT_FALSE(
          sampler.advance(counts_of(topics, words, 2, 3), 40, t, trial.step_size, threads));
    };
    const auto whole = make(trial, options_of(topics, words));
    const auto resumed = make(trial, options_of(topics, words));
    whole->start(threads);
    step(*whole, 0);
    step(*whole, 1);
    const auto from = whole->state(), to = resumed->state();
    for (std::size_t i = 0; i < from.size(); ++i) {
      ASSERT_EQ(from[i].name, to[i].name);
      std::copy(from[i].values.flat().begin(), from[i].values.flat().end(), to[i].values.data());
    }
    for (std::uint64_t t = 2; t < 6; ++t) {
      step(*whole, t);
      step(*resumed, t);
    }
    expect_same(*whole, *resumed, trial.method);
    auto other_seed = options_of(topics, words);
    other_seed.seed = seed + 1;
    const auto other = make(trial, other_seed);
    other->start(threads);
    EXPECT_NE(snapshot(*other)["weights"], snapshot(*whole)["weights"]);
  }
}

TEST(TopicSampler, SumsAreThoseOfTheWeightsAndPaddingStaysEmpty) {
  const std::uint32_t topics = 18, words = 333;
  Threads threads(1);
  for (const Trial& trial : trials) {
    const auto sampler = make(trial, options_of(topics, words));
    sampler->start(threads);
    for (std::uint64_t t = 0; t < 2; ++t) {
      ASSERT_FALSE(
          sampler->advance(counts_of(topics, words, 2, 3), 40, t, trial.step_size, threads));
    }
    TopicWeights again(topics, words);
    std::copy(sampler->weights().weights().flat().begin(),
              sampler->weights().weights().flat().end(), again.weights().data());
    again.sum(threads);
    for (std::size_t k = 0; k < again.row_length(); ++k) {
      EXPECT_EQ(again.inverse_sums()[k], sampler->weights().inverse_sums()[k]) << trial.method;
    }
    for (const TopicArray& array : sampler->state()) {
      for (std::size_t w = 0; w < array.values.rows(); ++w) {
        for (std::size_t k = topics; k < array.values.lanes(); ++k) {
          ASSERT_EQ(array.values.at(w, k), 0) << trial.method << ", " << array.name;
        }
      }
    }
  }
}

TEST(TopicSampler, Avx2AndAvx512GiveTheSameBits) {
  if (supported_isas().back() != Isa::avx512) {
    GTEST_SKIP() << "needs AVX-512";
  }
  Threads threads(1);
  for (const Trial& trial : trials) {
    const auto run = [&](Isa isa) {
      pin_isa(isa);
      auto sampler = make(trial, options_of(23, 150));
      sampler->start(threads);
      for (std::uint64_t t = 0; t < 3; ++t) {
        EXPECT_FALSE(sampler->advance(counts_of(23, 150, 2, 3), 40, t, trial.step_size, threads));
      }
      return sampler;
    };
    const auto narrow = run(Isa::avx2), wide = run(Isa::avx512);
    expect_same(*narrow, *wide, trial.method);
  }
}

TEST(TopicSampler, TakesTheSmallestCorporaAndEmptyBatches) {
  Threads threads(2);
  for (const Trial& trial : trials) {
    for (const std::uint32_t topics : {1U, 16U, 17U}) {
      const auto sampler = make(trial, options_of(topics, 1));
      sampler->start(threads);
      EXPECT_FALSE(sampler->advance(TopicCounts{}, 40, 0, trial.step_size, threads));
      EXPECT_FALSE(sampler->advance(counts_of(topics, 1, 1, 1), 40, 1, trial.step_size, threads));
      const float phi =
          sampler->weights().weights().at(0, 0) * sampler->weights().inverse_sums()[0];
      EXPECT_NEAR(phi, 1, 1e-6) << trial.method;
    }
  }
}

TEST(TopicSampler, SmldSurvivesStepsThatPassTheRangeOfFloats) {
  Threads threads(2);
  const std::uint32_t topics = 3, words = 300;
  for (const char* method : {"smld", "smld-preconditioned"}) {
    for (const double eps : {0.1, 10.0, 1e4, 1e20}) {
      const auto sampler = make_topic_sampler(method, options_of(topics, words));
      sampler->start(threads);
      for (std::uint64_t t = 0; t < 4; ++t) {
        ASSERT_FALSE(sampler->advance(counts_of(topics, words, 2, 1), 1e4, t, eps, threads))
            << method << " " << eps;
        for (std::uint32_t k = 0; k < topics; ++k) {
          double sum = 0;
          for (std::uint32_t w = 0; w < words; ++w) {
            const float g = sampler->weights().weights().at(w, k);
            ASSERT_TRUE(std::isfinite(g) && g > 0);
            sum += double(g) * double(sampler->weights().inverse_sums()[k]);
          }
          ASSERT_NEAR(sum, 1, 1e-6);
        }
      }
    }
  }
}

TEST(TopicSampler, SaysWhenATopicIsLost) {
  Threads threads(1);
  const std::uint32_t topics = 3, words = 300;
  for (const char* method :
       {"smld", "smld-approximate", "smld-preconditioned", "sgrld", "sgrhmc"}) {
    const auto sampler = make_topic_sampler(method, options_of(topics, words));
    sampler->start(threads);
    std::optional<TopicFailure> failure;
    for (std::uint64_t t = 0; t < 3 && !failure; ++t) {
      failure = sampler->advance(counts_of(topics, words, 2, 1), 1e30, t, 1e30, threads);
    }
    EXPECT_TRUE(failure.has_value()) << method;
  }
  for (const Trial& trial : trials) {
    const auto sampler = make(trial, options_of(topics, words));
    sampler->start(threads);
    for (const TopicArray& array : sampler->state()) {
      if (array.name == (trial.method == "smld" ? "dual" : "weights")) {
        array.values.at(200, 1) = std::numeric_limits<float>::quiet_NaN();
      }
    }
    if (trial.method == "gibbs") {
      continue;  // looks at no weights
    }
    const auto failure =
        sampler->advance(counts_of(topics, words, 2, 1), 40, 0, trial.step_size, threads);
    ASSERT_TRUE(failure.has_value()) << trial.method;
    EXPECT_EQ(failure->topic, 1U);
  }
}

TEST(TopicSampler, RefusesWhatItCannotDo) {
  EXPECT_THROW(make_topic_sampler("smdl", options_of(2, 3)), Error);
  EXPECT_THROW(make_topic_sampler("smld", options_of(0, 3)), Error);
  EXPECT_THROW(make_topic_sampler("smld", options_of(2, 0)), Error);
  auto options = options_of(2, 3);
  for (const double eta : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    options.eta = eta;
    EXPECT_THROW(make_topic_sampler("smld", options), Error);
  }
  for (const std::string_view method : topic_methods()) {
    EXPECT_EQ(make_topic_sampler(method, options_of(2, 3))->name(), method);
    EXPECT_GE(topic_sampler_bytes(method, 100, 1000), 1000 * 112 * sizeof(float));
  }
}

}  // namespace
}  // namespace tain::topic_sampler_test
