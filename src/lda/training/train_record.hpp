// What is kept of a training run beside its topics: JSON for manifests.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "lda/training/training_report.hpp"

namespace tain {

struct TrainCall {
  const StopRule& stop;
  std::string started;  ///< by utc_now()
  std::string command;
};
/// Options, versions, times, and what was found: `details` of the model's manifest.
std::string training_details(TrainingRun& run, const TrainingReport& report, const TrainCall& call);

}  // namespace tain
