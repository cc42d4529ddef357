// Whole runs of the baselines: where they start, what they draw, what they refuse, and that their
// bits depend neither on threads nor on interruptions.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "draws/table.hpp"
#include "maps/affine.hpp"
#include "maps/ball.hpp"
#include "maps/box.hpp"
#include "maps/simplex.hpp"
#include "run/sampler.hpp"
#include "run/walk.hpp"
#include "support/folder.hpp"
#include "tain/core/error.hpp"
#include "targets/dirichlet.hpp"
#include "targets/gaussian.hpp"

namespace tain::baselines_test {
namespace {

using ::testing::HasSubstr;

struct Setting {
  std::string kernel;
  std::uint64_t batch = 0;
};

const DirichletPosterior posterior({30, 10, 0, 2}, {0.8, 0.8, 0.8, 0.8});

Problem problem_for(const std::string& kernel) {
  if (kernel == "plmc" || kernel == "myula") {
    return {BoxMap({0, -1}, {1, 2}), Gaussian::diagonal({0.3, 1.0}, std::vector{0.5, 1.0})};
  }
  return {SimplexMap::with_reference(4, 0), posterior};
}

SamplePlan plan_for(const Setting& setting) {
  return {.kernel = setting.kernel,
          .chains = 37,
          .warmup = 20,
          .draws = 15,
          .thin = 2,
          .step_size = Schedule{.a = 0.02, .b = 30, .c = 0.3},
          .batch = {.size = setting.batch}};
}

DrawTable table_for(const Problem& problem, const SamplePlan& plan) {
  return DrawTable::in_memory(
      {plan.chains, plan.draws, problem.map.primal_dim(), state_dim(problem, plan.kernel)});
}

const ProgressFunction stop_at_once = [](const Progress&) { return Next::stop; };
DrawTable run_with(const Problem& problem, const SamplePlan& plan, std::size_t num_threads) {
  Threads threads(num_threads);
  DrawTable table = table_for(problem, plan);
  EXPECT_TRUE(Sampler(problem, plan, threads).run(table).finished);
  return table;
}

std::vector<double> copy(std::span<const double> values) { return {values.begin(), values.end()}; }

class EveryBaseline : public ::testing::TestWithParam<Setting> {};
INSTANTIATE_TEST_SUITE_P(Kernels, EveryBaseline,
                         ::testing::Values(Setting{"sgrld"}, Setting{"sgrhmc"}, Setting{"scir"},
                                           Setting{"plmc"}, Setting{"myula"}, Setting{"sgrld", 5},
                                           Setting{"sgrhmc", 5}, Setting{"scir", 5}),
                         [](const auto& test) {
                           return test.param.kernel + (test.param.batch > 0 ? "_batch" : "");
                         });

TEST_P(EveryBaseline, GivesTheSameBitsForAnyNumberOfThreads) {
  const Problem problem = problem_for(GetParam().kernel);
  const SamplePlan plan = plan_for(GetParam());
  const DrawTable one = run_with(problem, plan, 1), many = run_with(problem, plan, 3);
  EXPECT_EQ(copy(one.primal()), copy(many.primal()));
  EXPECT_EQ(copy(one.dual()), copy(many.dual()));
}

TEST_P(EveryBaseline, ChainsDoNotDependOnHowManyThereAre) {
  const Problem problem = problem_for(GetParam().kernel);
  SamplePlan plan = plan_for(GetParam());
  const DrawTable many = run_with(problem, plan, 1);
  plan.chains = 3;
  const DrawTable few = run_with(problem, plan, 1);
  EXPECT_TRUE(std::equal(few.primal().begin(), few.primal().end(), many.primal().begin()));
}

TEST_P(EveryBaseline, ResumesExactly) {
  const Problem problem = problem_for(GetParam().kernel);
  SamplePlan plan = plan_for(GetParam());
  plan.draws = 120;
  const test::Folder folder("baselines");
  const std::filesystem::path path = folder.path() / "checkpoint";
  DrawTable table = table_for(problem, plan);
  bool finished = false;
  std::size_t parts = 0;
  while (!finished) {
    Threads threads(1 + parts % 2);
    Sampler sampler(problem, plan, threads);
    if (parts++ > 0) {
      sampler.restore(path);
    }
    finished = sampler.run(table, stop_at_once, 50).finished;
    sampler.save(path);
  }
  EXPECT_GE(parts, 3u);
  const DrawTable whole = run_with(problem, plan, 1);
  EXPECT_EQ(copy(whole.primal()), copy(table.primal()));
  EXPECT_EQ(copy(whole.dual()), copy(table.dual()));
}

TEST_P(EveryBaseline, DrawsPointsOfTheSet) {
  const Setting setting = GetParam();
  const Problem problem = problem_for(setting.kernel);
  const DrawTable table = run_with(problem, plan_for(setting), 1);
  const std::size_t n = problem.map.primal_dim();
  for (std::size_t at = 0; at < table.primal().size(); at += n) {
    const std::span<const double> x = table.primal().subspan(at, n);
    if (n == 4) {
      EXPECT_TRUE(problem.map.contains(x));
    } else {  // closed box
      EXPECT_TRUE(x[0] >= 0 && x[0] <= 1 && x[1] >= -1 && x[1] <= 2);
    }
  }
}

TEST_P(EveryBaseline, SaysWhatItKnowsAboutItsBias) {
  const Problem problem = problem_for(GetParam().kernel);
  const SamplePlan plan = plan_for(GetParam());
  Threads threads(1);
  DrawTable table = table_for(problem, plan);
  const RunSummary summary = Sampler(problem, plan, threads).run(table);
  EXPECT_FALSE(summary.bias_indicator.has_value());
  EXPECT_EQ(summary.bias_unknown, !(GetParam().kernel == "scir" && GetParam().batch == 0));
  EXPECT_EQ(summary.divergences, 0u);
}

// One step, the tiniest: draws are where chains started, which is where the mirror method would.
TEST(Baselines, StartWhereTheMirrorMethodStarts) {
  const std::vector<double> point{0.6, 0.25, 0.05, 0.1};
  for (const std::string kernel : {"sgrld", "scir", "plmc", "myula"}) {
    const Problem problem{SimplexMap::symmetric(4), posterior};
    const SamplePlan plan{.kernel = kernel,
                          .chains = 2,
                          .warmup = 0,
                          .draws = 1,
                          .step_size = Schedule{.a = 1e-10},
                          .start = point};
    const DrawTable table = run_with(problem, plan, 1);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(table.primal()[i], point[i], 1e-3) << kernel;  // noise of 1e-5 relative to x
    }
  }
}

TEST(Baselines, MyulaKeepsItsRawStates) {
  const Problem problem = problem_for("myula");
  SamplePlan plan = plan_for({"myula"});
  plan.draws = 200;
  const DrawTable table = run_with(problem, plan, 1);
  bool outside = false;
  for (std::size_t k = 0; k < table.dual().size(); k += 2) {
    const double raw = table.dual()[k];
    outside = outside || raw < 0 || raw > 1;
    EXPECT_EQ(table.primal()[k], std::clamp(raw, 0.0, 1.0));
  }
  EXPECT_TRUE(outside);
}

void expect_config_error(const Problem& problem, const SamplePlan& plan,
                         const std::vector<std::string>& parts) {
  try {
    Threads threads(1);
    Sampler(problem, plan, threads);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::config) << error.what();
    for (const std::string& part : parts) {
      EXPECT_THAT(error.what(), HasSubstr(part));
    }
  }
}

