// Texts made from the flag table: help, man page, completions, reference.
#pragma once

#include <string>

#include "flags.hpp"

namespace tain::cli {

std::string program_help();
/// The commands of a group.
std::string group_help(std::string_view group);
std::string command_help(const Command& command);
/// Version, compiler, instruction set in use; the commit where the build knew it.
std::string version_text();
std::string_view version_number();

std::string man_page();  ///< troff, section 1
std::string markdown_reference();
std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

}  // namespace tain::cli
