// The program and style of the interactive parts of a page, bundled from web/.
#pragma once

#include <string_view>

namespace tain::report {

std::string_view page_program();
std::string_view page_program_style();

}  // namespace tain::report
