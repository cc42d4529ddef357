#include "model_job.hpp"

#include <fmt/format.h>

#include "tain/core/error.hpp"
#include "tain/report/text.hpp"
#include "terminal.hpp"

namespace tain::cli {

std::array<std::string, 2> required_arguments(const Command& command, const RawOptions& raw) {
  if (raw.arguments.size() < 2) {
    const std::string_view names = command.arguments;
    const std::size_t blank = names.find(' ');
    fail(Fault::usage, command.name,
         fmt::format("{} is missing",
                     raw.arguments.empty() ? names.substr(0, blank) : names.substr(blank + 1)),
         fmt::format("see `tain {} --help`", command.name));
  }
  return {raw.arguments[0], raw.arguments[1]};
}

std::uint32_t sweeps_of(const Options& options) {
  const std::uint64_t sweeps = *options.count("sweeps");
  if (sweeps < 2 || sweeps > most_inference_sweeps) {
    reject(options.value("sweeps"), fmt::format("is {}", sweeps),
           fmt::format("give 2 to {}; the first half is forgotten", most_inference_sweeps));
  }
  return static_cast<std::uint32_t>(sweeps);
}

InferencePlan inference_plan(const Options& options) {
  return {.sweeps = sweeps_of(options), .seed = *options.count("seed")};
}

std::optional<Corpus> reference_corpus(const Options& options, const Model& model) {
  const std::optional<std::string> folder = options.text("corpus");
  return folder ? Corpus::open(*folder) : recorded_corpus(model);
}

std::optional<Corpus> recorded_corpus(const Model& model) {
  try {
    Corpus corpus = Corpus::open(model.facts().corpus_folder);
    if (corpus.fingerprint() == model.facts().corpus_fingerprint) {
      return corpus;
    }
  } catch (const Error&) {
    // Gone, or no longer a corpus: that is nobody's mistake.
  }
  return std::nullopt;
}

void require_evaluation_memory(const Corpus& corpus, const TopicWeights& topics) {
  // Tokens, and a count per document and topic.
  const double needed =
      4.0 * static_cast<double>(corpus.tokens()) +
      4.0 * static_cast<double>(corpus.documents()) * static_cast<double>(topics.row_length());
  const double machine = machine_memory();
  if (needed > 0.8 * machine) {
    fail(Fault::config, corpus.name(),
         fmt::format("its {} documents take {}, the machine has {}", grouped(corpus.documents()),
                     format_bytes(needed), format_bytes(machine)),
         "evaluate on a part of them");
  }
}

Next show(JobProgress& progress, const InferenceProgress& now) {
  return progress.show("inferring topics", now.documents, now.consumed, now.size) ? Next::go_on
                                                                                  : Next::stop;
}

}  // namespace tain::cli
