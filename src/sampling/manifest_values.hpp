// Values of manifests, which other versions or hands may have written: what is of another kind is
// left out.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "run/adaptation.hpp"
#include "run/kernel_table.hpp"

namespace tain {

std::string text_in(const nlohmann::ordered_json& object, const char* key);
std::optional<double> number_in(const nlohmann::ordered_json& object, const char* key);
std::optional<std::uint64_t> count_in(const nlohmann::ordered_json& object, const char* key);
StepSizeHistory history_in(const nlohmann::ordered_json& manifest);

/// What is known of a kernel's bias: scir is exact, unless it ran on mini-batches.
Bias bias_of(std::string_view kernel, bool batches);

}  // namespace tain
