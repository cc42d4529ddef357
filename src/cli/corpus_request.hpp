// From the options of `corpus import` and `corpus synthesize` to plans.
#pragma once

#include <filesystem>

#include "tain/text/import.hpp"
#include "tain/text/synthetic.hpp"
#include "values.hpp"

namespace tain::cli {

ImportPlan import_plan(const Options& options, std::filesystem::path source);
/// Options that would do nothing to a source of this format are refused rather than ignored.
void refuse_idle_import(const Options& options, const ImportReport& report);

/// Throws Error (config) for more topics than the machine has memory for.
SyntheticPlan synthetic_plan(const Options& options);

}  // namespace tain::cli
