#include "cli/corpus_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/text.hpp"
#include "sampling/json_text.hpp"

namespace tain::cli {

std::string required_argument(const Command& command, const RawOptions& raw) {
  if (raw.arguments.empty() || raw.arguments.front().empty()) {
    fail(Fault::usage, command.name, fmt::format("{} is missing", command.arguments),
         fmt::format("see `tain {} --help`", command.name));
  }
  return raw.arguments.front();
}

std::filesystem::path required_output(const Command& command, const Options& options) {
  const std::optional<std::string> path = options.text("output");
  if (!path || path->empty()) {
    fail(Fault::usage, command.name, "where to write is missing",
         fmt::format("give -o {}", find_flag(command, "output")->metavar));
  }
  return *path;
}

Console console_of(const Options& options) {
  return Console(options.on("quiet") ? Console::Volume::silent : Console::Volume::normal);
}

ProgressMode job_progress_mode(const Options& options) {
  return progress_mode(options.on("quiet") ? "none" : options.choice("progress"));
}

JobProgress::JobProgress(std::string_view name, const Options& options)
    : name_(name), line_(job_progress_mode(options)) {}

Next JobProgress::show(const WorkProgress& now) {
  const auto& [phase, documents, done, size, unit] = now;
  const bool bytes = unit == WorkProgress::Unit::bytes;
  if (phase != phase_) {
    phase_ = phase;
    phase_start_ = Clock::now();
  }
  if (line_.due()) {
    const double passed = std::chrono::duration<double>(Clock::now() - phase_start_).count();
    // A pace from a moment is no pace.
    const double rate = passed > 0.2 ? static_cast<double>(done) / passed : 0;
    nlohmann::ordered_json json{{"phase", phase},
                                {"documents", documents},
                                {"done", done},
                                {"unit", bytes ? "bytes" : "documents"}};
    std::string text = fmt::format("{}  {}", name_, phase);
    if (size && *size > 0) {
      const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(*size));
      const double left = rate > 0 ? static_cast<double>(*size - std::min(done, *size)) / rate : 0;
      text += fmt::format("  {} {:3.0f} %", progress_bar(share), 100 * share);
      json["size"] = *size;
      if (rate > 0) {
        text += fmt::format("  eta {}", clock_text(left));
        json["eta_seconds"] = left;
      }
    }
    text += fmt::format("  {} documents", grouped(documents));
    if (rate > 0) {
      text += bytes ? fmt::format("  {}/s", format_bytes(rate))
                    : fmt::format("  {} documents/s", with_unit(rate));
    }
    json["per_second"] = rate;
    line_.show(text, json.dump());
  }
  return stop_requested() ? Next::stop : Next::go_on;
}

double JobProgress::seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

std::string made_json(const std::filesystem::path& corpus, const JobProgress& progress,
                      const std::string& manifest) {
  nlohmann::ordered_json object{{"corpus", corpus.string()}, {"seconds", progress.seconds()}};
  object.update(read_json(manifest, corpus.string()));
  return object.dump(2) + "\n";
}

}  // namespace tain::cli
