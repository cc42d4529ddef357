#include "run/sampler.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <mutex>

#include "core/file.hpp"
#include "draws/table.hpp"
#include "maps/box.hpp"
#include "maps/simplex.hpp"
#include "support/errors.hpp"
#include "support/folder.hpp"
#include "support/forged.hpp"
#include "tain/core/error.hpp"
#include "targets/dirichlet.hpp"
#include "targets/gaussian.hpp"

namespace tain::sampler_test {
namespace {

using ::testing::HasSubstr;

Problem paper_problem() {
  return {SimplexMap::with_reference(4, 0),
          DirichletPosterior({100, 10, 0, 0}, {0.1, 0.1, 0.1, 0.1})};
}

DrawTable run_with(const Problem& problem, const SamplePlan& plan, std::size_t num_threads) {
  Threads threads(num_threads);
  Sampler sampler(problem, plan, threads);
  DrawTable table = DrawTable::in_memory(
      {plan.chains, plan.draws, problem.map.primal_dim(), problem.map.dual_dim()});
  EXPECT_TRUE(sampler.run(table).finished);
  return table;
}

std::vector<double> copy(std::span<const double> values) { return {values.begin(), values.end()}; }

class EveryKernel : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryKernel, GivesTheSameBitsForAnyNumberOfThreads) {
  // 37 chains: blocks of different sizes, and padding lanes in the last one.
  const SamplePlan plan{.kernel = GetParam(), .chains = 37, .warmup = 120, .draws = 20, .thin = 2};
  const DrawTable one = run_with(paper_problem(), plan, 1);
  for (const std::size_t threads : {2, 3}) {
    const DrawTable many = run_with(paper_problem(), plan, threads);
    EXPECT_EQ(copy(one.primal()), copy(many.primal()));
    EXPECT_EQ(copy(one.dual()), copy(many.dual()));
    EXPECT_EQ(copy(one.log_density()), copy(many.log_density()));
    EXPECT_EQ(copy(one.acceptance()), copy(many.acceptance()));
  }
}

ProgressFunction stop_at(std::uint64_t step) {
  return [=](const Progress& progress) { return progress.step >= step ? Next::stop : Next::go_on; };
}

TEST_P(EveryKernel, ResumesExactlyOnAnotherNumberOfThreads) {
  const Problem problem{BoxMap::identity(2), Gaussian::diagonal({0, 0}, std::vector{1.0, 1.0})};
  const SamplePlan plan{
      .kernel = GetParam(),
      .chains = 20,
      .warmup = 60,
      .draws = 40,
      .trajectory_length = GetParam() == "hmc" ? std::optional(2.0) : std::nullopt};
  const DrawTable whole = run_with(problem, plan, 1);
  const test::Folder folder("checkpoint");
  const std::filesystem::path path = folder.path() / "checkpoint";
  Threads one(1);
  Sampler again(problem, plan, one);
  DrawTable unused = DrawTable::in_memory({plan.chains, plan.draws, 2, 2});
  const StepSizeHistory history = again.run(unused).history;
  StepSizeHistory resumed;
  DrawTable table = DrawTable::in_memory({plan.chains, plan.draws, 2, 2});
  bool finished = false;
  int parts = 0;
  for (std::uint64_t stop = 20; !finished; stop += 37, ++parts) {
    Threads threads(1 + parts % 2);
    Sampler sampler(problem, plan, threads);
    if (parts > 0) {
      sampler.restore(path);
    }
    const RunSummary summary = sampler.run(table, stop_at(stop), 1);
    finished = summary.finished;
    resumed = summary.history;
    sampler.save(path);
  }
  EXPECT_GE(parts, 4);  // two stops in warm-up, and one after it
  EXPECT_EQ(copy(whole.primal()), copy(table.primal()));
  EXPECT_EQ(copy(whole.acceptance()), copy(table.acceptance()));
  EXPECT_EQ(history.step.size(), plan.warmup);
  EXPECT_EQ(history.step_size, resumed.step_size);
  EXPECT_EQ(history.acceptance, resumed.acceptance);
}

TEST_P(EveryKernel, ChainsDoNotDependOnHowManyThereAre) {
  // Without adaptation a chain is a function of its own number.
  SamplePlan plan{.kernel = GetParam(),
                  .chains = 3,
                  .warmup = 0,
                  .draws = 10,
                  .step_size = Schedule{.a = 0.05},
                  .trajectory_length = 0.2,
                  .precondition = Precondition::none};
  const DrawTable few = run_with(paper_problem(), plan, 1);
  plan.chains = 21;
  const DrawTable many = run_with(paper_problem(), plan, 1);
  const std::vector<double> head(many.primal().begin(),
                                 many.primal().begin() + std::ptrdiff_t(few.primal().size()));
  EXPECT_EQ(copy(few.primal()), head);
}

INSTANTIATE_TEST_SUITE_P(Kernels, EveryKernel, ::testing::Values("mld", "mala", "hmc"));

TEST(Sampler, RefusesCheckpointsOfAnotherRun) {
  Threads threads(1);
  const test::Folder folder("checkpoint");
  const std::filesystem::path path = folder.path() / "checkpoint";
  SamplePlan plan{.warmup = 20, .draws = 5};
  Sampler(paper_problem(), plan, threads).save(path);
  plan.seed = 2;
  test::expect_error([&] { Sampler(paper_problem(), plan, threads).restore(path); }, Fault::data,
                     "another problem");
  std::string bytes = read_file(path);
  bytes[bytes.size() / 2] ^= 1;
  std::ofstream(path, std::ios::binary) << bytes;
  plan.seed = 1;
  test::expect_error([&] { Sampler(paper_problem(), plan, threads).restore(path); }, Fault::data,
                     "checksum");
}

// A right checksum says nothing of who wrote it.
TEST(Sampler, ForgedCheckpointsAreRefusedOrRun) {
  const Problem problem{BoxMap::identity(2), Gaussian::diagonal({0, 0}, std::vector{1.0, 1.0})};
  const auto folder = test::Folder::in_memory("forged");
  const std::filesystem::path path = folder.path() / "checkpoint";
  Threads threads(1);
  // Steps that warm-up has hardly found make trajectories of a thousand leapfrogs.
  for (const auto& [kernel, step_size] :
       {std::pair("hmc", StepSize(0.3)), {"mala", StepSize()}, {"mld", StepSize()}}) {
    const SamplePlan plan{
        .kernel = kernel, .chains = 2, .warmup = 12, .draws = 3, .step_size = step_size};
    DrawTable table = DrawTable::in_memory({plan.chains, plan.draws, 2, 2});
    for (const std::uint64_t stop : {5, 13}) {
      Sampler stopped(problem, plan, threads);
      stopped.run(table, stop_at(stop), 1);
      stopped.save(path);
      const int taken = test::for_forged(read_file(path), 0, [&](const std::string& bytes) {
        std::ofstream(path, std::ios::binary) << test::with_fingerprint(bytes);
        Sampler sampler(problem, plan, threads);
        sampler.restore(path);
        int looks = 0;
        sampler.run(
            table, [&](const Progress&) { return ++looks < 2 ? Next::go_on : Next::stop; }, 1);
      });
      EXPECT_GT(taken, 0) << "some numbers may be anything";
    }
  }
}

TEST(Sampler, RejectsBadPlans) {
  Threads threads(1);
  const auto make = [&](SamplePlan plan) { Sampler(paper_problem(), plan, threads); };
  test::expect_error([&] { make({.chains = 0}); }, Fault::config, "chains");
  test::expect_error([&] { make({.draws = 0}); }, Fault::config, "draws");
  test::expect_error([&] { make({.thin = 0}); }, Fault::config, "thin");
  test::expect_error([&] { make({.kernel = "hcm"}); }, Fault::usage, "did you mean 'hmc'");
  test::expect_error([&] { make({.warmup = 0}); }, Fault::config, "step_size");
  test::expect_error([&] { make({.step_size = Schedule{.a = -1}}); }, Fault::config, "step_size");
  test::expect_error([&] { make({.start = {0.5, 0.5}}); }, Fault::config, "4");
  test::expect_error([&] { make({.start = {0.5, 0.5, 0.5, -0.5}}); }, Fault::config, "inside");
}

struct NotFinite {
  std::size_t dim() const { return 1; }
  double value_and_grad(std::span<const double>, std::span<double> grad) const {
    grad[0] = 1;
    return std::numeric_limits<double>::quiet_NaN();
  }
};

TEST(Sampler, RefusesATargetThatIsNotFiniteAtTheStart) {
  Threads threads(1);
  test::expect_error(
      [&] {
        Sampler({BoxMap::identity(1), PointTarget("broken", NotFinite{})}, SamplePlan{}, threads);
      },
      Fault::data, "not finite");
}

TEST(Sampler, NamesChainAndStepWhenAnUnadjustedRunIsLost) {
  // A quartic potential and a huge step: explodes within a few steps.
  struct Quartic {
    std::size_t dim() const { return 1; }
    double value_and_grad(std::span<const double> x, std::span<double> grad) const {
      grad[0] = 4 * x[0] * x[0] * x[0];
      return x[0] * x[0] * x[0] * x[0];
    }
  };
  Threads threads(1);
  const Problem problem{BoxMap::identity(1), PointTarget("quartic", Quartic{})};
  SamplePlan plan{.kernel = "mld", .warmup = 0, .draws = 200, .step_size = Schedule{.a = 5}};
  DrawTable table = DrawTable::in_memory({4, 200, 1, 1});
  test::expect_error([&] { Sampler(problem, plan, threads).run(table); }, Fault::data,
                     "no longer finite at step size 5");
  plan.on_non_finite = OnNonFinite::reject;
  DrawTable kept = DrawTable::in_memory({4, 200, 1, 1});
  const RunSummary summary = Sampler(problem, plan, threads).run(kept);
  EXPECT_GT(summary.divergences, 0u);
  for (const double v : kept.primal()) {
    EXPECT_TRUE(std::isfinite(v));
  }
}

TEST(Sampler, CountsGradients) {
  Threads threads(1);
  DrawTable table = DrawTable::in_memory({4, 50, 4, 3});
  Sampler sampler(paper_problem(), {.kernel = "mala", .warmup = 30, .draws = 50, .thin = 1},
                  threads);
  EXPECT_EQ(sampler.run(table).gradients, 4u * 80u);
}

TEST(Sampler, ThinsLangevinDrawsByTheirRelaxationTime) {
  Threads threads(1);
  // Variance 1/0.01 at step 0.5: four relaxation times are 800 steps, cut at 256.
  const Problem wide{BoxMap::identity(1), Gaussian::diagonal(std::vector{0.0}, std::vector{10.0})};
  const SamplePlan plan{
      .kernel = "mld", .chains = 64, .warmup = 2000, .draws = 2, .step_size = Schedule{.a = 0.5}};
  DrawTable table = DrawTable::in_memory({64, 2, 1, 1});
  EXPECT_EQ(Sampler(wide, plan, threads).run(table).thin, longest_automatic_thin);
  // Variance 1: eight steps, up to the error of the estimated variance.
  const Problem narrow{BoxMap::identity(1), Gaussian::diagonal(std::vector{0.0}, std::vector{1.0})};
  DrawTable other = DrawTable::in_memory({64, 2, 1, 1});
  const std::uint64_t thin = Sampler(narrow, plan, threads).run(other).thin;
  EXPECT_GE(thin, 8u);  // mld's own variance is 1/(1 - 0.25): 10.7 steps
  EXPECT_LE(thin, 14u);
}

TEST(Schedule, DecaysAsStated) {
  const Schedule s{.a = 0.1, .b = 1000, .c = 0.55};
  EXPECT_DOUBLE_EQ(s(0), 0.1);
  EXPECT_DOUBLE_EQ(s(1000), 0.1 * std::pow(2.0, -0.55));
}

}  // namespace
}  // namespace tain::sampler_test
