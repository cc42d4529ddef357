// smld against exact laws. False-alarm rate of every assertion: 1e-8 (support/statistics.hpp).
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/lanes.hpp"
#include "kernels/quadratic.hpp"
#include "kernels/stochastic_langevin.hpp"
#include "maps/box.hpp"
#include "maps/simplex.hpp"
#include "support/gammas.hpp"
#include "support/statistics.hpp"
#include "targets/dirichlet.hpp"
#include "targets/mirrored.hpp"
#include "targets/regression.hpp"

namespace tain::smld_law_test {
namespace {

using testing::last_states;

constexpr Batching with(std::uint64_t size) { return {size, Replacement::with}; }
constexpr Batching without(std::uint64_t size) { return {size, Replacement::without}; }

/// W(y) = sum_i (a_i y^2 / 2 - d_i y) in one dimension; sum d = 0.
struct QuadraticTerms {
  std::vector<double> a, d;
  std::string name() const { return "quadratic terms"; }
  std::size_t dim() const { return 1; }
  double curvature() const { return std::accumulate(a.begin(), a.end(), 0.0); }
  void evaluate(ConstBlock y, std::span<double> value, Block grad, Workspace&) const {
    for (std::size_t l = 0; l < y.lanes(); ++l) {
      grad.at(0, l) = curvature() * y.at(0, l);
      value[l] = 0.5 * curvature() * y.at(0, l) * y.at(0, l);
    }
  }
  std::uint64_t terms() const { return a.size(); }
  void batch_gradient(ConstBlock y, const Batches& batches, Block grad, Workspace&) const {
    const double each = double(a.size()) / double(batches.size);
    for (std::size_t l = 0; l < y.lanes(); ++l) {
      grad.at(0, l) = 0;
      for (const std::uint64_t i : batches.of(l)) {
        grad.at(0, l) += each * (a[i] * y.at(0, l) - d[i]);
      }
    }
  }
};

const QuadraticTerms even{{0.5, 0.5, 0.5, 0.5}, {1.5, -0.5, -2, 1}};
const QuadraticTerms uneven{{0.2, 1.1, 0.1, 0.6}, {0.5, -1, 1.3, -0.8}};

struct Moments {
  double variance, kurtosis;
};

/// The stationary law of y' = (1 - beta A) y + beta D + sqrt(2 beta) xi, (A, D) of a random batch:
/// with r = 1 - beta A and e = beta D + sqrt(2 beta) xi, independent of y, E y = 0 and
///   m2 = E r^2 m2 + E e^2
///   m3 = E r^3 m3 + 3 E r^2 e m2 + E e^3
///   m4 = E r^4 m4 + 4 E r^3 e m3 + 6 E r^2 e^2 m2 + E e^4
/// expectations over all batches of two.
Moments stationary(const QuadraticTerms& W, double beta, Replacement replacement) {
  const std::size_t n = W.a.size();
  double r2 = 0, r3 = 0, r4 = 0, e2 = 0, e3 = 0, e4 = 0, r2e = 0, r3e = 0, r2e2 = 0;
  const double weight =
      replacement == Replacement::with ? 1.0 / double(n * n) : 1.0 / double(n * (n - 1));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (i == j && replacement == Replacement::without) {
        continue;
      }
      const double r = 1 - beta * double(n) * (W.a[i] + W.a[j]) / 2;
      const double u = beta * double(n) * (W.d[i] + W.d[j]) / 2, s = 2 * beta;
      r2 += weight * r * r;
      r3 += weight * r * r * r;
      r4 += weight * r * r * r * r;
      e2 += weight * (u * u + s);
      e3 += weight * (u * u * u + 3 * u * s);
      e4 += weight * (u * u * u * u + 6 * u * u * s + 3 * s * s);
      r2e += weight * r * r * u;
      r3e += weight * r * r * r * u;
      r2e2 += weight * r * r * (u * u + s);
    }
  }
  const double m2 = e2 / (1 - r2);
  const double m3 = (3 * r2e * m2 + e3) / (1 - r3);
  const double m4 = (4 * r3e * m3 + 6 * r2e2 * m2 + e4) / (1 - r4);
  return {m2, m4 / (m2 * m2)};
}

testing::Draws draws_of(const Kernel& kernel, AnyPotential W, Tuning tuning, std::uint64_t steps) {
  return [=, &kernel](std::uint64_t stream, std::size_t n) {
    return last_states(kernel, W, tuning, 0.5, steps, 100 + stream, n);
  };
}

constexpr std::uint64_t never = 1'000'000;

