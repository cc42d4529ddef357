#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "cli/corpus_job.hpp"
#include "cli/program.hpp"
#include "cli/results.hpp"
#include "cli/terminal.hpp"
#include "cli/values.hpp"

namespace tain::cli {

int diagnose_command(const Command& command, const RawOptions& raw) {
  const Options options(command, raw);
  if (raw.arguments.empty()) {
    fail(Fault::usage, "diagnose", "no draws are given", "give FILE.nc, FILE.npy or FILE.csv...");
  }
  const std::size_t max_rows = options.positive_count("max-rows");
  const std::vector<std::filesystem::path> paths(raw.arguments.begin(), raw.arguments.end());
  std::optional<ElapsedLine> waiting(std::in_place, job_progress_mode(options),
                                     "diagnose  reading and judging draws");
  const Run run = read_run(paths, options.threads(), DualPart::skip);
  waiting.reset();
  const Draws& draws = run.draws();
  if (options.on("json")) {
    using Json = nlohmann::ordered_json;
    const RunSummary& done = run.record().done;
    const bool known = !run.record().plan.kernel.empty() || !draws.diverging.empty();
    Json object = diagnosis_json(run.diagnosis());
    object["chains"] = draws.chains;
    object["draws"] = draws.draws;
    object["divergences"] = known ? Json(done.divergences) : nullptr;
    object["bias_indicator"] = done.bias_indicator ? Json(*done.bias_indicator) : nullptr;
    object["seconds"] = done.seconds > 0 ? Json(done.seconds) : nullptr;
    object["gradients"] = done.gradients > 0 ? Json(done.gradients) : nullptr;
    print(object.dump(2) + "\n");
  } else {
    print(fmt::format("{} chains of {} draws\n\n", draws.chains, draws.draws) +
          run.text(terminal_style(max_rows)));
  }
  return options.on("strict") && !run.verdict().trust ? static_cast<int>(Fault::gate_failed) : 0;
}

}  // namespace tain::cli
