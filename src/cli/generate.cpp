// Man page, markdown reference and completions, from the flag table.
#include <fmt/format.h>

#include "help.hpp"

namespace tain::cli {
namespace {

/// troff: a leading dot or quote starts a request, a backslash an escape, "-" a hyphen.
std::string troff(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n')) {
      result += fmt::format("\\&{}", c);
    } else {
      result += c;
    }
  }
  return result;
}

/// Text inside single quotes of a shell.
std::string quoted(std::string_view text) {
  std::string result;
  for (const char c : text) {
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return result;
}

bool takes_file(const Flag& flag) {
  return flag.kind == Kind::input_file || flag.kind == Kind::output_file;
}

std::string joined_choices(const Flag& flag) {
  return fmt::format("{}", fmt::join(choices(flag), " "));
}

std::string man_flag(const Flag& flag) {
  std::string text = ".TP\n";
  if (flag.letter) {
    text += fmt::format("\\fB\\-{}\\fR, ", flag.letter);
  }
  text += fmt::format("\\fB\\-\\-{}\\fR", troff(flag.name));
  if (!flag.metavar.empty()) {
    text += fmt::format(" \\fI{}\\fR", troff(flag.metavar));
  }
  text += fmt::format("\n{}", troff(flag.help));
  if (!flag.fallback.empty()) {
    text += fmt::format(" (default {})", troff(flag.fallback));
  }
  return text + ".\n";
}

std::string zsh_flag(const Flag& flag) {
  // zsh reads [help] and :message: itself, so their delimiters are escaped.
  std::string help;
  for (const char c : quoted(flag.help)) {
    if (c == '[' || c == ']' || c == ':') {
      help += '\\';
    }
    help += c;
  }
  std::string action;
  if (flag.kind == Kind::choice) {
    action = fmt::format(":value:({})", joined_choices(flag));
  } else if (takes_file(flag)) {
    action = ":file:_files";
  } else if (flag.kind != Kind::on_off) {
    action = ":value:";
  }
  std::string text = fmt::format("        '--{}[{}]{}' \\\n", flag.name, help, action);
  if (flag.letter) {
    text += fmt::format("        '-{}[{}]{}' \\\n", flag.letter, help, action);
  }
  return text;
}

}  // namespace

std::string man_page() {
  std::string text = fmt::format(
      ".TH TAIN 1 \"\" \"tain {}\" \"User Commands\"\n.SH NAME\ntain \\- sample densities on "
      "constrained sets\n.SH SYNOPSIS\n",
      version_number());
  for (const Command& command : commands()) {
    text += fmt::format("\\fBtain {}\\fR [\\fIOPTIONS\\fR] {}\n.br\n", command.name,
                        troff(command.arguments));
  }
  text +=
      ".SH DESCRIPTION\nDraws from densities on the simplex, boxes, balls, their products and "
      "affine images by mirrored Langevin dynamics and Hamiltonian Monte Carlo in the dual space. "
      "Results go to standard output, talk to standard error.\n";
  for (const Command& command : commands()) {
    text += fmt::format(".SH TAIN {}\n{}. {}\n", command.name, troff(command.summary),
                        troff(command.details));
    std::string_view group;
    for (const Flag& flag : command.flags) {
      if (flag.group != group) {
        group = flag.group;
        text += fmt::format(".SS {}\n", group);
      }
      text += man_flag(flag);
    }
  }
  text +=
      ".SH FILES\n.TP\n\\fIFILE\\fR.manifest.json\nevery option of the run that wrote "
      "\\fIFILE\\fR; `tain sample` repeats it.\n.TP\n\\fIFILE\\fR.run\nfolder of an unfinished "
      "run, for \\fB\\-\\-resume\\fR.\n.SH EXIT STATUS\n";
  for (const ExitCode& code : exit_codes()) {
    text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", code.code, troff(code.meaning));
  }
  text += ".SH EXAMPLES\n.nf\n";
  for (const Command& command : commands()) {
    text += troff(command.example) + "\n";
  }
  return text + ".fi\n";
}

std::string markdown_reference() {
  std::string text = "# tain: commands and flags\n";
  for (const Command& command : commands()) {
    text +=
        fmt::format("\n## tain {}\n\n{}. {}\n\n```\ntain {} [OPTIONS] {}\n```\n\n", command.name,
                    command.summary, command.details, command.name, command.arguments);
    text += "| flag | value | default | meaning |\n|---|---|---|---|\n";
    for (const Flag& flag : command.flags) {
      std::string metavar;
      for (const char c : flag.metavar) {
        metavar += c == '|' ? std::string("\\|") : std::string(1, c);
      }
      text += fmt::format("| `--{}`{} | {} | {} | {} |\n", flag.name,
                          flag.letter ? fmt::format(", `-{}`", flag.letter) : "", metavar,
                          flag.fallback, flag.help);
    }
    text += fmt::format("\nExample: `{}`\n", command.example);
  }
  text += "\n## Exit codes\n\n| code | meaning |\n|---|---|\n";
  for (const ExitCode& code : exit_codes()) {
    text += fmt::format("| {} | {} |\n", code.code, code.meaning);
  }
  return text;
}