TEST(SmldLaw, VarianceOnAQuadraticIsTheExactOne) {
  const double beta = 0.15;
  for (const QuadraticTerms& W : {even, uneven}) {
    const double a = W.curvature();
    for (const Replacement replacement : {Replacement::with, Replacement::without}) {
      const StochasticLangevin smld({2, replacement}, 0);
      const Moments exact = stationary(W, beta, replacement);
      // 60 steps of contraction 1 - 0.3 or so forget the start to below 1e-8.
      const auto draws = draws_of(smld, W, {.step_size = beta, .probe_every = never}, 60);
      const double sd = std::sqrt(exact.variance);
      testing::expect_mean(draws, 0, sd);
      testing::expect_variance(draws, 0, sd, exact.kurtosis);
      // Neither the law of whole gradients nor that of the other kind of batch.
      const Replacement other =
          replacement == Replacement::with ? Replacement::without : Replacement::with;
      EXPECT_TRUE(testing::detects_variance(draws, 0, std::sqrt(1 / (a * (1 - beta * a / 2))),
                                            exact.kurtosis));
      EXPECT_TRUE(testing::detects_variance(
          draws, 0, std::sqrt(stationary(W, beta, other).variance), exact.kurtosis));
    }
  }
  // The header's closed form: even terms have Var A = 0, Var D = N^2 var(d) / b.
  const double noise = 16 * (1.5 * 1.5 + 0.25 + 4 + 1) / 4 / 2;
  EXPECT_NEAR(stationary(even, beta, Replacement::with).variance,
              (2 + beta * noise) / (2 * 2 - beta * 4), 1e-12);
}

TEST(SmldLaw, ControlVariatesRemoveTheNoiseOfTermsThatDifferByConstants) {
  // g_B(y) = grad W exactly: the law of mld, though the batches are tiny.
  const double beta = 0.15, a = 2;
  const StochasticLangevin smld(with(1), 7);
  const auto draws = draws_of(smld, even, {.step_size = beta, .probe_every = never}, 60);
  testing::expect_variance(draws, 0, std::sqrt(1 / (a * (1 - beta * a / 2))));
}

TEST(SmldLaw, ControlVariatesAreUnbiased) {
  // Uneven terms: noise proportional to y - anchor remains, of mean 0.
  const StochasticLangevin smld(with(1), 7);
  const auto draws = draws_of(smld, uneven, {.step_size = 0.05, .probe_every = never}, 120);
  // Its variance is near 1/2 (a = 2) for a step of 0.05; a mean off by 5 % of it would be seen.
  testing::expect_mean(draws, 0, std::sqrt(0.56));
}

TEST(SmldLaw, TheBiasIndicatorIsThatOfItsFormula) {
  // Both moves by whole gradients, and what the batch, drawn again, adds.
  const double beta = 0.3, y = 0.5, scale = 0.7;
  const NoiseField noise(8);
  Workspace ws;
  ChainBlock chains(0, 64, 1);
  lanes::fill(y, chains.y.view().flat());
  evaluate(uneven, chains, ws);
  StepInfo info(64);
  StochasticLangevin(without(2), 0)
      .advance(uneven, noise, 5, {.step_size = beta, .scale = {scale}}, chains, info, ws);
  const Batches batches = draw_batches(noise, 5, 0, 64, 4, without(2), ws);
  const double a = uneven.curvature(), variance = 2 * beta * scale * scale;
  std::size_t below_one = 0;
  for (std::size_t l = 0; l < 64; ++l) {
    double estimate = 0;
    for (const std::uint64_t i : batches.of(l)) {
      estimate += 2 * (uneven.a[i] * y - uneven.d[i]);
    }
    const double next = chains.y.view().at(0, l);
    const auto log_density = [&](double from, double to) {
      const double step = to - from + beta * scale * scale * a * from;
      return -step * step / (2 * variance);
    };
    const double log_ratio =
        0.5 * a * (y * y - next * next) + log_density(next, y) - log_density(y, next);
    const double shift = beta * scale * scale * (estimate - a * y);  // of y', by the batch
    const double added = shift * shift / variance;
    EXPECT_NEAR(info.acceptance[l], std::max(0.0, std::min(1.0, std::exp(log_ratio)) - added / 8),
                1e-12);
    below_one += log_ratio < 0 ? 1 : 0;
  }
  EXPECT_GT(below_one, 8U);
}

