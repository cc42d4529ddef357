// Completions of bash, zsh and fish, from the flag table.
#include <fmt/format.h>

#include <algorithm>

#include "cli/generate.hpp"
#include "maps/set_kind.hpp"
#include "run/kernel_table.hpp"
#include "targets/target_kind.hpp"

namespace tain::cli {
namespace {

/// Text inside single quotes of a shell.
std::string in_quotes(std::string_view text) {
  std::string result;
  for (const char c : text) {
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return result;
}

/// Metavars are in capitals, what is to be typed as it stands is not.
bool is_literal(std::string_view word) {
  return !word.empty() && std::ranges::none_of(word, [](char c) { return c >= 'A' && c <= 'Z'; });
}

template <class Table>
void add_names(const Table& table, std::vector<std::string_view>& words) {
  for (const auto& entry : table) {
    words.push_back(entry.name);
  }
}

std::string joined(const std::vector<std::string_view>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

std::string flag_pattern(const Flag& flag) {
  return flag.letter ? fmt::format("--{}|-{}", flag.name, flag.letter)
                     : fmt::format("--{}", flag.name);
}

std::string bash_case(const Command& command) {
  std::string flags, values;
  for (const Flag& flag : command.flags) {
    flags += fmt::format("{}--{}", flags.empty() ? "" : " ", flag.name);
    if (flag.kind != Kind::on_off) {
      const Completion completion = completion_of(flag);
      values += fmt::format("        {}) words='{}'{} ;;\n", flag_pattern(flag),
                            joined(completion.words), completion.files ? " files=yes" : "");
    }
  }
  const Completion argument = completion_of_argument(command);
  return fmt::format(
      "    '{}')\n      case $previous in\n{}        *) flags='{}' words='{}'{} ;;\n      esac "
      ";;\n",
      command.name, values, flags, joined(argument.words), argument.files ? " files=yes" : "");
}

/// Escapes what zsh's _arguments reads itself: brackets and colons.
std::string zsh_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') {
      result += '\\';
    }
    result += c;
  }
  return in_quotes(result);
}

std::string zsh_action(const Completion& completion) {
  if (completion.words.empty()) {
    return completion.files ? "_files" : "";
  }
  const std::string words = joined(completion.words);
  return completion.files ? fmt::format("{{compadd - {}; _files}}", words)
                          : fmt::format("({})", words);
}

std::string zsh_flag(const Flag& flag) {
  std::string value;
  if (flag.kind != Kind::on_off) {
    value = fmt::format(":{}:{}", zsh_text(metavar(flag)), zsh_action(completion_of(flag)));
  }
  const std::string help = zsh_text(flag.help);
  if (!flag.letter) {
    return fmt::format("        '--{}[{}]{}' \\\n", flag.name, help, value);
  }
  return fmt::format("        '(-{0} --{1})'{{-{0},--{1}}}'[{2}]{3}' \\\n", flag.letter, flag.name,
                     help, value);
}

std::string summary_of_word(std::string_view first) {
  const auto words = commands_of_group(first);
  return words.empty() ? std::string(find_command(first).summary)
                       : fmt::format("{}", fmt::join(words, ", "));
}

std::string fish_values(const Flag& flag) {
  if (flag.kind == Kind::on_off) {
    return "";
  }
  const Completion completion = completion_of(flag);
  return fmt::format(
      " {}{}", completion.files ? "-r -F" : "-x",
      completion.words.empty() ? "" : fmt::format(" -a '{}'", joined(completion.words)));
}

/// The test that the command line is one of this command.
std::string fish_condition(const Command& command) {
  const std::string_view group = group_of(command);
  if (group.empty()) {
    return fmt::format("__fish_seen_subcommand_from {}", command.name);
  }
  return fmt::format("__fish_seen_subcommand_from {}; and __fish_seen_subcommand_from {}", group,
                     command.name.substr(group.size() + 1));
}

std::string fish_command(const Command& command) {
  std::string text;
  const std::string_view group = group_of(command);
  if (!group.empty()) {
    text += fmt::format(
        "complete -c tain -n '__fish_seen_subcommand_from {}; and not __fish_seen_subcommand_from "
        "{}' -f -a {} -d '{}'\n",
        group, joined(commands_of_group(group)), command.name.substr(group.size() + 1),
        in_quotes(command.summary));
  }
  const std::string condition = fish_condition(command);
  for (const Flag& flag : command.flags) {
    text += fmt::format("complete -c tain -n '{}' -l {}{}{} -d '{}'\n", condition, flag.name,
                        flag.letter ? fmt::format(" -s {}", flag.letter) : "", fish_values(flag),
                        in_quotes(flag.help));
  }
  const Completion argument = completion_of_argument(command);
  if (!argument.files) {
    text +=
        fmt::format("complete -c tain -n '{}' -f{}\n", condition,
                    argument.words.empty() ? "" : fmt::format(" -a '{}'", joined(argument.words)));
  }
  return text;
}

}  // namespace

