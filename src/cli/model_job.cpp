#include "cli/model_job.hpp"

#include <fmt/format.h>

#include "tain/core/error.hpp"

namespace tain::cli {

std::array<std::string, 2> required_arguments(const Command& command, const RawOptions& raw) {
  const bool first = !raw.arguments.empty() && !raw.arguments[0].empty();
  if (!first || raw.arguments.size() < 2 || raw.arguments[1].empty()) {
    const std::string_view names = command.arguments;
    const std::size_t blank = names.find(' ');
    fail(Fault::usage, command.name,
         fmt::format("{} is missing", first ? names.substr(blank + 1) : names.substr(0, blank)),
         fmt::format("see `tain {} --help`", command.name));
  }
  return {raw.arguments[0], raw.arguments[1]};
}

std::optional<Corpus> given_corpus(const Options& options) {
  const std::optional<std::string> folder = options.text("corpus");
  return folder ? std::optional(Corpus::open(*folder)) : std::nullopt;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace tain::cli
