// The folder of a run that was made step by step.
#pragma once

#include "lda/training/training_report.hpp"

namespace tain::test {

inline void write_trained(const std::filesystem::path& folder, TrainingRun& run,
                          const TrainingReport& report, std::string details,
                          std::string_view command) {
  write_trained_model(folder, run, trained_facts(run, report), run.draws(),
                      {std::move(details), report.history.csv(),
                       with_name(model_card(run, report, command), folder)});
  run.discard_draws_file();
}

}  // namespace tain::test
