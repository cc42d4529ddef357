// What a training run found: the topics as they are published, how far to trust them, and the model
// on disk with its card.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "lda/model/model.hpp"
#include "lda/training/training_run.hpp"
#include "tain/diagnose/summary.hpp"

namespace tain {

struct TrainingReport {
  StopReason stopped = StopReason::observer;
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
/// Words of a topic that a report has.
inline constexpr std::size_t reported_words = 12;
/// Collective; the same on all ranks, times apart.
TrainingReport report_on(TrainingRun& run, StopReason stopped);

/// "1 pass", "4.07 passes".
std::string passes_text(double passes);

/// Topics by falling share.
std::vector<std::uint32_t> topics_by_share(const TrainingReport& report);

/// Have all documents been seen, has the perplexity come to rest, is every topic used.
Verdict judge_training(const History& history, double passes, std::span<const double> shares,
                       const StopReason& stopped, std::uint64_t draws_kept);

/// What the model says about itself, but for the documents of its draws.
ModelFacts trained_facts(const TrainingRun& run, const TrainingReport& report);

/// README.md of the model: on what it was trained and how, what it is worth, its topics.
std::string model_card(const TrainingRun& run, const TrainingReport& report, std::string_view name,
                       std::string_view command);

/// All files of the model. `details` is a JSON object for the manifest; `command` goes to the card.
/// The folder must exist. Collective: rank 0 writes. Throws Error (cannot_create, io).
void write_trained_model(const std::filesystem::path& folder, TrainingRun& run,
                         const TrainingReport& report, std::string details,
                         std::string_view command);

}  // namespace tain
