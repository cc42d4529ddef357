#include "tain/lda/train.hpp"

#include <fmt/format.h>

#include <functional>
#include <tuple>
#include <utility>

#include "comm/agreement.hpp"
#include "comm/common_isa.hpp"
#include "core/apart.hpp"
#include "core/failpoint.hpp"
#include "core/fields.hpp"
#include "core/file.hpp"
#include "core/machine.hpp"
#include "core/simd.hpp"
#include "core/sizes.hpp"
#include "core/space.hpp"
#include "lda/model/model_folder.hpp"
#include "lda/model/model_manifest.hpp"
#include "lda/model/model_state.hpp"
#include "lda/training/train_plan.hpp"
#include "lda/training/train_record.hpp"
#include "report/text.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

namespace fs = std::filesystem;

void tell(const TrainPlan& plan, const std::string& text) {
  if (plan.note) {
    plan.note(text);
  }
}

// ---- before the run ----------------------------------------------------------------------------

Continuation continuation_of(const TrainPlan& plan) {
  if (plan.resume && plan.overwrite) {
    fail(Fault::config, Field{"resume"}, Phrase("contradicts ", Field{"overwrite"}),
         "give one of them");
  }
  if (plan.resume && plan.output.empty() && plan.checkpoint.empty()) {
    fail(Fault::usage, Field{"resume"}, "needs the output of the stopped training",
         Phrase("give ", Field{"output", "FOLDER"}));
  }
  return plan.resume      ? Continuation::resume
         : plan.overwrite ? Continuation::replace
                          : Continuation::fresh;
}

/// Where a training may be resumed from without an output.
void require_checkpoint(const TrainPlan& plan) {
  if (plan.checkpoint.empty()) {
    return;
  }
  if (!plan.output.empty()) {
    fail(Fault::config, Field{"checkpoint"}, Phrase("is in ", Field{"output"}, " already"),
         "give one of them");
  }
  if (plan.checkpoint.extension() == ".draws") {
    fail(Fault::config, Field{"checkpoint"},
         fmt::format("{} is the name of its draws", plan.checkpoint.string()),
         "give another ending than .draws");
  }
  require_parent(Field{"checkpoint"}, plan.checkpoint);
  const bool there = fs::exists(plan.checkpoint);
  if (plan.resume && !there) {
    fail(Fault::no_input, output_place(Field{"checkpoint"}, plan.checkpoint),
         "there is no training to resume", Phrase("leave out ", Field{"resume"}));
  }
  if (there && !plan.resume && !plan.overwrite) {
    fail(Fault::cannot_create, output_place(Field{"checkpoint"}, plan.checkpoint),
         "holds a stopped training",
         Phrase("give ", Field{"resume", "true"}, " to go on with it or ",
                Field{"overwrite", "true"}, " to start anew"));
  }
}

void require_files_apart(const TrainPlan& plan, const Corpus& corpus) {
  const NamedPath checkpoint{Field{"checkpoint"}, plan.checkpoint},
      input{"the folder of the corpus", corpus.folder()};
  require_apart(NamedPath{Field{"output"}, plan.output}, {&input, 1});
  require_apart({&checkpoint, 1}, {&input, 1});
}

/// The instruction set that was asked for, or the widest that all ranks have.
void agree_on_isa(const std::optional<std::string>& asked, Comm& comm) {
  if (asked && *asked != "auto") {
    pin_isa(parse_isa(*asked));
  }
  if (!comm.alone()) {
    pin_isa(common_isa(comm));
  }
}

void tell_sizes(const TrainPlan& plan, const TrainingRequest& request, const Corpus& corpus) {
  const auto [needed, disk] = training_sizes(request, corpus);
  const std::uint64_t draws = request.schedule.keep_draws;
  const std::string each = request.ranks > 1
                               ? fmt::format(" on each of {} ranks ({})", grouped(request.ranks),
                                             layout_name(request.layout))
                               : std::string();
  tell(plan, fmt::format("{} of {} take{} {} of memory{}, and {} of disk with {}",
                         counted(request.plan.topics, "topic"), counted(corpus.words(), "word"),
                         request.plan.topics == 1 ? "s" : "", format_bytes(needed), each,
                         format_bytes(disk),
                         draws == 0   ? std::string("no draws of them")
                         : draws == 1 ? std::string("one draw of them")
                                      : fmt::format("{} draws of them", grouped(draws))));
}

/// What is there already of what the training takes: its checkpoint, and draws on their way.
double bytes_there(const fs::path& checkpoint) {
  std::uint64_t bytes = 0;
  for (const char* ending : {".bin", ".draws"}) {
    std::error_code none;
    const std::uintmax_t size = fs::file_size(fs::path(checkpoint).replace_extension(ending), none);
    bytes += none ? 0 : size;
  }
  return static_cast<double>(bytes);
}

/// Before the work, for all of it.
void require_room(const TrainPlan& plan, double disk, const fs::path& checkpoint) {
  if (!plan.output.empty()) {
    require_space(Field{"output"}, plan.output, disk - bytes_there(checkpoint),
                  Phrase("keep fewer draws by ", Field{"keep_draws", "0"}));
  }
}

