#include "cli/help.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/terminal.hpp"
#include "core/simd.hpp"
#include "tain/comm/launch.hpp"

namespace tain::cli {
namespace {

constexpr std::size_t flag_column = 32;  // where the descriptions start

/// Lines longer than this are hard to read, shorter ones leave no room beside the flags.
std::size_t columns() { return std::clamp<std::size_t>(terminal_columns(), 60, 100); }

/// Breaks at blanks so that lines fit; lines after the first are indented.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string result;
  std::size_t used = 0;
  while (!text.empty()) {
    const std::size_t blank = text.find(' ');
    const std::string_view word = text.substr(0, blank);
    if (used > 0 && used + 1 + word.size() > width) {
      result += "\n" + std::string(indent, ' ');
      used = 0;
    } else if (used > 0) {
      result += ' ';
      ++used;
    }
    result += word;
    used += word.size();
    text.remove_prefix(blank == std::string_view::npos ? text.size() : blank + 1);
  }
  return result;
}

std::string flag_line(const Flag& flag) {
  std::string left = flag.letter ? fmt::format("  -{}, --{}", flag.letter, flag.name)
                                 : fmt::format("      --{}", flag.name);
  if (flag.kind != Kind::on_off) {
    left += fmt::format(" {}", metavar(flag));
  }
  std::string right(flag.help);
  if (!flag.fallback.empty()) {
    right += fmt::format(" [{}]", flag.fallback);
  }
  if (left.size() + 2 > flag_column) {
    left += "\n" + std::string(flag_column, ' ');
  } else {
    left.append(flag_column - left.size(), ' ');
  }
  return left + wrapped(right, columns() - flag_column, flag_column) + "\n";
}

std::string command_line(const Command& command) {
  return fmt::format("  {:<20}{}\n", command.name, command.summary);
}

}  // namespace

std::string group_help(std::string_view group) {
  std::string text = fmt::format("Usage: tain {} COMMAND [OPTIONS]\n\nCommands:\n", group);
  for (const Command& command : commands()) {
    if (group_of(command) == group) {
      text += command_line(command);
    }
  }
  return text + fmt::format("\nSee `tain {} COMMAND --help`.\n", group);
}

std::string_view program_summary() {
  return "samples densities on constrained sets (simplex, box, ball, ...) by mirrored dynamics";
}

std::string_view program_details() {
  return "Draws from densities on the simplex, boxes, balls, their products and affine images by "
         "mirrored Langevin dynamics and Hamiltonian Monte Carlo in the dual space, and trains "
         "topic "
         "models by the same dynamics. Results go to standard output, talk to standard error. What "
         "an earlier command wrote is never replaced without `--force`.";
}

std::string program_help() {
  std::string text =
      fmt::format("tain: {}\n\nUsage: tain COMMAND [OPTIONS]\n\nCommands:\n", program_summary());
  for (const Command& command : commands()) {
    text += command_line(command);
  }
  text +=
      "\nOptions:\n  -h, --help  show this help, or that of a command\n"
      "  -V, --version  show version, compiler, instruction set and plug-in\n\nExample:\n  ";
  text += commands().front().example;
  return text + "\n";
}

std::string command_help(const Command& command) {
  std::string text = fmt::format("{}\n\nUsage: tain {} [OPTIONS]{}{}\n\n{}\n", command.summary,
                                 command.name, command.arguments.empty() ? "" : " ",
                                 command.arguments, wrapped(command.details, columns(), 0));
  std::string_view group;
  for (const Flag& flag : command.flags) {
    if (flag.group != group) {
      group = flag.group;
      text += fmt::format("\n{}:\n", group);
    }
    text += flag_line(flag);
  }
  return text + fmt::format("\nExample:\n  {}\n", command.example);
}

std::string version_text() {
  const std::string_view commit = version_commit();
  return fmt::format("tain {}{}\ncompiler {}\ninstruction set {}\nMPI {}\n", version_number(),
                     commit.empty() ? "" : fmt::format(" ({})", commit), compiler_name(),
                     isa_name(current_isa()), rank_plug_in().value_or("none").string());
}

}  // namespace tain::cli
