#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/file.hpp"
#include "support/errors.hpp"
#include "support/folder.hpp"
#include "tain/tain.hpp"
#include "targets/dirichlet.hpp"

namespace tain::sample_test {
namespace {

using test::expect_error;
using testing::ElementsAre;
using testing::HasSubstr;

/// Dirichlet(3, 1, 2), as a user would write it.
double own_potential(std::span<const double> x, std::span<double> g) {
  g[0] = -2 / x[0], g[1] = 0, g[2] = -1 / x[2];
  return -2 * std::log(x[0]) - std::log(x[2]);
}

/// The field that an error is about.
template <class Work>
std::string field_of(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.field() ? error.field()->name : "";
  }
  return "no error";
}

const SamplePlan quick{.warmup = 200, .draws = 300};

TEST(Sample, JudgesAnOwnTarget) {
  const tain::Run run = sample(simplex(3), target(own_potential), {.seed = 1});
  ASSERT_TRUE(run.finished() && run.judged());
  EXPECT_TRUE(run.verdict().trust) << run.text();
  EXPECT_NEAR(run.summary()[0].mean, 0.5, 6 * run.summary()[0].mcse_mean);
  EXPECT_THAT(run.text(), HasSubstr("Trust these draws."));
  EXPECT_EQ(run["x"].shape, (std::vector<std::size_t>{4, 1000, 3}));
  EXPECT_TRUE(run.exact().empty());
}

TEST(Sample, ChoosesTheTargetsOwnSetAndKnowsItsMoments) {
  const tain::Run run = sample(dirichlet({.counts = {10, 3, 0}, .alpha = 0.5}), quick);
  EXPECT_THAT(run.record().map, HasSubstr("simplex(3"));
  EXPECT_EQ(run.exact().size(), 12U);
  EXPECT_EQ(run.record().plan.kernel, "hmc");
}

TEST(Sample, UnadjustedStepsAreJudgedByTheirBias) {
  SamplePlan plan = quick;
  plan.kernel = "mld";
  plan.step_size = 1.9;
  const tain::Run run = sample(dirichlet({.counts = {10, 3, 0}, .alpha = 0.5}), plan);
  ASSERT_TRUE(run.record().done.bias_indicator.has_value());
  EXPECT_FALSE(run.verdict().trust);
  EXPECT_TRUE(std::ranges::any_of(run.verdict().lines, [](const VerdictLine& line) {
    return !line.passed && line.sentence.find("bias") != std::string::npos;
  })) << run.text();
}

TEST(Sample, ShowsNamesEverywhere) {
  const test::Folder folder("names");
  const tain::Run run =
      sample(product({{"w", simplex(3)}, {"sigma", positive()}}), gaussian(), quick);
  EXPECT_THAT(run.draws().names, ElementsAre("w[1]", "w[2]", "w[3]", "sigma"));
  EXPECT_EQ(run["w"].shape, (std::vector<std::size_t>{4, 300, 3}));
  EXPECT_EQ(run["sigma"].shape, (std::vector<std::size_t>{4, 300}));
  EXPECT_EQ(run["sigma"].values[7], run.draws().values[7 * 4 + 3]);
  expect_error([&] { run["sigam"]; }, Fault::usage, "did you mean 'sigma'?");
  for (const char* file : {"d.nc", "d.csv"}) {
    run.save(folder.path() / file);
    const Draws back = read_run({folder.path() / file}).draws();
    EXPECT_EQ(back.names, run.draws().names);
    ASSERT_EQ(back.parameters.size(), 2U);
    EXPECT_EQ(back.parameters[0].count, 3U);
    EXPECT_NEAR(back.values[5], run.draws().values[5], 1e-12);
  }
  const tain::Run named =
      sample(real(2), gaussian(), {.warmup = 50, .draws = 20, .names = {"a", "b"}});
  EXPECT_THAT(named.draws().names, ElementsAre("a", "b"));
}

TEST(Sample, AStoppedRunGoesOnToTheSameBits) {
  const test::Folder folder("stopped");
  SamplePlan plan{.chains = 3, .warmup = 50, .draws = 60, .output = folder.path() / "whole.nc"};
  const tain::Run whole = sample(box(-1, 1, 3), gaussian(), plan);
  plan.output = folder.path() / "stopped.nc";
  plan.checkpoint_every = 10;
  plan.progress = [](const Progress& now) { return now.draws >= 20 ? Next::stop : Next::go_on; };
  const tain::Run part = sample(box(-1, 1, 3), gaussian(), plan);
  EXPECT_FALSE(part.finished());
  EXPECT_TRUE(part.resumable());
  plan.progress = {};
  expect_error([&] { sample(box(-1, 1, 3), gaussian(), plan); }, Fault::cannot_create,
               "holds a stopped run");
  EXPECT_EQ(field_of([&] { sample(box(-1, 1, 3), gaussian(), plan); }), "output");
  plan.resume = true;
  const tain::Run rest = sample(box(-1, 1, 3), gaussian(), plan);
  EXPECT_TRUE(rest.finished());
  EXPECT_TRUE(std::ranges::equal(rest.draws().values, whole.draws().values));
  const tain::Run again = sample(box(-1, 1, 3), gaussian(), plan);  // finished: read back
  EXPECT_TRUE(std::ranges::equal(again.draws().values, whole.draws().values));
  plan.seed = 2;
  expect_error([&] { sample(box(-1, 1, 3), gaussian(), plan); }, Fault::config, "seed was 1");
  plan.overwrite = true;
  expect_error([&] { sample(box(-1, 1, 3), gaussian(), plan); }, Fault::config,
               "contradicts overwrite");
}

TEST(Sample, CodeIsRecognisedWhenItIsResumed) {
  const test::Folder folder("code");
  SamplePlan plan{.warmup = 20, .draws = 20, .output = folder.path() / "d.npy"};
  plan.checkpoint_every = 5;
  plan.progress = [](const Progress& now) { return now.draws >= 10 ? Next::stop : Next::go_on; };
  sample(simplex(3), target(own_potential), plan);
  plan.progress = {};
  plan.resume = true;
  const auto other = [](std::span<const double> x, std::span<double> g) {
    return 2 * own_potential(x, g);
  };
  expect_error([&] { sample(simplex(3), target(other), plan); }, Fault::config, "has changed");
  expect_error([&] { sample(simplex(3, "last"), target(own_potential), plan); }, Fault::config,
               "coordinates was not given");
  expect_error([&] { resume(plan.output); }, Fault::config, "its target is code");
  EXPECT_TRUE(resume(plan.output, target(own_potential)).finished());
  EXPECT_TRUE(sample(simplex(3), target(own_potential), plan).finished());
}

TEST(Sample, RowsMayBeNumbersOrInAFile) {
  const test::Folder folder("rows");
  std::ofstream(folder.path() / "rows.csv") << "level,dose,y\n1,0.5,0\n1,2,1\n1,-1,0\n1,1.5,0\n";
  const targets::Regression file{.data = folder.path() / "rows.csv", .prior_sd = 2};
  const targets::Regression numbers{.features = {1, 0.5, 1, 2, 1, -1, 1, 1.5},
                                    .responses = {0, 1, 0, 0},
                                    .names = {"level", "dose"},
                                    .prior_sd = 2};
  SamplePlan plan{.warmup = 50, .draws = 50};
  for (const auto make : {linear_regression, logistic_regression}) {
    const tain::Run read = sample(make(file), plan), given = sample(make(numbers), plan);
    EXPECT_TRUE(std::ranges::equal(read.draws().values, given.draws().values));
    EXPECT_THAT(given.draws().names, ElementsAre("level", "dose"));
  }
  // Whoever resumes a run of numbers gives them again.
  plan.output = folder.path() / "d.npy";
  plan.checkpoint_every = 5;
  plan.progress = [](const Progress& now) { return now.draws >= 10 ? Next::stop : Next::go_on; };
  sample(logistic_regression(numbers), plan);
  targets::Regression others = numbers;
  others.responses = {0, 1, 0, 1};
  expect_error([&] { resume(plan.output); }, Fault::config, "its target is code");
  expect_error([&] { resume(plan.output, logistic_regression(others)); }, Fault::config,
               "has changed");
  EXPECT_TRUE(resume(plan.output, logistic_regression(numbers)).finished());
}

TEST(Sample, AStoppedRunIsResumedByItsOutputAlone) {
  const test::Folder folder("by_output");
  SamplePlan plan{.seed = 5,
                  .chains = 3,
                  .warmup = 50,
                  .draws = 60,
                  .names = {"a", "b"},
                  .output = folder.path() / "whole.nc"};
  const Target normal = gaussian({.mean = {0.2, 0}, .covariance = {2, 0.5, 0.5, 1}});
  const tain::Run whole = sample(box(-1, 1), normal, plan);
  plan.output = folder.path() / "d.nc";
  plan.checkpoint_every = 10;
  plan.progress = [](const Progress& now) { return now.draws >= 20 ? Next::stop : Next::go_on; };
  sample(box(-1, 1), normal, plan);
  bool told = false;
  const tain::Run rest = resume(plan.output, {}, {}, {.threads = 1, .progress = [&](const auto&) {
                                                        told = true;
                                                        return Next::go_on;
                                                      }});
  EXPECT_TRUE(rest.finished() && told);
  EXPECT_TRUE(std::ranges::equal(rest.draws().values, whole.draws().values));
  EXPECT_EQ(read_file(folder.path() / "d.nc"), read_file(folder.path() / "whole.nc"));
  const tain::Run again = resume(plan.output);  // finished: read back
  EXPECT_TRUE(std::ranges::equal(again.draws().values, whole.draws().values));
  EXPECT_EQ(again.text(), whole.text());
  expect_error([&] { resume(folder.path() / "none.nc"); }, Fault::no_input, "there is no run");
}

TEST(Sample, FilesGiveTheRunBack) {
  const test::Folder folder("files");
  const tain::Run run = sample(dirichlet({.counts = {10, 3, 0}, .alpha = 0.5}),
                               {.seed = 3, .output = folder.path() / "d.nc"});
  const tain::Run back = read_run({folder.path() / "d.nc"});
  EXPECT_EQ(back.text(), run.text());
  EXPECT_EQ(back.record().target, run.record().target);
  EXPECT_EQ(back.record().plan.seed, 3U);
  EXPECT_EQ(back.record().done.gradients, run.record().done.gradients);
  ASSERT_EQ(back.exact().size(), run.exact().size());
  EXPECT_EQ(back.exact()[0].z, run.exact()[0].z);
  back.save(folder.path() / "copy.nc");
  EXPECT_EQ(read_file(folder.path() / "copy.nc"), read_file(folder.path() / "d.nc"));
  back.save(folder.path() / "d.csv");  // another format
  EXPECT_TRUE(
      std::ranges::equal(read_run({folder.path() / "d.csv"}).draws().values, run.draws().values));
  run.report(folder.path() / "run.html");
  back.report(folder.path() / "back.html");
  EXPECT_EQ(read_file(folder.path() / "run.html"), read_file(folder.path() / "back.html"));
}

/// Stopped when it is asked first, in a warm-up far longer than that, before any draw.
SamplePlan stopped_at_once() {
  SamplePlan plan{.warmup = 1'000'000'000, .draws = 100};
  plan.progress = [](const Progress&) { return Next::stop; };
  return plan;
}

TEST(Sample, ARunWithoutDrawsSaysSo) {
  const test::Folder folder("no_draws");
  const auto at = [&](const std::string& name) { return folder.path() / name; };
  const tain::Run run =
      sample(product({{"w", simplex(3)}, {"s", positive()}}), gaussian(), stopped_at_once());
  ASSERT_EQ(run.draws().draws, 0U);
  EXPECT_FALSE(run.finished() || run.judged() || run.resumable());
  EXPECT_EQ(run["w"].shape, (std::vector<std::size_t>{4, 0, 3}));
  EXPECT_EQ(run["s"].shape, (std::vector<std::size_t>{4, 0}));
  EXPECT_TRUE(run["w"].values.empty());
  EXPECT_TRUE(run.exact().empty());
  const std::string none =
      "draws: the run was stopped after 0 of 100; let it run longer: from 4 on they can be judged";
  for (const std::function<void()>& ask : std::vector<std::function<void()>>{
           [&] { run.summary(); }, [&] { run.verdict(); }, [&] { run.diagnosis(); },
           [&] { static_cast<void>(run.text()); }, [&] { run.report(at("p.html")); }}) {
    EXPECT_EQ(test::message_of(Fault::config, ask), none);
  }
  for (const char* name : {"d.nc", "d.csv", "d.npy", "d_%d.csv"}) {
    EXPECT_EQ(test::message_of(Fault::config, [&] { run.save(at(name)); }),
              "draws: the run was stopped before its first draw; there is nothing to save");
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Sample, ARunWithoutDrawsIsResumed) {
  const test::Folder folder("no_draws_yet");
  SamplePlan plan = stopped_at_once();
  plan.output = folder.path() / "d.nc";
  plan.report = folder.path() / "d.html";
  const tain::Run run = sample(dirichlet({.counts = {3, 1, 0}}), plan);
  EXPECT_TRUE(run.resumable());
  EXPECT_TRUE(run.exact().empty());
  EXPECT_FALSE(std::filesystem::exists(plan.output) || std::filesystem::exists(plan.report));
  const tain::Run again = resume(plan.output, {}, {}, stopped_at_once());
  EXPECT_EQ(again.draws().draws, 0U);
  EXPECT_TRUE(again.resumable());
}

TEST(Sample, WhatIsInTheWayOfTheOutputIsSaidBeforeAnythingElse) {
  const test::Folder folder("in_the_way");
  SamplePlan plan = quick;
  std::vector<std::string> notes;
  plan.note = [&](std::string_view text) { notes.emplace_back(text); };
  plan.check_gradient = true;
  plan.output = folder.path() / "no" / "d.nc";
  expect_error([&] { sample(real(2), gaussian(), plan); }, Fault::cannot_create,
               "does not exist; create it first");
  plan.output = folder.path() / "d.nc";
  std::ofstream(plan.output) << "precious";
  expect_error([&] { sample(real(2), gaussian(), plan); }, Fault::cannot_create,
               "exists; give overwrite = true");
  EXPECT_TRUE(notes.empty()) << notes.front();
}

TEST(Sample, AbsurdNumbersAreOneLine) {
  const auto refused = [](SamplePlan plan) {
    return test::message_of(Fault::config, [&] { sample(real(2), gaussian(), plan); });
  };
  constexpr std::uint64_t absurd = 1'000'000'000'000'000'000;
  EXPECT_EQ(refused({.chains = 0}), "chains: is 0; give at least 1");
  EXPECT_EQ(refused({.draws = 0}), "draws: is 0; give at least 1");
  EXPECT_EQ(refused({.thin = 0}), "thin: is 0; give at least 1");
  EXPECT_EQ(refused({.threads = 100'000}), "threads: is more than 1,024; give a smaller number");
  EXPECT_EQ(refused({.draws = absurd}),
            "draws: warm-up plus draws times thin exceeds 2^47 steps; ask for fewer");
  EXPECT_EQ(refused({.warmup = absurd}), "warmup: exceeds 2^46 steps; ask for fewer");
  EXPECT_THAT(refused({.thin = absurd}), testing::StartsWith("thin: "));
  EXPECT_THAT(refused({.chains = 4'000'000'000}), testing::StartsWith("memory: "));
}

// ---- what files say is not believed where it cannot be known
// -------------------------------------

const SamplePlan biased{
    .kernel = "mld", .chains = 2, .warmup = 50, .draws = 300, .thin = 20, .step_size = 0.9};

TEST(ReadRun, BiasSurvivesEveryFormat) {
  const test::Folder folder("bias");
  const auto at = [&](const std::string& name) { return folder.path() / name; };
  const tain::Run run = sample(dirichlet({.counts = {3, 1, 0}}), biased);
  ASSERT_FALSE(run.verdict().trust);
  for (const std::string first : {"a.nc", "a.csv", "a.npy"}) {
    run.save(at(first), Overwrite::yes);
    const tain::Run read = read_run({at(first)});
    EXPECT_EQ(read.text(), run.text()) << first;
    for (const std::string second : {"b.nc", "b.csv", "b.npy"}) {
      read.save(at(second), Overwrite::yes);
      EXPECT_EQ(read_run({at(second)}).text(), run.text()) << first << " " << second;
    }
  }
  std::filesystem::remove(at("a.csv.manifest.json"));  // draws alone know their kernel
  EXPECT_FALSE(read_run({at("a.csv")}).verdict().trust);
}

TEST(ReadRun, AManifestOfOtherDrawsIsLeftOut) {
  const test::Folder folder("other_draws");
  const auto at = [&](const std::string& name) { return folder.path() / name; };
  const Target target = dirichlet({.counts = {3, 1, 0}});
  SamplePlan good = biased;
  good.step_size = 0.02;
  good.output = at("d.nc");
  sample(target, good);
  sample(target, biased).save(at("bad.nc"));
  for (const char* ending : {".nc", ".npy"}) {
    const auto mine = at(std::string("d") + ending);
    read_run({at("bad.nc")}).save(at(std::string("bad") + ending), Overwrite::yes);
    std::filesystem::copy_file(at("d.nc.manifest.json"), at("kept.json"),
                               std::filesystem::copy_options::overwrite_existing);
    std::filesystem::copy_file(at(std::string("bad") + ending), mine,
                               std::filesystem::copy_options::overwrite_existing);
    std::filesystem::copy_file(at("kept.json"), mine.string() + ".manifest.json",
                               std::filesystem::copy_options::overwrite_existing);
    const tain::Run read = read_run({mine});
    EXPECT_THAT(read.record().notes, testing::Contains(HasSubstr("does not belong")));
    EXPECT_TRUE(read.record().plan.kernel.empty() || !read.verdict().trust);
  }
  good.resume = true;
  expect_error([&] { sample(target, good); }, Fault::data, "does not hold the draws");
}

TEST(ReadRun, DivergencesAndAcceptancesThatLieDoNotHelp) {
  const test::Folder folder("lying");
  const auto file = folder.path() / "d.nc", manifest = folder.path() / "d.nc.manifest.json";
  SamplePlan plan = biased;
  plan.output = file;
  sample(dirichlet({.counts = {3, 1, 0}}), plan);
  const std::string text = read_file(manifest);
  for (const std::string lie : {"5", "null", "-1", "\"high\""}) {
    std::string changed = text;
    const std::size_t at = changed.find("\"acceptance\": 0") + 14;
    changed.replace(at, changed.find(',', at) - at, lie);
    std::ofstream(manifest) << changed;
    EXPECT_FALSE(read_run({file}).verdict().trust) << lie;
  }
  std::string unknown = text;
  unknown.replace(unknown.find("\"kernel\": \"mld\",\n  \"seed"), 15, "\"kernel\": \"mldx\"");
  std::ofstream(manifest) << unknown;
  read_run({file}).save(folder.path() / "d.npy");
  EXPECT_FALSE(read_run({folder.path() / "d.npy"}).verdict().trust);
}

TEST(ReadRun, SavedDrawsOfOthersHaveNoManifest) {
  const test::Folder folder("others");
  const auto file = folder.path() / "o.csv", saved = folder.path() / "s.npy";
  std::ofstream(file) << "a,b\n0,1\n1,0\n0.5,0.5\n0.2,0.8\n0.1,0.9\n";
  sample(real(2), gaussian(), quick).save(saved);
  ASSERT_TRUE(std::filesystem::exists(saved.string() + ".manifest.json"));
  const tain::Run others = read_run({file});
  expect_error([&] { others.save(saved); }, Fault::cannot_create, "exists");
  ASSERT_TRUE(std::filesystem::exists(saved.string() + ".manifest.json"));
  others.save(saved, Overwrite::yes);
  EXPECT_FALSE(std::filesystem::exists(saved.string() + ".manifest.json"));
  EXPECT_EQ(read_run({saved}).draws().draws, 5U);
}

TEST(ReadRun, FilesOfDifferentRunsAreRefused) {
  const test::Folder folder("different");
  const Target target = dirichlet({.counts = {3, 1, 0}});
  sample(target, biased).save(folder.path() / "a.nc");
  sample(target, {.chains = 2, .draws = 300}).save(folder.path() / "b.nc");
  expect_error([&] { read_run({folder.path() / "a.nc", folder.path() / "b.nc"}); }, Fault::data,
               "another kernel");
}

TEST(ReadRun, ChainsInFilesOfTheirOwnFindTheirManifest) {
  const test::Folder folder("chains");
  SamplePlan plan = biased;
  plan.step_size = 0.38;  // steps in between are accepted more often than those that were kept
  plan.output = folder.path() / "c_%d.csv";
  const tain::Run run = sample(dirichlet({.counts = {3, 1, 0}}), plan);
  const tain::Run read = read_run({folder.path() / "c_1.csv", folder.path() / "c_2.csv"});
  EXPECT_EQ(read.record().done.bias_indicator, run.record().done.bias_indicator);
  EXPECT_EQ(read.text(), run.text());
  std::ofstream(folder.path() / "mine_1.csv") << "precious";
  expect_error([&] { read.save(folder.path() / "mine_%d.csv"); }, Fault::cannot_create, "mine_1");
  EXPECT_EQ(read_file(folder.path() / "mine_1.csv"), "precious");
}

TEST(ReadRun, NamesStayWithTheirColumns) {
  const test::Folder folder("columns");
  for (const std::vector<std::string>& names : {std::vector<std::string>{"a[2]", "a[1]"},
                                                {"a[5]", "a[7]"},
                                                {"a[1]", "a"},
                                                {"x[2]", "x[1]"},
                                                {"chain", "draw"},
                                                {"a[1]", "a_dim_0"},
                                                {"beta[Rome]", "beta[Oslo]"}}) {
    SamplePlan plan = quick;
    plan.names = names;
    sample(real(2), gaussian({.mean = {0, 10}}), plan).save(folder.path() / "a.nc", Overwrite::yes);
    const tain::Run read = read_run({folder.path() / "a.nc"});
    EXPECT_EQ(read.draws().names, names);
    read.save(folder.path() / "b.nc", Overwrite::yes);
    const tain::Run again = read_run({folder.path() / "b.nc"});
    EXPECT_EQ(again.draws().names, names);
    EXPECT_TRUE(std::ranges::equal(again.draws().values, read.draws().values));
  }
}

TEST(ReadRun, AStoppedRunStaysOne) {
  const test::Folder folder("stays");
  SamplePlan plan{.warmup = 20, .draws = 200};
  plan.checkpoint_every = 10;
  plan.progress = [](const Progress& now) { return now.draws >= 50 ? Next::stop : Next::go_on; };
  const tain::Run part = sample(real(2), gaussian(), plan);
  part.save(folder.path() / "p.csv");
  std::filesystem::remove(folder.path() / "p.csv.manifest.json");
  const tain::Run read = read_run({folder.path() / "p.csv"});
  EXPECT_FALSE(read.finished());
  read.save(folder.path() / "q.nc");
  EXPECT_FALSE(read_run({folder.path() / "q.nc"}).finished());
  sample(real(2), gaussian(), quick).save(folder.path() / "f.csv");
  std::filesystem::remove(folder.path() / "f.csv.manifest.json");
  read_run({folder.path() / "f.csv"}).save(folder.path() / "g.csv");
  std::filesystem::remove(folder.path() / "g.csv.manifest.json");
  EXPECT_TRUE(read_run({folder.path() / "g.csv"}).finished());
}

TEST(ReadRun, DrawsThatTellTheirKernelOnlyCanBeSaved) {
  const test::Folder folder("kernel_only");
  const auto file = folder.path() / "k.csv";
  std::ofstream(file) << "# kernel = mld\na,b\n0,1\n1,0\n0.5,0.5\n0.2,0.8\n0.1,0.9\n";
  const tain::Run run = read_run({file});
  EXPECT_FALSE(run.verdict().trust);
  run.save(folder.path() / "k.npy");
  for (const tain::Run& each : {run, read_run({folder.path() / "k.npy"})}) {
    EXPECT_THAT(each.text(), HasSubstr("nothing in the run tells how much"));
  }
}

TEST(ReadRun, OddRecordsDoNoHarm) {
  const test::Folder folder("odd");
  const auto file = folder.path() / "o.csv";
  const std::string deep(100'000, '['), shut(100'000, ']');
  for (const std::string& request :
       {std::string(R"({"options":[1]})"), std::string(R"({"options":null})"), std::string("[1]"),
        "{\"a\":" + deep + shut + "}", "{\"target\":\"uniform\",\"a\":" + deep + shut + "}"}) {
    std::ofstream(file) << "# request = " << request << "\nx.1,x.2\n"
                        << "0,1\n1,0\n0.5,0.5\n0.2,0.8\n0.1,0.9\n";
    EXPECT_EQ(read_run({file}).draws().draws, 5U);
  }
}

TEST(Sample, FilesOfPartsAreLookedAtWhenARunIsResumed) {
  const test::Folder folder("parts");
  const auto set = [&](double low) {
    Numbers lower({low, low}), upper({low + 1, low + 1});
    lower.source = folder.path() / "lower.txt";
    upper.source = folder.path() / "upper.txt";
    std::ofstream(lower.source) << low << " " << low << "\n";
    std::ofstream(upper.source) << low + 1 << " " << low + 1 << "\n";
    return product({{"b", box(lower, upper)}, {"s", simplex(3)}});
  };
  SamplePlan plan{.warmup = 20, .draws = 20, .output = folder.path() / "d.nc"};
  sample(set(0), uniform(), plan);
  plan.resume = true;
  EXPECT_NO_THROW(sample(set(0), uniform(), plan));
  const Set other = set(5);
  expect_error([&] { sample(other, uniform(), plan); }, Fault::config,
               "lower.txt has changed since that run");
}

TEST(Sample, ADimensionThatTheTargetGivesIsRecorded) {
  const test::Folder folder("dims");
  const SamplePlan plan{.warmup = 20, .draws = 20, .output = folder.path() / "d.nc"};
  for (const auto& [set, target] :
       {std::pair{real(), gaussian().with_dim(3)}, std::pair{box(-1, 1), uniform().with_dim(2)},
        std::pair{simplex(), uniform().with_dim(4)}}) {
    std::filesystem::remove(plan.output);
    std::filesystem::remove(plan.output.string() + ".manifest.json");
    const tain::Run run = sample(set, target, plan);
    const tain::Run again = resume(plan.output);
    EXPECT_TRUE(std::ranges::equal(again.draws().values, run.draws().values));
  }
}

TEST(Sample, ACovarianceMayBeGivenAsNumbers) {
  const tain::Run run = sample(real(), gaussian({.covariance = {2, 0.5, 0.5, 1}}), {.draws = 2000});
  EXPECT_NEAR(run.summary()[0].sd, std::sqrt(2.0), 0.1);
  expect_error([] { gaussian({.covariance = {1, 2, 3}}); }, Fault::config,
               "covariance: has 3 numbers");
  expect_error([] { sample(real(3), gaussian({.precision = {1, 0, 0, 1}})); }, Fault::config,
               "precision: implies dimension 2");
  expect_error([] { gaussian({.sd = 1, .covariance = {1}}); }, Fault::config, "given twice");
}

TEST(Sample, AFinishedRunOfAnotherSetIsNotTakenForThisOne) {
  const test::Folder folder("finished");
  SamplePlan plan{.warmup = 20, .draws = 20, .output = folder.path() / "d.nc"};
  const auto V = [](std::span<const double> x, std::span<double> g) {
    std::ranges::copy(x, g.begin());
    return (x[0] * x[0] + x[1] * x[1]) / 2;
  };
  sample(box(-1, 1, 2), target(V), plan);
  plan.resume = true;
  EXPECT_NO_THROW(sample(box(-1, 1, 2), target(V), plan));
  expect_error([&] { sample(box(-2, 2, 2), target(V), plan); }, Fault::config,
               "lower was [-1.0], now it is [-2.0]");
  const auto other = [](std::span<const double> x, std::span<double> g) {  // the same at the centre
    g[0] = 3 * x[0], g[1] = x[1];
    return (3 * x[0] * x[0] + x[1] * x[1]) / 2;
  };
  expect_error([&] { sample(box(-1, 1, 2), target(other), plan); }, Fault::config, "has changed");
  // Sets of sets of sets have no record but their values.
  const auto nested = [](double bound) {
    return product({product({box(-bound, bound, 1), box(-1, 1, 1)}), box(-1, 1, 1)});
  };
  plan = {.warmup = 20, .draws = 20, .output = folder.path() / "n.nc"};
  sample(nested(1), gaussian(), plan);
  plan.resume = true;
  EXPECT_NO_THROW(sample(nested(1), gaussian(), plan));
  const auto flat = [](std::span<const double>, std::span<double> g) {  // only points tell the set
    std::ranges::fill(g, 0.0);
    return 0.0;
  };
  SamplePlan uniform_plan{.warmup = 20, .draws = 20, .output = folder.path() / "u.nc"};
  sample(nested(1), target(flat), uniform_plan);
  uniform_plan.resume = true;
  expect_error([&] { sample(nested(3), target(flat), uniform_plan); }, Fault::config,
               "has changed");
  expect_error([&] { sample(nested(3), gaussian(), plan); }, Fault::config, "has changed");
}

TEST(Sample, ManifestsThatLieAreRefused) {
  const test::Folder folder("lies");
  SamplePlan plan{.warmup = 20, .draws = 20, .output = folder.path() / "d.nc"};
  sample(real(2), gaussian(), plan);
  plan.resume = true;
  const auto manifest = folder.path() / "d.nc.manifest.json";
  const std::string text = read_file(manifest);
  for (const std::string draws : {"1000", "1000000000", "21", "3", "18446744073709551615"}) {
    std::string lie = text;
    lie.replace(lie.find("\n  \"draws\": 20"), 14, "\n  \"draws\": " + draws);
    std::ofstream(manifest) << lie;
    expect_error([&] { sample(real(2), gaussian(), plan); }, Fault::data, "draws");
  }
}

TEST(Sample, OutputsAreNeverTheSameFileNorOnesThatCannotBeRead) {
  const test::Folder folder("apart");
  const auto out = [&](const char* name) { return folder.path() / name; };
  for (const char* page : {"d.nc", "d.nc.manifest.json", "d.nc.run"}) {
    expect_error(
        [&] {
          sample(real(2), gaussian(),
                 {.warmup = 20, .draws = 20, .output = out("d.nc"), .report = out(page)});
        },
        Fault::usage, "report: ");
  }
  for (const char* name : {"a b", "1", "nan", "lp__"}) {
    expect_error(
        [&] {
          sample(real(2), gaussian(),
                 {.warmup = 20, .draws = 20, .names = {name, "c"}, .output = out("d.csv")});
        },
        Fault::config, "cannot be a column");
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Sample, SavesAndReports) {
  const test::Folder folder("saves");
  const tain::Run run = sample(simplex(3), target(own_potential), quick);
  run.report(folder.path() / "run.html");
  EXPECT_GT(std::filesystem::file_size(folder.path() / "run.html"), 10'000U);
  run.save(folder.path() / "d.npy");
  expect_error([&] { run.save(folder.path() / "d.npy"); }, Fault::cannot_create, "exists");
  EXPECT_NO_THROW(run.save(folder.path() / "d.npy", Overwrite::yes));
  expect_error([&] { run.save(folder.path() / "nowhere" / "d.npy"); }, Fault::cannot_create,
               "does not exist");
  expect_error([&] { run.save(folder.path() / "d.txt"); }, Fault::usage, ".nc, .csv or .npy");
}

TEST(Sample, SaysWhatIsDecidedAndHowFarItIs) {
  std::vector<std::string> notes;
  std::uint64_t last = 0;
  SamplePlan plan = quick;
  plan.note = [&](std::string_view text) { notes.emplace_back(text); };
  plan.progress = [&](const Progress& now) {
    last = now.draws;
    return Next::go_on;
  };
  sample(dirichlet({.counts = {10, 3, 0}, .alpha = 0.1}), plan);
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_THAT(notes[0], HasSubstr("simplex coordinates"));
  EXPECT_THAT(notes[1], HasSubstr("4 chains in 3 dimensions"));
  EXPECT_EQ(last, 300U);
}

TEST(Sample, ErrorsAboutSetsNameTheNumber) {
  EXPECT_EQ(field_of([] { box({0, 1}, {1, 1}); }), "lower");
  EXPECT_EQ(field_of([] { ball(2, -1); }), "radius");
  EXPECT_EQ(field_of([] { ball(2, 1, {0, NAN}); }), "centre");
  EXPECT_EQ(field_of([] { affine(ball(2), {1, 1, 1, 1}); }), "matrix");
  EXPECT_EQ(field_of([] { affine(ball(2), {1, 0, 0}); }), "matrix");
  EXPECT_EQ(field_of([] { affine(ball(2), {1, 0, 0, 1}, {0, INFINITY}); }), "shift");
}

TEST(Sample, ErrorsAboutFilesAndNamesNameTheOption) {
  const test::Folder folder("fields");
  const auto taken = folder.path() / "d.nc", page = folder.path() / "p.html";
  std::ofstream(taken) << "x";
  std::ofstream(page) << "x";
  const auto plan = [](const auto& output, const auto& report) {
    SamplePlan asked{.warmup = 20, .draws = 20};
    asked.output = output, asked.report = report;
    return asked;
  };
  const auto fields = [&](const SamplePlan& asked) {
    return field_of([&] { sample(simplex(3), uniform(), asked); });
  };
  EXPECT_EQ(fields(plan(taken, "")), "output");
  EXPECT_EQ(fields(plan(folder.path() / "no" / "d.nc", "")), "output");
  EXPECT_EQ(fields(plan("", page)), "report");
  EXPECT_EQ(fields(plan("", folder.path() / "no" / "p.html")), "report");
  const tain::Run run = sample(simplex(3), uniform(), plan("", ""));
  EXPECT_EQ(field_of([&] { run.save(taken); }), "path");
  EXPECT_EQ(field_of([&] { run.report(page); }), "path");
  EXPECT_EQ(field_of([] { product({{"w", simplex(3)}, {"w", simplex(3)}}); }), "name");
  EXPECT_EQ(field_of([] { product({{"w", simplex(3)}, {"", simplex(3)}}); }), "name");
  EXPECT_EQ(field_of([] { product({{"a b", simplex(3)}}); }), "name");
}

TEST(Sample, LawsWithoutEndAreRefused) {
  const SamplePlan few{.warmup = 20, .draws = 20};
  for (const Set& set : {real(2), positive(2), box(0, {1, INFINITY}), affine(real(2), {1, 1, 0, 1}),
                         product({{"w", simplex(3)}, {"s", positive()}})}) {
    expect_error([&] { sample(set, uniform(), few); }, Fault::config,
                 "target: uniform on " + set.text() + " has infinite mass");
    EXPECT_NO_THROW(sample(set, gaussian(), few));
  }
  for (const Set& set :
       {box(0, 1, 2), ball(2), affine(ball(2), {1, 1, 0, 1}), simplex(3), mapped(real(2).map(2))}) {
    EXPECT_NO_THROW(sample(set, uniform(), few)) << set.text();
  }
}

TEST(Sample, DirichletLivesOnTheSimplexOnly) {
  const SamplePlan few{.warmup = 20, .draws = 20};
  const Target law = dirichlet({.counts = {3, 1}, .alpha = 2});
  for (const Set& set : {box(0, 1, 2), ball(2), positive(2), real(2),
                         product({{"w", simplex(2)}, {"s", box(0, 1)}})}) {
    for (const Target& own : {law, Target(DirichletPosterior({3, 1}, {2, 2}))}) {
      expect_error([&] { sample(set, own, few); }, Fault::config,
                   "lives on the simplex only, not on " + set.text());
      expect_error([&] { sample(set, own, few); }, Fault::config,
                   "set: " + own.name() + " lives on the simplex only");
    }
  }
  for (const Set& set : {simplex(2), product({{"w", simplex(2)}}), mapped(simplex(2).map(2))}) {
    EXPECT_NO_THROW(sample(set, law, few)) << set.text();
  }
}

TEST(Sample, ListsMayBeInFiles) {
  const test::Folder folder("lists");
  const auto file = [&](const char* name, const char* text) {
    std::ofstream(folder.path() / name) << text;
    return Numbers::file(folder.path() / name);
  };
  SamplePlan plan{.warmup = 20, .draws = 20, .output = folder.path() / "d.nc"};
  plan.start = file("start.txt", "0.1 0.2");
  const Set where = box(file("lower.txt", "-1, -2"), file("upper.txt", "1\ninf\n"));
  EXPECT_EQ(where.dim(), 2U);
  const tain::Run run =
      sample(where, gaussian({.mean = file("mean.txt", "0 1"), .sd = file("sd.txt", "2 1")}), plan);
  SamplePlan same{.warmup = 20, .draws = 20};
  same.start = {0.1, 0.2};
  const tain::Run numbers =
      sample(box({-1, -2}, {1, INFINITY}), gaussian({.mean = {0, 1}, .sd = {2, 1}}), same);
  EXPECT_TRUE(std::ranges::equal(run.draws().values, numbers.draws().values));
  for (const char* name : {"start.txt", "lower.txt", "upper.txt", "mean.txt", "sd.txt"}) {
    EXPECT_TRUE(run.record().inputs.contains((folder.path() / name).string())) << name;
  }
  EXPECT_TRUE(std::ranges::equal(resume(plan.output).draws().values, run.draws().values));
  EXPECT_EQ(
      sample(dirichlet({.counts = file("counts.txt", "3 1 0")}), same = quick).draws().names.size(),
      3U);
  EXPECT_EQ(ball({}, 1, file("centre.txt", "0 0 0")).dim(), 3U);
  EXPECT_EQ(affine(ball(2), {1, 0, 0, 1}, file("shift.txt", "5 0")).centre()[0], 5.0);
  expect_error([&] { dirichlet({.counts = Numbers::file(folder.path() / "none.txt")}); },
               Fault::no_input, "none.txt");
  expect_error([&] { box(file("bad.txt", "one"), 1); }, Fault::data, "bad.txt");
}

TEST(ReadRun, WhatNoRunCanTellIsRefused) {
  const test::Folder folder("impossible");
  const auto file = folder.path() / "d.csv";
  const auto written = [&](const std::string& comment, const std::string& acceptance) {
    std::ofstream out(file);
    out << "# kernel = mala\n# " << comment << "\naccept_stat__,x.1\n";
    for (int i = 0; i < 20; ++i) {
      out << (i == 7 ? acceptance : "0.5") << "," << std::sin(i) << "\n";
    }
  };
  for (const char* comment :
       {"thin = 0", "thin = -3", "thin = nan", "step_size = -1", "step_size = inf"}) {
    written(comment, "1");
    expect_error([&] { read_run({file}); }, Fault::data, "give the file as it was written");
  }
  for (const char* acceptance : {"-0.1", "1.5", "inf"}) {
    written("thin = 2", acceptance);
    expect_error([&] { read_run({file}); }, Fault::data, "has an acceptance of");
  }
  written("thin = 2 (Default)", "nan");
  EXPECT_EQ(read_run({file}).record().done.thin, 2U);
}

TEST(Sample, RefusesWrongUse) {
  const auto refused = [](Fault fault, const Set& set, const Target& target, SamplePlan plan,
                          const std::string& part) {
    expect_error([&] { sample(set, target, plan); }, fault, part);
  };
  refused(Fault::config, simplex(3), gaussian({.mean = {1, 2}}), {},
          "mean: implies dimension 2, but simplex(3) implies 3");
  refused(Fault::config, real(2), gaussian({.mean = std::vector<double>()}), {.names = {"a"}},
          "names");
  expect_error([] { real(1'000'000'000'000); }, Fault::config, "more than a run can have");
  refused(Fault::usage, real(), gaussian(), {}, "dim: the number of coordinates is not known");
  refused(Fault::config, simplex(3), gaussian(), {.start = {2, 3, 4}}, "start: the point is not");
  refused(Fault::config, simplex(3), gaussian(), {.start = {0.5, 0.5}},
          "start: implies dimension 2");
  refused(Fault::config, simplex(3), gaussian(), {.names = {"a", "a", "b"}},
          "names: has 'a' twice");
  refused(Fault::config, simplex(3), gaussian(), {.names = {"a"}}, "names: has 1 entries for 3");
  for (const std::string& name : {std::string("a\0b", 3), std::string("\xff"), std::string()}) {
    refused(Fault::config, real(1), gaussian(), {.names = {name}}, "names: that of coordinate 1");
  }
  for (const double seconds : {0.0, -1.0, double(NAN)}) {
    refused(Fault::config, real(1), gaussian(), {.checkpoint_seconds = seconds},
            "checkpoint_seconds: ");
  }
  refused(Fault::usage, real(1), gaussian(), {.isa = "sse"}, "isa: unknown instruction set 'sse'");
  expect_error([] { target(PointFunction()); }, Fault::config, "the function is empty");
  refused(Fault::usage, simplex(3), gaussian(), {.kernel = "hcm"}, "did you mean 'hmc'?");
  refused(Fault::config, simplex(3), gaussian(), {.chains = 0}, "chains: is 0");
  refused(Fault::config, simplex(3), gaussian(), {.draws = 0}, "draws: is 0");
  refused(Fault::config, simplex(3), gaussian(), {.step_size = -1.0}, "step_size");
  refused(Fault::config, simplex(3), gaussian(), {.batch = {3}},
          "batch: target gaussian(3) is no sum");
  refused(Fault::config, simplex(3), gaussian(), {.memory = 100}, "memory: the run needs");
  refused(Fault::usage, simplex(3), gaussian(), {.output = "draws.txt"}, "output: 'draws.txt'");
  refused(Fault::usage, simplex(3), gaussian(), {.resume = true}, "resume: needs the output");
  refused(Fault::cannot_create, simplex(3), gaussian(), {.output = "/nowhere/d.nc"},
          "does not exist");
  const Target lost = target([](auto, auto g) { return g[0] = NAN; });
  refused(Fault::data, simplex(3), lost, quick, "not a number at every point");
  SamplePlan unchecked = quick;
  unchecked.check_gradient = false;
  refused(Fault::data, simplex(3), lost, unchecked, "not finite at the starting point");
  expect_error([] { sample(uniform()); }, Fault::usage, "set: is missing");
}

/// A function of two coordinates, point by point.
struct Point {
  PointFunction function;
  std::size_t dim() const { return 2; }
  double value_and_grad(std::span<const double> x, std::span<double> g) const {
    return function(x, g);
  }
};

TEST(Sample, GradientsOfOnesOwnTargetsAreChecked) {
  const Target wrong = target([](std::span<const double> x, std::span<double> g) {
    g[0] = -4 * x[0];
    return 2 * x[0] * x[0];
  });
  const SamplePlan mld{.kernel = "mld", .warmup = 50, .draws = 20, .step_size = 1e-2};
  const Set interval = box(-1, 1, 1);
  const auto message = [&](const Target& own) -> std::string {
    try {
      static_cast<void>(sample(interval, own, mld));
      return {};
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::data);
      return error.what();
    }
  };
  EXPECT_NE(message(wrong).find("target target: The gradient of target differs"),
            std::string::npos);
  EXPECT_NE(message(wrong).find("leave the check out by check_gradient = false"),
            std::string::npos);
  EXPECT_NE(message(wrong).find("V = -log p"), std::string::npos);  // it is that of -V
  SamplePlan unchecked = mld;
  unchecked.check_gradient = false;
  EXPECT_TRUE(sample(interval, wrong, unchecked).finished());

  // The check takes no noise of the run.
  const Target right = target([](std::span<const double> x, std::span<double> g) {
    g[0] = 4 * x[0];
    return 2 * x[0] * x[0];
  });
  std::string said;
  SamplePlan told = mld;
  told.note = [&](std::string_view note) { said += note; };
  const auto with = sample(interval, right, told), without = sample(interval, right, unchecked);
  EXPECT_NE(said.find("agrees with its differences"), std::string::npos);
  EXPECT_TRUE(std::ranges::equal(with.draws().values, without.draws().values));
}

TEST(Sample, LogDensitiesAreTheirPotentials) {
  const auto V = [](std::span<const double> x, std::span<double> g) {
    g[0] = x[0] - 0.5, g[1] = 3 * x[1];
    return 0.5 * (x[0] - 0.5) * (x[0] - 0.5) + 1.5 * x[1] * x[1];
  };
  const auto log_p = [=](std::span<const double> x, std::span<double> g) {
    const double value = V(x, g);
    g[0] = -g[0], g[1] = -g[1];
    return -value;
  };
  const SamplePlan plan{.warmup = 50, .draws = 50};
  const Set square = box(-1, 1, 2);
  const auto expected = sample(square, potential(V), plan);
  const PointTarget block("target", Point{log_p});
  for (const Target& own : {target(V), log_density(log_p), log_density(AnyPotential(block))}) {
    EXPECT_TRUE(
        std::ranges::equal(sample(square, own, plan).draws().values, expected.draws().values));
  }
  // The check speaks of what was given.
  const auto half = [=](std::span<const double> x, std::span<double> g) {
    const double value = log_p(x, g);
    g[1] = 0;
    return value;
  };
  expect_error([&] { sample(square, log_density(half), plan); }, Fault::data,
               "by differences of log p, at x = ");
  expect_error([&] { sample(square, potential(half), plan); }, Fault::data,
               "by differences of V, at x = ");
}

TEST(Sample, ResumedRunsAreNotCheckedAgain) {
  const auto file = std::filesystem::path(::testing::TempDir()) / "checked_once.nc";
  std::size_t calls = 0;  // one thread: no race
  const Target own = target(
      [&](std::span<const double> x, std::span<double> g) {
        ++calls;
        g[0] = x[0];
        return 0.5 * x[0] * x[0];
      },
      1);
  const auto calls_of = [&](bool resume, bool check) {
    calls = 0;
    static_cast<void>(sample(real(1), own,
                             {.warmup = 20,
                              .draws = 20,
                              .threads = 1,
                              .check_gradient = check,
                              .output = file,
                              .resume = resume,
                              .overwrite = !resume}));
    return calls;
  };
  EXPECT_GT(calls_of(false, true), calls_of(false, false));
  EXPECT_EQ(calls_of(true, true), calls_of(true, false));
}

}  // namespace
}  // namespace tain::sample_test
