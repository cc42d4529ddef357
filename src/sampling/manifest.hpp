// The manifest beside draws: how they were made, to repeat, resume and report them.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "report/run_page.hpp"
#include "sampling/search.hpp"

namespace tain {

/// Of their values: what a manifest knows its draws by.
std::string draws_checksum(const Draws& draws);
/// `asked`: as asked_json writes it; `output`: the draws beside it.
nlohmann::ordered_json manifest_json(const RunReport& report, const Search& search,
                                     nlohmann::ordered_json asked,
                                     const std::filesystem::path& output);
/// What a manifest says that was asked, as a resumed run compares it with `now`.
nlohmann::ordered_json request_of(const nlohmann::ordered_json& manifest,
                                  const nlohmann::ordered_json& now);
/// What was done, and by what; the plan must be there.
void read_manifest(const nlohmann::ordered_json& manifest, RunRecord& record);
/// What is known of the bias of draws by their kernel; `acceptance`: mean over the steps.
void set_bias(RunRecord& record, std::optional<double> acceptance);

}  // namespace tain
