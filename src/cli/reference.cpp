// Reference pages in markdown: commands from the flag table, errors from the table of exit codes.
#include <fmt/format.h>

#include "cli/generate.hpp"

namespace tain::cli {
namespace {

/// A bar inside a cell of a table.
std::string cell(std::string_view text) {
  std::string result;
  for (const char c : text) {
    result += c == '|' ? std::string("\\|") : std::string(1, c);
  }
  return result;
}

std::string command_section(const Command& command) {
  std::string text = fmt::format("\n## tain {}\n\n{}. {}\n\n```\ntain {} [OPTIONS]{}{}\n```\n\n",
                                 command.name, command.summary, command.details, command.name,
                                 command.arguments.empty() ? "" : " ", command.arguments);
  text += "| flag | value | default | meaning |\n|---|---|---|---|\n";
  for (const Flag& flag : command.flags) {
    text += fmt::format("| `--{}`{} | {} | {} | {} |\n", flag.name,
                        flag.letter ? fmt::format(", `-{}`", flag.letter) : "", cell(metavar(flag)),
                        cell(flag.fallback), cell(flag.help));
  }
  for (const FileNote& file : command.files) {
    text += fmt::format("{}| `{}` | {} |\n",
                        &file == command.files.data() ? "\n| file | holds |\n|---|---|\n" : "",
                        file.name, cell(file.meaning));
  }
  return text + fmt::format("\nExample: `{}`\n", command.example);
}

}  // namespace

std::string markdown_reference() {
  std::string text = "# tain: commands and flags\n";
  for (const Command& command : commands()) {
    text += command_section(command);
  }
  text += "\n## Environment\n\n| variable | meaning |\n|---|---|\n";
  for (const FileNote& variable : environment_variables()) {
    text += fmt::format("| `{}` | {} |\n", variable.name, variable.meaning);
  }
  return text + "\nExit codes are in [errors](errors.md).\n";
}

std::string error_reference() {
  std::string text =
      "# tain: errors and exit codes\n\nAn error is one line on standard error,\n\n```\ntain: "
      "WHERE: "
      "PROBLEM; WHAT TO DO\n```\n\nWHERE is the option, the file with its line, or the part of the "
      "program; WHAT TO DO is left out where nothing can be done. Results go to standard output "
      "only, so that a failed command leaves none. The library throws the same message as "
      "`tain::Error`, whose `fault()` is named in the second column ([error.hpp]"
      "(../../include/tain/core/error.hpp)).\n\n| code | fault | meaning | what to do "
      "|\n|---|---|---|---|\n";
  for (const ExitCode& code : exit_codes()) {
    text += fmt::format("| {} | {} | {} | {} |\n", code.code,
                        code.fault.empty() ? "" : fmt::format("`{}`", code.fault), code.meaning,
                        code.remedy);
  }
  return text;
}

}  // namespace tain::cli
