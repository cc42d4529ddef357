// What a synthetic corpus is made of beside its draws: tain/text/synthesize.hpp says what it is.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tain/text/synthesize.hpp"

namespace tain {

/// The first `count` made-up words.
std::vector<std::string> synthetic_words(std::uint32_t count);

/// The plan as the corpus's manifest.json.
std::string synthetic_manifest(const SyntheticPlan& plan, const SyntheticReport& report);

}  // namespace tain