TEST(SmldLaw, TheBiasIndicatorTellsHowMuchBatchesWiden) {
  // Even terms: mld's indicator less an eighth of what the variance gains, (2 + beta D) / 2 - 1.
  const double beta = 0.02;
  const StochasticLangevin smld(with(2), 0);
  const Langevin mld(Langevin::Adjust::none);
  const auto indicator = [&](const Kernel& kernel) {
    Workspace ws;
    ChainBlock chains(0, 4096, 1);
    evaluate(even, chains, ws);
    StepInfo info(4096);
    double sum = 0;
    for (std::uint64_t t = 0; t < 500; ++t) {
      kernel.advance(even, NoiseField(4), t, {.step_size = beta}, chains, info, ws);
      for (const double a : info.acceptance) {
        sum += t < 250 ? 0.0 : a / (250 * 4096);
      }
    }
    return sum;
  };
  const double noise = 16 * (1.5 * 1.5 + 0.25 + 4 + 1) / 4 / 2;  // N^2 var(d) / b
  // A million values with sd below 0.06: an error of 6e-5. Whole gradients meet wider draws here,
  // by a sixth, and their indicator falls by as much of its distance from 1.
  EXPECT_NEAR(indicator(smld), indicator(mld) - beta * noise / 2 / 8, 0.0015);
  EXPECT_GT(beta * noise / 2 / 8, 0.01);
}

// log(x_1 / x_2) of two categories: the difference of two log-gammas.
testing::Draws exact_log_odds(double first, double second) {
  return [=](std::uint64_t stream, std::size_t n) {
    std::vector<double> result;
    for (std::size_t draw = 0; draw < n; ++draw) {
      testing::GammaSource gamma(NoiseField(900 + stream), Purpose::direct, draw, 0);
      const double g = gamma.log(first);
      result.push_back(g - gamma.log(second));
    }
    return result;
  };
}

TEST(SmldLaw, ReachesADirichletPosteriorAsTheStepShrinks) {
  const DirichletPosterior posterior({20, 10}, {1, 1});
  const AnyPotential W = mirrored(SimplexMap::with_reference(2, 1), posterior);
  const auto exact = exact_log_odds(21, 11);
  // Variance of the gradient: 30^2 * 2/9 / 10 * 20/29 = 13.8; at a step of 0.004 it inflates the
  // variance by 0.004 * 13.8 / 2 = 3 %, a distance of 0.004: below what the test sees. 300 steps
  // of contraction 1 - 0.004 * 7.1 forget the start to 2e-4.
  const StochasticLangevin batches(without(10), 0), single(without(1), 0);
  testing::two_sample(draws_of(batches, W, {.step_size = 0.004, .probe_every = never}, 300), exact);
  EXPECT_TRUE(testing::detects_two_sample(
      draws_of(batches, W, {.step_size = 0.1, .probe_every = never}, 100), exact));
  EXPECT_TRUE(testing::detects_two_sample(
      draws_of(single, W, {.step_size = 0.02, .probe_every = never}, 100), exact));
  // With control variates the closed dual's gradient is exact: its data term does not depend on y.
  const StochasticLangevin anchored(without(1), 20);
  testing::two_sample(draws_of(anchored, W, {.step_size = 0.02, .probe_every = never}, 100), exact);
}

/// Rows z with responses z b + noise, p features.
RegressionData rows_about(const std::vector<double>& b, std::size_t rows, bool binary) {
  RegressionData data;
  data.source = "test";
  data.rows = rows;
  Stream words(NoiseField(5), Purpose::check, 0, 0);
  for (std::size_t j = 0; j < b.size(); ++j) {
    data.names.push_back("z" + std::to_string(j));
  }
  for (std::size_t i = 0; i < rows; ++i) {
    data.lines.push_back(i + 2);
    double mean = 0;
    for (const double coefficient : b) {
      data.features.push_back(words.normal());
      mean += coefficient * data.features.back();
    }
    data.responses.push_back(binary ? double(words.uniform() < 1 / (1 + std::exp(-mean)))
                                    : mean + words.normal());
  }
  return data;
}

TEST(SmldLaw, ReachesAConstrainedRegressionAsTheStepShrinks) {
  // One coefficient on [-1, 1]: a normal about b0 truncated there; its mode lies near the bound.
  const LinearRegression regression(rows_about({0.9}, 16, false), 1, 5);
  const TargetFacts facts = regression.facts(BoxMap::identity(1));
  const double b0 = facts.mean[0], sd = std::sqrt(facts.variance[0]);
  const double below = normal_cdf((-1 - b0) / sd), above = normal_cdf((1 - b0) / sd);
  ASSERT_LT(above, 0.95);  // the bound matters
  const auto cdf = [&](double y) {
    return (normal_cdf((std::tanh(y) - b0) / sd) - below) / (above - below);
  };
  const AnyPotential W = mirrored(BoxMap({-1}, {1}), regression);
  const StochasticLangevin batches(without(4), 0), single(with(1), 0);
  testing::expect_distribution(
      draws_of(batches, W, {.step_size = 0.005, .probe_every = never}, 600), cdf);
  EXPECT_TRUE(testing::detects_distribution(
      draws_of(single, W, {.step_size = 0.1, .probe_every = never}, 100), cdf));
}

