#include "tain/sampling/sample.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "comm/agreement.hpp"
#include "core/apart.hpp"
#include "core/archive.hpp"
#include "core/checksum.hpp"
#include "core/failpoint.hpp"
#include "core/machine.hpp"
#include "core/number_file.hpp"
#include "core/simd.hpp"
#include "core/sizes.hpp"
#include "core/space.hpp"
#include "core/version.hpp"
#include "draws/draws_file.hpp"
#include "maps/set_kind.hpp"
#include "run/chains_of_rank.hpp"
#include "run/kernel_table.hpp"
#include "sampling/asked_json.hpp"
#include "sampling/json_text.hpp"
#include "sampling/manifest.hpp"
#include "sampling/manifest_values.hpp"
#include "sampling/problem.hpp"
#include "sampling/run_folder.hpp"
#include "sampling/run_state.hpp"
#include "sampling/theory.hpp"
#include "tain/targets/check_gradient.hpp"
#include "targets/mirrored.hpp"
#include "targets/target_kind.hpp"
#include "targets/uniform.hpp"

namespace tain {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// Fewer give no diagnostics, so an interrupted run keeps them back.
constexpr std::uint64_t fewest_draws = 4;

/// A run on its way: what was asked, what it is about, and what will come out.
struct Call {
  Asked asked;
  BuiltProblem built;
  std::shared_ptr<Run::State> state = std::make_shared<Run::State>();

