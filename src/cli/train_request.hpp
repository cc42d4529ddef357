// From the options of `lda train` to plans.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "recording.hpp"
#include "tain/lda/training_run.hpp"
#include "values.hpp"

namespace tain::cli {

/// Fresh, resume or replace. Throws Error (config) if both --resume and --force are given.
Continuation continuation_of(const Options& options);

/// Options with those of the run that is resumed in the place of the ones left out.
RawOptions with_settings(const Command& command, const RawOptions& raw,
                         std::span<const Setting> stored);

/// `given` holds what the user wrote: flags that would do nothing to the method are refused.
TrainingPlan training_plan(const Options& options, const Options& given);
/// One rule: steps, passes or seconds.
StopRule stop_rule(const Options& options);
TrainingSchedule training_schedule(const Options& options, const Options& given,
                                   const StopRule& stop, std::uint64_t documents,
                                   std::uint32_t batch);
CheckpointPlan checkpoint_plan(const Options& options, std::filesystem::path file);

}  // namespace tain::cli
