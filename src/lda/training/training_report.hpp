// What a training run found: the topics as they are published, how far to trust them, and the model
// on disk with its card.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "lda/model/model_state.hpp"
#include "lda/training/training_run.hpp"
#include "tain/diagnose/summary.hpp"

namespace tain {

struct TrainingReport {
  StopReason stopped = StopReason::interrupted;
  std::uint64_t draws_kept = 0;
  /// Of every topic as it is published, those of highest probability, descending; ties by number.
  std::vector<std::vector<std::uint32_t>> words;
  History history;  ///< up to the last step
  /// Of the published topics alone: what `tain lda evaluate` measures. None without held-out
  /// tokens.
  std::optional<Perplexity> perplexity;
  /// Per topic: of the tokens of held-out documents (or, if there are none, of up to a thousand
  /// that were trained on) the share assigned to it.
  std::vector<double> shares;
  Verdict verdict;
};
/// Collective; the same on all ranks, times apart.
TrainingReport report_on(TrainingRun& run, StopReason stopped);

/// Have all documents been seen, has the perplexity come to rest, is every topic used.
Verdict judge_training(const History& history, double passes, std::span<const double> shares,
                       const StopReason& stopped, std::uint64_t draws_kept);

/// What the model says about itself, but for the documents of its draws.
ModelFacts trained_facts(const TrainingRun& run, const TrainingReport& report);

/// README.md of the model, with `name_mark`: on what it was trained and how, what it is worth, its topics.
std::string model_card(const TrainingRun& run, const TrainingReport& report,
                       std::string_view command);

/// All files of the model. The folder must exist, and be empty. Collective: rank 0 writes. Throws
/// Error (cannot_create, io).
void write_trained_model(const std::filesystem::path& folder, TrainingRun& run,
                         const ModelFacts& facts, const DrawFiles& draws, const ModelTexts& texts);

}  // namespace tain
