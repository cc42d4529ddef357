// Manual pages in troff, section 1: one of the program, one of every command, from the flag table.
#include <fmt/format.h>

#include <algorithm>

#include "cli/generate.hpp"
#include "cli/help.hpp"
#include "tain/core/error.hpp"

namespace tain::cli {
namespace {

/// troff: a leading dot or quote starts a request, a backslash an escape, "-" a hyphen; what stands
/// between backquotes is something to type, and bold.
std::string troff(std::string_view text) {
  std::string result;
  bool typed = false;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else if (c == '`') {
      typed = !typed;
      result += typed ? "\\fB" : "\\fR";
    } else if (c == '\'') {
      result += "\\(aq";  // the quote of shells, not the apostrophe of prose
    } else if (c == '.' && (result.empty() || result.back() == '\n')) {
      result += "\\&.";
    } else {
      result += c;
    }
  }
  return result;
}

/// A new sentence on a new line, as troff spaces them by its own rules.
std::string sentences(std::string_view text) {
  std::string result = troff(text);
  for (std::size_t at = 0; (at = result.find(". ", at)) != std::string::npos; at += 2) {
    result[at + 1] = '\n';
  }
  return result;
}

std::string head(std::string_view page, std::string_view summary) {
  std::string upper(page), purpose(summary);
  std::ranges::transform(upper, upper.begin(),
                         [](char c) { return c >= 'a' && c <= 'z' ? char(c - 32) : c; });
  purpose.front() = purpose.front() >= 'A' && purpose.front() <= 'Z' ? char(purpose.front() + 32)
                                                                     : purpose.front();
  return fmt::format(".TH {} 1 {} \"tain {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n", upper,
                     version_date(), version_number(), troff(page), troff(purpose));
}

std::string synopsis(const Command& command) {
  return fmt::format(".B tain {}\n[\\fIOPTIONS\\fR]{}{}\n", command.name,
                     command.arguments.empty() ? "" : " ", troff(command.arguments));
}

std::string flag_entry(const Flag& flag) {
  std::string text = ".TP\n";
  if (flag.letter) {
    text += fmt::format("\\fB\\-{}\\fR, ", flag.letter);
  }
  text += fmt::format("\\fB\\-\\-{}\\fR", troff(flag.name));
  if (flag.kind != Kind::on_off) {
    text += fmt::format(" \\fI{}\\fR", troff(metavar(flag)));
  }
  text += fmt::format("\n{}", troff(flag.help));
  if (!flag.fallback.empty()) {
    text += fmt::format(" (default {})", troff(flag.fallback));
  }
  return text + ".\n";
}

std::string options_section(const Command& command) {
  std::string text = ".SH OPTIONS\n";
  std::string_view group;
  for (const Flag& flag : command.flags) {
    if (flag.group != group) {
      group = flag.group;
      text += fmt::format(".SS {}\n", group);
    }
    text += flag_entry(flag);
  }
  return text;
}

std::string files_section(const Command& command) {
  std::string text;
  for (const FileNote& file : command.files) {
    text += fmt::format(".TP\n.I {}\n{}.\n", troff(file.name), troff(file.meaning));
  }
  return text.empty() ? text : ".SH FILES\n" + text;
}

std::string exit_section(const Command* command) {
  std::string text = ".SH EXIT STATUS\n";
  for (const ExitCode& code : exit_codes()) {
    const bool strict_only = code.code == static_cast<int>(Fault::gate_failed);
    if (!command || !strict_only || find_flag(*command, "strict")) {
      text += fmt::format(".TP\n.B {}\n{}.\n", code.code, troff(code.meaning));
    }
  }
  return text;
}

std::string environment_section() {
  std::string text = ".SH ENVIRONMENT\n";
  for (const FileNote& variable : environment_variables()) {
    text += fmt::format(".TP\n.B {}\n{}.\n", variable.name, troff(variable.meaning));
  }
  return text;
}

std::string example_section(std::span<const std::string_view> examples) {
  std::string text = ".SH EXAMPLES\n.EX\n";
  for (const std::string_view example : examples) {
    text += troff(example) + "\n";
  }
  return text + ".EE\n";
}

std::string see_also(const std::vector<std::string>& pages) {
  std::string text = ".SH SEE ALSO\n";
  for (std::size_t i = 0; i < pages.size(); ++i) {
    text += fmt::format(".BR {} (1){}\n", troff(pages[i]), i + 1 < pages.size() ? "," : "");
  }
  return text;
}

}  // namespace

std::string manual_name(const Command& command) {
  std::string name = fmt::format("tain-{}", command.name);
  std::ranges::replace(name, ' ', '-');
  return name;
}

std::string program_manual() {
  std::string text = head("tain", program_summary());
  text += ".SH SYNOPSIS\n.B tain\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]\n";
  text += ".br\n.B tain help\n[\\fICOMMAND\\fR]\n.br\n.B tain \\-\\-version\n";
  text += fmt::format(".SH DESCRIPTION\n{}\n.SH COMMANDS\n", sentences(program_details()));
  std::vector<std::string_view> examples;
  std::vector<std::string> pages;
  for (const Command& command : commands()) {
    text += fmt::format(".TP\n.B {}\n{}; see\n.BR {} (1).\n", command.name, troff(command.summary),
                        troff(manual_name(command)));
    examples.push_back(command.example);
    pages.push_back(manual_name(command));
  }
  return text + exit_section(nullptr) + environment_section() + example_section(examples) +
         see_also(pages);
}

std::string command_manual(const Command& command) {
  std::string text = head(manual_name(command), command.summary);
  text += fmt::format(".SH SYNOPSIS\n{}.SH DESCRIPTION\n{}\n", synopsis(command),
                      sentences(command.details));
  std::vector<std::string> pages{"tain"};
  for (const Command& other : commands()) {
    if (other.name != command.name && group_of(other) == group_of(command)) {
      pages.push_back(manual_name(other));
    }
  }
  return text + options_section(command) + files_section(command) + exit_section(&command) +
         environment_section() + example_section(std::array{command.example}) + see_also(pages);
}

}  // namespace tain::cli
