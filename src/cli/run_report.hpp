// From draws and their manifest to the report of a run: the same for `tain sample --report`, right
// after the run, and for `tain report`, from files.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tain/core/parallel.hpp"
#include "tain/draws/table.hpp"
#include "tain/report/run_page.hpp"
#include "tain/run/sampler.hpp"

namespace tain::cli {

/// Everything from the draws, what is known of them and, where there is one, the manifest (null
/// otherwise). The set and exact laws are the problem's or, without one (null), what the options
/// that the draws were kept with tell. Borrows the draws.
RunReport make_run_report(const RunDraws& draws, DrawsInfo info,
                          const nlohmann::ordered_json& manifest, std::vector<std::string> files,
                          const Problem* problem, Threads& threads);

/// Draws from files with the report that borrows them.
struct ReportedRun {
  DrawsFile file;
  RunReport report;
  std::vector<std::string> notes;  ///< for people: what was left out and why
};
ReportedRun read_run(const std::vector<std::filesystem::path>& paths, Threads& threads);

/// What the manifest of a finished run says of its chains.
RunSummary summary_of(const nlohmann::ordered_json& manifest);

}  // namespace tain::cli
