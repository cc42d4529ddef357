#include "sampling/asked_json.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "core/file.hpp"
#include "sampling/problem.hpp"
#include "support/errors.hpp"
#include "support/folder.hpp"

namespace tain::asked_json_test {
namespace {

TEST(AskedJson, KeepsWhatWasGivenInTheOrderOfFlags) {
  const Json json = asked_json({box({0, -INFINITY}, 1),
                                gaussian({.mean = {1, 2}}),
                                {.kernel = "mld", .thin = 3, .step_size = {0.1, 1000, 0.5}}});
  EXPECT_EQ(
      json.dump(),
      R"({"target":"gaussian","mean":[1.0,2.0],"map":"box","lower":[0.0,"-inf"],"upper":[1.0],)"
      R"("kernel":"mld","step-size":["0.1","1000","0.5"],"precondition":"auto",)"
      R"("dual-form":"auto","on-non-finite":"fail","batch":"full","chains":4,"warmup":1000,)"
      R"("draws":1000,"thin":"3","seed":1,"isa":"auto"})");
}

TEST(AskedJson, LeavesOutTheTargetsOwnSetAndCode) {
  const Json own = asked_json({simplex(3), dirichlet({.alpha = 0.5}), {}});
  EXPECT_FALSE(own.contains("map"));
  EXPECT_EQ(own["dim"], 3);
  const auto V = [](std::span<const double>, std::span<double> g) { return g[0] = 0; };
  const Json code = asked_json({real(1), target(V), {}});
  EXPECT_FALSE(code.contains("target"));
  EXPECT_EQ(code["map"], "identity");
  // Rows that came as numbers are not kept: they may be many, and no program could read them.
  const Json rows =
      asked_json({{}, linear_regression({.features = {1, 2}, .responses = {3, 4}}), {}});
  EXPECT_FALSE(rows.contains("target") || rows.contains("features") || rows.contains("responses"))
      << rows;
}

/// The same map, and the same JSON again.
void expect_back(const Set& set, std::size_t dim) {
  const Json json = asked_json({set, uniform(), {}});
  const Set back = set_from(json, dim);
  EXPECT_EQ(back.map(dim).name(), set.map(dim).name()) << json;
  Json again = asked_json({back, uniform(), {}});
  if (!json.contains("dim")) {
    again.erase("dim");
  }
  EXPECT_EQ(again.dump(), json.dump());
  EXPECT_EQ(asked_json({set_as_asked(json), uniform(), {}}).dump(), json.dump());
}

TEST(AskedJson, SetsComeBack) {
  expect_back(simplex(4), 4);
  expect_back(simplex(4, "2"), 4);
  expect_back(box({0, -INFINITY}, {1, 2}), 2);
  expect_back(box(0, 1), 3);
  expect_back(ball(3, 2, {1, 0, 0}, BallForm::paper), 3);
  expect_back(positive(2), 2);
  expect_back(product({simplex(3), box(0, 1, 2)}), 5);
  expect_back(product({{"w", simplex(3)}, {"s", positive()}}), 4);
  expect_back(product({{"w", simplex(3)}}), 3);
  expect_back(affine(ball(2), {2, 1, 0, 1}, {1, 1}), 2);
  expect_back(product({affine(box(0, 1, 2), {2, 1, 0, 1}), simplex(2)}), 4);
}

/// As it was asked for, whatever that was.
void expect_same_again(const Asked& asked) {
  const Json json = asked_json(asked);
  const Asked back{set_as_asked(json), target_from(json), plan_from(json)};
  EXPECT_EQ(asked_json(back).dump(), json.dump());
}

TEST(AskedJson, ProblemsAndPlansComeBack) {
  const test::Folder folder("back");
  const auto file = folder.path() / "c.txt";
  std::ofstream(file) << "2 0\n0 1\n";
  expect_same_again({{}, dirichlet({.counts = {3, 1, 0}, .alpha = 0.5}), {}});
  expect_same_again({simplex(3), dirichlet({.counts = {3, 1, 0}}), {.seed = UINT64_MAX}});
  expect_same_again({simplex(3, "2"), uniform(), {.batch = {50, Replacement::with}}});
  expect_same_again({{}, gaussian().with_dim(3), {.thin = 7, .step_size = StepSize::theory()}});
  expect_same_again({{}, gaussian({.covariance = {2, 0.5, 0.5, 1}}), {.names = {"a", "b"}}});
  expect_same_again({box(0, INFINITY),
                     gaussian({.precision = Numbers::file(file)}),
                     {.step_size = {0.1, 1000, 0.5}, .start = {1, 2}, .names = {"a", "b"}}});
  expect_same_again({product({{"w", simplex(3)}, {"s", positive()}}),
                     gaussian({.mean = 1}),
                     {.kernel = "mala",
                      .target_acceptance = 0.6,
                      .precondition = Precondition::none,
                      .on_non_finite = OnNonFinite::reject,
                      .control_variates = 3,
                      .dual_form = DualForm::generic}});
}

TEST(AskedJson, ManyNumbersAreKnownByTheirChecksum) {
  std::vector<double> counts(30'000, 1);
  const Json json = asked_json({{}, dirichlet({.counts = counts}), {}});
  EXPECT_TRUE(json["counts"].get<std::string>().starts_with("30000 numbers, checksum "));
  counts[7] = 2;
  EXPECT_NE(asked_json({{}, dirichlet({.counts = counts}), {}})["counts"], json["counts"]);
  test::expect_error([&] { target_from(json); }, Fault::config,
                     "a checksum where there were many numbers");
}

TEST(AskedJson, FilesAreKeptByPathAndHash) {
  const test::Folder folder("asked");
  const auto file = folder.path() / "c.txt";
  std::ofstream(file) << "2 0\n0 1\n";
  const Asked asked{std::nullopt, gaussian({.covariance = Numbers::file(file)}), {}};
  EXPECT_EQ(asked_json(asked)["covariance"], file.string());
  EXPECT_EQ(input_hashes(asked).at(file.string()), file_hash(file));
}

}  // namespace
}  // namespace tain::asked_json_test
