#include <fmt/chrono.h>
#include <fmt/format.h>

#include "corpus_job.hpp"
#include "help.hpp"
#include "model_folder.hpp"
#include "program.hpp"
#include "tain/core/simd.hpp"
#include "tain/report/text.hpp"
#include "terminal.hpp"
#include "train_display.hpp"
#include "train_request.hpp"

namespace tain::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

/// The estimate comes before the work.
void require_memory(const Corpus& corpus, const TrainingPlan& plan,
                    const TrainingSchedule& schedule, const Talk& talk) {
  const auto needed = static_cast<double>(
      training_bytes(plan, corpus.words(), corpus.documents(), corpus.tokens()));
  const double machine = machine_memory();
  if (needed > 0.8 * machine) {
    fail(Fault::config, "--topics",
         fmt::format("{} topics of {} words take {}, the machine has {}", grouped(plan.topics),
                     grouped(corpus.words()), format_bytes(needed), format_bytes(machine)),
         "ask for fewer topics, or import the corpus with a smaller --max-vocab");
  }
  const auto disk = static_cast<double>(
      training_disk_bytes(plan, schedule, corpus.words(), corpus.documents(), corpus.tokens()));
  talk.say(fmt::format(
      "{} topics of {} words take {} of memory, and {} of disk with {}", grouped(plan.topics),
      grouped(corpus.words()), format_bytes(needed), format_bytes(disk),
      schedule.keep_draws == 0   ? std::string("no draws of them")
      : schedule.keep_draws == 1 ? std::string("one draw of them")
                                 : fmt::format("{} draws of them", grouped(schedule.keep_draws))));
}

Corpus open_corpus(const std::string& folder) {
  Corpus corpus = Corpus::open(folder);
  if (corpus.documents() < 1 || corpus.words() < 1 || corpus.tokens() < 1) {
    fail(Fault::data, folder, "has no words to train on", "import another source");
  }
  return corpus;
}

/// Typed where JSON has the type, else text.
Json settings_json(const TrainingRun& run) {
  auto object = Json::object();
  for (const Setting& setting :
       training_settings(run.corpus(), run.training().plan(), run.schedule())) {
    const Json value = Json::parse(setting.value, nullptr, false);
    object[setting.name] =
        value.is_number() && setting.name != "corpus" ? value : Json(setting.value);
  }
  return object;
}

Json stop_json(const StopRule& stop) {
  auto object = Json::object();
  if (stop.steps) {
    object["steps"] = *stop.steps;
  }
  if (stop.passes) {
    object["passes"] = *stop.passes;
  }
  if (stop.seconds) {
    object["max-seconds"] = *stop.seconds;
  }
  return object;
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
  const Corpus corpus = open_corpus(corpus_folder);
  const std::uint64_t trained = corpus.documents() - held_out(options, corpus.documents());
  const StopRule stop = stop_rule(given, trained);
  const TrainingPlan plan = training_plan(options, given, corpus, trained, stop);
  const TrainingSchedule schedule = training_schedule(options, given, stop, corpus, plan);
  const CheckpointPlan checkpoints = checkpoint_plan(options, folder.checkpoint());
  require_memory(corpus, plan, schedule, talk);
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
  const Json found = training_json(run, report);
  Json details{{"tain", version_number()},
               {"command", command_line},
               {"options", settings_json(run)},
               {"stop_rule", stop_json(stop)},
               {"threads", threads.count()},
               {"isa", isa_name(current_isa())},
               {"compiler", TAIN_COMPILER},
               {"started", started},
               {"ended", utc_now()},
               {"shares", report.shares}};
  details.update(found);
  write_trained_model(folder.path(), run, report, details.dump(), command_line);
  if (options.on("json")) {
    Json object{{"model", folder.path().string()}};
    object.update(found);
    print(object.dump(2) + "\n");
  } else {
    print(training_text(folder.path(), run, report));
  }
  return options.on("strict") && !report.verdict.trust ? static_cast<int>(Fault::gate_failed) : 0;
}

}  // namespace tain::cli
