// What is kept of a training run beside its topics: JSON for manifests and for `--json`.
#pragma once

#include <string>

#include "lda/training/training_report.hpp"

namespace tain {

struct TrainRecord {
  const StopRule& stop;
  std::string started;  ///< by utc_now()
  std::string command;
};
/// Options, versions, times, and what was found: `details` of the model's manifest.
std::string training_details(TrainingRun& run, const TrainingReport& report,
                             const TrainRecord& record);
/// What was found alone.
std::string training_findings(const TrainingRun& run, const TrainingReport& report);

}  // namespace tain
