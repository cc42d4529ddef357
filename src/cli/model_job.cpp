#include "cli/model_job.hpp"

#include <fmt/format.h>

#include "tain/core/error.hpp"

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

std::optional<Corpus> reference_corpus(const Options& options, const Model& model) {
  const std::optional<std::string> folder = options.text("corpus");
  return folder ? Corpus::open(*folder) : recorded_corpus(model);
}

Next show(JobProgress& progress, const InferenceProgress& now) {
  return progress.show("inferring topics", now.documents, now.consumed, now.size) ? Next::go_on
                                                                                  : Next::stop;
}

}  // namespace tain::cli