  RunRecord& record() const { return state->report.record; }
  const SamplePlan& plan() const { return record().plan; }
  const Problem& problem() const { return built.problem; }
};

void tell(const SamplePlan& plan, const std::string& text) {
  if (plan.note) {
    plan.note(text);
  }
}

/// Of ranks other than the first.
struct NoDraws final : DrawSink {
  void put(const Draw&) override {}
};

DrawShape shape_of(const Problem& problem, const SamplePlan& plan) {
  return {plan.chains, plan.draws, problem.map.primal_dim(), state_dim(problem, plan.kernel)};
}

// ---- before the run ----------------------------------------------------------------------------

void require_output_kind(const SamplePlan& plan) {
  if (!plan.output.empty() && !is_draws_file(plan.output)) {
    fail(Fault::usage, Field{"output"},
         fmt::format("'{}' does not tell the format", plan.output.string()),
         fmt::format("give a name that ends in {}", draws_endings()));
  }
}

/// What is written is nothing else that is written, and nothing that is read.
void require_files_apart(const RunRecord& record) {
  const SamplePlan& plan = record.plan;
  std::vector<NamedPath> outputs, inputs;
  if (!plan.output.empty()) {
    for (const fs::path& file : output_files(plan.output, plan.chains)) {
      outputs.push_back({Field{"output"}, file});
    }
    outputs.push_back({"the manifest of the output", manifest_file(plan.output)});
    outputs.push_back({"the folder of the run", run_folder(plan.output)});
  }
  outputs.push_back({Field{"report"}, plan.report});
  for (const auto& [path, hash] : record.inputs) {
    inputs.push_back({fmt::format("the input {}", path), path});
  }
  require_apart(outputs, inputs);
}

Continuation continuation_of(const SamplePlan& plan) {
  if (plan.resume && plan.overwrite) {
    fail(Fault::config, Field{"resume", "true"}, Phrase("contradicts ", Field{"overwrite", "true"}),
         "give one of them");
  }
  if (plan.resume && plan.output.empty()) {
    fail(Fault::usage, Field{"resume"}, "needs the output of the stopped run",
         Phrase("give ", Field{"output", "FILE"}));
  }
  return plan.resume      ? Continuation::resume
         : plan.overwrite ? Continuation::replace
                          : Continuation::fresh;
}

/// The step size of Theorem 4 for the steps that the plan asks for, warm-up included.
void plan_by_theory(const Problem& problem, SamplePlan& plan, std::vector<std::string>& notes) {
  if (!kernel_row(plan.kernel).has(Has::theory)) {
    const auto names = kernel_names(Has::theory);
    fail(Fault::config, Field{"step_size"},
         fmt::format("there is no theory for kernel {}", plan.kernel),
         Phrase("use ", Field{"kernel", std::string(names.front())},
                fmt::format(" or {}", fmt::join(std::span(names).subspan(1), " or "))));
  }
  plan.start = theory_start(problem, plan.start.values);
  const KnownConstants known = constants_of(problem, plan.batch, plan.start.values);
  const ErrorBound error_bound = bound_for_steps(
      known.numbers, double(plan.warmup) + double(plan.draws) * double(plan.thin.value_or(1)));
  plan.step_size = error_bound.step_size;
  notes.push_back(
      fmt::format("step size {:.4g} by Theorem 4: relative entropy at most {:.4g} and total "
                  "variation {:.4g} after {:.0f} steps from one point",
                  error_bound.step_size, error_bound.relative_entropy, error_bound.total_variation,
                  error_bound.steps));
}

/// Refuses batches that kernel or target do not have, before anything is said about them.
void note_batches(const Problem& problem, const SamplePlan& plan, std::vector<std::string>& notes) {
  const std::uint64_t terms = problem.target.terms(), size = plan.batch.size;
  if (size != 0 || plan.batch.replacement == Replacement::with || plan.control_variates != 0) {
    static_cast<void>(make_walk(problem, plan));
    notes.push_back(fmt::format("batches of {} of N = {} terms ({:.3g} %) {} replacement", size,
                                terms, 100 * double(size) / double(terms),
                                plan.batch.replacement == Replacement::with ? "with" : "without"));
  }
}

/// Refuses what cannot fit before anything is allocated. Rank 0 has the most: draws and chains.
void require_memory(const SamplePlan& plan, const DrawShape& shape, int ranks) {
  // State, gradient, proposal, momentum and the map's and target's scratch: about ten arrays of the
  // chains' size.
  const std::uint32_t own = chains_of_rank(shape.chains, 0, ranks).count;
  const double chains =
      10.0 * 8 * static_cast<double>(padded_lanes(own)) * static_cast<double>(shape.primal_dim);
  const auto draws = static_cast<double>(shape.bytes());
  const double limit = plan.memory ? static_cast<double>(*plan.memory) : 0.8 * machine_memory();
  const bool on_disk = !plan.output.empty();
  const double needed = chains + (on_disk ? 0 : draws);
  if (needed > limit) {
    fail(Fault::config, Field{"memory"},
         fmt::format("the run needs {}, more than the limit of {}", format_bytes(needed),
                     format_bytes(limit)),
         on_disk ? Phrase("use fewer chains")
                 : Phrase("use fewer draws or chains, ", Field{"thin"}, ", or ",
                          Field{"output", "FILE"}));
  }
  tell(plan,
       fmt::format(
           "{} chains in {} dimensions{}: {} for the chains, {} for the draws ({})", shape.chains,
           shape.primal_dim,
           ranks > 1 ? fmt::format(", {} or fewer on each of {} ranks", own, ranks) : std::string(),
           format_bytes(chains), format_bytes(draws), on_disk ? "on disk" : "in memory"));
}

/// Refuses a target of one's own whose gradient is not that of its values.
void require_gradient(const Call& call) {
  const Problem& problem = call.problem();
  const SamplePlan& plan = call.plan();
  // A run on batches avoids whole gradients: it is to spend few on this.
  const GradientCheck check =
      check_gradient(problem.map, problem.target, plan.seed, plan.start.values,
                     plan.batch.size != 0 ? GradientEffort::light : GradientEffort::full);
  if (check.refuses()) {
    std::string problem_text = check.explanation;
    problem_text.erase(problem_text.find_last_not_of('.') + 1);
    fail(Fault::data, fmt::format("target {}", problem.target.name()), problem_text,
         Phrase(check.opposite ? "value and gradient have opposite signs: give V = -log p and the "
                                 "gradient of V as a potential, or log p and that of log p as a "
                                 "log density"
                               : "correct it",
                ", or leave the check out by ", Field{"check_gradient", "false"}));
  }
  tell(plan, check.explanation);
}

/// What a resumed run must find again of what no record describes, a target or a set that is code:
/// names, points of the set, and the target's values and gradients there.
std::string code_fingerprint(const BuiltProblem& built) {
  const auto& [map, target, form] = built.problem;
  BlockStorage y(map.dual_dim(), lane_group);
  BlockStorage x(map.primal_dim(), lane_group), gradient(map.primal_dim(), lane_group);
  for (std::size_t j = 0; j < map.dual_dim(); ++j) {
    for (std::size_t l = 0; l < lane_group; ++l) {  // no two coordinates alike in all lanes
      y.view().at(j, l) = std::sin(1.0 + double(l) + 0.7 * double(j));
    }
  }
  std::vector<double> value(lane_group);
  Workspace workspace;
  map.to_primal(y.view(), x.view(), workspace);
  target.evaluate(x.view(), value, gradient.view(), workspace);
  Checksum checksum;
  for (const std::string& name : built.names) {
    checksum.add(std::as_bytes(std::span(name.data(), name.size() + 1)));
  }
  checksum.add(std::as_bytes(std::span(value)));
  checksum.add(std::as_bytes(std::span<const double>(x.view().flat())));
  checksum.add(std::as_bytes(std::span<const double>(gradient.view().flat())));
  return fmt::format("{:016x}", checksum.value());
}

/// What a resumed run must share with the stopped one.
Json request_json(const Call& call) {
  Json shaping = asked_json(call.asked);
  // The bits depend on what the run really used.
  shaping["isa"] = call.record().isa;
  shaping["version"] = call.record().version;
  // Paths may be any bytes: as JSON has them.
  const Json request{{"options", shaping}, {"inputs", call.record().inputs}};
  return read_json(json_text(request), "request");
}

/// Densities that do not fall off have no law on a set without end.
void require_finite_mass(const Asked& asked, const Problem& problem) {
  const std::optional<Set> set = asked.set ? asked.set : asked.target.kind().own_set();
  if (!set->kind().bounded() && problem.target.as<Uniform>()) {
    fail(Fault::config, Field{"target"},
         fmt::format("{} on {} has infinite mass and cannot be sampled", asked.target.name(),
                     set->text()),
         "bound the set, or give a target that falls off");
  }
}

Call prepare(const std::optional<Set>& set, const Target& target, SamplePlan plan) {
  plan.start = loaded(std::move(plan.start));
  if (plan.isa != "auto") {
    pin_isa(parse_isa(plan.isa));
  }
  NothingGiven nothing;  // what is wrong by itself
  SamplePlan asked = plan;
  asked.describe(nothing);
  asked.describe_manner(nothing);
  Call call{{set, target, plan}, build_problem(set, target, plan)};
  RunRecord& record = call.record();
  record.plan = resolved(plan);
  require_finite_mass(call.asked, call.problem());
  record.notes = call.built.notes;
  static_cast<void>(kernel_row(record.plan.kernel));  // throws for an unknown one
  validate(record.plan);
  note_batches(call.problem(), record.plan, record.notes);
  if (plan.step_size.by_theory()) {
    plan_by_theory(call.problem(), record.plan, record.notes);
  }
  require_output_kind(plan);
  record.inputs = input_hashes(call.asked);
  require_files_apart(record);
  if (!plan.output.empty()) {
    require_writable_names(plan.output, call.built.names);
  }
  if (const Continuation how = continuation_of(plan); !plan.report.empty()) {
    // A stopped run may have left the page of its part.
    require_creatable(Field{"report"}, plan.report,
                      how == Continuation::fresh ? Overwrite::no : Overwrite::yes);
  }
  record.target = call.problem().target.name();
  record.map = call.problem().map.name();
  if (!plan.output.empty() && (target.kind().is_code() || (set && !is_recordable(*set)))) {
    record.inputs[fmt::format("target {} on {}", record.target, record.map)] =
        code_fingerprint(call.built);
  }
  record.version = version_number();
  record.isa = isa_name(current_isa());
  record.compiler = compiler_name();
  if (!plan.output.empty()) {
    record.files.push_back(plan.output.filename().string());
    for (const fs::path& file : output_files(plan.output, plan.chains)) {
      call.state->written.push_back({"the draws", file});
    }
    call.state->written.push_back({"the manifest of the draws", manifest_file(plan.output)});
  }
  call.state->threads = plan.threads;
  call.state->problem = call.problem();
  call.state->request = request_json(call)["options"].dump();
  return call;
}

// ---- files of the run --------------------------------------------------------------------------

/// What an earlier run of this output, killed while it wrote its results, left of them.
void remove_leftovers_of(const SamplePlan& plan) {
  for (const fs::path& file : output_files(plan.output, plan.chains)) {
    remove_leftovers(file);
  }
  remove_leftovers(manifest_file(plan.output));
  if (!plan.report.empty()) {
    remove_leftovers(plan.report);
  }
}

RunFolder open_folder(const Call& call) {
  const SamplePlan& plan = call.plan();
  const DrawShape shape = shape_of(call.problem(), plan);
  if (plan.output.empty()) {
    return RunFolder::in_memory(shape);
  }
  RunFolder folder =
      RunFolder::in_folder(plan.output, shape, request_json(call), continuation_of(plan));
  remove_leftovers_of(plan);
  return folder;
}

/// The manifest of the run that is to be resumed if it is already finished; null otherwise. Throws
/// Error (config) if what is finished is another run.
Json finished_run(const Call& call) {
  const SamplePlan& plan = call.plan();
  const fs::path folder = run_folder(plan.output);
  const fs::path manifest_path = manifest_file(plan.output);
  const auto is_file = [](const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
  };
  if (holds_stopped_run(folder) || !is_file(manifest_path) ||
      !std::ranges::all_of(output_files(plan.output, plan.chains), is_file)) {
    return nullptr;
  }
  Json manifest = parse_json(read_file(manifest_path, most_record_bytes));
  if (!manifest.is_object() || manifest.value("stop_reason", Json()) != "finished") {
    return nullptr;
  }
  const Json request = request_json(call);
  require_same_request(request_of(manifest, request), request, plan.output.string());
  remove_leftovers_of(plan);
  if (fs::exists(folder)) {  // it was killed while it cleared away
    const FolderLock lock = lock_run_folder(folder);
    remove_run_folder(folder);
  }
  return manifest;
}

/// What was asked of the run that an output is or will be of.
Json recorded_request(const fs::path& output) {
  const fs::path folder = run_folder(output), manifest = manifest_file(output);
  Json asked;
  if (holds_stopped_run(folder)) {
    asked = stopped_request(folder);
  } else if (fs::is_regular_file(manifest)) {
    asked = parse_json(read_file(manifest, most_record_bytes));
  } else {
    fail(Fault::no_input, output.string(), "there is no run to resume", "sample it first");
  }
  if (!asked.is_object() || !asked.contains("options") || !asked["options"].is_object()) {
    fail(Fault::data, output.string(), "its record is damaged",
         Phrase("give ", Field{"overwrite", "true"}, " to start anew"));
  }
  return asked["options"];
}

// ---- after the run -----------------------------------------------------------------------------

void write_output(const Call& call, RunFolder& folder) {
  const SamplePlan& plan = call.plan();
  const RunReport& report = call.state->report;
  folder.mark_written();
  write_draws(plan.output, report.draws, call.state->info());
  const Json manifest =
      manifest_json(report, call.state->search, asked_json(call.asked), plan.output);
  write_atomically(manifest_file(plan.output), json_text(manifest, 2) + "\n");
  tell(plan, fmt::format("{} draws of {} chains are in {}", report.draws.draws, plan.chains,
                         plan.output.string()));
}

void write_report(const Call& call) {
  if (const fs::path& page = call.plan().report; !page.empty()) {
    Run(call.state).report(page, Overwrite::yes);  // looked at before the run
    tell(call.plan(), fmt::format("the report is in {}", page.string()));
  }
}

/// In place of sampling: what the finished run left.
void recall(const Call& call, const Json& manifest) {
  const SamplePlan& plan = call.plan();
  const std::string output = plan.output.string();
  tell(plan, fmt::format("{}: the run is already finished; nothing is left to resume", output));
  const DrawShape shape = shape_of(call.problem(), plan);
  RunReport& report = call.state->report;
  report.draws = draws_of(read_draws(output_files(plan.output, plan.chains), DualPart::read));
  if (report.draws.chains != shape.chains || report.draws.draws != shape.draws ||
      report.draws.names.size() != shape.primal_dim ||
      draws_checksum(report.draws) != text_in(manifest, "draws_checksum")) {
    fail(Fault::data, output, "does not hold the draws that its manifest tells of",
         Phrase("give ", Field{"overwrite", "true"}, " to start anew"));
  }
  report.draws.names = call.built.names;
  report.draws.parameters = call.built.parameters;
  read_manifest(manifest, report.record);
  call.state->search = search_in(manifest);
  if (report.record.done.draws != shape.draws) {
    fail(Fault::data, manifest_file(plan.output).string(),
         fmt::format("tells of {} draws, the run has {}", report.record.done.draws, shape.draws),
         Phrase("give ", Field{"overwrite", "true"}, " to start anew"));
  }
  call.state->judge();
  write_report(call);
}

/// What writing the draws and the page will take.
double bytes_at_the_end(const Call& call) {
  constexpr double page_bytes = 2e6;  // of a large one
  return draws_file_bytes(call.plan().output, shape_of(call.problem(), call.plan())) +
         (call.plan().report.empty() ? 0 : page_bytes);
}

void write_results(const Call& call, RunFolder& folder) {
  try {
    if (!call.plan().output.empty()) {
      write_output(call, folder);
    }
    write_report(call);
  } catch (const Error& error) {
    if (!folder.persistent()) {
      throw;
    }
    throw error.with_remedy(
        Phrase(fmt::format("the draws are kept in {}: make room, then go on with ",
                           run_folder(call.plan().output).string()),
               Field{"resume", "true"}));
  }
}

void finish(const Call& call, const Survey& survey, RunFolder& folder) {
  const RunSummary& done = call.record().done;
  call.state->report.draws =
      draws_of(folder.table(), done.draws, call.built.names, call.built.parameters);
  call.state->search = search_of(call.problem(), call.plan(), survey, call.state->report.draws);
  if (done.finished || done.draws >= fewest_draws) {
    call.state->judge();
    folder.table()->require_whole();
    failpoint("run/judged");
    write_results(call, folder);
  }
  if (done.finished) {
    folder.finish();
  } else {
    folder.leave();
  }
}

/// Runs the chains, with checkpoints when rank 0 finds that it is time.
class Chains {
 public:
  Chains(const Call& call, Threads& threads, Comm& comm)
      : call_(call),
        record_(call.record()),
        comm_(comm),
        plan_(call.plan()),
        sampler_(call.problem(), plan_, threads, comm) {}

