#include <fmt/format.h>

#include "cli/corpus_job.hpp"
#include "cli/fill.hpp"
#include "cli/program.hpp"
#include "report/text.hpp"
#include "tain/text/synthesize.hpp"

namespace tain::cli {

int synthesize_command(const Command& command, const RawOptions& raw) {
  const Options options(command, raw);
  SyntheticPlan plan = filled(SyntheticPlan(), options);
  const std::filesystem::path folder = required_output(command, options);
  JobProgress progress("synthesize", options);
  SyntheticReport report;
  plan.threads = options.threads();
  plan.overwrite = options.on("force");
  plan.progress = progress.watch();
  plan.report = [&](const SyntheticReport& done) { report = done; };
  synthesize_corpus(folder, plan);
  progress.clear();
  if (options.on("json")) {
    print(made_json(folder, progress, report.manifest));
  } else {
    print(fmt::format("corpus     {}\ndocuments  {} ({} empty)\ntokens     {}\ntopics     {}\n",
                      folder.string(), grouped(report.documents), grouped(report.empty_documents),
                      grouped(report.tokens), (folder / "topics.npy").string()));
  }
  return 0;
}

}  // namespace tain::cli
