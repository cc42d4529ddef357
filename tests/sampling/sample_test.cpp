#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "support/errors.hpp"
#include "support/folder.hpp"
#include "tain/core/file.hpp"
#include "tain/tain.hpp"

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
  const tain::Run rest = resume(plan.output);
  EXPECT_TRUE(rest.finished());
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

TEST(Sample, ErrorsAboutSetsNameTheNumber) {
  EXPECT_EQ(field_of([] { box({0, 1}, {1, 1}); }), "lower");
  EXPECT_EQ(field_of([] { ball(2, -1); }), "radius");
  EXPECT_EQ(field_of([] { ball(2, 1, {0, NAN}); }), "centre");
  EXPECT_EQ(field_of([] { affine(ball(2), {1, 1, 1, 1}); }), "matrix");
  EXPECT_EQ(field_of([] { affine(ball(2), {1, 0, 0}); }), "matrix");
  EXPECT_EQ(field_of([] { affine(ball(2), {1, 0, 0, 1}, {0, INFINITY}); }), "shift");
}

TEST(Sample, RefusesWrongUse) {
  const auto refused = [](Fault fault, const Set& set, const Target& target, SamplePlan plan,
                          const std::string& part) {
    expect_error([&] { sample(set, target, plan); }, fault, part);
  };
  refused(Fault::config, simplex(3), gaussian({.mean = {1, 2}}), {},
          "mean: implies dimension 2, but dim implies 3");
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
  refused(Fault::data, simplex(3), target([](auto, auto g) { return g[0] = NAN; }), quick,
          "not finite");
  expect_error([] { sample(uniform()); }, Fault::usage, "set: is missing");
  SamplePlan checked = quick;
  checked.check_gradient = true;
  refused(Fault::data, simplex(3), target([](std::span<const double> x, std::span<double> g) {
            std::ranges::fill(g, 1.0);
            return x[0] * x[0];
          }),
          checked, "correct the gradient");
}

}  // namespace
}  // namespace tain::sample_test
