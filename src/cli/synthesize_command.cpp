#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/corpus_job.hpp"
#include "cli/fill.hpp"
#include "cli/program.hpp"
#include "cli/terminal.hpp"
#include "report/text.hpp"
#include "text/synthetic.hpp"

namespace tain::cli {

int synthesize_command(const Command& command, const RawOptions& raw) {
  const Options options(command, raw);
  const SyntheticPlan plan = filled(SyntheticPlan::usual(), options);
  const std::filesystem::path folder = required_output(command, options);
  Threads threads(options.threads());
  JobProgress progress("synthesize", options);
  const std::optional<SyntheticReport> report = synthesize_corpus(
      plan, folder, overwrite(options), threads, [&](const DocumentProgress& now) {
        return progress.show({now.phase, now.documents, now.documents, now.total});
      });
  progress.clear();
  const Console console = console_of(options);
  if (!report) {
    console.note(fmt::format("stopped; nothing was written to {}", folder.string()));
    return static_cast<int>(Fault::interrupted);
  }
  if (options.on("json")) {
    nlohmann::ordered_json object{{"corpus", folder.string()}, {"seconds", progress.seconds()}};
    object.update(nlohmann::ordered_json::parse(synthetic_manifest(plan, *report)));
    print(object.dump(2) + "\n");
  } else {
    print(fmt::format("corpus     {}\ndocuments  {} ({} empty)\ntokens     {}\ntopics     {}\n",
                      folder.string(), grouped(report->documents), grouped(report->empty_documents),
                      grouped(report->tokens), (folder / "topics.npy").string()));
  }
  return 0;
}

}  // namespace tain::cli