  /// `folder`: of rank 0.
  void restore(const fs::path& checkpoint, RunFolder* folder) {
    const std::uint64_t checksum = sampler_.restore(checkpoint);
    if (folder) {
      folder->require_draws(sampler_, checksum);
    }
  }
  const Survey& survey() const { return sampler_.survey(); }

  /// `folder`: of rank 0; `resumable`: it keeps checkpoints.
  void run(RunFolder* folder, bool resumable) {
    resumable_ = resumable;
    record_.started = utc_now();
    NoDraws none;
    last_ = Clock::now();
    RunSummary& done = record_.done;
    done = sampler_.run(
        folder ? static_cast<DrawSink&>(*folder->table()) : none,
        [&](const Progress& progress) { return watch(progress, folder); }, plan_.checkpoint_every);
    record_.ended = utc_now();
    record_.stop_reason = done.finished ? "finished" : "interrupted";
    failpoint("run/sampled");
    checkpoint(folder);  // whatever becomes of the output
  }

 private:
  Next watch(const Progress& progress, RunFolder* folder) {
    const Next next = plan_.progress ? plan_.progress(progress) : Next::go_on;
    const std::chrono::duration<double> since = Clock::now() - last_;
    const bool counted = plan_.checkpoint_every > 0 && progress.draws > 0 &&
                         progress.draws % plan_.checkpoint_every == 0;
    if (broadcast_value(
            comm_, next == Next::go_on && (counted || since.count() >= plan_.checkpoint_seconds))) {
      checkpoint(folder);
      last_ = Clock::now();
    }
    return next;
  }

