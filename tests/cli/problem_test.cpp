#include "cli/problem.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/problem_file.hpp"
#include "sampling/problem.hpp"
#include "support.hpp"

namespace tain::cli::problem_test {
namespace {

using testing::HasSubstr;

BuiltProblem build(const RawOptions& raw) {
  const Command& command = find_command("sample");
  const Target target = read_target(command, raw);
  return build_problem(read_set(command, raw, target), target, {});
}

BuiltProblem build(std::initializer_list<std::string_view> words) {
  return build(parse("sample", words));
}

std::string refusal(Fault fault, std::initializer_list<std::string_view> words) {
  return message_of(fault, [&] { build(words); });
}

TEST(ProblemOptions, DirichletImpliesTheSimplex) {
  const BuiltProblem built =
      build({"--target", "dirichlet", "--counts", "1,2,3", "--alpha", "0.5"});
  EXPECT_THAT(built.problem.map.name(), HasSubstr("simplex"));
  EXPECT_EQ(built.problem.map.primal_dim(), 3U);
  EXPECT_EQ(built.names.back(), "x[3]");
}

TEST(ProblemOptions, CoordinatesFollowTheMass) {
  const auto map = [](std::initializer_list<std::string_view> words) {
    return build(words).problem.map.name();
  };
  const std::string dominant =
      map({"--target", "dirichlet", "--counts", "1,90,3", "--coordinates", "2"});
  EXPECT_EQ(map({"--target", "dirichlet", "--counts", "1,90,3"}), dominant);
  const std::string symmetric =
      map({"--target", "dirichlet", "--counts", "1,2,3", "--coordinates", "symmetric"});
  EXPECT_EQ(map({"--target", "dirichlet", "--counts", "1,2,3"}), symmetric);
  EXPECT_EQ(map({"--target", "dirichlet", "--counts", "1,2,3", "--coordinates", "last"}),
            map({"--target", "dirichlet", "--counts", "1,2,3", "--coordinates", "3"}));
  EXPECT_NE(dominant, symmetric);
  EXPECT_THAT(
      refusal(Fault::config, {"--target", "dirichlet", "--counts", "1,2,3", "--coordinates", "4"}),
      HasSubstr("category 4 does not exist among 3"));
}

TEST(ProblemOptions, SparseWeightsStretchTheCoordinates) {
  const auto map = [](std::initializer_list<std::string_view> words) {
    return build(words).problem.map.name();
  };
  EXPECT_EQ(map({"--target", "dirichlet", "--alpha", "0.1", "--dim", "5"}),
            "simplex(5, stretched)");
  EXPECT_EQ(map({"--target", "dirichlet", "--alpha", "0.1", "--counts", "90,0,3"}),
            "simplex(3, stretched, reference 1)");
  EXPECT_EQ(map({"--target", "dirichlet", "--alpha", "0.5", "--dim", "5"}),
            "simplex(5, symmetric)");
  EXPECT_EQ(
      map({"--target", "dirichlet", "--alpha", "0.1", "--dim", "5", "--coordinates", "symmetric"}),
      "simplex(5, symmetric)");
  EXPECT_EQ(
      map({"--target", "dirichlet", "--alpha", "2", "--dim", "5", "--coordinates", "stretched"}),
      "simplex(5, stretched)");
  EXPECT_THAT(build({"--target", "dirichlet", "--alpha", "0.1", "--dim", "5"}).notes.front(),
              HasSubstr("stretched"));
  EXPECT_THAT(refusal(Fault::config, {"--target", "uniform", "--set", "simplex", "--dim", "3",
                                      "--coordinates", "stretched"}),
              HasSubstr("stretched follows the weights of target dirichlet"));
}

TEST(ProblemOptions, GaussianDefaultsToTheWholeSpace) {
  EXPECT_EQ(build({"--target", "gaussian", "--dim", "2"}).problem.map.name(),
            build({"--target", "gaussian", "--dim", "2", "--set", "real"}).problem.map.name());
  EXPECT_EQ(build({"--target", "gaussian", "--mean", "3"}).problem.map.primal_dim(), 1U);
  EXPECT_THAT(build({"--target", "gaussian", "--lower", "0", "--dim", "4"}).problem.map.name(),
              HasSubstr("box"));
}

TEST(ProblemOptions, MisplacedFlagsAreRefused) {
  EXPECT_THAT(refusal(Fault::config, {"--target", "gaussian", "--counts", "1,2"}),
              HasSubstr("--counts: belongs to target dirichlet"));
  EXPECT_THAT(refusal(Fault::config,
                      {"--target", "gaussian", "--dim", "2", "--target-arguments", "shift=1"}),
              HasSubstr("--target-arguments: belongs to target ./file.so, but the target is "
                        "gaussian; leave it out"));
  EXPECT_THAT(refusal(Fault::config, {"--target", "gaussian", "--set", "box", "--lower", "0",
                                      "--dim", "2", "--radius", "2"}),
              HasSubstr("--radius: belongs to set ball"));
  EXPECT_THAT(refusal(Fault::usage, {"--target", "gaussian", "--set", "bxo", "--dim", "2"}),
              HasSubstr("did you mean 'box'?"));
  EXPECT_THAT(refusal(Fault::usage, {"--target", "guassian", "--dim", "2"}),
              HasSubstr("did you mean 'gaussian'?"));
  EXPECT_THAT(refusal(Fault::usage, {"--target", "my.so"}), HasSubstr("did you mean './my.so'?"));
  EXPECT_THAT(refusal(Fault::usage, {"--target", "uniform", "--dim", "2"}),
              HasSubstr("--set: is missing"));
  EXPECT_THAT(refusal(Fault::config, {"--target", "uniform", "--set", "box", "--dim", "2"}),
              HasSubstr("a box needs bounds"));
  EXPECT_THAT(refusal(Fault::usage, {"--target", "uniform", "--set", "product", "--dim", "2"}),
              HasSubstr("[[set]]"));
  EXPECT_THAT(refusal(Fault::config, {"--target", "gaussian", "--mean", "1,2", "--sd", "1,2,3"}),
              HasSubstr("--sd: implies dimension 3, but --mean implies 2"));
  EXPECT_THAT(refusal(Fault::config, {"--target", "dirichlet", "--counts", "5", "--dim", "2"}),
              HasSubstr("has 1 numbers for 2 categories"));
}

TEST(ProblemOptions, ProductsAndAffineImages) {
  const TemporaryFolder folder;
  const Command& sample = find_command("sample");
  const RawOptions product = read_problem_file(
      sample, folder.write("p.toml",
                           "target = \"uniform\"\n[[set]]\ntype = \"simplex\"\ndim = 3\n"
                           "[[set]]\ntype = \"box\"\nlower = [0, 0]\nupper = 1\n"));
  const BuiltProblem built = build(product);
  EXPECT_EQ(built.problem.map.primal_dim(), 5U);
  EXPECT_EQ(built.problem.map.dual_dim(), 4U);
  const RawOptions image =
      read_problem_file(sample, folder.write("a.toml",
                                             "target = \"uniform\"\n[set]\ntype = \"ball\"\n"
                                             "matrix = [[2, 0], [0, 1]]\nshift = [10, 0]\n"));
  const AnyMap map = build(image).problem.map;
  EXPECT_TRUE(map.contains(std::vector{11.5, 0.1}));
  EXPECT_FALSE(map.contains(std::vector{12.5, 0.1}));
  EXPECT_FALSE(map.contains(std::vector{1.0, 0.1}));
  const RawOptions open_factor = read_problem_file(
      sample, folder.write("o.toml",
                           "target = \"uniform\"\n[[set]]\ntype = \"positive\"\n[[set]]\n"
                           "type = \"positive\"\ndim = 2\n"));
  EXPECT_THAT(message_of(Fault::config, [&] { build(open_factor); }), HasSubstr("give it a dim"));
}

}  // namespace
}  // namespace tain::cli::problem_test