std::string bash_completion() {
  std::string groups, cases;
  for (const std::string_view first : first_words()) {
    if (const auto words = commands_of_group(first); !words.empty()) {
      groups += fmt::format("    {}) second='{}' ;;\n", first, fmt::join(words, " "));
    }
  }
  for (const Command& command : commands()) {
    std::string flags, values;
    for (const Flag& flag : command.flags) {
      flags += fmt::format("{}--{}", flags.empty() ? "" : " ", flag.name);
      if (flag.kind == Kind::choice) {
        values += fmt::format("        --{}) words='{}' ;;\n", flag.name, joined_choices(flag));
      } else if (flag.kind != Kind::on_off && !takes_file(flag)) {
        values += fmt::format("        --{}) words='' ;;\n", flag.name);
      } else if (takes_file(flag)) {
        values += fmt::format("        --{}) words=@files ;;\n", flag.name);
      }
    }
    cases += fmt::format(
        "    '{}')\n      case $previous in\n{}        *) words='{}' ;;\n      esac ;;\n",
        command.name, values,
        command.name == "generate" ? flags + " man bash zsh fish markdown" : flags);
  }
  return fmt::format(
      "_tain() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} words\n"
      "  local command=${{COMP_WORDS[1]}} second=\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W '{} --help --version' -- \"$current\")\n"
      "    return\n  fi\n"
      "  case $command in\n{}  esac\n"
      "  if [ -n \"$second\" ]; then\n"
      "    if [ \"$COMP_CWORD\" -eq 2 ]; then\n"
      "      mapfile -t COMPREPLY < <(compgen -W \"$second --help\" -- \"$current\")\n"
      "      return\n    fi\n"
      "    command=\"$command ${{COMP_WORDS[2]}}\"\n  fi\n"
      "  case $command in\n{}    *) words= ;;\n  esac\n"
      "  if [ \"$words\" = @files ] || {{ [ -n \"$words\" ] && [ \"${{current#-}}\" = \"$current\" "
      "] "
      "&& [ \"${{words#--}}\" != \"$words\" ] && [ \"$command\" != generate ]; }}; then\n"
      "    mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n"
      "  else\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
      "  fi\n}}\ncomplete -o filenames -F _tain tain\n",
      fmt::join(first_words(), " "), groups, cases);
}

std::string zsh_completion() {
  std::string names, groups, cases;
  for (const std::string_view first : first_words()) {
    const auto words = commands_of_group(first);
    names += fmt::format("    '{}:{}'\n", first,
                         words.empty() ? quoted(find_command(first).summary)
                                       : fmt::format("{}", fmt::join(words, ", ")));
    if (!words.empty()) {
      groups += fmt::format("    {}) second=({}) ;;\n", first, fmt::join(words, " "));
    }
  }
  for (const Command& command : commands()) {
    std::string flags;
    for (const Flag& flag : command.flags) {
      flags += zsh_flag(flag);
    }
    cases += fmt::format(
        "    '{}')\n      _arguments \\\n{}        '{}' ;;\n", command.name, flags,
        command.name == "generate" ? "1:what:(man bash zsh fish markdown)" : "*:file:_files");
  }
  return fmt::format(
      "#compdef tain\n\n_tain() {{\n  local -a second commands=(\n{}  )\n"
      "  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n"
      "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n"
      "  case $command in\n{}  esac\n"
      "  if (( $#second )); then\n"
      "    if (( CURRENT == 2 )); then\n      compadd -a second\n      return\n    fi\n"
      "    command=\"$command $words[2]\"\n    shift words\n    (( CURRENT-- ))\n  fi\n"
      "  case $command in\n{}  esac\n}}\n\n_tain \"$@\"\n",
      names, groups, cases);
}

std::string fish_completion() {
  std::string text;
  for (const std::string_view first : first_words()) {
    const auto words = commands_of_group(first);
    text += fmt::format("complete -c tain -n __fish_use_subcommand -a {} -d '{}'\n", first,
                        words.empty() ? quoted(find_command(first).summary)
                                      : fmt::format("{}", fmt::join(words, ", ")));
  }
  for (const Command& command : commands()) {
    const std::string_view group = group_of(command);
    // A command of two words is recognised by its second, after its group.
    std::string condition = fmt::format("__fish_seen_subcommand_from {}", command.name);
    if (!group.empty()) {
      const std::string_view second = command.name.substr(group.size() + 1);
      const std::string seen_group = fmt::format("__fish_seen_subcommand_from {}", group);
      text += fmt::format(
          "complete -c tain -n '{}; and not __fish_seen_subcommand_from {}' -f -a {} -d '{}'\n",
          seen_group, fmt::join(commands_of_group(group), " "), second, quoted(command.summary));
      condition = fmt::format("{}; and __fish_seen_subcommand_from {}", seen_group, second);
    }
    for (const Flag& flag : command.flags) {
      text +=
          fmt::format("complete -c tain -n '{}' -l {}{}{} -d '{}'\n", condition, flag.name,
                      flag.letter ? fmt::format(" -s {}", flag.letter) : "",
                      flag.kind == Kind::choice   ? fmt::format(" -x -a '{}'", joined_choices(flag))
                      : takes_file(flag)          ? std::string(" -r -F")
                      : flag.kind == Kind::on_off ? std::string()
                                                  : std::string(" -x"),
                      quoted(flag.help));
    }
  }
  text +=
      "complete -c tain -n '__fish_seen_subcommand_from generate' -f -a 'man bash zsh fish "
      "markdown'\n";
  return text;
}

}  // namespace tain::cli