/// Others fill disks too, and there is time to do something about it. For every checkpoint.
std::function<void()> room_warning(const TrainPlan& plan, double disk, const fs::path& checkpoint) {
  return [&plan, disk, checkpoint, warned = false]() mutable {
    const double needed = disk - bytes_there(checkpoint);
    const std::optional<std::uint64_t> free = free_space(checkpoint);
    if (!plan.output.empty() && free && double(*free) < needed && !std::exchange(warned, true)) {
      tell(plan,
           fmt::format("{} will take {} more, only {} are free now: make room before the "
                       "training ends; the last checkpoint is kept",
                       plan.output.string(), format_bytes(needed), format_bytes(double(*free))));
    }
  };
}

void tell_start(const TrainPlan& plan, const TrainingRun& run) {
  if (run.schedule().held_out == 0) {
    tell(plan, "no documents are held out: perplexity is not measured");
  } else if (run.held_out().test_tokens() == 0) {
    tell(plan, "held-out documents have fewer than 10 tokens each: perplexity is not measured");
  }
  tell(plan,
       fmt::format("{} to train on, {} held out; seed {}, {}",
                   counted(run.training_documents(), "document"), grouped(run.schedule().held_out),
                   run.training().plan().seed, run.training().plan().method));
}

/// Goes on from the checkpoint, or leaves alone what another lists until it is replaced.
void begin(const TrainPlan& plan, TrainingRun& run, const fs::path& checkpoint, bool resumed) {
  if (resumed) {
    const std::uint64_t writers = run.restore(checkpoint);
    tell(plan, fmt::format("going on after {}{}", counted(run.training().steps(), "step"),
                           writers > 1 ? fmt::format(" (checkpoint of {} ranks)", writers)
                                       : std::string()));
  } else if (!checkpoint.empty()) {
    run.save_after(checkpoint);
  }
}

/// Why there is nothing to train: a resumed run may have all, and more, of what is asked for.
std::string enough_text(const TrainingRun& run, const StopRule& stop) {
  const std::uint64_t steps = run.training().steps();
  const auto [asked, done, past] =
      stop.steps
          ? std::tuple(counted(*stop.steps, "step"), counted(steps, "step"), steps > *stop.steps)
      : stop.passes ? std::tuple(passes_text(*stop.passes), passes_text(run.passes()),
                                 run.passes() > *stop.passes)
                    : std::tuple(duration(*stop.seconds), duration(run.time().seconds),
                                 run.time().seconds > *stop.seconds);
  return fmt::format("already {} {}{}; nothing was trained", past ? "past" : "at", asked,
                     past && asked != done ? fmt::format(", at {}", done) : std::string());
}

/// The model in the folder, if it is that of the state which was restored: a training that was
/// stopped has none, or that of an earlier end.
std::optional<Model> written_model(const fs::path& output, const TrainingRun& run) {
  const fs::path manifest = output / "manifest.json", history = output / "history.csv";
  // The file of draws is there from the beginning of a training until its model is.
  if (!fs::exists(manifest) || fs::exists(output / "checkpoint.draws")) {
    return std::nullopt;
  }
  const std::string text = read_file(manifest, most_record_bytes);
  const ModelFacts facts = model_manifest::parse(text, manifest.string()).facts;
  if (facts.steps != run.training().steps()) {
    return std::nullopt;
  }
  const auto state = std::make_shared<Model::State>();
  state->folder = output;
  state->record =
      read_record(facts, text, fs::exists(history) ? read_file(history, most_record_bytes) : "");
  const std::span<const std::string> words = run.corpus().vocabulary();
  state->vocabulary.assign(words.begin(), words.end());
  return Model(state);
}

// ---- after the run -----------------------------------------------------------------------------

/// A training that was stopped and has its checkpoint in the output.
Model stopped_model(const fs::path& output, const TrainingRun& run) {
  const auto state = std::make_shared<Model::State>();
  state->folder = output;
  state->finished = false;
  state->record.facts = trained_facts(run, {});
  state->record.passes = run.passes();
  state->record.seconds = run.time().seconds;
  state->record.stop_reason = stop_reason_name(StopReason::interrupted);
  state->record.verdict = {
      .trust = false, .lines = {}, .headline = "Do not trust these topics: training was stopped."};
  const std::span<const std::string> words = run.corpus().vocabulary();
  state->vocabulary.assign(words.begin(), words.end());
  return Model(state);
}

