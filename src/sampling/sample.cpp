#include "tain/sampling/sample.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "asked_json.hpp"
#include "manifest.hpp"
#include "run_folder.hpp"
#include "tain/core/checksum.hpp"
#include "tain/core/failpoint.hpp"
#include "tain/core/machine.hpp"
#include "tain/core/names.hpp"
#include "tain/core/simd.hpp"
#include "tain/core/sizes.hpp"
#include "tain/core/version.hpp"
#include "tain/run/ranks.hpp"
#include "tain/run/walk.hpp"
#include "tain/sampling/problem.hpp"
#include "tain/sampling/theory.hpp"
#include "tain/targets/check_gradient.hpp"
#include "tain/targets/target_kind.hpp"

namespace tain {

struct Run::State {
  Asked asked;
  BuiltProblem built;
  RunRecord record;
  Draws draws;
  std::optional<Diagnosis> found;
  bool resumable = false;
  std::shared_ptr<const DrawTable> table;
  std::size_t threads = 0;

  const RunSummary& done() const { return record.done; }
};

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::uint64_t fewest_draws =
    4;  // fewer give no diagnostics, so an interrupted run keeps them back

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

void require_kernel(const SamplePlan& plan) {
  std::vector<std::string_view> names;
  for (const KernelEntry& known : kernel_table()) {
    names.push_back(known.name);
  }
  if (std::ranges::find(names, plan.kernel) == names.end()) {
    const std::string_view near = nearest_name(plan.kernel, names);
    fail(Fault::usage, Field{"kernel"}, fmt::format("unknown kernel '{}'", plan.kernel),
         near.empty() ? fmt::format("give one of {}", fmt::join(names, ", "))
                      : fmt::format("did you mean '{}'?", near));
  }
}

void require_output_kind(const SamplePlan& plan) {
  const std::string ending = plan.output.extension().string();
  if (!plan.output.empty() && ending != ".nc" && ending != ".csv" && ending != ".npy") {
    fail(Fault::usage, Field{"output"},
         fmt::format("'{}' does not tell the format", plan.output.string()),
         "give a name that ends in .nc, .csv or .npy");
  }
}

/// Two outputs are never the same file.
void require_apart(const SamplePlan& plan) {
  if (plan.output.empty() || plan.report.empty()) {
    return;
  }
  std::vector<fs::path> taken = output_files(plan.output, plan.chains);
  taken.push_back(manifest_file(plan.output));
  taken.push_back(run_folder(plan.output));
  for (const fs::path& path : taken) {
    if (fs::weakly_canonical(path) == fs::weakly_canonical(plan.report)) {
      fail(Fault::usage, Field{"report"},
           fmt::format("{} is a file of the output", plan.report.string()), "give another name");
    }
  }
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
  if (plan.kernel != "mld" && plan.kernel != "smld") {
    fail(Fault::config, Field{"step_size"},
         fmt::format("there is no theory for kernel {}", plan.kernel),
         Phrase("use ", Field{"kernel", "mld"}, " or smld"));
  }
  plan.start = theory_start(problem, plan.start.values);
  const KnownDifficulty known = difficulty_of(problem, plan.batch, plan.start.values, {});
  const Promise promise = promise_for_steps(
      known.numbers, double(plan.warmup) + double(plan.draws) * double(plan.thin.value_or(1)));
  plan.step_size = promise.step_size;
  notes.push_back(fmt::format(
      "step size {:.4g} by Theorem 4: relative entropy at most {:.4g} and total "
      "variation {:.4g} after {:.0f} steps from one point",
      promise.step_size, promise.relative_entropy, promise.total_variation, promise.steps));
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

void require_gradient(const Problem& problem, const SamplePlan& plan) {
  const GradientCheck check = check_gradient(problem.map, problem.target, plan.seed);
  if (!check.passed) {
    fail(Fault::data, fmt::format("target {}", problem.target.name()), check.explanation,
         Phrase("correct the gradient, or leave out ", Field{"check_gradient"}));
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

std::shared_ptr<Run::State> prepare(const std::optional<Set>& set, const Target& target,
                                    const SamplePlan& plan) {
  if (plan.isa != "auto") {
    pin_isa(parse_isa(plan.isa));
  }
  require_in_range(plan);
  Run::State state{.asked = {set, target, plan},
                   .built = build_problem(set, target, plan),
                   .record = {},
                   .draws = {},
                   .found = {},
                   .table = {}};
  const Problem& problem = state.built.problem;
  RunRecord& record = state.record;
  record.plan = resolved(plan);
  record.notes = state.built.notes;
  require_kernel(record.plan);
  validate(record.plan);
  note_batches(problem, record.plan, record.notes);
  if (plan.step_size.by_theory()) {
    plan_by_theory(problem, record.plan, record.notes);
  }
  require_output_kind(plan);
  require_apart(plan);
  if (plan.output.extension() == ".csv") {
    require_column_names(plan.output, state.built.names);
  }
  static_cast<void>(continuation_of(plan));
  if (!plan.report.empty()) {  // a stopped run may have left the page of its part
    require_creatable(
        plan.report, continuation_of(plan) == Continuation::fresh ? Overwrite::no : Overwrite::yes);
  }
  record.inputs = input_hashes(state.asked);
  if (!plan.output.empty() && (target.kind().is_code() || (set && !is_recordable(*set)))) {
    record.inputs[fmt::format("target {} on {}", problem.target.name(), problem.map.name())] =
        code_fingerprint(state.built);
  }
  record.target = problem.target.name();
  record.map = problem.map.name();
  record.version = version_number();
  record.isa = isa_name(current_isa());
  record.compiler = compiler_name();
  state.threads = plan.threads;
  return std::make_shared<Run::State>(std::move(state));
}

// ---- files of the run --------------------------------------------------------------------------

/// What a resumed run must share with the stopped one.
Json request_json(const Run::State& state) {
  Json shaping = asked_json(state.asked);
  // The bits depend on what the run really used.
  shaping["isa"] = state.record.isa;
  shaping["version"] = state.record.version;
  return {{"options", shaping}, {"inputs", state.record.inputs}};
}

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

RunFolder open_folder(const Run::State& state) {
  const SamplePlan& plan = state.record.plan;
  const DrawShape shape = shape_of(state.built.problem, plan);
  if (plan.output.empty()) {
    return RunFolder::in_memory(shape);
  }
  const Continuation continuation = continuation_of(plan);
  RunFolder folder = RunFolder::in_folder(plan.output, shape, request_json(state), continuation);
  if (continuation != Continuation::fresh) {
    remove_leftovers_of(plan);
  }
  return folder;
}

/// The manifest of the run that is to be resumed if it is already finished; null otherwise. Throws
/// Error (config) if what is finished is another run.
Json finished_run(const Run::State& state) {
  const SamplePlan& plan = state.record.plan;
  const fs::path folder = run_folder(plan.output);
  const fs::path manifest_path = manifest_file(plan.output);
  const auto is_file = [](const fs::path& path) { return fs::is_regular_file(path); };
  if (holds_stopped_run(folder) || !is_file(manifest_path) ||
      !std::ranges::all_of(output_files(plan.output, plan.chains), is_file)) {
    return nullptr;
  }
  Json manifest = Json::parse(read_file(manifest_path), nullptr, false);
  if (!manifest.is_object() || manifest.value("stop_reason", Json()) != "finished") {
    return nullptr;
  }
  const Json request = request_json(state);
  require_same_request(request_of(manifest, request), request, plan.output.string());
  if (fs::exists(folder)) {  // it was killed while it cleared away
    const FolderLock lock(folder);
    remove_run_folder(folder);
  }
  return manifest;
}

/// Draws of a file to a table of their shape. A file that has no dual gives it by the map, where
/// the chains lived there; what cannot be known is NaN.
void fill_table(const DrawsFile& file, const AnyMap& map, DrawTable& table) {
  const DrawShape& shape = table.shape();
  const std::size_t n = shape.primal_dim, m = shape.dual_dim;
  const bool by_map = file.dual_dim != m && map.dual_dim() == m;
  BlockStorage x(n, lane_group), y(map.dual_dim(), lane_group);
  Workspace workspace;
  std::vector<double> dual(m, NAN);
  const auto statistic = [](const std::vector<double>& values, std::size_t pair) {
    return values.empty() ? NAN : values[pair];
  };
  for (std::size_t pair = 0; pair < shape.chains * shape.draws; ++pair) {
    const std::span primal(file.values.data() + pair * n, n);
    if (file.dual_dim == m) {
      std::copy_n(file.dual.data() + pair * m, m, dual.begin());
    } else if (by_map) {
      for (std::size_t i = 0; i < n; ++i) {
        std::fill_n(x.view().row(i), lane_group, primal[i]);
      }
      map.to_dual(x.view(), y.view(), workspace);
      for (std::size_t i = 0; i < m; ++i) {
        dual[i] = y.view().at(i, 0);
      }
    }
    table.put({.chain = static_cast<std::uint32_t>(pair / shape.draws),
               .draw = pair % shape.draws,
               .primal = primal,
               .dual = dual,
               .log_density = statistic(file.log_density, pair),
               .acceptance = statistic(file.acceptance, pair),
               .divergent = !file.diverging.empty() && file.diverging[pair] != 0});
  }
}

// ---- what was found ----------------------------------------------------------------------------

void take_draws(Run::State& state, std::shared_ptr<const DrawTable> table) {
  state.table = std::move(table);
  state.draws =
      draws_of(state.table, state.done().draws, state.built.names, state.built.parameters);
}

void judge_draws(Run::State& state, Threads& threads) {
  const RunSummary& done = state.done();
  const RunFacts facts{done.divergences, done.draws * state.draws.chains, done.bias_indicator,
                       done.bias_unknown};
  state.found = diagnose(state.draws.values, state.draws.chains, done.draws, state.draws.names,
                         facts, threads);
}

DrawsInfo info_of(const Run::State& state) {
  const RunRecord& record = state.record;
  return {.names = state.built.names,
          .parameters = state.built.parameters,
          .map = record.map,
          .target = record.target,
          .kernel = record.plan.kernel,
          .step_size = record.done.tuning.step_size,
          .seed = record.plan.seed,
          .thin = record.done.thin,
          .stop_reason = record.stop_reason,
          .request = request_json(state)["options"].dump()};
}

RunReport report_of(const Run::State& state) {
  const RunRecord& record = state.record;
  const RunSummary& done = record.done;
  RunReport report{.draws = state.draws,
                   .rows = state.found->rows,
                   .verdict = state.found->verdict,
                   .facts = {done.divergences, done.draws * state.draws.chains, done.bias_indicator,
                             done.bias_unknown},
                   .outline = state.built.problem.map.outline(),
                   .laws = marginal_laws(state.built.problem.map, state.built.problem.target),
                   .account = {}};
  RunAccount& account = report.account;
  account.target = record.target;
  account.map = record.map;
  account.kernel = record.plan.kernel;
  account.command = record.plan.command;
  account.version = record.version;
  account.isa = record.isa;
  account.compiler = record.compiler;
  account.started = record.started;
  account.ended = record.ended;
  account.stop_reason = record.stop_reason;
  account.step_size = done.tuning.step_size;
  account.trajectory_length = done.tuning.trajectory_length;
  account.seconds = done.seconds;
  account.cpu_seconds = done.cpu_seconds;
  account.seed = record.plan.seed;
  account.warmup = record.plan.warmup;
  account.thin = done.thin;
  account.gradients = done.gradients;
  account.history = done.history;
  account.inputs.assign(record.inputs.begin(), record.inputs.end());
  if (!record.plan.output.empty()) {
    account.files.push_back(record.plan.output.filename().string());
  }
  return report;
}

std::string page_of(const Run::State& state) {
  Threads threads(state.threads);
  const RunReport report = report_of(state);
  Page page(run_title(report), run_lead(report));
  add_run(page, report, threads);
  return page.html();
}

void write_output(const Run::State& state, RunFolder& folder) {
  const SamplePlan& plan = state.record.plan;
  folder.mark_partial();
  write_draws(plan.output, *state.table, state.done().draws, info_of(state));
  const Json manifest = manifest_json(state.record, asked_json(state.asked), state.found->verdict);
  write_atomically(manifest_file(plan.output), manifest.dump(2) + "\n");
  tell(plan, fmt::format("{} draws of {} chains are in {}", state.done().draws, plan.chains,
                         plan.output.string()));
}

void write_report(const Run::State& state) {
  if (const fs::path& page = state.record.plan.report; !page.empty()) {
    write_atomically(page, page_of(state));
    tell(state.record.plan, fmt::format("the report is in {}", page.string()));
  }
}

/// In place of sampling: what the finished run left.
void recall(Run::State& state, const Json& manifest, RunFolder& folder, Threads& threads) {
  const SamplePlan& plan = state.record.plan;
  const std::string output = plan.output.string();
  tell(plan, fmt::format("{}: the run is already finished; nothing is left to resume", output));
  const DrawShape shape = shape_of(state.built.problem, plan);
  const DrawsFile file = read_draws(output_files(plan.output, plan.chains), DualPart::read);
  if (file.chains != shape.chains || file.draws != shape.draws ||
      file.names.size() != shape.primal_dim) {
    fail(Fault::data, output, "does not hold the draws that its manifest tells of",
         Phrase("give ", Field{"overwrite", "true"}, " to start anew"));
  }
  fill_table(file, state.built.problem.map, *folder.table());
  read_manifest(manifest, state.record);
  if (state.done().draws != shape.draws) {
    fail(Fault::data, manifest_file(plan.output).string(),
         fmt::format("tells of {} draws, the run has {}", state.done().draws, shape.draws),
         Phrase("give ", Field{"overwrite", "true"}, " to start anew"));
  }
  take_draws(state, folder.table());
  judge_draws(state, threads);
  write_report(state);
}

void finish(Run::State& state, RunFolder& folder, Threads& threads) {
  take_draws(state, folder.table());
  if (state.done().finished || state.done().draws >= fewest_draws) {
    judge_draws(state, threads);
    failpoint("run/judged");
    if (!state.record.plan.output.empty()) {
      write_output(state, folder);
    }
    write_report(state);
  }
  if (state.done().finished) {
    folder.finish();
  } else {
    folder.leave();
  }
}

/// Runs the chains, with checkpoints when rank 0 finds that it is time.
class Chains {
 public:
  Chains(Run::State& state, Threads& threads, Comm& comm)
      : state_(state),
        comm_(comm),
        plan_(state.record.plan),
        sampler_(state.built.problem, plan_, threads, comm) {}

  void restore(const fs::path& checkpoint) { sampler_.restore(checkpoint); }

  void run(RunFolder* folder) {
    state_.record.started = utc_now();
    NoDraws none;
    last_ = Clock::now();
    RunSummary& done = state_.record.done;
    done = sampler_.run(
        folder ? static_cast<DrawSink&>(*folder->table()) : none,
        [&](const Progress& progress) { return watch(progress, folder); }, plan_.checkpoint_every);
    state_.record.ended = utc_now();
    state_.record.stop_reason = done.finished ? "finished" : "interrupted";
    failpoint("run/sampled");
    if (!done.finished) {
      checkpoint(folder);
    }
  }

 private:
  Next watch(const Progress& progress, RunFolder* folder) {
    const Next next = plan_.progress ? plan_.progress(progress) : Next::go_on;
    const std::chrono::duration<double> since = Clock::now() - last_;
    const bool counted = plan_.checkpoint_every > 0 && progress.draws > 0 &&
                         progress.draws % plan_.checkpoint_every == 0;
    if (agreed(comm_,
               next == Next::go_on && (counted || since.count() >= plan_.checkpoint_seconds))) {
      checkpoint(folder);
      last_ = Clock::now();
    }
    return next;
  }

  void checkpoint(RunFolder* folder) {
    if (folder) {
      folder->checkpoint(sampler_);
    } else if (state_.resumable) {
      sampler_.save({});  // rank 0 writes it
    }
  }

  Run::State& state_;
  Comm& comm_;
  const SamplePlan& plan_;
  Sampler sampler_;
  Clock::time_point last_;
};

}  // namespace

Run sample(const std::optional<Set>& set, const Target& target, const SamplePlan& plan,
           Comm& ranks) {
  const std::shared_ptr<Run::State> state = prepare(set, target, plan);
  for (const std::string& note : state->record.notes) {
    tell(plan, note);
  }
  const DrawShape shape = shape_of(state->built.problem, state->record.plan);
  require_memory(state->record.plan, shape, ranks.ranks());
  if (plan.check_gradient) {
    require_gradient(state->built.problem, plan);
  }
  Threads threads(plan.threads);
  Chains chains(*state, threads, ranks);
  Json earlier;  // manifest of the finished run; null: there is none
  std::optional<RunFolder> folder;
  fs::path stopped;
  if (ranks.leads()) {
    if (continuation_of(plan) == Continuation::resume) {
      earlier = finished_run(*state);
    }
    folder.emplace(earlier.is_null() ? open_folder(*state) : RunFolder::in_memory(shape));
    stopped = folder->checkpoint_file().value_or(fs::path());
  }
  const bool recalled = agreed(ranks, !earlier.is_null());
  state->resumable = agreed(ranks, folder && folder->persistent());
  if (agreed(ranks, !stopped.empty())) {
    chains.restore(stopped);
  }
  if (!recalled) {
    chains.run(folder ? &*folder : nullptr);
  }
  if (folder) {
    recalled ? recall(*state, earlier, *folder, threads) : finish(*state, *folder, threads);
  }
  return Run(state);
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

const Draws& Run::draws() const { return state_->draws; }
bool Run::finished() const { return state_->done().finished; }
bool Run::resumable() const { return state_->resumable; }
bool Run::judged() const { return state_->found.has_value(); }
const RunRecord& Run::record() const { return state_->record; }

const Diagnosis& Run::diagnosis() const {
  if (!state_->found) {
    fail(Fault::config, Field{"draws"},
         fmt::format("the run was stopped after {} of {}", state_->done().draws,
                     state_->record.plan.draws),
         "let it run longer: from 4 on they can be judged");
  }
  return *state_->found;
}

Array Run::operator[](std::string_view name) const {
  const Draws& all = draws();
  std::vector<Parameter> known = all.parameters;
  if (known.empty()) {
    known = parameters_of(all.names);
  }
  std::vector<std::string_view> names;
  std::ranges::transform(known, std::back_inserter(names), &Parameter::name);
  const auto found = std::ranges::find(known, name, &Parameter::name);
  if (found == known.end()) {
    const std::string_view near = nearest_name(name, names);
    fail(Fault::usage, fmt::format("'{}'", name), "is no parameter of the run",
         near.empty() ? fmt::format("there are {}", fmt::join(names, ", "))
                      : fmt::format("did you mean '{}'?", near));
  }
  Array array{{}, {all.chains, all.draws}};
  array.shape.insert(array.shape.end(), found->shape.begin(), found->shape.end());
  const std::size_t dim = all.names.size();
  for (std::size_t row = 0; row < all.chains * all.draws; ++row) {
    const auto part = all.values.subspan(row * dim + found->first, found->count);
    array.values.insert(array.values.end(), part.begin(), part.end());
  }
  return array;
}

std::vector<ExactMoment> Run::exact() const {
  const Problem& problem = state_->built.problem;
  return compare_exact(draws(), problem.map, problem.target.facts(problem.map));
}

std::string Run::text(const TextStyle& style) const { return diagnosis().text(style); }

void Run::save(const fs::path& path, Overwrite overwrite) const {
  require_creatable(path, overwrite);
  write_draws(path, *state_->table, state_->done().draws, info_of(*state_));
}

void Run::report(const fs::path& path, Overwrite overwrite) const {
  static_cast<void>(diagnosis());
  require_creatable(path, overwrite);
  write_atomically(path, page_of(*state_));
}

}  // namespace tain
