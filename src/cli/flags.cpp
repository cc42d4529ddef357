#include "cli/flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cli/flag_rows.hpp"
#include "cli/program.hpp"
#include "core/names.hpp"
#include "tain/core/error.hpp"

namespace tain::cli {
namespace {

constexpr std::array help_only{rows::help};

constexpr std::array general_commands{
    Command{"sets", "", 0, "List the sets", "One line per set, with its mirror map.", "tain sets",
            help_only, list_sets},
    Command{"targets", "", 0, "List the targets", "One line per target.", "tain targets", help_only,
            list_targets},
    Command{"kernels", "", 0, "List the transition kernels", "One line per kernel.", "tain kernels",
            help_only, list_kernels},
    Command{"generate", "man|bash|zsh|fish|markdown|errors|commands [COMMAND]", 3,
            "Print a man page, a shell completion or the reference",
            "All come from the same table as this help. `man` is the page of the program, `man "
            "lda train` that of a command; `commands` lists the names of all.",
            "tain generate man sample", help_only, generate_command},
};

constexpr ExitCode row(Fault fault, std::string_view name, std::string_view meaning,
                       std::string_view remedy) {
  return {static_cast<int>(fault), name, meaning, remedy};
}

constexpr std::array exit_code_table{
    ExitCode{0, "", "fine", ""},
    row(Fault::gate_failed, "gate_failed", "ran, but what it found cannot be trusted (`--strict`)",
        "do what the failed line of the verdict says"),
    row(Fault::usage, "usage", "the command line is wrong", "see `tain help COMMAND`"),
    row(Fault::data, "data", "input was read and is wrong",
        "mend the line or the file that the message names"),
    row(Fault::no_input, "no_input", "input cannot be opened", "check its name and permissions"),
    row(Fault::internal, "internal", "a bug of this program, or no memory is left",
        "report it with the command; ask for less if memory is what is missing"),
    row(Fault::cannot_create, "cannot_create", "the output cannot be created",
        "choose another name, or `--force` to replace what is there"),
    row(Fault::io, "io", "reading or writing failed half-way",
        "look at the disk, then repeat the command"),
    row(Fault::resumable, "resumable", "stopped by SIGTERM or SIGUSR1, can be resumed",
        "repeat the command with `--resume`"),
    row(Fault::config, "config", "options contradict each other or the problem",
        "change the option that the message names"),
    row(Fault::interrupted, "interrupted", "interrupted by Ctrl-C; what was drawn is kept",
        "repeat the command with `--resume`"),
};

constexpr std::array variable_table{
    FileNote{"NO_COLOR", "no colours, whatever its value; on a terminal a verdict has them"},
    FileNote{"TERM", "`dumb`: no colours, and progress in plain lines"},
    FileNote{"COLUMNS", "width of tables and help (default: that of the terminal, else 100)"},
    FileNote{"TAIN_MPI",
             "the plug-in for runs over MPI, if it is not where it was installed; `none`: this "
             "process is by itself, whoever started it"},
    FileNote{
        "TAIN_FAILPOINT",
        "to practise a crash: `NAME:COUNT=SIGNAL` sends the process a signal (kill, int, term, "
        "usr1, stop) at a chosen moment, e.g. `checkpoint/renamed:2=kill` after its second "
        "checkpoint or `draws:100=int` after 100 draws"},
    FileNote{"TAIN_FAILPOINT_LOG", "a file to which the names of such moments are appended"},
};

/// The commands of all areas, in the order of the help.
std::vector<Command> all_commands() {
  std::vector<Command> all;
  for (const std::span<const Command> area :
       {sampling_commands(), corpus_commands(), lda_commands(), model_commands(),
        std::span<const Command>(general_commands)}) {
    all.insert(all.end(), area.begin(), area.end());
  }
  return all;
}

}  // namespace

std::span<const Command> commands() {
  static const std::vector<Command> all = all_commands();
  return all;
}

std::span<const ExitCode> exit_codes() { return exit_code_table; }

std::span<const FileNote> environment_variables() { return variable_table; }

std::string_view group_of(const Command& command) {
  const std::size_t blank = command.name.find(' ');
  return blank == std::string_view::npos ? std::string_view() : command.name.substr(0, blank);
}

std::vector<std::string_view> commands_of_group(std::string_view group) {
  std::vector<std::string_view> words;
  for (const Command& command : commands()) {
    if (!group.empty() && group_of(command) == group) {
      words.push_back(command.name.substr(group.size() + 1));
    }
  }
  return words;
}

std::vector<std::string_view> first_words() {
  std::vector<std::string_view> words;
  for (const Command& command : commands()) {
    const std::string_view word = group_of(command).empty() ? command.name : group_of(command);
    if (std::ranges::find(words, word) == words.end()) {
      words.push_back(word);
    }
  }
  return words;
}

const Command& find_command(std::string_view name) {
  name = name == "maps" ? "sets" : name;  // its former name
  const auto found = std::ranges::find(commands(), name, &Command::name);
  if (found != commands().end()) {
    return *found;
  }
  const std::string_view first = name.substr(0, name.find(' '));
  const std::vector<std::string_view> words = commands_of_group(first);
  if (words.empty()) {
    fail(Fault::usage, "command line", fmt::format("unknown command '{}'", first),
         suggestion(first, first_words(), "see `tain --help`"));
  }
  const std::string give = fmt::format("give one of {}", fmt::join(words, ", "));
  if (first == name) {
    fail(Fault::usage, name, "what to do is missing", give);
  }
  const std::string_view second = name.substr(first.size() + 1);
  fail(Fault::usage, first, fmt::format("unknown command '{}'", second),
       suggestion(second, words, give));
}

Invocation find_invocation(std::span<const std::string_view> words) {
  const bool grouped = !commands_of_group(words.front()).empty();
  const std::size_t used = grouped && words.size() > 1 && !words[1].starts_with('-') ? 2 : 1;
  const std::string name = fmt::format("{}", fmt::join(words.first(used), " "));
  return {find_command(name), words.subspan(used)};
}

const Flag* find_flag(const Command& command, std::string_view name) {
  const auto found = std::ranges::find(command.flags, name, &Flag::name);
  return found == command.flags.end() ? nullptr : &*found;
}

const Flag* find_flag(const Command& command, char letter) {
  const auto found = std::ranges::find(command.flags, letter, &Flag::letter);
  return found == command.flags.end() || letter == 0 ? nullptr : &*found;
}

std::vector<std::string_view> flag_names(const Command& command) {
  std::vector<std::string_view> names;
  for (const Flag& flag : command.flags) {
    names.push_back(flag.name);
  }
  return names;
}

std::string flag_of(std::string_view field) {
  std::string flag(field == "overwrite" ? "force" : field);
  std::ranges::replace(flag, '_', '-');
  return flag;
}

std::vector<std::string_view> alternatives(std::string_view text) {
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t bar = text.find('|');
    words.push_back(text.substr(0, bar));
    if (bar == std::string_view::npos) {
      return words;
    }
    text.remove_prefix(bar + 1);
  }
}

std::vector<std::string_view> choices(const Flag& flag) {
  auto words = flag.metavar.empty() ? std::vector<std::string_view>() : alternatives(flag.metavar);
  const auto names = flag.names ? flag.names() : std::vector<std::string_view>();
  words.insert(words.end(), names.begin(), names.end());
  return words;
}

std::string metavar(const Flag& flag) { return fmt::format("{}", fmt::join(choices(flag), "|")); }

std::vector<std::string_view> argument_choices(const Command& command) {
  const std::string_view first = command.arguments.substr(0, command.arguments.find(' '));
  return first.find('|') == std::string_view::npos || first.starts_with('[')
             ? std::vector<std::string_view>()
             : alternatives(first);
}

std::string suggestion(std::string_view word, std::span<const std::string_view> names,
                       std::string_view otherwise) {
  const std::string_view near = nearest_name(word, names);
  return near.empty() ? std::string(otherwise) : fmt::format("did you mean '{}'?", near);
}

}  // namespace tain::cli
