// A verdict as JSON: in what programs print, and in manifests of runs and models.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "tain/diagnose/summary.hpp"

namespace tain {

nlohmann::ordered_json verdict_json(const Verdict& verdict);
/// What stands under `verdict` in an object; none where nothing does, or something else.
std::optional<Verdict> verdict_in(const nlohmann::ordered_json& object);

}  // namespace tain
