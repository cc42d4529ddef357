#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "corpus_job.hpp"
#include "program.hpp"
#include "results.hpp"
#include "tain/draws/table.hpp"
#include "terminal.hpp"
#include "values.hpp"

namespace tain::cli {

int diagnose_command(const Command& command, const RawOptions& raw) {
  const Options options(command, raw);
  if (raw.arguments.empty()) {
    fail(Fault::usage, "diagnose", "no draws are given", "give FILE.nc, FILE.npy or FILE.csv...");
  }
  const std::size_t max_rows = options.positive_count("max-rows");
  Threads threads(*options.count("threads"));
  const std::vector<std::filesystem::path> paths(raw.arguments.begin(), raw.arguments.end());
  std::optional<Waiting> waiting(std::in_place, job_progress_mode(options),
                                 "diagnose  reading and judging draws");
  const DrawsFile file = read_draws(paths);
  const RunFacts facts = facts_of(file);
  const Diagnosis found =
      diagnose(file.values, file.chains, file.draws, file.names, facts, threads);
  waiting.reset();
  if (options.on("json")) {
    nlohmann::ordered_json object = diagnosis_json(found);
    object["chains"] = file.chains;
    object["draws"] = file.draws;
    object["divergences"] = facts.divergences;
    object["bias_indicator"] =
        facts.bias_indicator ? nlohmann::ordered_json(*facts.bias_indicator) : nullptr;
    object["seconds"] = nullptr;  // a draws file does not tell
    object["gradients"] = nullptr;
    print(object.dump(2) + "\n");
  } else {
    print(fmt::format("{} chains of {} draws\n\n", file.chains, file.draws) +
          found.text(terminal_style(max_rows)));
  }
  return options.on("strict") && !found.verdict.trust ? static_cast<int>(Fault::gate_failed) : 0;
}

}  // namespace tain::cli
