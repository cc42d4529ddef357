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

/// Not an object where the text is none, or nested deeper than anything we write.
nlohmann::ordered_json parse_json(const std::string& text);
/// Whatever bytes its texts are.
std::string json_text(const nlohmann::ordered_json& json, int indent = -1);
std::string text_in(const nlohmann::ordered_json& object, const char* key);
std::optional<double> number_in(const nlohmann::ordered_json& object, const char* key);
std::optional<std::uint64_t> count_in(const nlohmann::ordered_json& object, const char* key);
StepSizeHistory history_in(const nlohmann::ordered_json& manifest);

/// What is known of a kernel's bias: scir is exact, unless it ran on mini-batches.
Bias bias_of(std::string_view kernel, bool batches);

}  // namespace tain
