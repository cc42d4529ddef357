#include <fmt/format.h>

#include "corpus_job.hpp"
#include "model_folder.hpp"
#include "program.hpp"
#include "tain/core/simd.hpp"
#include "tain/report/text.hpp"
#include "terminal.hpp"
#include "train_display.hpp"
#include "train_record.hpp"
#include "train_request.hpp"

namespace tain::cli {
namespace {

using Json = nlohmann::ordered_json;

void say_sizes(const TrainingRequest& request, const Corpus& corpus, const Talk& talk) {
  const auto [needed, disk] = training_sizes(request, corpus);
  const std::uint64_t draws = request.schedule.keep_draws;
  talk.say(fmt::format("{} topics of {} words take {} of memory, and {} of disk with {}",
                       grouped(request.plan.topics), grouped(corpus.words()), format_bytes(needed),
                       format_bytes(disk),
                       draws == 0   ? std::string("no draws of them")
                       : draws == 1 ? std::string("one draw of them")
                                    : fmt::format("{} draws of them", grouped(draws))));
}

std::string resume_command(const std::string& command_line) {
  std::string text = command_line;
  for (const std::string_view flag : {" --force", " -f"}) {
    const std::size_t at = (text + " ").find(std::string(flag) + " ");
    if (at != std::string::npos) {
      text.erase(at, flag.size());
    }
  }
  return text.find(" --resume") == std::string::npos ? text + " --resume" : text;
}

void say_start(const TrainingRun& run, const Talk& talk) {
  if (run.schedule().held_out == 0) {
    talk.say("no documents are held out: perplexity is not measured");
  } else if (run.held_out().test_tokens() == 0) {
    talk.say("held-out documents have fewer than 10 tokens each: perplexity is not measured");
  }
  talk.say(fmt::format("{} documents to train on, {} held out; seed {}, {}",
                       grouped(run.training_documents()), grouped(run.schedule().held_out),
                       run.training().plan().seed, run.training().plan().method));
}

}  // namespace

int train_command(const Command& command, const RawOptions& raw, const std::string& command_line) {
  const Options given(command, raw);
  const Talk talk(given.on("quiet") ? Talk::Volume::silent : Talk::Volume::normal);
  const std::string corpus_folder = required_argument(command, raw);
  const std::filesystem::path output = required_output(command, given);
  ModelFolder folder(output, continuation_of(given));
  const bool resumed = given.on("resume") && folder.has_checkpoint();
  const RawOptions all =
      resumed ? with_settings(command, raw, checkpoint_settings(folder.checkpoint())) : raw;
  const Options options(command, all);
  if (options.choice("isa") != "auto") {
    pin_isa(parse_isa(options.choice("isa")));
  }
  const Corpus corpus = Corpus::open(corpus_folder);
  const TrainingRequest request = training_request(options, given, corpus);
  const auto& [stop, plan, schedule] = request;
  const CheckpointPlan checkpoints = checkpoint_plan(options, folder.checkpoint());
  say_sizes(request, corpus, talk);
  Threads threads(*options.count("threads"));
  TrainingRun run(corpus, plan, schedule, threads);
  const std::string started = utc_now();
  if (resumed) {
    run.restore(folder.checkpoint());
    talk.say(fmt::format("going on after {} steps", grouped(run.training().steps())));
  } else {
    folder.clear();
  }
  say_start(run, talk);
  TrainDisplay display(progress_mode(options.on("quiet") ? "none" : options.choice("progress")),
                       stop);
  const StopReason reason = run.run(stop, checkpoints, [&](const TrainingProgress& progress) {
    display.show(progress);
    return stop_requested() ? Next::stop : Next::go_on;
  });
  display.clear();
  if (reason == StopReason::observer) {
    talk.say(fmt::format("interrupted after {} steps; continue with: {}",
                         grouped(run.training().steps()), resume_command(command_line)));
    return static_cast<int>(stop_fault());
  }
  const TrainingReport report = report_on(run, reason);
  const Json details =
      training_details(run, report, {.stop = stop, .started = started, .command = command_line});
  write_trained_model(folder.path(), run, report, details.dump(), command_line);
  if (options.on("json")) {
    Json object{{"model", folder.path().string()}};
    object.update(training_json(run, report));
    print(object.dump(2) + "\n");
  } else {
    print(training_text(folder.path(), run, report));
  }
  return options.on("strict") && !report.verdict.trust ? static_cast<int>(Fault::gate_failed) : 0;
}

}  // namespace tain::cli
