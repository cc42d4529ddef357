// What an import plan comes to.
#pragma once

#include "tain/text/import.hpp"
#include "text/import.hpp"

namespace tain {

/// Throws Error (config) for a value that is wrong by itself.
ImportSettings import_settings(const ImportPlan& plan, std::filesystem::path source);
/// Options that would do nothing to a source of this format are refused rather than ignored:
/// throws Error (config).
void refuse_idle(const ImportPlan& plan, const ImportReport& report);

}  // namespace tain
