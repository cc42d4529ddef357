#include "cli/flags.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "cli/generate.hpp"
#include "cli/help.hpp"
#include "cli/kind_flags.hpp"
#include "cli/values.hpp"
#include "support.hpp"
#include "tain/core/error.hpp"

namespace tain::cli::flags_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Flags, NamesAndLettersAreUnique) {
  for (const Command& command : commands()) {
    std::set<std::string_view> names;
    std::set<char> letters;
    for (const Flag& flag : command.flags) {
      EXPECT_TRUE(names.insert(flag.name).second) << command.name << " --" << flag.name;
      EXPECT_TRUE(flag.letter == 0 || letters.insert(flag.letter).second)
          << command.name << " -" << flag.letter;
    }
  }
}

TEST(Flags, GroupsAreContiguous) {
  // The help prints a heading whenever the group changes; a group in two places would come twice.
  for (const Command& command : commands()) {
    std::set<std::string_view> seen;
    std::string_view group;
    for (const Flag& flag : command.flags) {
      if (flag.group != group) {
        group = flag.group;
        EXPECT_TRUE(seen.insert(group).second) << command.name << ": " << group;
      }
    }
  }
}

TEST(Flags, DefaultsAreValidValues) {
  for (const Command& command : commands()) {
    const RawOptions none;
    const Options options(command, none);
    for (const Flag& flag : command.flags) {
      if (flag.kind == Kind::choice && !flag.fallback.empty()) {  // without: it must be given
        EXPECT_NO_THROW(options.choice(flag.name)) << flag.name;
      }
    }
  }
}

TEST(Flags, OnlyFlagsWithoutValueLackAMetavar) {
  for (const Command& command : commands()) {
    for (const Flag& flag : command.flags) {
      EXPECT_EQ(metavar(flag).empty(), flag.kind == Kind::on_off) << flag.name;
      EXPECT_FALSE(flag.help.empty()) << flag.name;
    }
  }
}

TEST(Flags, EveryTextNamesEveryFlag) {
  const std::string program = program_manual(), markdown = markdown_reference(),
                    bash = bash_completion(), zsh = zsh_completion(), fish = fish_completion();
  for (const Command& command : commands()) {
    const std::string help = command_help(command), man = command_manual(command);
    EXPECT_THAT(program_help(), HasSubstr(std::string(command.name)));
    EXPECT_THAT(program, HasSubstr(".B " + std::string(command.name) + "\n"));
    for (const Flag& flag : command.flags) {
      const std::string name(flag.name);
      std::string troff_name;
      for (const char c : name) {
        troff_name += c == '-' ? std::string("\\-") : std::string(1, c);
      }
      EXPECT_THAT(help, HasSubstr("--" + name));
      EXPECT_THAT(man, HasSubstr("\\-\\-" + troff_name));
      EXPECT_THAT(markdown, HasSubstr("`--" + name + "`"));
      EXPECT_THAT(bash, HasSubstr("--" + name));
      EXPECT_THAT(zsh, HasSubstr("--" + name));
      EXPECT_THAT(fish, HasSubstr("-l " + name));
    }
  }
}

template <class Entries>
void expect_real_keys(const Entries& entries) {
  const Command& sample = find_command("sample");
  for (const auto& entry : entries) {
    for (const std::string& flag : flags_of(entry)) {
      const bool of_tables = !entry.make && !find_flag(sample, flag);
      const bool known = find_flag(sample, flag) ||
                         (of_tables && (flag == "name" || flag == "matrix" || flag == "shift"));
      EXPECT_TRUE(known) << entry.name << " " << flag;
    }
  }
}

TEST(Flags, NumbersOfEveryKindAreFlags) {
  expect_real_keys(set_table());
  expect_real_keys(target_table());
  EXPECT_THAT(flags_of(*find_set("simplex")), ElementsAre("dim", "coordinates"));
  EXPECT_THAT(flags_of(*find_set("product")), ElementsAre("name"));
  EXPECT_THAT(flags_of(*find_target("gaussian")),
              ElementsAre("mean", "sd", "covariance", "precision"));
  EXPECT_THAT(flags_of(*find_target("uniform")), testing::IsEmpty());
}

TEST(Flags, RowsOfKindsFollowTheirMembers) {
  const auto row = [](std::string_view name) {
    const Flag* flag = find_flag(find_command("plan"), name);
    return flag ? *flag : Flag{};
  };
  EXPECT_EQ(row("counts").kind, Kind::numbers);
  EXPECT_EQ(row("counts").metavar, "LIST");
  EXPECT_EQ(row("counts").group, row("target").group);
  EXPECT_EQ(row("radius").group, row("set").group);
  EXPECT_EQ(row("radius").kind, Kind::number);
  EXPECT_EQ(row("radius").metavar, "R");
  EXPECT_EQ(row("radius").fallback, "1");
  EXPECT_EQ(row("covariance").kind, Kind::matrix);
  EXPECT_EQ(row("data").kind, Kind::input_file);
  EXPECT_EQ(row("data").metavar, "FILE.csv");
  EXPECT_EQ(row("intercept").kind, Kind::on_off);
  EXPECT_EQ(row("coordinates").kind, Kind::word);
  EXPECT_THAT(choices(row("ball-form")), ElementsAre("tanh", "paper"));
  EXPECT_EQ(row("ball-form").kind, Kind::choice);
  for (const std::string_view brought : {"features", "responses"}) {  // by code only
    EXPECT_EQ(row(brought).name, "") << brought;
  }
}

