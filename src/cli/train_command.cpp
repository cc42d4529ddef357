#include <fmt/format.h>

#include "cli/corpus_job.hpp"
#include "cli/fill.hpp"
#include "cli/program.hpp"
#include "cli/ranks.hpp"
#include "cli/terminal.hpp"
#include "cli/train_display.hpp"
#include "comm/agreement.hpp"
#include "comm/common_isa.hpp"
#include "core/archive.hpp"
#include "core/failpoint.hpp"
#include "core/simd.hpp"
#include "lda/model/model_folder.hpp"
#include "lda/training/train_plan.hpp"
#include "lda/training/train_record.hpp"
#include "report/text.hpp"

namespace tain::cli {
namespace {

using Json = nlohmann::ordered_json;

void say_sizes(const TrainingRequest& request, const Corpus& corpus, const Console& console) {
  const auto [needed, disk] = training_sizes(request, corpus);
  const std::uint64_t draws = request.schedule.keep_draws;
  const std::string each = request.ranks > 1
                               ? fmt::format(" on each of {} ranks ({})", grouped(request.ranks),
                                             layout_name(request.layout))
                               : std::string();
  console.note(fmt::format("{} topics of {} words take {} of memory{}, and {} of disk with {}",
                           grouped(request.plan.topics), grouped(corpus.words()),
                           format_bytes(needed), each, format_bytes(disk),
                           draws == 0   ? std::string("no draws of them")
                           : draws == 1 ? std::string("one draw of them")
                                        : fmt::format("{} draws of them", grouped(draws))));
}

void say_start(const TrainingRun& run, const Console& console) {
  if (run.schedule().held_out == 0) {
    console.note("no documents are held out: perplexity is not measured");
  } else if (run.held_out().test_tokens() == 0) {
    console.note("held-out documents have fewer than 10 tokens each: perplexity is not measured");
  }
  console.note(fmt::format("{} documents to train on, {} held out; seed {}, {}",
                           grouped(run.training_documents()), grouped(run.schedule().held_out),
                           run.training().plan().seed, run.training().plan().method));
}

/// The instruction set that was asked for, or the widest that all ranks have.
void agree_on_isa(std::optional<Isa> asked, Comm& comm) {
  if (asked) {
    pin_isa(*asked);
  }
  if (!comm.alone()) {
    pin_isa(common_isa(comm));
  }
}

Corpus open_corpus(const std::string& folder, Comm& comm) {
  Corpus corpus = Corpus::open(folder, comm.rank(), comm.ranks());
  require_same_on_ranks(comm, corpus.fingerprint(), "corpus",
                        "give all machines the same files, or a file system that they share");
  return corpus;
}

/// Fresh, resume or replace. Throws Error (config) if both --resume and --force are given.
tain::Continuation continuation_of(const Options& options) {
  if (options.on("resume") && options.on("force")) {
    fail(Fault::config, "--resume", "contradicts --force", "give one of them");
  }
  return options.on("resume")  ? tain::Continuation::resume
         : options.on("force") ? tain::Continuation::replace
                               : tain::Continuation::fresh;
}

/// Goes on from the checkpoint, or makes room for a new model.
void begin(TrainingRun& run, ModelFolder* folder, const std::filesystem::path& checkpoint,
           bool resumed, const Console& console) {
  if (resumed) {
    const std::uint64_t writers = run.restore(checkpoint);
    console.note(fmt::format(
        "going on after {} steps{}", grouped(run.training().steps()),
        writers > 1 ? fmt::format(" (checkpoint of {} ranks)", writers) : std::string()));
  } else if (folder != nullptr) {
    folder->clear();
  }
}

}  // namespace

int train_command(const Command& command, const RawOptions& raw) {
  const std::string command_line = shell_text(raw.words);
  Comm& comm = ranks();
  const Options options(command, raw);
  const Console console(options.on("quiet") ? Console::Volume::silent : Console::Volume::normal);
  const std::string corpus_folder = required_argument(command, raw);
  require_same_on_ranks(comm, fingerprint(command_line), "command line",
                        "start all ranks with the same options");
  const std::filesystem::path output = model_path(required_output(command, options));
  const TrainPlan given = filled(TrainPlan(), options);
  std::optional<ModelFolder> folder;
  if (comm.is_root()) {
    folder.emplace(output, continuation_of(options));
  }
  const bool resumed =
      broadcast_value(comm, options.on("resume") && folder && folder->has_checkpoint());
  require_shared(comm, output);
  const std::filesystem::path checkpoint = model_checkpoint(output);
  const TrainPlan plan = resumed ? resumed_plan(given, checkpoint) : given;
  agree_on_isa(plan.isa, comm);
  const Corpus corpus = open_corpus(corpus_folder, comm);
  const TrainingRequest request = training_request(plan, given, corpus, comm);
  const CheckpointPlan checkpoints = checkpoint_plan(plan, checkpoint);
  say_sizes(request, corpus, console);
  Threads threads(threads_of_rank(plan.threads));
  TrainingRun run(corpus, request.plan, request.schedule,
                  Sharding(comm, request.layout, corpus.words()), threads);
  const std::string started = utc_now();
  begin(run, folder ? &*folder : nullptr, checkpoint, resumed, console);
  comm.barrier();  // what was in the folder has gone before anybody writes there
  say_start(run, console);
  TrainDisplay display(progress_mode(options.on("quiet") ? "none" : options.choice("progress")),
                       request.stop, comm.ranks());
  const StopReason reason =
      run.run(request.stop, checkpoints, [&](const TrainingProgress& progress) {
        display.show(progress);
        return stop_requested() ? Next::stop : Next::go_on;
      });
  display.clear();
  failpoint("run/trained");
  if (reason == StopReason::observer) {
    console.note(fmt::format("interrupted after {} steps; continue with: {}",
                             grouped(run.training().steps()), resume_command(command_line)));
    return static_cast<int>(stop_fault());
  }
  const TrainingReport report = report_on(run, reason);
  write_trained_model(
      output, run, report,
      training_details(run, report,
                       {.stop = request.stop, .started = started, .command = command_line}),
      command_line);
  if (options.on("json")) {
    Json object{{"model", output.string()}};
    object.update(Json::parse(training_findings(run, report)));
    print(object.dump(2) + "\n");
  } else {
    print(training_text(output, run, report));
  }
  return options.on("strict") && !report.verdict.trust ? static_cast<int>(Fault::gate_failed) : 0;
}

}  // namespace tain::cli