TEST(Baselines, RefuseWhatDoesNotFit) {
  const Schedule step{.a = 0.01};
  const Problem box = problem_for("plmc"), simplex = problem_for("scir");
  for (const std::string kernel : {"sgrld", "sgrhmc", "scir"}) {
    expect_config_error(box, {.kernel = kernel, .step_size = step},
                        {"kernel " + kernel, "needs a Dirichlet target on the simplex", "box(2)"});
    expect_config_error(simplex, {.kernel = kernel}, {"step_size"});
    expect_config_error(simplex, {.kernel = kernel, .step_size = step, .batch = {.size = 43}},
                        {"batch"});
    expect_config_error(
        simplex, {.kernel = kernel, .step_size = step, .precondition = Precondition::diagonal},
        {"precondition"});
  }
  const Problem image{AffineMap(BoxMap({0, 0}, {1, 1}), {2, 1, 0, 1}, {0, 0}),
                      Gaussian::diagonal({0.3, 0.4}, std::vector{0.5, 1.0})};
  for (const std::string kernel : {"plmc", "myula"}) {
    expect_config_error(image, {.kernel = kernel, .step_size = step},
                        {"kernel " + kernel, "no projection onto affine"});
    expect_config_error(box, {.kernel = kernel, .step_size = step, .batch = {.size = 2}},
                        {"batch", kernel});
  }
  expect_config_error(box, {.kernel = "plmc", .step_size = step, .smoothing = 0.1},
                      {"smoothing", "myula"});
  expect_config_error(box, {.kernel = "mld", .step_size = step, .smoothing = 0.1}, {"smoothing"});
  expect_config_error(box, {.kernel = "myula", .step_size = step, .smoothing = -1.0},
                      {"smoothing", "positive"});
}

// Sparse weights, starts far out in stretched coordinates: nothing is lost.
TEST(Baselines, ScirRunsOnStretchedCoordinates) {
  const DirichletPosterior sparse({10000, 10, 10, 0, 0}, {0.01, 0.01, 0.01, 0.01, 0.01});
  const Problem problem{SimplexMap::for_weights(sparse.weights(), 0), sparse};
  const SamplePlan plan{.kernel = "scir",
                        .chains = 64,
                        .warmup = 20,
                        .draws = 50,
                        .thin = 1,
                        .step_size = Schedule{.a = 1}};
  const DrawTable table = run_with(problem, plan, 1);
  for (const double x : table.primal()) {
    EXPECT_TRUE(x >= 1e-290 && x <= 1);
  }
  for (const double y : table.dual()) {
    EXPECT_TRUE(std::isfinite(y));
  }
}

}  // namespace
}  // namespace tain::baselines_test
