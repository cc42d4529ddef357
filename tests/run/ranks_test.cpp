// Runs over ranks: the bits of one process, whatever the number of ranks and wherever a run was
// stopped.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <limits>
#include <ostream>
#include <utility>

#include "comm/thread_ranks.hpp"
#include "draws/table.hpp"
#include "maps/box.hpp"
#include "maps/simplex.hpp"
#include "run/chains_of_rank.hpp"
#include "run/sampler.hpp"
#include "run/walk.hpp"
#include "support/errors.hpp"
#include "support/folder.hpp"
#include "tain/core/error.hpp"
#include "targets/dirichlet.hpp"
#include "targets/gaussian.hpp"

namespace tain::ranks_test {
namespace {

using ::testing::HasSubstr;

/// What ranks other than the first are given: nothing may reach it.
struct NoSink final : DrawSink {
  void put(const Draw&) override { ADD_FAILURE() << "a draw beside rank 0"; }
};

struct Outcome {
  DrawTable table;
  RunSummary summary;
};

DrawTable table_for(const Problem& problem, const SamplePlan& plan) {
  return DrawTable::in_memory(
      {plan.chains, plan.draws, problem.map.primal_dim(), state_dim(problem, plan.kernel)});
}

/// The draws of rank 0; all ranks must have the same summary.
Outcome run_over(int ranks, const Problem& problem, const SamplePlan& plan);

bool same_bits(std::span<const double> a, std::span<const double> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

void expect_same(const DrawTable& one, const DrawTable& many) {
  EXPECT_TRUE(same_bits(one.primal(), many.primal()));
  EXPECT_TRUE(same_bits(one.dual(), many.dual()));
  EXPECT_TRUE(same_bits(one.log_density(), many.log_density()));
  EXPECT_TRUE(same_bits(one.acceptance(), many.acceptance()));
  EXPECT_TRUE(same_bits(one.diverging(), many.diverging()));
}

void expect_same(const RunSummary& one, const RunSummary& many) {
  EXPECT_EQ(one.tuning.step_size, many.tuning.step_size);
  EXPECT_EQ(one.tuning.scale, many.tuning.scale);
  EXPECT_EQ(one.tuning.trajectory_length, many.tuning.trajectory_length);
  EXPECT_EQ(one.history.step, many.history.step);
  EXPECT_EQ(one.history.step_size, many.history.step_size);
  EXPECT_EQ(one.history.acceptance, many.history.acceptance);
  EXPECT_EQ(one.draws, many.draws);
  EXPECT_EQ(one.thin, many.thin);
  EXPECT_EQ(one.gradients, many.gradients);
  EXPECT_EQ(one.divergences, many.divergences);
  EXPECT_EQ(one.acceptance, many.acceptance);
  EXPECT_EQ(one.bias_indicator, many.bias_indicator);
  EXPECT_EQ(one.finished, many.finished);
}

Outcome run_over(int ranks, const Problem& problem, const SamplePlan& plan) {
  Outcome outcome{table_for(problem, plan), {}};
  std::vector<RunSummary> summaries(static_cast<std::size_t>(ranks));
  run_thread_ranks(ranks, [&](Comm& comm) {
    Threads threads(1);
    Sampler sampler(problem, plan, threads, comm);
    NoSink none;
    summaries[static_cast<std::size_t>(comm.rank())] =
        sampler.run(comm.is_root() ? static_cast<DrawSink&>(outcome.table) : none);
  });
  outcome.summary = summaries.front();
  for (const RunSummary& summary : summaries) {
    expect_same(outcome.summary, summary);
  }
  return outcome;
}

TEST(ChainsOfRank, AreConsecutiveAndEven) {
  for (const std::uint32_t chains : {1u, 4u, 7u, 64u, 1000u, 4294967231u}) {
    for (const int ranks : {1, 2, 3, 5, 64, 1024}) {
      std::uint64_t next = 0;
      const std::uint32_t most = chains_of_rank(chains, 0, ranks).count;
      for (int rank = 0; rank < ranks; ++rank) {
        const ChainRange range = chains_of_rank(chains, rank, ranks);
        EXPECT_EQ(range.first, next);
        EXPECT_LE(range.count, most);
        EXPECT_GE(range.count + 1, most);
        next += range.count;
      }
      EXPECT_EQ(next, chains);
    }
  }
}

struct Setting {
  std::string name;
  SamplePlan plan;
};

void PrintTo(const Setting& setting, std::ostream* out) { *out << setting.name; }

const Schedule decaying{.a = 0.02, .b = 30, .c = 0.3};

std::vector<Setting> settings() {
  return {
      {"hmc", {.kernel = "hmc"}},
      {"hmc_length", {.kernel = "hmc", .trajectory_length = 1.0}},
      {"hmc_plain", {.kernel = "hmc", .precondition = Precondition::none}},
      {"hmc_given", {.kernel = "hmc", .step_size = Schedule{.a = 0.3}}},
      {"mala", {.kernel = "mala", .thin = std::nullopt}},
      {"mala_plain", {.kernel = "mala", .precondition = Precondition::none}},
      {"mld", {.kernel = "mld", .thin = std::nullopt}},
      {"mld_diagonal", {.kernel = "mld", .precondition = Precondition::diagonal}},
      {"mld_given", {.kernel = "mld", .step_size = decaying}},
      {"smld", {.kernel = "smld", .batch = {.size = 5}}},
      {"smld_anchors", {.kernel = "smld", .batch = {.size = 5}, .control_variates = 7}},
      {"smld_given",
       {.kernel = "smld",
        .step_size = decaying,
        .batch = {.size = 5, .replacement = Replacement::with}}},
      {"sgrld", {.kernel = "sgrld", .step_size = decaying, .batch = {.size = 5}}},
      {"sgrhmc", {.kernel = "sgrhmc", .step_size = decaying}},
      {"scir", {.kernel = "scir", .step_size = decaying, .batch = {.size = 5}}},
      {"plmc", {.kernel = "plmc", .step_size = decaying}},
      {"myula", {.kernel = "myula", .step_size = decaying}},
  };
}

class EverySetting : public ::testing::TestWithParam<Setting> {};
INSTANTIATE_TEST_SUITE_P(Ranks, EverySetting, ::testing::ValuesIn(settings()),
                         [](const auto& test) { return test.param.name; });

TEST_P(EverySetting, GivesTheBitsOfOneProcess) {
  SamplePlan plan = GetParam().plan;
  plan.warmup = 50;
  plan.draws = 15;
  const Problem problem =
      plan.kernel == "plmc" || plan.kernel == "myula"
          ? Problem{BoxMap({0, -1}, {1, 2}), Gaussian::diagonal({0.3, 1.0}, std::vector{0.5, 1.0})}
          : Problem{SimplexMap::with_reference(4, 0),
                    DirichletPosterior({30, 10, 0, 2}, {0.8, 0.8, 0.8, 0.8})};
  for (const std::uint32_t chains : {1, 4, 7, 64}) {
    plan.chains = chains;
    Threads threads(1);
    DrawTable table = table_for(problem, plan);
    const RunSummary summary = Sampler(problem, plan, threads).run(table);
    for (const int ranks : {1, 2, 3, 5}) {
      SCOPED_TRACE(fmt::format("{} chains over {} ranks", chains, ranks));
      const Outcome outcome = run_over(ranks, problem, plan);
      expect_same(table, outcome.table);
      expect_same(summary, outcome.summary);
    }
  }
}

/// One rank of the run says stop; it need not be the first.
struct StopAt {
  StopAt(std::uint64_t when, bool asks) : step(when), asked(asks) {}
  Next operator()(const Progress& progress) {
    warming_up = progress.warming_up;
    return asked && progress.step >= step ? Next::stop : Next::go_on;
  }
  std::uint64_t step;
  bool asked, warming_up = true;
};

TEST(Ranks, ResumeAnyCheckpoint) {
  const Problem problem{BoxMap::identity(2), Gaussian::diagonal({0, 0}, std::vector{1.0, 0.6})};
  const SamplePlan plan{.kernel = "mala", .chains = 7, .warmup = 90, .draws = 150, .thin = 1};
  const test::Folder folder("ranks");
  const std::filesystem::path path = folder.path() / "checkpoint";
  DrawTable table = table_for(problem, plan);
  RunSummary summary;
  std::vector<bool> stopped_in_warm_up;
  const std::vector<int> numbers{3, 1, 2, 5};
  for (std::uint64_t stop = 1; !summary.finished; stop += 30) {
    const std::size_t part = stopped_in_warm_up.size();
    bool warming_up = false;
    run_thread_ranks(numbers[part % numbers.size()], [&](Comm& comm) {
      Threads threads(1);
      Sampler sampler(problem, plan, threads, comm);
      if (part > 0) {
        sampler.restore(path);
      }
      StopAt observer(stop, comm.rank() == comm.ranks() - 1);
      NoSink none;
      const RunSummary own =
          sampler.run(comm.is_root() ? static_cast<DrawSink&>(table) : none, std::ref(observer), 1);
      sampler.save(path);
      if (comm.is_root()) {
        summary = own;
        warming_up = observer.warming_up;
      }
    });
    stopped_in_warm_up.push_back(warming_up);
  }
  EXPECT_EQ(std::ranges::count(stopped_in_warm_up, true), 3);
  EXPECT_EQ(std::ranges::count(stopped_in_warm_up, false), 6);
  const Outcome whole = run_over(1, problem, plan);
  expect_same(whole.table, table);
  expect_same(whole.summary, summary);
}

TEST(Ranks, WriteTheFileOfOneProcess) {
  const Problem problem{BoxMap::identity(2), Gaussian::diagonal({0.3, 1.0}, std::vector{0.5, 1.0})};
  const SamplePlan plan{.kernel = "hmc", .chains = 7, .warmup = 40, .draws = 5};
  std::vector<std::string> files;
  for (const int ranks : {1, 3}) {
    const test::Folder folder("ranks");
    const std::filesystem::path path = folder.path() / "checkpoint";
    DrawTable table = table_for(problem, plan);
    run_thread_ranks(ranks, [&](Comm& comm) {
      Threads threads(1);
      Sampler sampler(problem, plan, threads, comm);
      NoSink none;
      sampler.run(comm.is_root() ? static_cast<DrawSink&>(table) : none);
      sampler.save(path);
    });
    files.push_back(read_file(path));
  }
  EXPECT_TRUE(files[0] == files[1]);
}

/// A Gaussian that fails, or becomes another one, after so many evaluations.
struct Turning {
  static constexpr bool unimodal = true;  // evaluations are those of the run
  std::string name() const { return "turning"; }
  std::size_t dim() const { return 1; }
  void evaluate(ConstBlock x, std::span<double> value, Block grad, Workspace&) const {
    const bool turned = ++*evaluations > turn_at;
    if (turned && throws) {
      fail(Fault::data, "turning", "enough", "ask for less");
    }
    for (std::size_t l = 0; l < x.lanes(); ++l) {
      const double precision = turned ? 100 : 1;
      value[l] = 0.5 * precision * x.at(0, l) * x.at(0, l);
      grad.at(0, l) = precision * x.at(0, l);
    }
  }
  int turn_at = std::numeric_limits<int>::max();
  bool throws = false;
  std::shared_ptr<std::atomic<int>> evaluations = std::make_shared<std::atomic<int>>(0);
};

void run_turning(int ranks, int turning_rank, const Turning& turning, const SamplePlan& plan) {
  DrawTable table = DrawTable::in_memory({plan.chains, plan.draws, 1, 1});
  run_thread_ranks(ranks, [&](Comm& comm) {
    Threads threads(1);
    const Problem problem{BoxMap::identity(1), comm.rank() == turning_rank ? turning : Turning{}};
    Sampler sampler(problem, plan, threads, comm);
    NoSink none;
    sampler.run(comm.is_root() ? static_cast<DrawSink&>(table) : none);
  });
}

TEST(Ranks, TellTheFailureOfOne) {
  const SamplePlan plan{.kernel = "mala", .chains = 8, .warmup = 50, .draws = 500, .thin = 1};
  for (const int rank : {0, 1, 3}) {
    for (const int evaluations : {50, 300}) {  // in warm-up, in sampling
      test::expect_error(
          [&] { run_turning(4, rank, {.turn_at = evaluations, .throws = true}, plan); },
          Fault::data, "enough");
    }
  }
}

TEST(Ranks, RefuseToDifferAtTheStart) {
  DrawTable table = DrawTable::in_memory({4, 5, 1, 1});
  test::expect_error(
      [&] {
        run_thread_ranks(3, [&](Comm& comm) {
          Threads threads(1);
          const SamplePlan plan{.seed = comm.rank() == 1 ? 2u : 1u, .warmup = 20, .draws = 5};
          Sampler sampler({BoxMap::identity(1), Turning{}}, plan, threads, comm);
        });
      },
      Fault::config, "of 1 of 3 differ");
}

TEST(Ranks, RefuseToDifferAfterWarmUp) {
  const SamplePlan plan{.kernel = "mala", .chains = 4, .warmup = 60, .draws = 5, .thin = 1};
  test::expect_error([&] { run_turning(2, 1, {.turn_at = 40}, plan); }, Fault::config,
                     "results of warm-up of 1 of 2 differ");
}

TEST(Ranks, NameTheChainThatOneProcessNames) {
  struct Quartic {
    std::size_t dim() const { return 1; }
    double value_and_grad(std::span<const double> x, std::span<double> grad) const {
      grad[0] = 4 * x[0] * x[0] * x[0];
      return x[0] * x[0] * x[0] * x[0];
    }
  };
  const Problem problem{BoxMap::identity(1), PointTarget("quartic", Quartic{})};
  // Of the larger step several chains explode at once, on different ranks.
  for (const auto& [warmup, step_size] :
       {std::pair<std::uint64_t, double>{0, 0.2}, {300, 0.2}, {0, 5.0}, {300, 5.0}}) {
    const SamplePlan plan{.kernel = "mld",
                          .chains = 9,
                          .warmup = warmup,
                          .draws = 300,
                          .thin = 1,
                          .step_size = Schedule{.a = step_size}};
    std::vector<std::string> messages;
    for (const int ranks : {1, 2, 4}) {
      try {
        run_over(ranks, problem, plan);
        ADD_FAILURE() << "no chain was lost";
      } catch (const Error& error) {
        messages.emplace_back(error.what());
      }
    }
    ASSERT_EQ(messages.size(), 3u);
    EXPECT_THAT(messages[0], HasSubstr("no longer finite"));
    EXPECT_EQ(messages[0], messages[1]);
    EXPECT_EQ(messages[0], messages[2]);
  }
}

TEST(Ranks, RefuseAStartThatIsNotFinite) {
  struct Edge {
    std::size_t dim() const { return 1; }
    double value_and_grad(std::span<const double> x, std::span<double> grad) const {
      grad[0] = x[0];
      return x[0] == 0 ? std::numeric_limits<double>::quiet_NaN() : 0.5 * x[0] * x[0];
    }
  };
  const Problem problem{BoxMap::identity(1), PointTarget("edge", Edge{})};
  test::expect_error([&] { run_over(3, problem, {.start = {0.0}}); }, Fault::data, "not finite");
}

// One exchange in passing per step of warm-up; afterwards about ten reports a second, whatever the
// number of steps.
TEST(Ranks, ExchangeNothingPerStepOfSampling) {
  const Problem problem{BoxMap::identity(2), Gaussian::diagonal({0.3, 1.0}, std::vector{0.5, 1.0})};
  const SamplePlan plan{.kernel = "mala", .chains = 8, .warmup = 100, .draws = 20000, .thin = 1};
  DrawTable table = table_for(problem, plan);
  run_thread_ranks(2, [&](Comm& comm) {
    Threads threads(1);
    Sampler sampler(problem, plan, threads, comm);
    NoSink none;
    sampler.run(comm.is_root() ? static_cast<DrawSink&>(table) : none);
    EXPECT_LT(comm.traffic().operations, 100 + plan.draws / 10);
  });
}

}  // namespace
}  // namespace tain::ranks_test