  void checkpoint(RunFolder* folder) {
    if (folder) {
      folder->checkpoint(sampler_);
      warn_of_space();
    } else if (resumable_) {
      sampler_.save({});  // rank 0 writes it
    }
  }

  /// Others fill disks too, and there is time to do something about it.
  void warn_of_space() {
    const std::optional<std::uint64_t> free = resumable_ ? free_space(plan_.output) : std::nullopt;
    const double needed = resumable_ ? bytes_at_the_end(call_) : 0;
    if (free && double(*free) < needed && !std::exchange(warned_, true)) {
      tell(plan_,
           fmt::format("{} will take {}, only {} are free now: make room before the run "
                       "ends; what is drawn is kept",
                       plan_.output.string(), format_bytes(needed), format_bytes(double(*free))));
    }
  }

  const Call& call_;
  RunRecord& record_;
  Comm& comm_;
  const SamplePlan& plan_;
  Sampler sampler_;
  Clock::time_point last_;
  bool resumable_ = false, warned_ = false;
};

}  // namespace

Run sample(const std::optional<Set>& set, const Target& target, const SamplePlan& plan,
           Comm& ranks) {
  const Call call = prepare(set, target, plan);
  require_same_on_ranks(ranks, fingerprint(call.record().isa), "instruction set",
                        "give all ranks the same");
  const Continuation how = continuation_of(plan);
  if (ranks.is_root() && !plan.output.empty()) {
    settle_run_folder(plan.output);
    if (how != Continuation::resume) {
      require_run_place(plan.output, plan.chains, how);  // before anything is said of the run
    }
  }
  for (const std::string& note : call.record().notes) {
    tell(plan, note);
  }
  const DrawShape shape = shape_of(call.problem(), call.plan());
  require_memory(call.plan(), shape, ranks.ranks());
  if (plan.check_gradient && target.kind().is_own() && !plan.resume) {
    require_gradient(call);
  }
  Threads threads(plan.threads);
  Chains chains(call, threads, ranks);
  Json earlier;  // manifest of the finished run; null: there is none
  std::optional<RunFolder> folder;
  fs::path stopped;
  if (ranks.is_root()) {
    if (how == Continuation::resume) {
      earlier = finished_run(call);
    }
    if (earlier.is_null()) {
      folder.emplace(open_folder(call));
      if (folder->persistent()) {
        require_space(Field{"output"}, plan.output, bytes_at_the_end(call),
                      Phrase("ask for fewer draws or chains, or ", Field{"thin"}));
      }
      stopped = folder->checkpoint_file().value_or(fs::path());
    }
  }
  if (broadcast_value(ranks, !earlier.is_null())) {
    if (ranks.is_root()) {
      recall(call, earlier);
    }
    return Run(call.state);
  }
  call.state->resumable = broadcast_value(ranks, folder && folder->persistent());
  if (broadcast_value(ranks, !stopped.empty())) {
    chains.restore(stopped, folder ? &*folder : nullptr);
  }
  chains.run(folder ? &*folder : nullptr, call.state->resumable);
  if (folder) {
    finish(call, chains.survey(), *folder);
  }
  return Run(call.state);
}

