#include "cli/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cli/generate.hpp"
#include "cli/help.hpp"
#include "cli/kind_flags.hpp"
#include "cli/ranks.hpp"
#include "cli/spelling.hpp"
#include "cli/terminal.hpp"
#include "tain/run/plan.hpp"
#include "tain/targets/target.hpp"

namespace tain::cli {
namespace {

/// Names and descriptions in two columns, with the options of an entry below it.
int print_names(const std::vector<NamedKind>& table) {
  std::size_t width = 0;
  for (const NamedKind& entry : table) {
    width = std::max(width, entry.name.size());
  }
  std::string text;
  for (const NamedKind& entry : table) {
    text += fmt::format("{:<{}}  {}\n", entry.name, width, entry.summary);
    if (!entry.fields.empty()) {
      std::vector<std::string> flags(entry.fields.size());
      std::ranges::transform(entry.fields, flags.begin(), flag_of);
      const bool typed = find_flag(find_command("sample"), flags.front()) != nullptr;
      text += fmt::format("{:<{}}  {}: {}\n", "", width, typed ? "options" : "keys of [[set]]",
                          fmt::join(flags, ", "));
    }
  }
  print(text);
  return 0;
}

std::string help_on(std::span<const std::string_view> words) {
  if (words.empty()) {
    return program_help();
  }
  if (words.size() == 1 && !commands_of_group(words.front()).empty()) {
    return group_help(words.front());
  }
  return command_help(find_invocation(words).command);
}

}  // namespace

std::string shell_text(std::span<const std::string_view> arguments,
                       std::initializer_list<std::string_view> without) {
  std::string text = "tain";
  for (const std::string_view word : arguments) {
    if (std::ranges::find(without, word) != without.end()) {
      continue;
    }
    const bool plain = !word.empty() && std::ranges::all_of(word, [](char c) {
      return std::string_view(
                 "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                 "-_./,=@:+%")
                 .find(c) != std::string_view::npos;
    });
    text += ' ';
    if (plain) {
      text += word;
      continue;
    }
    text += '\'';
    for (const char c : word) {
      text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    text += '\'';
  }
  return text;
}

std::string resume_command(const std::string& command_line) {
  std::string text = command_line;
  for (const std::string_view flag : {" --force", " -f"}) {
    const std::size_t at = (text + " ").find(std::string(flag) + " ");
    if (at != std::string::npos) {
      text.erase(at, flag.size());
    }
  }
  return text.find(" --resume") == std::string::npos ? text + " --resume" : text;
}

int list_sets(const Command&, const RawOptions&) { return print_names(tain::list_sets()); }
int list_targets(const Command&, const RawOptions&) { return print_names(tain::list_targets()); }
int list_kernels(const Command&, const RawOptions&) { return print_names(tain::list_kernels()); }

int generate_command(const Command&, const RawOptions& options) {
  print(generated(options.arguments));
  return 0;
}

int run_program(std::span<const std::string_view> arguments) {
  if (arguments.empty()) {
    fail(Fault::usage, "command line", "no command is given", "see `tain --help`");
  }
  const std::string_view first = arguments.front();
  if (first == "--help" || first == "-h" || first == "help") {
    print(help_on(arguments.subspan(1)));
    return 0;
  }
  if (first == "--version" || first == "-V") {
    print(version_text());
    return 0;
  }
  if (first.starts_with('-')) {
    constexpr std::array<std::string_view, 2> names{"--help", "--version"};
    fail(Fault::usage, "command line", fmt::format("unknown flag '{}'", first),
         suggestion(first, names, "the command comes first; see `tain --help`"));
  }
  if (arguments.size() == 2 && (arguments[1] == "--help" || arguments[1] == "-h") &&
      !commands_of_group(first).empty()) {
    print(group_help(first));
    return 0;
  }
  const auto [command, rest] = find_invocation(arguments);
  if (first == "maps") {
    Console(Console::Volume::normal).note(old_name("tain maps", "tain sets"));
  }
  RawOptions options = parse_arguments(command, rest);
  options.words = arguments;
  if (options.values.contains("help")) {
    print(command_help(command));
    return 0;
  }
  remember_origins(options);
  join_ranks(command);
  return command.run(command, options);
}

}  // namespace tain::cli
