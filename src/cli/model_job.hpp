// What the commands that use topic models share.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>

#include "cli/corpus_job.hpp"
#include "lda/inference/inference.hpp"
#include "lda/model/model.hpp"

namespace tain::cli {

/// Both positional arguments. Throws Error (usage) if one is missing.
std::array<std::string, 2> required_arguments(const Command& command, const RawOptions& raw);

/// The corpus that --corpus names, else the one that the model was trained on if it is where it was
/// and what it was.
std::optional<Corpus> reference_corpus(const Options& options, const Model& model);

/// Progress of inference; false: a signal asked for a stop.
Next show(JobProgress& progress, const InferenceProgress& now);

}  // namespace tain::cli
