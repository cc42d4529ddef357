// The synthetic study: its distances, error bars, slopes, and that stopping changes nothing.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "diagnose/distance.hpp"
#include "maps/simplex.hpp"
#include "reproduce/curves.hpp"
#include "reproduce/findings.hpp"
#include "reproduce/histograms.hpp"
#include "reproduce/study_file.hpp"
#include "support/folder.hpp"
#include "support/gammas.hpp"
#include "tain/core/error.hpp"

namespace tain::study_test {
namespace {

std::vector<Marginal> marginals() {
  const DirichletPosterior posterior = synthetic_posterior();
  return {equal_width_marginal(posterior, 0, 100), equal_probability_marginal(posterior, 0, 100),
          equal_width_marginal(posterior, 7, 100), equal_probability_marginal(posterior, 7, 100)};
}

Curve exact_draws(std::uint64_t seed, std::uint32_t chains, Threads& threads) {
  const DirichletPosterior posterior = synthetic_posterior();
  const std::vector<Marginal> all = marginals();
  const CurveContext context{posterior, all, seed, threads, [](double) { return Next::go_on; }};
  return *exact_curve(context, {"exact", "", "", 0, chains});
}

TEST(Marginal, ProbabilitiesAddUpAndEqualOnesAreEqual) {
  for (const Marginal& m : marginals()) {
    double sum = 0;
    for (const double p : m.probability) {
      sum += p;
      EXPECT_GT(p, 0);
    }
    EXPECT_NEAR(sum, 1, 1e-12);
    EXPECT_EQ(m.probability.size(), 100u);
    if (m.binning == "equal probability") {
      EXPECT_NEAR(m.probability[42], 0.01, 1e-8);
    }
  }
}

TEST(Histograms, IsTheTotalVariationOfTheSameDraws) {
  const std::vector<Marginal> all = marginals();
  std::vector<float> log_x;
  for (int i = 1; i < 500; ++i) {
    log_x.push_back(-0.1f * static_cast<float>(i));
  }
  Histograms histograms(all, 1);
  histograms.add(0, 3, log_x);
  const std::vector<double> draws(log_x.begin(), log_x.end());
  BinEdges edges;  // of the same precision as the draws
  for (const double edge : all[3].log_edges) {
    edges.push_back(static_cast<float>(edge));
  }
  EXPECT_NEAR(histograms.distance(0, 3),
              total_variation(histogram(draws, edges), all[3].probability), 1e-12);
}

// Distances of independent studies scatter as their error bars say, at the floor (exact draws) and
// far from it (draws shifted by `shift` in log x). With 100 studies the variance is known to
// sqrt(2/99) = 14 %, so the ratio of the two lies in (0.55, 1.7) but for 1 in 1,000 cases; half or
// twice the error bar would be off by 4.
TEST(Histograms, ErrorBarsMatchTheScatterOfStudies) {
  const std::vector<Marginal> all = marginals();
  const DirichletPosterior posterior = synthetic_posterior();
  const std::size_t studies = 100, draws = 5000;
  for (const double shift : {0.0, 0.3}) {
    for (const std::size_t m : {std::size_t{2}, std::size_t{3}}) {
      double mean = 0, squares = 0, errors = 0;
      for (std::uint64_t seed = 0; seed < studies; ++seed) {
        const NoiseField noise(seed + 77);
        std::vector<float> log_x;
        for (std::uint32_t chain = 0; chain < draws; ++chain) {
          testing::GammaSource gamma(noise, Purpose::direct, 0, chain);
          const double own = gamma.log(posterior.weights()[7]);
          const double rest = gamma(posterior.total() - posterior.weights()[7]);
          log_x.push_back(static_cast<float>(own - std::log(std::exp(own) + rest) + shift));
        }
        Histograms histograms(all, 1);
        histograms.add(0, m, log_x);
        const double distance = histograms.distance(0, m);
        mean += distance / studies;
        squares += distance * distance / studies;
        errors += histograms.error(0, m) * histograms.error(0, m) / studies;
      }
      const double variance = (squares - mean * mean) * studies / (studies - 1);
      EXPECT_GT(errors / variance, 0.55) << m << " shifted by " << shift;
      EXPECT_LT(errors / variance, 1.7) << m << " shifted by " << shift;
    }
  }
}

TEST(NoiseFloor, IsWhatTheoryExpects) {
  Threads threads(2);
  const CurvePoint point = exact_draws(3, 20'000, threads).points.front();
  const std::vector<Marginal> all = marginals();
  for (std::size_t m = 0; m < all.size(); ++m) {
    const double expected = expected_total_variation(all[m].probability, 20'000);
    EXPECT_NEAR(point.distance[m] / expected, 1, 0.3) << m;  // about 3 standard deviations
  }
}

TEST(Looks, AreAscendingAndEndAtTheLast) {
  const auto looks = looks_up_to(10'000);
  EXPECT_EQ(looks.front(), 1u);
  EXPECT_EQ(looks.back(), 10'000u);
  EXPECT_TRUE(std::is_sorted(looks.begin(), looks.end()));
  EXPECT_EQ(std::adjacent_find(looks.begin(), looks.end()), looks.end());
}

Curve power_law(double exponent, double level, double wiggle) {
  Curve curve{{"mld", "last", "centre", 0.01, 1000}, {}};
  for (const std::uint64_t t : looks_up_to(10'000)) {
    const double value = std::min(0.95, 3 * std::pow(double(t), exponent)) *
                             (1 + wiggle * std::sin(3.0 * std::log(double(t)))) +
                         level;
    curve.points.push_back({t, double(t), {value}, {0.001}});
  }
  return curve;
}

TEST(Slope, FindsTheExponentOfAPowerLaw) {
  const auto fit = fit_slope(power_law(-0.5, 0, 0), 0);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->slope, -0.5, 1e-6);
  EXPECT_GT(fit->r_squared, 0.999);
  EXPECT_TRUE(is_inverse_root(*fit));
  const auto with_floor = fit_slope(power_law(-0.5, 0.003, 0), 0);
  ASSERT_TRUE(with_floor);
  EXPECT_TRUE(is_inverse_root(*with_floor)) << with_floor->slope;
}

TEST(Slope, DoesNotMistakeOtherCurvesForIt) {
  EXPECT_FALSE(is_inverse_root(*fit_slope(power_law(-1, 0, 0), 0)));
  EXPECT_FALSE(is_inverse_root(*fit_slope(power_law(-0.25, 0, 0), 0)));
  EXPECT_FALSE(is_inverse_root(*fit_slope(power_law(-0.5, 0, 0.9), 0)));
  Curve step = power_law(-0.5, 0, 0);
  for (CurvePoint& point : step.points) {
    point.distance[0] = point.iteration < 300 ? 0.9 : 0.02;
  }
  EXPECT_FALSE(fit_slope(step, 0));  // falls at once: nothing to fit
}

SyntheticStudySettings small_plan() {
  SyntheticStudySettings plan = SyntheticStudySettings::quick();
  plan.iterations = 100;
  plan.chains = 2000;
  plan.grid_chains = plan.further_chains = 1000;
  plan.mld_steps = {0.002, 0.005, 0.01, 0.02};
  plan.sgrld_steps = {1e-6, 1e-5, 1e-4, 1e-3};
  return plan;
}

void expect_same_curves(const std::vector<Curve>& a, const std::vector<Curve>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t c = 0; c < a.size(); ++c) {
    EXPECT_EQ(a[c].key, b[c].key);
    ASSERT_EQ(a[c].points.size(), b[c].points.size());
    for (std::size_t k = 0; k < a[c].points.size(); ++k) {
      EXPECT_EQ(a[c].points[k].distance, b[c].points[k].distance);
      EXPECT_EQ(a[c].points[k].error, b[c].points[k].error);
    }
  }
}

class StudyFile : public ::testing::Test {
 protected:
  const test::Folder folder_{"study"};
  const std::filesystem::path path_ = folder_ / "study.json";
};

TEST_F(StudyFile, AStoppedStudyGoesOnToTheSameBitsOnOtherThreads) {
  Threads one(1), two(2);
  const auto go_on = [](const StudyProgress&) { return Next::go_on; };
  SyntheticStudy whole;
  whole.plan = small_plan();
  ASSERT_TRUE(run_synthetic(whole, one, go_on, [](const SyntheticStudy&) {}));

  SyntheticStudy part;
  part.plan = small_plan();
  int calls = 0;
  const auto stop_soon = [&](const StudyProgress&) {
    return ++calls > 20 ? Next::stop : Next::go_on;
  };
  ASSERT_FALSE(run_synthetic(part, two, stop_soon,
                             [&](const SyntheticStudy& study) { write_study(path_, study); }));
  SyntheticStudy resumed = read_study(path_, small_plan());
  EXPECT_LT(resumed.grid.size(), whole.grid.size());
  EXPECT_GT(resumed.grid.size() + resumed.exact.size(), 0u);
  ASSERT_TRUE(run_synthetic(resumed, two, go_on, [](const SyntheticStudy&) {}));
  expect_same_curves(whole.grid, resumed.grid);
  expect_same_curves(whole.best, resumed.best);
  expect_same_curves(whole.further, resumed.further);
  expect_same_curves(whole.exact, resumed.exact);

  // The sentences come from the data: other data, other sentences.
  const StudyFindings found = find_in(whole);
  EXPECT_GE(found.findings.size(), 9u);
  SyntheticStudy spoiled = whole;
  for (Curve& curve : spoiled.best) {
    for (CurvePoint& point : curve.points) {
      point.distance[0] = curve.key.sampler == "mld" ? 0.9 : 0.1;
    }
  }
  EXPECT_NE(found.findings[0].sentences, find_in(spoiled).findings[0].sentences);
  EXPECT_NE(find_in(spoiled).findings[0].holds, Holds::yes);
}

TEST_F(StudyFile, TellsWhatItIsOfWithoutBeingAsked) {
  SyntheticStudy study;
  study.plan = small_plan();
  study.command = "tain reproduce synthetic --seed 3";
  study.threads = 2;
  write_study(path_, study);
  EXPECT_EQ(study_kind(path_), synthetic_kind);
  const SyntheticStudy again = read_synthetic_study(path_);
  EXPECT_EQ(again.command, study.command);
  EXPECT_EQ(again.threads, 2u);
  EXPECT_EQ(again.plan.mld_steps, study.plan.mld_steps);
  EXPECT_EQ(again.plan.further_chains, study.plan.further_chains);
  EXPECT_EQ(again.marginals.size(), marginals_looked_at);  // the page needs them
  for (const char* text : {"{\"study\": \"other\"}", "{}", "no json"}) {
    std::ofstream(path_) << text;
    EXPECT_THROW(study_kind(path_), Error) << text;
    EXPECT_THROW(read_synthetic_study(path_), Error) << text;
  }
}

TEST_F(StudyFile, RefusesOtherPlansAndDamage) {
  SyntheticStudy study;
  study.plan = small_plan();
  write_study(path_, study);
  SyntheticStudySettings other = small_plan();
  other.seed = 9;
  EXPECT_THROW(read_study(path_, other), Error);
  study.grid.push_back(
      {{"mld", "last", "centre", 0.01, 1000}, {{10, 1.0, {0.1, 0.2, 0.3, 0.4}, {0, 0, 0, 0}}}});
  write_study(path_, study);
  EXPECT_EQ(read_study(path_, small_plan()).grid.size(), 1u);
  study.grid.front().points.front().error.pop_back();
  write_study(path_, study);
  EXPECT_THROW(read_study(path_, small_plan()), Error);
  std::ofstream(path_) << "{\"plan\": 3";
  EXPECT_THROW(read_study(path_, small_plan()), Error);
}

TEST(Curves, ScirIsAtTheNoiseFloorAndMldIsNotYet) {
  Threads threads(2);
  const DirichletPosterior posterior = synthetic_posterior();
  const std::vector<Marginal> all = marginals();
  const CurveContext context{posterior, all, 1, threads, [](double) { return Next::go_on; }};
  const std::vector<double> start(11, 1.0 / 11);
  const auto looks = looks_up_to(30);
  const Curve mld = *ensemble_curve(context, SimplexEnsemble::mld(posterior, 10, 0.005),
                                    {"mld", "last", "centre", 0.005, 4096}, start, looks);
  SamplePlan plan;
  plan.kernel = "scir";
  plan.step_size = Schedule{2.0};
  const SimplexMap map = SimplexMap::with_reference(11, 10);
  const Walk walk = make_walk({map, posterior}, plan);
  Tuning tuning;
  tuning.step_size = 2;
  const Curve scir = *walk_curve(context, walk, tuning, {"scir", "", "centre", 2, 4096},
                                 std::vector<double>(10, 0.0), looks);
  const CurvePoint floor = exact_draws(1, 4096, threads).points.front();
  EXPECT_GT(mld.points.back().distance[3], 5 * floor.distance[3]);
  for (std::size_t m = 0; m < all.size(); ++m) {
    EXPECT_LT(scir.points.back().distance[m], 1.5 * floor.distance[m]) << m;
    EXPECT_GT(scir.points.front().distance[m], 3 * floor.distance[m]) << m;
  }
}

}  // namespace
}  // namespace tain::study_test
