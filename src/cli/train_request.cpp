#include "train_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tain/report/text.hpp"
#include "train_ranks.hpp"

namespace tain::cli {
namespace {

struct MethodFlag {
  std::string_view flag, method;
};
constexpr std::array<MethodFlag, 3> method_flags{{{"approximation", "smld-approximate"},
                                                  {"floor", "smld-approximate"},
                                                  {"warmup", "smld-preconditioned"}}};
constexpr std::array<std::string_view, 3> descent_flags{"descent", "descent-batch", "descent-rate"};
constexpr std::uint64_t most_kept_draws = 100'000;
constexpr std::uint64_t most_counted = 1'000'000'000;  // of documents in a batch and of sweeps

std::uint32_t count_32(const Options& options, std::string_view flag, std::uint64_t most) {
  const std::uint64_t count = options.positive_count(flag);
  if (count > most) {
    reject(options.value(flag), fmt::format("is more than {}", most), "give a smaller number");
  }
  return static_cast<std::uint32_t>(count);
}

StepSchedule step_schedule(const Options& options) {
  const std::optional<std::vector<double>> numbers = options.numbers("step-size");
  if (numbers->size() != 1 && numbers->size() != 3) {
    reject(options.value("step-size"), fmt::format("has {} numbers", numbers->size()),
           "give one, or three: A,B,C for A(1 + t/B)^-C");
  }
  StepSchedule step{numbers->front(), 1000, 0};
  if (numbers->size() == 3) {
    step.b = numbers->at(1);
    step.c = numbers->at(2);
  }
  if (!(step.a > 0) || !(step.b > 0) || !(step.c >= 0)) {
    reject(options.value("step-size"), "is not a falling sequence of positive numbers",
           "give A > 0, B > 0 and C >= 0");
  }
  return step;
}

void refuse_idle_flags(const Options& given, std::string_view method) {
  for (const auto& [flag, needed] : method_flags) {
    if (given.given(flag) && method != needed) {
      fail(Fault::config, fmt::format("--{}", flag), fmt::format("does nothing to {}", method),
           fmt::format("leave it out, or give --method {}", needed));
    }
  }
}

void refuse_idle_descent(const Options& given, const TrainingPlan& plan) {
  for (const std::string_view flag : descent_flags) {
    if (given.given(flag) && plan.start != Start::descent) {
      fail(Fault::config, fmt::format("--{}", flag), "nothing descends from this start",
           "leave it out, or give --start descent");
    }
  }
}

/// Passes that the length of the descent is chosen for.
double planned_passes(const StopRule& stop) { return stop.passes.value_or(1); }

/// A descent over three fifths of the run, by documents or by steps.
std::uint64_t suggested_descent(const TrainingPlan& like, const StopRule& stop) {
  return stop.steps ? std::max<std::uint64_t>(1, *stop.steps * 3 / 5) * like.descent_batch
                    : like.descent;
}

Start start_of(const std::string& name, Start suggested) {
  return name == "random"      ? Start::random
         : name == "documents" ? Start::documents
         : name == "descent"   ? Start::descent
                               : suggested;
}

/// Where topics start and how documents' topics are drawn: the two choices that others follow.
TrainingPlan phases(const Options& options, TrainingPlan plan, const Corpus& corpus,
                    std::uint64_t documents, const StopRule& stop) {
  const std::string assignments = options.choice("assignments");
  if (assignments == "fresh" && plan.assignments == Assignments::kept) {
    const TrainingPlan usual;
    plan.batch = usual.batch;
    plan.sweeps = usual.sweeps;
    plan.step_size = usual.step_size;
  }
  if (assignments != "auto") {
    plan.assignments = assignments == "kept" ? Assignments::kept : Assignments::fresh;
  }
  plan.start = start_of(options.choice("start"), plan.start);
  const TrainingPlan descending =
      suggested_plan("smld-root", plan.topics, corpus, documents, planned_passes(stop));
  plan.descent_batch = descending.descent_batch;
  plan.descent = plan.start == Start::descent ? suggested_descent(descending, stop) : 0;
  return plan;
}

}  // namespace

Continuation continuation_of(const Options& options) {
  if (options.on("resume") && options.on("force")) {
    fail(Fault::config, "--resume", "contradicts --force", "give one of them");
  }
  return options.on("resume")  ? Continuation::resume
         : options.on("force") ? Continuation::replace
                               : Continuation::fresh;
}

RawOptions with_settings(const Command& command, const RawOptions& raw,
                         std::span<const Setting> stored) {
  RawOptions base;
  for (const Setting& setting : stored) {
    if (const Flag* flag = find_flag(command, setting.name)) {
      RawValue value;
      value.origin = fmt::format("--{}", setting.name);
      value.fault = Fault::data;
      value.parts = flag->kind == Kind::numbers ? split_list(setting.value, value)
                                                : std::vector<std::string>{setting.value};
      base.values.emplace(setting.name, std::move(value));
    }
  }
  return merge(std::move(base), raw);
}

TrainingPlan training_plan(const Options& options, const Options& given, const Corpus& corpus,
                           std::uint64_t documents, const StopRule& stop) {
  const std::string method = options.choice("method");
  refuse_idle_flags(given, method);
  TrainingPlan plan = phases(options,
                             suggested_plan(method, count_32(options, "topics", most_topics),
                                            corpus, documents, planned_passes(stop)),
                             corpus, documents, stop);
  refuse_idle_descent(given, plan);
  plan.alpha = options.positive_number("alpha").value_or(plan.alpha);
  plan.eta = options.positive_number("eta").value_or(plan.eta);
  if (options.on("optimize-alpha")) {
    // Where topics are kept, the first pass only draws them.
    plan.learn_alpha = (plan.assignments == Assignments::kept ? 2 : 1) * documents;
  }
  if (options.given("batch")) {
    plan.batch = count_32(options, "batch", most_counted);
  }
  if (options.given("sweeps")) {
    plan.sweeps = count_32(options, "sweeps", most_counted);
  }
  plan.burn_in = plan.assignments == Assignments::fresh ? plan.sweeps / 2 : 0;
  if (options.given("step-size")) {
    plan.step_size = step_schedule(options);
  }
  if (options.given("descent")) {
    plan.descent = options.positive_count("descent");
  }
  if (options.given("descent-batch")) {
    plan.descent_batch = count_32(options, "descent-batch", most_counted);
  }
  plan.descent_rate = options.positive_number("descent-rate").value_or(plan.descent_rate);
  if (plan.method == "smld-preconditioned") {
    plan.warm_up = options.positive_count("warmup");
  }
  if (plan.method == "smld-approximate") {
    plan.approximation = options.choice("approximation") == "linear" ? Approximation::linear
                                                                     : Approximation::quadratic;
    plan.floor = *options.number("floor");
  }
  plan.seed = *options.count("seed");
  return plan;
}

StopRule stop_rule(const Options& options, std::uint64_t documents) {
  const int rules = int{options.given("steps")} + int{options.given("passes")} +
                    int{options.given("max-seconds")};
  if (rules > 1) {
    fail(Fault::config, "--steps, --passes, --max-seconds", "more than one says when to stop",
         "give one of them");
  }
  StopRule stop;
  if (options.given("steps")) {
    stop.steps = options.positive_count("steps");
  } else if (options.given("max-seconds")) {
    stop.seconds = options.positive_number("max-seconds");
  } else {
    stop.passes = options.positive_number("passes").value_or(suggested_passes(documents));
  }
  return stop;
}

std::uint64_t held_out(const Options& options, std::uint64_t documents) {
  const std::optional<std::uint64_t> wanted = options.count("holdout");
  if (wanted && *wanted >= documents) {
    reject(options.value("holdout"),
           fmt::format("leaves none of the {} documents to train on", documents),
           fmt::format("hold out fewer; a tenth are {}", documents / 10));
  }
  return held_out_documents(wanted, documents);
}

TrainingSchedule training_schedule(const Options& options, const Options& given,
                                   const StopRule& stop, const Corpus& corpus,
                                   const TrainingPlan& plan) {
  const std::uint64_t documents = corpus.documents();
  const auto positive = [&](std::string_view flag) -> std::optional<std::uint64_t> {
    return options.given(flag) ? std::optional(options.positive_count(flag)) : std::nullopt;
  };
  const SchedulePlan wanted{
      .held_out = held_out(options, documents),
      .evaluate_every = positive("eval-every"),
      .burn_in = options.count("burn-in"),
      .average_every = positive("average-every"),
      .keep_draws =
          options.count("keep-draws").value_or(usual_kept_draws(plan.topics, corpus.words()))};
  if (wanted.keep_draws > most_kept_draws) {
    reject(options.value("keep-draws"), fmt::format("is more than {}", most_kept_draws),
           "give a smaller number");
  }
  if (wanted.held_out == 0 && given.given("eval-every")) {
    fail(Fault::config, "--eval-every", "no document is held out to be evaluated",
         "leave it out, or give --holdout");
  }
  return schedule_for(wanted, stop, documents, plan);
}

TrainingSizes training_sizes(const TrainingRequest& request, const Corpus& corpus) {
  const TrainingPlan& plan = request.plan;
  return {
      .memory = static_cast<double>(training_bytes(plan, corpus.words(), corpus.documents(),
                                                   corpus.tokens(), request.ranks, request.layout)),
      .disk = static_cast<double>(training_disk_bytes(plan, request.schedule, corpus.words(),
                                                      corpus.documents(), corpus.tokens()))};
}

namespace {

Layout layout_for(const Options& options, const TrainingRequest& request, const Corpus& corpus,
                  double memory) {
  const std::string asked = options.choice("layout");
  if (asked != "auto") {
    return asked == "sharded" ? Layout::sharded : Layout::replicated;
  }
  constexpr double comfortable = 0.6;
  return request.ranks > 1 && training_sizes(request, corpus).memory > comfortable * memory
             ? Layout::sharded
             : Layout::replicated;
}

/// The estimate comes before the work.
void require_memory(const TrainingRequest& request, const Corpus& corpus, double memory) {
  const double needed = training_sizes(request, corpus).memory;
  if (needed <= 0.8 * memory) {
    return;
  }
  const bool several = request.ranks > 1;
  fail(Fault::config, "--topics",
       fmt::format("{} topics of {} words take {}{}, {} has {}", grouped(request.plan.topics),
                   grouped(corpus.words()), format_bytes(needed), several ? " on each rank" : "",
                   several ? "a rank" : "the machine", format_bytes(memory)),
       several ? "ask for fewer topics, use more machines, or give --layout sharded"
               : "ask for fewer topics, or import the corpus with a smaller --max-vocab");
}

}  // namespace

TrainingRequest training_request(const Options& options, const Options& given, const Corpus& corpus,
                                 Comm& comm) {
  if (corpus.documents() < 1 || corpus.words() < 1 || corpus.tokens() < 1) {
    fail(Fault::data, corpus.name(), "has no words to train on", "give documents that have some");
  }
  TrainingRequest request;
  const std::uint64_t trained = corpus.documents() - held_out(options, corpus.documents());
  request.stop = stop_rule(given, trained);
  request.plan = training_plan(options, given, corpus, trained, request.stop);
  request.schedule = training_schedule(options, given, request.stop, corpus, request.plan);
  const double memory = rank_memory(comm);
  request.ranks = comm.ranks();
  request.layout = layout_for(options, request, corpus, memory);
  require_memory(request, corpus, memory);
  return request;
}

CheckpointPlan checkpoint_plan(const Options& options, std::filesystem::path file) {
  CheckpointPlan plan{.file = std::move(file),
                      .documents = std::nullopt,
                      .seconds = *options.positive_number("checkpoint-seconds")};
  if (options.given("checkpoint-every")) {
    plan.documents = options.positive_count("checkpoint-every");
  }
  return plan;
}

}  // namespace tain::cli
