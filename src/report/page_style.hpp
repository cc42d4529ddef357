// The style sheet of a page; its colours are those of the figures.
#pragma once

#include <string>

namespace tain::report {

std::string page_style();

}  // namespace tain::report
