#include <fmt/format.h>

#include "corpus_job.hpp"
#include "program.hpp"
#include "tain/report/text.hpp"
#include "tain/text/synthetic.hpp"
#include "terminal.hpp"

namespace tain::cli {
namespace {

using Json = nlohmann::ordered_json;

std::uint32_t positive_32(const Options& options, std::string_view flag) {
  const std::uint64_t count = options.positive_count(flag);
  if (count > 0x7FFF'FFFF) {
    reject(options.value(flag), "is more than 2,147,483,647", "give a smaller number");
  }
  return static_cast<std::uint32_t>(count);
}

/// The estimate comes before the work: topics and their tables are held whole.
void require_memory(const SyntheticPlan& plan) {
  const double needed = 12.0 * plan.topics * plan.words;
  const double machine = machine_memory();
  if (needed > 0.8 * machine) {
    fail(Fault::config, "--topics",
         fmt::format("{} topics of {} words take {}, the machine has {}", grouped(plan.topics),
                     grouped(plan.words), format_bytes(needed), format_bytes(machine)),
         "ask for fewer topics or a smaller --vocab-size");
  }
}

SyntheticPlan make_plan(const Options& options) {
  SyntheticPlan plan;
  plan.documents = options.positive_count("docs");
  plan.topics = positive_32(options, "topics");
  plan.words = positive_32(options, "vocab-size");
  plan.mean_length = *options.positive_number("mean-length");
  plan.alpha = *options.positive_number("alpha");
  plan.eta = *options.positive_number("eta");
  plan.base = options.choice("base") == "zipf" ? BaseFrequencies::zipf : BaseFrequencies::uniform;
  plan.proportions = options.on("proportions") ? Proportions::write : Proportions::drop;
  plan.seed = *options.count("seed");
  require_memory(plan);
  return plan;
}

}  // namespace

int synthesize_command(const Command& command, const RawOptions& raw) {
  const Options options(command, raw);
  const SyntheticPlan plan = make_plan(options);
  const std::filesystem::path folder = required_output(command, options);
  Threads threads(*options.count("threads"));
  JobProgress progress("synthesize", JobProgress::Unit::documents, options);
  const std::optional<SyntheticReport> report = synthesize_corpus(
      plan, folder, overwrite(options), threads, [&](const DocumentProgress& now) {
        return progress.show(now.phase, now.documents, now.documents, now.total) ? Next::go_on
                                                                                 : Next::stop;
      });
  progress.clear();
  const Talk talk(options.on("quiet") ? Talk::Volume::silent : Talk::Volume::normal);
  if (!report) {
    talk.say(fmt::format("stopped; nothing was written to {}", folder.string()));
    return static_cast<int>(Fault::interrupted);
  }
  if (options.on("json")) {
    Json object{{"corpus", folder.string()}, {"seconds", progress.seconds()}};
    object.update(Json::parse(synthetic_manifest(plan, *report)));
    print(object.dump(2) + "\n");
  } else {
    print(fmt::format("corpus     {}\ndocuments  {} ({} empty)\ntokens     {}\ntopics     {}\n",
                      folder.string(), grouped(report->documents), grouped(report->empty_documents),
                      grouped(report->tokens), (folder / "topics.npy").string()));
  }
  return 0;
}

}  // namespace tain::cli
