#include "program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "help.hpp"
#include "tain/kernels/kernel.hpp"
#include "tain/maps/registry.hpp"
#include "tain/targets/registry.hpp"
#include "terminal.hpp"

namespace tain::cli {
namespace {

/// Names and descriptions in two columns, with the options of an entry below it.
template <class Table>
std::string name_table(const Table& table) {
  std::size_t width = 0;
  for (const auto& entry : table) {
    width = std::max(width, entry.name.size());
  }
  std::string text;
  for (const auto& entry : table) {
    text += fmt::format("{:<{}}  {}\n", entry.name, width, entry.summary);
    if constexpr (requires { entry.options; }) {
      text += fmt::format("{:<{}}  options: {}\n", "", width, entry.options);
    }
  }
  return text;
}

std::string generated(const RawOptions& options) {
  constexpr std::array<std::string_view, 5> kinds{"man", "bash", "zsh", "fish", "markdown"};
  if (options.arguments.empty()) {
    fail(Fault::usage, "generate", "what to generate is missing",
         fmt::format("give one of {}", fmt::join(kinds, ", ")));
  }
  const std::string& kind = options.arguments.front();
  if (kind == "man") {
    return man_page();
  }
  if (kind == "bash") {
    return bash_completion();
  }
  if (kind == "zsh") {
    return zsh_completion();
  }
  if (kind == "fish") {
    return fish_completion();
  }
  if (kind == "markdown") {
    return markdown_reference();
  }
  fail(Fault::usage, "generate", fmt::format("unknown value '{}'", kind),
       suggestion(kind, kinds, fmt::format("give one of {}", fmt::join(kinds, ", "))));
}

}  // namespace

std::string shell_text(std::span<const std::string_view> arguments) {
  std::string text = "tain";
  for (const std::string_view word : arguments) {
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

int run_program(std::span<const std::string_view> arguments) {
  if (arguments.empty()) {
    fail(Fault::usage, "command line", "no command is given", "see `tain --help`");
  }
  const std::string_view first = arguments.front();
  if (first == "--help" || first == "-h" || first == "help") {
    print(arguments.size() > 1 ? command_help(find_command(arguments[1])) : program_help());
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
  const Command& command = find_command(first);
  RawOptions options = parse_arguments(command, arguments.subspan(1));
  if (options.values.contains("help")) {
    print(command_help(command));
    return 0;
  }
  if (command.name == "sample") {
    return sample_command(command, std::move(options), shell_text(arguments));
  }
  if (command.name == "plan") {
    return plan_command(command, options);
  }
  if (command.name == "reproduce") {
    return reproduce_command(command, options, shell_text(arguments));
  }
  if (command.name == "diagnose") {
    return diagnose_command(command, options);
  }
  if (command.name == "maps") {
    print(name_table(map_table()));
  } else if (command.name == "targets") {
    print(name_table(target_table()));
  } else if (command.name == "kernels") {
    print(name_table(kernel_table()));
  } else {
    print(generated(options));
  }
  return 0;
}

}  // namespace tain::cli
