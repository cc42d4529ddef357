// The manifest beside draws: how they were made, to repeat, resume and report them.
#pragma once

#include <nlohmann/json.hpp>

#include "tain/diagnose/summary.hpp"
#include "tain/run/record.hpp"

namespace tain {

/// `asked`: as asked_json writes it.
nlohmann::ordered_json manifest_json(const RunRecord& record, nlohmann::ordered_json asked,
                                     const Verdict& verdict);
/// What a manifest says that was asked, as a resumed run compares it with `now`.
nlohmann::ordered_json request_of(const nlohmann::ordered_json& manifest,
                                  const nlohmann::ordered_json& now);
/// What was done, and by what; the plan must be there.
void read_manifest(const nlohmann::ordered_json& manifest, RunRecord& record);
/// What is known of the bias of draws by their kernel; `acceptance`: mean over the steps.
void set_bias(RunRecord& record, std::optional<double> acceptance);

}  // namespace tain