/// The name of a fault, so that a new one is missed here first, by the compiler.
std::string_view name_of(Fault fault) {
  switch (fault) {
    case Fault::gate_failed:
      return "gate_failed";
    case Fault::usage:
      return "usage";
    case Fault::data:
      return "data";
    case Fault::no_input:
      return "no_input";
    case Fault::internal:
      return "internal";
    case Fault::cannot_create:
      return "cannot_create";
    case Fault::io:
      return "io";
    case Fault::resumable:
      return "resumable";
    case Fault::config:
      return "config";
    case Fault::interrupted:
      return "interrupted";
  }
  return "";
}

TEST(Flags, ExitCodesAreTheFaults) {
  EXPECT_EQ(exit_codes().front().code, 0);
  EXPECT_EQ(exit_codes().size(), 11U);  // success, and what name_of() knows
  for (const ExitCode& code : exit_codes().subspan(1)) {
    EXPECT_EQ(code.fault, name_of(static_cast<Fault>(code.code)));
    EXPECT_FALSE(code.meaning.empty());
    EXPECT_FALSE(code.remedy.empty());
  }
}

TEST(Flags, CompletionsGuessWhatCanBeGuessed) {
  const Command& sample = find_command("sample");
  EXPECT_THAT(completion_of(*find_flag(sample, "kernel")).words, Contains("hmc"));
  EXPECT_THAT(completion_of(*find_flag(sample, "step-size")).words, ElementsAre("auto", "theory"));
  EXPECT_TRUE(completion_of(*find_flag(sample, "target")).files);
  EXPECT_TRUE(completion_of(*find_flag(sample, "seed")).words.empty());
  EXPECT_FALSE(completion_of(*find_flag(sample, "seed")).files);
  EXPECT_TRUE(completion_of_argument(sample).files);
  EXPECT_FALSE(completion_of_argument(find_command("maps")).files);
  EXPECT_THAT(completion_of_argument(find_command("generate")).words, Contains("man"));
}

TEST(Flags, EveryKindOfGeneratedTextIsMade) {
  for (const std::string_view kind : argument_choices(find_command("generate"))) {
    EXPECT_FALSE(generated(std::array{std::string(kind)}).empty()) << kind;
  }
}

TEST(Flags, ExamplesParse) {
  for (const Command& command : commands()) {
    std::vector<std::string_view> words;
    std::string_view rest = command.example;
    while (!rest.empty()) {
      const std::size_t blank = rest.find(' ');
      words.push_back(rest.substr(0, blank));
      rest.remove_prefix(blank == std::string_view::npos ? rest.size() : blank + 1);
    }
    ASSERT_GE(words.size(), 2U);
    EXPECT_EQ(words[0], "tain");
    const Invocation found = find_invocation(std::span(words).subspan(1));
    EXPECT_EQ(found.command.name, command.name);
    EXPECT_NO_THROW(parse_arguments(command, found.arguments)) << command.example;
  }
}

TEST(Flags, HelpFitsAHundredColumns) {
  for (const Command& command : commands()) {
    std::istringstream lines(command_help(command));
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(line.size(), 100U) << line;
    }
  }
}

TEST(Flags, UnknownCommandSuggestsTheNearest) {
  EXPECT_THAT(message_of(Fault::usage, [] { find_command("smaple"); }),
              HasSubstr("did you mean 'sample'?"));
  EXPECT_THAT(message_of(Fault::usage, [] { find_command("qqq"); }), HasSubstr("tain --help"));
}

TEST(Flags, CommandsOfTwoWordsAreFoundByBoth) {
  const std::vector<std::string_view> import{"corpus", "import", "a.txt"};
  const Invocation found = find_invocation(import);
  EXPECT_EQ(found.command.name, "corpus import");
  ASSERT_EQ(found.arguments.size(), 1U);
  EXPECT_EQ(found.arguments[0], "a.txt");
  const auto message = [](std::vector<std::string_view> words) {
    return message_of(Fault::usage, [&] { find_invocation(words); });
  };
  EXPECT_THAT(message({"corpus"}), HasSubstr("give one of import, show"));
  EXPECT_THAT(message({"corpus", "--json"}), HasSubstr("what to do is missing"));
  EXPECT_THAT(message({"corpus", "exprot"}), HasSubstr("did you mean 'export'?"));
  EXPECT_THAT(message({"corpsu", "import"}), HasSubstr("did you mean 'corpus'?"));
  EXPECT_THAT(message({"import"}), HasSubstr("unknown command 'import'"));
}

}  // namespace
}  // namespace tain::cli::flags_test
