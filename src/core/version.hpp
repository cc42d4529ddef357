// Which Tain this is, and what compiled it.
#pragma once

#include <string_view>

namespace tain {

std::string_view version_number();
/// Of the sources: year-month-day.
std::string_view version_date();
/// Of the sources; empty where the build did not know it.
std::string_view version_commit();
std::string_view compiler_name();

}  // namespace tain
