// What the manifest of a model keeps of the run that trained it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "tain/lda/training_report.hpp"

namespace tain::cli {

/// Now, as manifests write it.

struct RunRecord {
  const StopRule& stop;
  std::string started;  ///< by utc_now()
  std::string command;
};
/// Options, versions, times, and what was found.
nlohmann::ordered_json training_details(TrainingRun& run, const TrainingReport& report,
                                        const RunRecord& record);

}  // namespace tain::cli
