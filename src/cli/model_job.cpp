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

std::optional<Corpus> given_corpus(const Options& options) {
  const std::optional<std::string> folder = options.text("corpus");
  return folder ? std::optional(Corpus::open(*folder)) : std::nullopt;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace tain::cli
