#include "cli/problem_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/values.hpp"
#include "sampling/json_text.hpp"
#include "support.hpp"

namespace tain::cli::problem_file_test {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

RawOptions read(const std::filesystem::path& path) {
  return read_problem_file(find_command("sample"), path);
}

TEST(ProblemFile, KeysAreTheFlags) {
  const TemporaryFolder folder;
  const RawOptions options = read(folder.write("p.toml", R"(
target = "gaussian"
mean = [0.5, -1]
lower = [-inf, 0]
draws = 10
strict = true
step-size = "auto"
covariance = "c.txt"
counts = "@n.txt"
)"));
  EXPECT_THAT(options.values.at("mean").parts, ElementsAre("0.5", "-1"));
  EXPECT_THAT(options.values.at("lower").parts, ElementsAre("-inf", "0"));
  EXPECT_THAT(options.values.at("strict").parts, ElementsAre("true"));
  EXPECT_EQ(options.values.at("draws").fault, Fault::config);
  EXPECT_THAT(options.values.at("draws").origin, EndsWith("p.toml:5:1: draws"));
  // Files are looked up beside the problem file.
  EXPECT_EQ(options.values.at("covariance").parts[0], (folder.path() / "c.txt").string());
  EXPECT_EQ(options.values.at("counts").parts[0], "@" + (folder.path() / "n.txt").string());
}

TEST(ProblemFile, SetTables) {
  const TemporaryFolder folder;
  const RawOptions product = read(folder.write("p.toml", R"(
[[set]]
type = "simplex"
dim = 3
[[set]]
type = "box"
lower = [0, 0]
upper = 1
)"));
  ASSERT_EQ(product.sets.size(), 2U);
  EXPECT_THAT(product.sets[1].at("lower").parts, ElementsAre("0", "0"));
  EXPECT_THAT(product.sets[1].at("lower").origin, EndsWith("p.toml:7:1: lower"));
  const RawOptions image = read(folder.write("a.toml", R"(
[set]
type = "ball"
matrix = [[1, 0.5], [0, 2]]
shift = [1, 1]
)"));
  ASSERT_EQ(image.sets.size(), 1U);
  EXPECT_EQ(image.sets[0].at("matrix").columns, 2U);
  EXPECT_THAT(image.sets[0].at("matrix").parts, ElementsAre("1", "0.5", "0", "2"));
}

TEST(ProblemFile, MistakesAreLocated) {
  const TemporaryFolder folder;
  const auto message = [&](Fault fault, std::string_view content) {
    const auto path = folder.write("p.toml", content);
    return message_of(fault, [&] { read(path); });
  };
  EXPECT_THAT(message(Fault::data, "draws = \n"), HasSubstr("p.toml:1:"));
  EXPECT_THAT(message(Fault::config, "target = \"uniform\"\ndrawz = 3\n"),
              HasSubstr("p.toml:2:1: drawz: is not an option; did you mean 'draws'?"));
  EXPECT_THAT(message(Fault::config, "help = true\n"), HasSubstr("not an option"));
  EXPECT_THAT(message(Fault::config, "draws = [1, 2]\n"), HasSubstr("one value, not a list"));
  EXPECT_THAT(message(Fault::config, "mean = []\n"), HasSubstr("empty list"));
  EXPECT_THAT(message(Fault::config, "mean = 1979-05-27\n"), HasSubstr("wrong kind"));
  EXPECT_THAT(message(Fault::config, "mean = [[1], [2]]\n"), HasSubstr("not a list"));
  EXPECT_THAT(message(Fault::config, "[set]\ntpye = \"box\"\n"),
              HasSubstr("p.toml:2:1: tpye: is not an option; did you mean 'type'?"));
  EXPECT_THAT(message(Fault::config, "[set]\nmatrix = [[1, 2], [3]]\n"),
              HasSubstr("rows of different lengths"));
  message_of(Fault::no_input, [&] { read(folder.path() / "absent.toml"); });
  message_of(Fault::usage, [&] { read(folder.path() / "draws.nc"); });
}

TEST(ProblemFile, ManifestGivesBackTheOptions) {
  const TemporaryFolder folder;
  const RawOptions back = read(folder.write(
      "m.json",
      R"({"options": {"target": "gaussian", "lower": [0.0, "-inf"], "step-size": ["0.1", "1000", "0.5"],
          "map": [{"type": "box", "lower": [0, "-inf"]}, {"type": "ball", "matrix": [[1, 2], [0, 1]]}]},
          "inputs": {"/a": "00"}})"));
  EXPECT_EQ(back.values.at("lower").parts, (std::vector<std::string>{"0", "-inf"}));
  EXPECT_EQ(back.values.at("step-size").parts, (std::vector<std::string>{"0.1", "1000", "0.5"}));
  EXPECT_EQ(back.inputs.at("/a"), "00");
  ASSERT_EQ(back.sets.size(), 2U);
  EXPECT_EQ(back.sets[1].at("matrix").columns, 2U);
}

TEST(ProblemFile, BrokenManifests) {
  const TemporaryFolder folder;
  EXPECT_THAT(message_of(Fault::data, [&] { read(folder.write("m.json", "{\n  \"a\": ,\n}")); }),
              HasSubstr("m.json:2:8: is not valid JSON"));
  EXPECT_THAT(message_of(Fault::data, [&] { read(folder.write("m.json", "[]")); }),
              HasSubstr("no \"options\" object"));
  const std::string deep = "{\"a\":" + std::string(100'000, '[') + std::string(100'000, ']') + "}";
  EXPECT_THAT(message_of(Fault::data, [&] { read(folder.write("m.json", deep)); }),
              HasSubstr("nested too deeply"));
}

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) {
    all += text;
  }
  return all;
}

TEST(ProblemFile, DepthIsBounded) {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& content) {
    const auto path = folder.write("p.toml", content);
    EXPECT_THAT(message_of(Fault::data, [&] { read(path); }), HasSubstr("nested too deeply"))
        << content.substr(0, 40);
  };
  for (const std::size_t depth : {std::size_t{40}, std::size_t{300'000}}) {
    refused("x = " + repeated("[", depth) + repeated("]", depth));
    refused("x = " + repeated("{a=", depth) + "1" + repeated("}", depth));
    refused("[a" + repeated(".a", depth) + "]\n");
    refused("[[a" + repeated(".a", depth) + "]]\n");
    refused("a" + repeated(" . a", depth) + " = 1\n");
    // Parts of keys in quotes, and what looks like the end of a text or like a comment.
    refused("a" + repeated(R"(."=")", depth) + " = 1\n");
    refused("a" + repeated(R"(.'"'."#\"")", depth) + " = 1\n");
    refused("x = \"\"\"\n'\"\"\\\"\"\"\"\"\n# '''\na" + repeated(R"(.",")", depth) + " = 1\n");
    refused("x = '''\n\"\"\"'''''\n['a'" + repeated(".'='", depth) + "]\n");
  }
}

TEST(ProblemFile, DotsInTextsAndNumbersAreNoDepth) {
  const TemporaryFolder folder;
  const std::string many = repeated("0.5, ", 100), dots = repeated(".", 100);
  const RawOptions options =
      read(folder.write("p.toml", "mean = [" + many + "]\nkernel = \"" + dots + "\"\n# " + dots +
                                      "\ntarget = '''a\n" + dots + "'''\n"));
  EXPECT_EQ(options.values.at("mean").parts.size(), 100U);
  EXPECT_EQ(options.values.at("kernel").parts[0], dots);
}

TEST(ProblemFile, SizesAreBounded) {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& content) {
    const auto path = folder.write("p.toml", content);
    return message_of(Fault::data, [&] { read(path); });
  };
  std::string keys;
  for (std::size_t i = 0; i <= most_members; ++i) {
    keys += "a" + std::to_string(i) + " = 1\n";
  }
  EXPECT_THAT(refused("[set]\n" + keys), HasSubstr("p.toml:1:1: a table of more than 500 keys"));
  EXPECT_THAT(refused(std::string((8 << 20) + 1, '\n')), HasSubstr("p.toml: is larger than 8 MB"));
}

TEST(ProblemFile, NumbersOutOfRangeAreRefused) {
  const TemporaryFolder folder;
  const auto refused = [&](std::string_view name, std::string_view content) {
    const auto path = folder.write(name, content);
    return message_of(Fault::data, [&] { read(path); });
  };
  EXPECT_THAT(refused("m.json", R"({"options": {"draws": 1e999}})"),
              HasSubstr("m.json: has a number that is too large"));
  EXPECT_THAT(refused("p.toml", "draws = 99999999999999999999\n"), HasSubstr("p.toml:1:"));
}

}  // namespace
}  // namespace tain::cli::problem_file_test