Completion completion_of(const Flag& flag) {
  Completion completion;
  completion.files =
      flag.kind == Kind::input_file || flag.kind == Kind::matrix || flag.kind == Kind::output_file;
  for (const std::string_view word : choices(flag)) {
    if (is_literal(word)) {
      completion.words.push_back(word);
    }
    completion.files = completion.files || word == "FILE";
  }
  if (flag.name == "kernel") {
    add_names(kernel_table(), completion.words);
  } else if (flag.name == "set") {
    add_names(set_table(), completion.words);
  } else if (flag.name == "target") {
    add_names(target_table(), completion.words);
    completion.files = true;  // a shared library
  }
  return completion;
}

Completion completion_of_argument(const Command& command) {
  Completion completion;
  completion.words = argument_choices(command);
  completion.files = completion.words.empty() && command.max_arguments > 0;
  return completion;
}

std::string bash_completion() {
  std::string groups, cases;
  for (const std::string_view first : first_words()) {
    if (const auto words = commands_of_group(first); !words.empty()) {
      groups += fmt::format("    {}) second='{}' ;;\n", first, joined(words));
    }
  }
  for (const Command& command : commands()) {
    cases += bash_case(command);
  }
  return fmt::format(
      "# bash completion of tain, made by `tain generate bash`\n"
      "_tain() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}\n"
      "  local command=${{COMP_WORDS[1]}} second= flags= words= files=\n"
      "  COMPREPLY=()\n"
      "  # bash cuts --flag=value into three words\n"
      "  if [ \"$current\" = = ]; then\n    current=\n"
      "  elif [ \"$previous\" = = ]; then\n    previous=${{COMP_WORDS[COMP_CWORD-2]}}\n  fi\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W '{} help --help --version' -- \"$current\")\n"
      "    return\n  fi\n"
      "  case $command in\n{}  esac\n"
      "  if [ -n \"$second\" ]; then\n"
      "    if [ \"$COMP_CWORD\" -eq 2 ]; then\n"
      "      mapfile -t COMPREPLY < <(compgen -W \"$second --help\" -- \"$current\")\n"
      "      return\n    fi\n"
      "    command=\"$command ${{COMP_WORDS[2]}}\"\n  fi\n"
      "  case $command in\n{}  esac\n"
      "  if [ -n \"$flags\" ] && [ \"${{current#-}}\" != \"$current\" ]; then\n"
      "    words=$flags files=\n  fi\n"
      "  mapfile -t COMPREPLY < <(\n"
      "    compgen -W \"$words\" -- \"$current\"\n"
      "    [ -z \"$files\" ] || compgen -f -- \"$current\"\n  )\n"
      "}}\ncomplete -o filenames -F _tain tain\n",
      joined(first_words()), groups, cases);
}

std::string zsh_completion() {
  std::string names, groups, cases;
  for (const std::string_view first : first_words()) {
    const auto words = commands_of_group(first);
    names += fmt::format("    '{}:{}'\n", first, zsh_text(summary_of_word(first)));
    if (words.empty()) {
      continue;
    }
    groups += fmt::format("    {})\n      second=(\n", first);
    for (const std::string_view word : words) {
      groups += fmt::format("        '{}:{}'\n", word,
                            zsh_text(find_command(fmt::format("{} {}", first, word)).summary));
    }
    groups += "      ) ;;\n";
  }
  for (const Command& command : commands()) {
    std::string flags;
    for (const Flag& flag : command.flags) {
      flags += zsh_flag(flag);
    }
    const Completion argument = completion_of_argument(command);
    cases +=
        fmt::format("    '{}')\n      _arguments -s \\\n{}        '{}' ;;\n", command.name, flags,
                    argument.words.empty() && !argument.files
                        ? std::string("*: :")
                        : fmt::format("*:argument:{}", zsh_action(argument)));
  }
  return fmt::format(
      "#compdef tain\n# made by `tain generate zsh`\n\n_tain() {{\n  local -a second "
      "commands=(\n{}  )\n"
      "  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n"
      "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n"
      "  case $command in\n{}  esac\n"
      "  if (( $#second )); then\n"
      "    if (( CURRENT == 2 )); then\n      _describe command second\n      return\n    fi\n"
      "    command=\"$command $words[2]\"\n    shift words\n    (( CURRENT-- ))\n  fi\n"
      "  case $command in\n{}  esac\n}}\n\n_tain \"$@\"\n",
      names, groups, cases);
}

std::string fish_completion() {
  std::string text = "# fish completion of tain, made by `tain generate fish`\n";
  for (const std::string_view first : first_words()) {
    text += fmt::format("complete -c tain -n __fish_use_subcommand -f -a {} -d '{}'\n", first,
                        in_quotes(summary_of_word(first)));
  }
  for (const Command& command : commands()) {
    text += fish_command(command);
  }
  return text;
}

}  // namespace tain::cli
