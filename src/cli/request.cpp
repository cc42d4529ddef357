#include "request.hpp"

#include <fmt/format.h>

#include <limits>

#include "difficulty.hpp"
#include "help.hpp"
#include "tain/core/error.hpp"
#include "tain/core/file.hpp"
#include "tain/core/simd.hpp"
#include "tain/run/walk.hpp"
#include "values.hpp"

namespace tain::cli {
namespace {

bool by_theory(const Options& options) {
  return options.value("step-size").parts == std::vector<std::string>{"theory"};
}

std::optional<Schedule> step_size(const Options& options) {
  const RawValue& value = options.value("step-size");
  if (value.parts.size() == 1 && (value.parts.front() == "auto" || by_theory(options))) {
    return std::nullopt;
  }
  if (value.parts.size() != 1 && value.parts.size() != 3) {
    reject(value, fmt::format("has {} numbers", value.parts.size()),
           "give auto, theory, one step size, or a,b,c for a(1 + t/b)^-c");
  }
  const std::vector<double> numbers = parse_numbers(value);
  Schedule schedule;
  schedule.initial = numbers[0];
  if (numbers.size() == 3) {
    schedule.offset = numbers[1];
    schedule.exponent = numbers[2];
  }
  if (!(schedule.initial > 0) || !(schedule.offset > 0) || schedule.exponent < 0) {
    reject(value, "is not a step size", "give positive numbers such as 0.1 or 0.1,1000,0.5");
  }
  return schedule;
}

Precondition precondition(const Options& options) {
  const std::string choice = options.choice("precondition");
  if (choice == "none") {
    return Precondition::none;
  }
  return choice == "diagonal" ? Precondition::diagonal : Precondition::automatic;
}

SamplePlan sample_plan(const Options& options) {
  SamplePlan plan;
  plan.batch = batching(options);
  const RawValue& kernel = options.value("kernel");
  plan.kernel = kernel.parts.front();
  if (plan.kernel == "auto") {
    plan.kernel = plan.batch.size != 0 ? "smld" : "hmc";
  }
  std::vector<std::string_view> kernels;
  for (const KernelEntry& known : kernel_table()) {
    kernels.push_back(known.name);
  }
  if (std::ranges::find(kernels, plan.kernel) == kernels.end()) {
    reject(
        kernel, fmt::format("unknown kernel '{}'", plan.kernel),
        suggestion(plan.kernel, kernels, fmt::format("give one of {}", fmt::join(kernels, ", "))));
  }
  plan.seed = *options.count("seed");
  const std::uint64_t chains = options.positive_count("chains");
  if (chains > std::numeric_limits<std::uint32_t>::max() - 64) {
    reject(options.value("chains"), "is too many", "give fewer than 4 billion chains");
  }
  plan.chains = static_cast<std::uint32_t>(chains);
  plan.warmup = *options.count("warmup");
  plan.draws = options.positive_count("draws");
  if (options.text("thin") != "auto") {
    plan.thin = options.positive_count("thin");
  }
  plan.step_size = step_size(options);
  plan.target_acceptance = options.positive_number("target-acceptance");
  plan.trajectory_length = options.positive_number("trajectory-length");
  plan.precondition = precondition(options);
  plan.on_non_finite =
      options.choice("on-non-finite") == "reject" ? OnNonFinite::reject : OnNonFinite::fail;
  if (options.given("control-variates")) {
    plan.anchor_every = options.positive_count("control-variates");
  }
  plan.smoothing = options.positive_number("smoothing");
  plan.start = options.numbers("start").value_or(std::vector<double>{});
  validate(plan);
  return plan;
}

/// The step size of Theorem 4 for the steps that the plan asks for, warm-up included.
void plan_by_theory(SampleRequest& request) {
  SamplePlan& plan = request.plan;
  if (plan.kernel != "mld" && plan.kernel != "smld") {
    fail(Fault::config, "step-size", fmt::format("there is no theory for kernel {}", plan.kernel),
         "use --kernel mld or smld");
  }
  plan.start = theory_start(request.problem, plan.start);
  const KnownDifficulty known = difficulty_of(request.problem, plan.batch, plan.start, {});
  const Promise promise = promise_for_steps(
      known.numbers, double(plan.warmup) + double(plan.draws) * double(plan.thin.value_or(1)));
  plan.step_size = Schedule{.initial = promise.step_size};
  request.notes.push_back(fmt::format(
      "step size {:.4g} by Theorem 4: relative entropy at most {:.4g} and total "
      "variation {:.4g} after {:.0f} steps from one point",
      promise.step_size, promise.relative_entropy, promise.total_variation, promise.steps));
}

/// Refuses batches that kernel or target do not have, before anything is said about them.
void note_batches(SampleRequest& request) {
  const std::uint64_t terms = request.problem.target.terms(), size = request.plan.batch.size;
  if (size != 0 || request.plan.batch.replacement == Replacement::with ||
      request.plan.anchor_every != 0) {
    static_cast<void>(make_walk(request.problem, request.plan));
    request.notes.push_back(
        fmt::format("batches of {} of N = {} terms ({:.3g} %) {} replacement", size, terms,
                    100 * double(size) / double(terms),
                    request.plan.batch.replacement == Replacement::with ? "with" : "without"));
  }
}

void pin_instruction_set(const Options& options) {
  const std::string isa = options.choice("isa");
  if (isa != "auto") {
    pin_isa(parse_isa(isa));
  }
}

void require_same_inputs(const RawOptions& raw, const std::map<std::string, std::string>& now) {
  for (const auto& [path, hash] : raw.inputs) {
    if (const auto found = now.find(path); found != now.end() && found->second != hash) {
      fail(Fault::data, path, "has changed since the manifest was written",
           "restore it, or give its flag again to use the new content");
    }
  }
}

Continuation continuation(const Options& options) {
  if (options.on("resume")) {
    if (!options.given("output")) {
      reject(options.value("resume"), "needs the output of the stopped run", "give -o FILE");
    }
    return Continuation::resume;
  }
  return options.on("force") ? Continuation::replace : Continuation::fresh;
}

void require_output_kind(const SampleRequest& request) {
  if (!request.output) {
    return;
  }
  const std::string ending = request.output->extension().string();
  if (ending != ".nc" && ending != ".csv" && ending != ".npy") {
    fail(Fault::usage, "--output",
         fmt::format("'{}' does not tell the format", request.output->string()),
         "give a name that ends in .nc, .csv or .npy");
  }
}

}  // namespace

Batching batching(const Options& options) {
  Batching batch;
  if (options.text("batch") != "full") {
    batch.size = options.positive_count("batch");
  }
  batch.replacement = options.on("replacement") ? Replacement::with : Replacement::without;
  return batch;
}

SampleRequest make_request(const Command& command, const RawOptions& raw) {
  pin_instruction_set(Options(command, raw));
  return make_request(command, raw, build_problem(command, raw));
}

SampleRequest make_request(const Command& command, const RawOptions& raw, BuiltProblem built) {
  const Options options(command, raw);
  pin_instruction_set(options);
  SamplePlan plan = sample_plan(options);
  SampleRequest request{.problem = std::move(built.problem),
                        .plan = std::move(plan),
                        .names = std::move(built.names),
                        .notes = std::move(built.notes)};
  note_batches(request);
  if (by_theory(options)) {
    plan_by_theory(request);
  }
  request.threads = *options.count("threads");
  if (request.threads > 65536) {
    reject(options.value("threads"), "is too many", "give 0 for all cores");
  }
  if (const RawValue* memory = options.find("memory")) {
    request.memory = parse_bytes(memory->parts.front(), *memory);
  }
  request.check_gradient = options.on("check-gradient");
  if (const auto output = options.text("output")) {
    request.output = *output;
  }
  require_output_kind(request);
  request.continuation = continuation(options);
  if (const auto report = options.text("report")) {
    request.report = *report;
    // A stopped run may have left the page of its part.
    require_creatable(*request.report,
                      request.continuation == Continuation::fresh ? Overwrite::no : Overwrite::yes);
  }
  request.checkpoint_seconds = *options.positive_number("checkpoint-seconds");
  if (options.given("checkpoint-every")) {
    request.checkpoint_every = options.positive_count("checkpoint-every");
  }
  request.exact = options.on("exact");
  request.quiet = options.on("quiet");
  request.strict = options.on("strict");
  request.json = options.on("json");
  request.max_rows = options.positive_count("max-rows");
  request.progress =
      request.quiet && !options.given("progress") ? "none" : options.choice("progress");
  request.options = options_json(command, raw);
  for (const std::string_view once : {"resume", "force", "report"}) {
    request.options.erase(std::string(once));
  }
  request.inputs = input_hashes(command, raw);
  require_same_inputs(raw, request.inputs);
  return request;
}

namespace {

nlohmann::ordered_json shaping_options(const Command& command,
                                       const nlohmann::ordered_json& options) {
  auto shaping = nlohmann::ordered_json::object();
  for (const Flag& flag : command.flags) {
    if (flag.shapes == Shapes::draws && options.contains(flag.name)) {
      shaping[std::string(flag.name)] = options.at(std::string(flag.name));
    }
  }
  return shaping;
}

}  // namespace

nlohmann::ordered_json resumable_request(const Command& command, const SampleRequest& request) {
  auto shaping = shaping_options(command, request.options);
  // The bits depend on what the run really used.
  shaping["isa"] = isa_name(current_isa());
  shaping["version"] = version_number();
  return {{"options", shaping}, {"inputs", request.inputs}};
}

nlohmann::ordered_json resumable_request(const Command& command,
                                         const nlohmann::ordered_json& manifest) {
  const auto none = nlohmann::ordered_json::object();
  auto shaping = shaping_options(command, manifest.value("options", none));
  shaping["isa"] = manifest.value("isa", nlohmann::ordered_json());
  shaping["version"] = manifest.value("tain", nlohmann::ordered_json());
  return {{"options", shaping}, {"inputs", manifest.value("inputs", none)}};
}

}  // namespace tain::cli
