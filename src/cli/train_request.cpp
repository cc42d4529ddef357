#include "train_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tain::cli {
namespace {

struct MethodFlag {
  std::string_view flag, method;
};
constexpr std::array<MethodFlag, 3> method_flags{{{"approximation", "smld-approximate"},
                                                  {"floor", "smld-approximate"},
                                                  {"warmup", "smld-preconditioned"}}};

struct MethodStep {
  std::string_view method;
  StepSchedule step;
};
constexpr std::array<MethodStep, 7> method_steps{{{"smld-root", {0.1, 1000, 0.55}},
                                                  {"smld", {1e-5, 1000, 0.55}},
                                                  {"smld-approximate", {0.1, 1000, 0.55}},
                                                  {"smld-preconditioned", {0.1, 1000, 0.55}},
                                                  {"sgrld", {0.01, 1000, 0.55}},
                                                  {"sgrhmc", {0.01, 1000, 0.55}},
                                                  {"scir", {0.1, 1000, 0.55}}}};

std::uint32_t count_32(const Options& options, std::string_view flag, std::uint64_t most) {
  const std::uint64_t count = options.positive_count(flag);
  if (count > most) {
    reject(options.value(flag), fmt::format("is more than {}", most), "give a smaller number");
  }
  return static_cast<std::uint32_t>(count);
}

StepSchedule step_schedule(const Options& options, std::string_view method) {
  const std::optional<std::vector<double>> numbers = options.numbers("step-size");
  if (!numbers) {
    return std::ranges::find(method_steps, method, &MethodStep::method)->step;
  }
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

TrainingPlan training_plan(const Options& options, const Options& given) {
  constexpr std::uint64_t most = 1'000'000'000;  // of documents in a batch and of sweeps
  TrainingPlan plan;
  plan.method = options.choice("method");
  refuse_idle_flags(given, plan.method);
  plan.topics = count_32(options, "topics", most_topics);
  plan.alpha = *options.positive_number("alpha");
  plan.eta = *options.positive_number("eta");
  plan.batch = count_32(options, "batch", most);
  plan.sweeps = count_32(options, "sweeps", most);
  plan.burn_in = plan.sweeps / 2;
  plan.step_size = step_schedule(options, plan.method);
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

StopRule stop_rule(const Options& options) {
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
    stop.passes = options.positive_number("passes");
  }
  return stop;
}

TrainingSchedule training_schedule(const Options& options, const Options& given,
                                   const StopRule& stop, std::uint64_t documents,
                                   std::uint32_t batch) {
  const auto positive = [&](std::string_view flag) -> std::optional<std::uint64_t> {
    return options.given(flag) ? std::optional(options.positive_count(flag)) : std::nullopt;
  };
  SchedulePlan plan{.held_out = options.count("holdout"),
                    .evaluate_every = positive("eval-every"),
                    .burn_in = options.count("burn-in"),
                    .average_every = positive("average-every")};
  if (plan.held_out && *plan.held_out >= documents) {
    reject(options.value("holdout"),
           fmt::format("leaves none of the {} documents to train on", documents),
           fmt::format("hold out fewer; a tenth are {}", documents / 10));
  }
  if (plan.held_out == 0 && given.given("eval-every")) {
    fail(Fault::config, "--eval-every", "no document is held out to be evaluated",
         "leave it out, or give --holdout");
  }
  return schedule_for(plan, stop, documents, batch);
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
