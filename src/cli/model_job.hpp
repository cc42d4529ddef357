// What the commands that use topic models share.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>

#include "corpus_job.hpp"
#include "tain/lda/inference.hpp"
#include "tain/lda/model.hpp"

namespace tain::cli {

/// Both positional arguments. Throws Error (usage) if one is missing.
std::array<std::string, 2> required_arguments(const Command& command, const RawOptions& raw);

/// --sweeps, from 2 to 4096.
std::uint32_t sweeps_of(const Options& options);
/// --sweeps and --seed.
InferencePlan inference_plan(const Options& options);

/// The corpus that the model was trained on, if it is where it was and what it was.
std::optional<Corpus> recorded_corpus(const Model& model);
/// The corpus that --corpus names, else the one that the model was trained on if it is where it was
/// and what it was.
std::optional<Corpus> reference_corpus(const Options& options, const Model& model);

/// Throws Error (config) if all documents of a corpus take more memory than the machine has when
/// they are evaluated.
void require_evaluation_memory(const Corpus& corpus, const TopicWeights& topics);

/// Progress of inference; false: a signal asked for a stop.
Next show(JobProgress& progress, const InferenceProgress& now);

}  // namespace tain::cli
