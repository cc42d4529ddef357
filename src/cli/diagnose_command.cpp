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
  const Findings findings = judge_draws(file, threads);
  waiting.reset();
  if (options.on("json")) {
    const RunFacts facts =
        facts_of(file.info, file.chains * file.draws, file.acceptance, file.diverging);
    nlohmann::ordered_json object = findings_json(findings);
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
          findings_text(findings, max_rows));
  }
  return options.on("strict") && !findings.verdict.trust ? static_cast<int>(Fault::gate_failed) : 0;
}

}  // namespace tain::cli
