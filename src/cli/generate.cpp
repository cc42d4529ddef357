#include "cli/generate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tain/core/error.hpp"

namespace tain::cli {
namespace {

/// The page of the command that the words name: `lda train`, or `lda-train`.
std::string manual(std::span<const std::string> words) {
  if (words.empty()) {
    return program_manual();
  }
  std::string name = fmt::format("{}", fmt::join(words, " "));
  std::ranges::replace(name, '-', ' ');
  return command_manual(find_command(name));
}

std::string command_names() {
  std::string text;
  for (const Command& command : commands()) {
    text += fmt::format("{}\n", command.name);
  }
  return text;
}

struct Generator {
  std::string_view kind;
  std::string (*text)();
};

constexpr std::array generators{
    Generator{"bash", bash_completion},   Generator{"zsh", zsh_completion},
    Generator{"fish", fish_completion},   Generator{"markdown", markdown_reference},
    Generator{"errors", error_reference}, Generator{"commands", command_names},
};

}  // namespace

std::string generated(std::span<const std::string> arguments) {
  const std::vector<std::string_view> kinds = argument_choices(find_command("generate"));
  const std::string give = fmt::format("give one of {}", fmt::join(kinds, ", "));
  if (arguments.empty()) {
    fail(Fault::usage, "generate", "what to generate is missing", give);
  }
  const std::string& kind = arguments.front();
  if (kind == "man") {
    return manual(arguments.subspan(1));
  }
  const auto found = std::ranges::find(generators, kind, &Generator::kind);
  if (found == generators.end()) {
    fail(Fault::usage, "generate", fmt::format("unknown value '{}'", kind),
         suggestion(kind, kinds, give));
  }
  if (arguments.size() > 1) {
    fail(Fault::usage, "generate", fmt::format("'{}' is of the whole program", kind),
         fmt::format("leave out '{}'", arguments[1]));
  }
  return found->text();
}

}  // namespace tain::cli