TEST(Smld, WholeBatchesAreMld) {
  const AnyPotential W =
      mirrored(SimplexMap::symmetric(3), DirichletPosterior({4, 3, 2}, {1, 1, 1}));
  const Langevin mld(Langevin::Adjust::none);
  const Tuning tuning{.step_size = 0.1, .scale = {1.2, 0.7}, .probe_every = 5};
  Workspace ws;
  for (const Batching& batching : {Batching{}, without(9)}) {
    const StochasticLangevin smld(batching, 0);
    ChainBlock one(0, 16, 2), two(0, 16, 2);
    evaluate(W, one, ws);
    evaluate(W, two, ws);
    StepInfo first(16), second(16);
    for (std::uint64_t t = 0; t < 9; ++t) {
      mld.advance(W, NoiseField(3), t, tuning, one, first, ws);
      smld.advance(W, NoiseField(3), t, tuning, two, second, ws);
      EXPECT_TRUE(std::ranges::equal(one.y.view().flat(), two.y.view().flat()));
      EXPECT_EQ(one.value, two.value);
      EXPECT_EQ(first.acceptance, second.acceptance);
    }
  }
  EXPECT_EQ(StochasticLangevin({}, 0).target_acceptance(), mld.target_acceptance());
  EXPECT_LT(StochasticLangevin(with(2), 0).target_acceptance(), mld.target_acceptance());
}

TEST(Smld, AnchorsAtEveryStepAreWholeGradients) {
  const AnyPotential W =
      mirrored(SimplexMap::symmetric(3), DirichletPosterior({4, 3, 2}, {1, 1, 1}));
  const Langevin mld(Langevin::Adjust::none);
  const StochasticLangevin smld(with(2), 1);
  const Tuning tuning{.step_size = 0.1, .probe_every = 3};
  Workspace ws;
  ChainBlock one(0, 16, 2), two(0, 16, 2, smld.memory_rows(2));
  evaluate(W, one, ws);
  evaluate(W, two, ws);
  smld.prepare(two);
  StepInfo first(16), second(16);
  for (std::uint64_t t = 0; t < 9; ++t) {
    mld.advance(W, NoiseField(3), t, tuning, one, first, ws);
    smld.advance(W, NoiseField(3), t, tuning, two, second, ws);
    EXPECT_TRUE(std::ranges::equal(one.y.view().flat(), two.y.view().flat()));
  }
}

TEST(Smld, LooksAtThePotentialOnlyWhereToldTo) {
  const AnyPotential W =
      mirrored(SimplexMap::symmetric(3), DirichletPosterior({4, 3, 2}, {1, 1, 1}));
  const StochasticLangevin smld(without(2), 0);
  const Tuning tuning{.step_size = 0.1, .probe_every = 4};
  Workspace ws;
  ChainBlock chains(0, 8, 2);
  evaluate(W, chains, ws);
  StepInfo info(8);
  std::vector<double> last(8, 1.0);
  for (std::uint64_t t = 0; t < 12; ++t) {
    smld.advance(W, NoiseField(3), t, tuning, chains, info, ws);
    EXPECT_EQ(smld.gradients(t, tuning), t % 4 == 0 ? 3U : 1U);
    if (t % 4 == 0) {
      EXPECT_NE(info.acceptance, last);
      last = info.acceptance;
      const std::vector<double> value = chains.value;
      evaluate(W, chains, ws);
      EXPECT_EQ(value, chains.value);
    } else {
      EXPECT_EQ(info.acceptance, last);
      EXPECT_TRUE(std::ranges::all_of(chains.value, [](double v) { return std::isnan(v); }));
    }
  }
}

