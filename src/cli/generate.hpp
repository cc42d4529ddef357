// Texts made from the flag table for other programs to read: manual pages, completions, reference.
#pragma once

#include <span>
#include <string>

#include "cli/flags.hpp"

namespace tain::cli {

/// What `tain generate WHAT [COMMAND]` prints. Throws Error (usage) that suggests what was meant.
std::string generated(std::span<const std::string> arguments);

std::string program_manual();  ///< tain(1)
std::string command_manual(const Command& command);
/// tain-lda-train for `lda train`.
std::string manual_name(const Command& command);

std::string markdown_reference();
std::string error_reference();

std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

/// What may follow a flag, as far as it can be guessed.
struct Completion {
  std::vector<std::string_view> words;
  bool files = false;
};
/// Choices, names of maps, targets and kernels, and the literal words of a metavar such as
/// "english|none|FILE".
Completion completion_of(const Flag& flag);
/// Of a positional argument.
Completion completion_of_argument(const Command& command);

}  // namespace tain::cli