/// Topics of all ranks, on rank 0.
void take_topics(TrainingRun& run, DrawFiles kept, ModelTexts texts, Model::State& state) {
  const Training& training = run.training();
  const std::uint32_t topics = training.plan().topics, words = run.corpus().words();
  const std::vector<float> rows =
      published_rows({run.published().weights(), {}, training.sharding()}, topics);
  state.dual = dual_rows(
      {training.topics().weights(), training.topics().inverse_sums(), training.sharding()}, topics);
  if (!training.sharding().comm().is_root()) {
    return;
  }
  if (!kept.draws.empty()) {
    std::vector<float> values;
    values.reserve(kept.draws.size() * rows.size());
    for (const std::span<const float> draw : kept.draws) {
      values.insert(values.end(), draw.begin(), draw.end());
    }
    state.loaded_draws.emplace(std::move(values), topics, words, std::move(kept.documents),
                               std::move(kept.shares));
  }
  state.loaded.emplace(state.record.facts, state.vocabulary,
                       topics_of_rows(std::as_bytes(std::span(rows)), topics, words,
                                      [](const std::string& problem) {
                                        fail(Fault::internal, "topics", problem,
                                             "please report it");
                                      }),
                       std::move(texts.details), std::move(texts.history));
  state.card = std::move(texts.card);
}

/// `folder`: of rank 0, where the model goes to a folder.
Model trained_model(const fs::path& output, ModelFolder* folder, TrainingRun& run,
                    StopReason reason, const TrainCall& call) {
  const TrainingReport report = report_on(run, reason);
  ModelFacts facts = trained_facts(run, report);
  ModelTexts texts{training_details(run, report, call), report.history.csv(),
                   model_card(run, report, call.command)};
  DrawFiles draws = run.draws();
  facts.draw_documents = draws.documents;
  const auto state = std::make_shared<Model::State>();
  state->folder = output;
  state->finished = reason != StopReason::interrupted;
  state->record = read_record(facts, texts.details, texts.history);
  state->top_words = report.words;
  const std::span<const std::string> words = run.corpus().vocabulary();
  state->vocabulary.assign(words.begin(), words.end());
  if (output.empty()) {
    take_topics(run, std::move(draws), std::move(texts), *state);
  } else {
    texts.card = with_name(texts.card, output);
    try {
      write_trained_model(folder ? folder->draft() : output, run, facts, draws, texts);
      if (folder) {
        folder->replace_files();
      }
    } catch (const Error& error) {
      throw error.with_remedy(
          Phrase(fmt::format("the training is kept in {}: make room, then go on with ",
                             model_checkpoint(output).string()),
                 Field{"resume", "true"}));
    }
    run.discard_draws_file();
  }
  return Model(state);
}

}  // namespace

Corpus open_corpus(const fs::path& folder, Comm& ranks) {
  const auto take_turns = [&](std::span<std::byte> bytes, const std::function<void()>& turn) {
    ranks.ordered_reduce(bytes, turn);
  };
  return Corpus::open(folder, {ranks.rank(), ranks.ranks(), take_turns});
}

Model train(const Corpus& corpus, const TrainPlan& given) {
  Alone alone;
  return train(corpus, given, alone);
}

Model train(const Corpus& corpus, const TrainPlan& given, Comm& comm) {
  require_in_range(given);
  const Continuation how = continuation_of(given);
  require_checkpoint(given);
  const bool in_folder = !given.output.empty();
  const fs::path output = in_folder ? folder_path(given.output) : fs::path();
  const fs::path checkpoint = in_folder ? model_checkpoint(output) : given.checkpoint;
  require_files_apart(given, corpus);
  std::optional<ModelFolder> folder;
  if (in_folder && comm.is_root()) {
    folder.emplace(output, how);
  }
  const bool resumed = broadcast_value(
      comm, given.resume && (in_folder ? folder && folder->has_checkpoint() : true));
  if (in_folder) {
    require_shared(comm, output);
  }
  const TrainPlan plan = resumed ? resumed_plan(given, checkpoint) : given;
  agree_on_isa(plan.isa, comm);
  require_same_on_ranks(comm, corpus.fingerprint(), "corpus",
                        "give all machines the same files, or a file system that they share");
  const TrainingRequest request = training_request(plan, given, corpus, comm);
  tell_sizes(plan, request, corpus);
  const double disk = training_sizes(request, corpus).disk;
  if (comm.is_root()) {
    require_room(plan, disk, checkpoint);
  }
  Threads threads(plan.threads);
  TrainingRun run(corpus, request.plan, request.schedule,
                  Sharding(comm, request.layout, corpus.words()), threads);
  const TrainCall call{.stop = request.stop, .started = utc_now(), .command = plan.command};
  begin(plan, run, checkpoint, resumed);
  tell_start(plan, run);
  if (resumed && broadcast_value(comm, run.reached(request.stop).has_value())) {
    tell(plan, enough_text(run, request.stop));
    if (const std::optional<Model> model = in_folder ? written_model(output, run) : std::nullopt) {
      return *model;
    }
  }
  std::optional<CheckpointPlan> checkpoints;
  if (!checkpoint.empty()) {
    checkpoints = checkpoint_plan(plan, checkpoint);
    checkpoints->saved = room_warning(plan, disk, checkpoint);
  }
  const StopReason reason = run.run(request.stop, checkpoints, [&](const TrainProgress& progress) {
    return plan.progress ? plan.progress(progress) : Next::go_on;
  });
  failpoint("run/trained");
  return in_folder && reason == StopReason::interrupted
             ? stopped_model(output, run)
             : trained_model(output, folder ? &*folder : nullptr, run, reason, call);
}

}  // namespace tain
