// Help, made from the flag table.
#pragma once

#include <string>

#include "cli/flags.hpp"
#include "core/version.hpp"

namespace tain::cli {

std::string program_help();
/// The commands of a group.
std::string group_help(std::string_view group);
std::string command_help(const Command& command);
/// What the program is for, in one line and in a paragraph.
std::string_view program_summary();
std::string_view program_details();
/// Version, compiler, instruction set in use; the commit where the build knew it.
std::string version_text();

}  // namespace tain::cli