Run sample(const Set& set, const Target& target, const SamplePlan& plan) {
  Alone alone;
  return sample(std::optional(set), target, plan, alone);
}

Run sample(const Target& target, const SamplePlan& plan) {
  Alone alone;
  return sample(std::nullopt, target, plan, alone);
}

GradientCheck check_gradient(const Set& set, const Target& target, std::uint64_t seed) {
  const Problem problem = build_problem(set, target, {}).problem;
  return check_gradient(problem.map, problem.target, seed);
}

GradientCheck check_dual_gradient(const Set& set, const Target& target, std::uint64_t seed) {
  const Problem problem = build_problem(set, target, {}).problem;
  return check_gradient(real().map(problem.map.dual_dim()),
                        mirrored(problem.map, problem.target, problem.form), seed);
}

Run resume(const fs::path& output, const std::optional<Target>& own_target,
           const std::optional<Set>& own_set, const SamplePlan& manner) {
  if (output.empty()) {
    fail(Fault::usage, Field{"output"}, "is empty", "give the file of the run");
  }
  settle_run_folder(output);
  const Json request = recorded_request(output);
  SamplePlan plan = plan_from(request, manner);
  plan.output = output;
  plan.resume = true;
  if (!own_target && !request.contains("target")) {
    if (!holds_stopped_run(run_folder(output))) {
      return read_run(output_files(output, plan.chains));
    }
    fail(Fault::config, output.string(), "its target is code, which no file keeps",
         "give the target again");
  }
  Alone alone;
  return sample(own_set ? own_set : set_as_asked(request),
                own_target ? *own_target : target_from(request), plan, alone);
}

}  // namespace tain
