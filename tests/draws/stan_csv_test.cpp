// Stan CSV: what CmdStan writes and what is left of it after an accident.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/file.hpp"
#include "draws/draws_fixture.hpp"
#include "draws/formats.hpp"
#include "draws/table.hpp"

namespace tain::stan_csv_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using namespace testing_draws;

DrawsFile parse(std::string_view text) { return draws::parse_stan_csv(text, "draws.csv"); }

TEST(StanCsv, WritesCommentsHeaderAndShortestNumbers) {
  const Folder folder;
  DrawTable table = DrawTable::in_memory({1, 2, 2, 1});
  const double x[] = {0.1, 1e-300}, y[] = {0.0};
  table.put({0, 0, x, y, -1.5, 0.25, false});
  table.put({0, 1, x, y, NAN, 1, true});
  write_draws(folder / "draws.csv", table, 2, example_info());
  const std::string text = read_file(folder / "draws.csv");
  EXPECT_THAT(text, StartsWith("# inference_library = tain\n# inference_library_version = "));
  EXPECT_THAT(text, HasSubstr("\n# seed = 18446744073709551615\n"));
  EXPECT_THAT(text,
              testing::EndsWith("\nlp__,accept_stat__,stepsize__,divergent__,chain__,x.1,x.2\n"
                                "-1.5,0.25,0.1,0,1,0.1,1e-300\n"
                                "nan,1,0.1,1,1,0.1,1e-300\n"));
}

TEST(StanCsv, ReadsCmdStan) {
  const DrawsFile file = parse(
      "# stan_version_major = 2\n"
      "#   thin = 2\n"
      "#     seed = 1234 (Default)\r\n"
      "lp__,accept_stat__,stepsize__,treedepth__,n_leapfrog__,divergent__,energy__,mu,theta.1.2\r\n"
      "9,9,9,9,9,9,9,9,9\n"
      "# Adaptation terminated\n"
      "# Step size = 0.875\n"
      "# Diagonal elements of inverse mass matrix:\n"
      "# 0.5, 2\n"
      "-7,0.5,0.8,2,3,0,8,1e-3,+2\r\n"
      "\n"
      "-8,0.75,0.8,2,3,1,8,-inf,nan\n"
      "# \n"
      "#  Elapsed Time: 0.02 seconds (Warm-up)\n");
  EXPECT_EQ(file.chains, 1u);
  EXPECT_EQ(file.draws, 2u);
  EXPECT_EQ(file.names, (std::vector<std::string>{"mu", "theta[1,2]"}));
  EXPECT_TRUE(same(file.values, {1e-3, 2, -INFINITY, NAN}));
  EXPECT_EQ(file.acceptance, (std::vector<double>{0.5, 0.75}));
  EXPECT_EQ(file.diverging, (std::vector<double>{0, 1}));
  EXPECT_EQ(file.info.seed, 1234u);
  EXPECT_EQ(file.info.thin, 2u);
  EXPECT_EQ(file.info.step_size, 0.875);
}

TEST(StanCsv, RoundsWhatDoublesCannotHold) {
  const DrawsFile file = parse("a,b,c,d\n1e999,-1e999,1e-999,5e-324\n");
  EXPECT_TRUE(same(file.values, {INFINITY, -INFINITY, 0, 5e-324}));
}

TEST(StanCsv, DamageIsReportedWithItsLine) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "draws.csv:0: no header line"},
      {"# only\n# comments\n", "draws.csv:2: no header line"},
      {"a,b\n", "draws.csv:1: no draws"},
      {"1,2\n3,4\n", "draws.csv:1: '1' is no column name"},
      {"a,,b\n1,2,3\n", "draws.csv:1: '' is no column name"},
      {"lp__\n1\n", "draws.csv:1: no columns but the sampler's own"},
      {"a,b\n1,2\n\n1\n", "draws.csv:4: 1 fields, the header names 2"},
      {"a,b\n1,2,3\n", "draws.csv:2: more than the 2 fields"},
      {"a,b\n1,two\n", "draws.csv:2: field 2 is 'two', not a number"},
      {"a,b\n1,\n", "draws.csv:2: field 2 is '', not a number"},
      {"a,b\n1,2x\n", "draws.csv:2: field 2 is '2x'"},
      {"a,b\n1,+-2\n", "draws.csv:2: field 2 is '+-2'"},
      {"chain__,a\n1,0\n1,0\n2,0\n", "draws.csv:4: chain 2 has 1 draws, the first has 2"},
      {"chain__,a\n1,0\n2,0\n2,0\n3,0\n", "draws.csv:5: chain 2 has 2 draws, the first has 1"},
      {"chain__,a\n2,0\n1,0\n", "draws.csv:3: chain__ is 1"},
      {"chain__,a\nnan,0\n", "draws.csv:2: chain__ is nan"},
  };
  for (const auto& [text, problem] : cases) {
    const Error error = error_of([&] { parse(text); });
    EXPECT_EQ(error.fault(), Fault::data) << problem;
    EXPECT_THAT(error.what(), StartsWith(problem));
  }
}

TEST(StanCsv, RefusesNamesThatAreNoColumns) {
  const Folder folder;
  const DrawTable table = example_table({1, 1, 1, 1});
  for (const char* name : {"a,b", "", "mass__", "x.1", "a b", "#a", "f[1]x]", "x[a]"}) {
    const Error error = error_of([&] { write_draws(folder / "draws.csv", table, 1, {}, {name}); });
    EXPECT_EQ(error.fault(), Fault::config) << name;
  }
}

}  // namespace
}  // namespace tain::stan_csv_test