TEST(Smld, AStepIsAFunctionOfItsArguments) {
  const AnyPotential W =
      mirrored(SimplexMap::symmetric(5), DirichletPosterior({9, 5, 0, 2, 1}, {1, 1, 0.2, 1, 1}));
  const StochasticLangevin smld(without(3), 4);
  const Tuning tuning{.step_size = 0.05, .probe_every = 3};
  Workspace ws;
  const auto run = [&](std::uint32_t first, std::size_t lanes) {
    ChainBlock chains(first, lanes, 4, smld.memory_rows(4));
    evaluate(W, chains, ws);
    smld.prepare(chains);
    StepInfo info(lanes);
    for (std::uint64_t t = 0; t < 11; ++t) {
      smld.advance(W, NoiseField(9), t, tuning, chains, info, ws);
    }
    return chains;
  };
  const ChainBlock whole = run(0, 24);
  for (std::uint32_t first = 0; first < 24; first += 8) {
    const ChainBlock part = run(first, 8);
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t l = 0; l < 8; ++l) {
        EXPECT_EQ(whole.y.view().at(i, first + l), part.y.view().at(i, l));
      }
    }
  }
}

TEST(Smld, NonFiniteStepsAreReportedAndRefused) {
  const QuadraticTerms steep{{1e300, 1e300}, {0, 0}};
  Workspace ws;
  for (const std::uint64_t t : {0, 1}) {  // with a look, and without
    ChainBlock chains(0, 8, 1);
    lanes::fill(0.5, chains.y.view().flat());
    evaluate(steep, chains, ws);
    StepInfo info(8);
    StochasticLangevin(with(1), 0)
        .advance(steep, NoiseField(1), t, {.step_size = 1e9, .probe_every = 2}, chains, info, ws);
    for (std::size_t l = 0; l < 8; ++l) {
      EXPECT_EQ(info.divergent[l], 1.0);
      EXPECT_EQ(chains.y.view().at(0, l), 0.5);
    }
  }
}

TEST(Smld, ControlVariatesReduceTheVarianceOfLogisticRegression) {
  // At stationarity, with anchors up to 50 steps old: all single terms, exactly.
  const std::size_t rows = 200, p = 3;
  const LogisticRegression target(rows_about({1, -0.5, 0.3}, rows, true), 2);
  const AnyPotential W = mirrored(BoxMap::identity(p), target);
  const StochasticLangevin smld(without(10), 50);
  Workspace ws;
  ChainBlock chains(0, 64, p, smld.memory_rows(p));
  evaluate(W, chains, ws);
  smld.prepare(chains);
  StepInfo info(64);
  for (std::uint64_t t = 0; t < 1500; ++t) {
    smld.advance(W, NoiseField(9), t, {.step_size = 0.003, .probe_every = never}, chains, info, ws);
  }
  const ConstBlock y = chains.y.view(), anchor = chains.memory.view().slice(0, p);
  BlockStorage at_y(p, 64), at_anchor(p, 64);
  std::vector<double> sum(p * 64), sum_difference(p * 64), plain(64), reduced(64), bound(64);
  for (std::uint64_t i = 0; i < rows; ++i) {
    const std::vector<std::uint64_t> same(64, i);
    target.batch_gradient(y, {1, same}, at_y.view(), ws);
    target.batch_gradient(anchor, {1, same}, at_anchor.view(), ws);
    const std::span<const double> z = target.data().row(i);
    for (std::size_t l = 0; l < 64; ++l) {
      double z_shift = 0, z_square = 0;
      for (std::size_t j = 0; j < p; ++j) {
        const double g = at_y.view().at(j, l), difference = g - at_anchor.view().at(j, l);
        sum[j * 64 + l] += g / double(rows);
        sum_difference[j * 64 + l] += difference / double(rows);
        plain[l] += g * g / double(rows);
        reduced[l] += difference * difference / double(rows);
        z_shift += z[j] * (y.at(j, l) - anchor.at(j, l));
        z_square += z[j] * z[j];
      }
      // The slope of softplus' is at most 1/4, and a variance at most the mean square; the prior is
      // the same in all terms.
      bound[l] += double(rows) * z_square * z_shift * z_shift / 16;
    }
  }
  double plain_total = 0, reduced_total = 0;
  for (std::size_t l = 0; l < 64; ++l) {
    for (std::size_t j = 0; j < p; ++j) {
      plain[l] -= sum[j * 64 + l] * sum[j * 64 + l];
      reduced[l] -= sum_difference[j * 64 + l] * sum_difference[j * 64 + l];
    }
    EXPECT_LE(reduced[l], bound[l] * (1 + 1e-9));
    plain_total += plain[l];
    reduced_total += reduced[l];
  }
  RecordProperty("variance_ratio", std::to_string(reduced_total / plain_total));
  EXPECT_LT(reduced_total, 0.1 * plain_total);
}

}  // namespace
}  // namespace tain::smld_law_test
