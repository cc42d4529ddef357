// What the commands that use topic models share.
#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <string>

#include "cli/corpus_job.hpp"
#include "tain/lda/model.hpp"

namespace tain::cli {

/// Both positional arguments. Throws Error (usage) if one is missing.
std::array<std::string, 2> required_arguments(const Command& command, const RawOptions& raw);

/// The corpus that --corpus names.
std::optional<Corpus> given_corpus(const Options& options);

double seconds_since(std::chrono::steady_clock::time_point start);

}  // namespace tain::cli
