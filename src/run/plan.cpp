#include "tain/run/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <limits>

#include "core/fields.hpp"
#include "core/parallel.hpp"
#include "run/sampler.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

constexpr std::array<std::string_view, 3> precondition_names{"auto", "none", "diagonal"};
constexpr std::array<std::string_view, 3> dual_form_names{"auto", "closed", "generic"};
constexpr std::array<std::string_view, 2> on_non_finite_names{"fail", "reject"};

void require(bool good, std::string_view field, const std::string& problem,
             std::string_view remedy) {
  if (!good) {
    fail(Fault::config, Field{std::string(field)}, problem, remedy);
  }
}

/// A positive count, or the word that stands for none.
void count_or_word(Fields& fields, std::string_view name, std::string_view word,
                   std::optional<std::uint64_t>& value) {
  constexpr double most = 9007199254740992.0;  // 2^53
  WordOrNumbers given{.word = value ? "" : std::string(word)};
  if (value) {
    given.numbers = {static_cast<double>(*value)};
  }
  fields.field(name, given);
  if (given.numbers.empty() && given.word == word) {
    value.reset();
    return;
  }
  const double number = given.numbers.size() == 1 ? given.numbers.front() : -1;
  if (!(number >= 0) || number > most || number != std::floor(number)) {
    fields.refuse(
        name,
        given.numbers.empty()
            ? fmt::format("'{}' is not a whole number in range", given.word)
            : fmt::format("'{}' is not a whole number in range", fmt::join(given.numbers, ",")),
        "give a whole number such as 1000");
  }
  if (number == 0) {
    fields.refuse(name, "is 0", "give at least 1");
  }
  value = static_cast<std::uint64_t>(number);
}

WordOrNumbers words_of(const StepSize& size) {
  if (!size) {
    return {.word = size.by_theory() ? "theory" : "auto"};
  }
  return size->c == 0 ? WordOrNumbers{.numbers = {size->a}}
                      : WordOrNumbers{.numbers = {size->a, size->b, size->c}};
}

void describe_step_size(Fields& fields, StepSize& size) {
  constexpr std::string_view name = "step_size";
  WordOrNumbers given = words_of(size);
  fields.field(name, given);
  const std::vector<double>& numbers = given.numbers;
  if (numbers.empty()) {
    if (given.word != "auto" && given.word != "theory") {
      fields.refuse(name, fmt::format("'{}' is not a number", given.word),
                    "give a number such as 0.5");
    }
    size = given.word == "theory" ? StepSize::theory() : StepSize();
    return;
  }
  if (numbers.size() != 1 && numbers.size() != 3) {
    fields.refuse(name, fmt::format("has {} numbers", numbers.size()),
                  "give auto, theory, one step size, or a,b,c for a(1 + t/b)^-c");
  }
  size = numbers.size() == 1 ? StepSize(numbers[0]) : StepSize(numbers[0], numbers[1], numbers[2]);
  if (!(size->a > 0) || !(size->b > 0) || size->c < 0) {
    fields.refuse(name, "is not a step size", "give positive numbers such as 0.1 or 0.1,1000,0.5");
  }
}

}  // namespace

StepSize StepSize::theory() {
  StepSize size;
  size.by_theory_ = true;
  return size;
}

void SamplePlan::describe(Fields& fields) {
  fields.field("kernel", kernel);
  describe_step_size(fields, step_size);
  fields.positive("target_acceptance", target_acceptance);
  fields.positive("trajectory_length", trajectory_length);
  fields.choice("precondition", precondition_names, precondition);
  fields.choice("dual_form", dual_form_names, dual_form);
  fields.choice("on_non_finite", on_non_finite_names, on_non_finite);
  std::optional<std::uint64_t> anchors =
      control_variates == 0 ? std::nullopt : std::optional(control_variates);
  fields.count("control_variates", anchors, 1);
  control_variates = anchors.value_or(0);
  fields.positive("smoothing", smoothing);
  std::optional<std::uint64_t> terms = batch.size == 0 ? std::nullopt : std::optional(batch.size);
  count_or_word(fields, "batch", "full", terms);
  batch.size = terms.value_or(0);
  bool replacement = batch.replacement == Replacement::with;
  fields.field("replacement", replacement);
  batch.replacement = replacement ? Replacement::with : Replacement::without;
  fields.field("start", start);
  fields.count("chains", chains, 1, std::numeric_limits<std::uint32_t>::max() - 64);
  fields.field("warmup", warmup);
  fields.count("draws", draws, 1);
  count_or_word(fields, "thin", "auto", thin);
  fields.field("seed", seed);
  fields.field("isa", isa);
  fields.field("names", names);
}

void SamplePlan::describe_manner(Fields& fields) {
  std::uint64_t wanted = threads;
  fields.count("threads", wanted, 0, most_threads);
  threads = wanted;
  fields.bytes("memory", memory);
  fields.field("check_gradient", check_gradient);
  std::string draws_file = output.string(), page = report.string();
  fields.field("output", draws_file);
  fields.field("report", page);
  output = draws_file;
  report = page;
  fields.field("resume", resume);
  fields.field("overwrite", overwrite);
  std::optional<std::uint64_t> every =
      checkpoint_every == 0 ? std::nullopt : std::optional(checkpoint_every);
  fields.count("checkpoint_every", every, 1);
  checkpoint_every = every.value_or(0);
  fields.positive("checkpoint_seconds", checkpoint_seconds);
}

SamplePlan resolved(SamplePlan plan) {
  if (plan.kernel == "auto") {  // what we recommend, which no row could say of itself
    plan.kernel = plan.batch.size != 0 ? "smld" : "hmc";
  }
  return plan;
}

void validate(const SamplePlan& plan) {
  constexpr std::uint64_t most_steps = std::uint64_t{1} << 47;
  require(plan.chains > 0, "chains", "must be at least 1", "use 4 or more to compare chains");
  require(plan.draws > 0, "draws", "must be at least 1", "give the number of draws per chain");
  require(plan.thin.value_or(1) > 0, "thin", "must be at least 1", "1 keeps every step");
  require(plan.warmup < most_steps / 2, "warmup", "exceeds 2^46 steps", "ask for fewer");
  require(plan.thin.value_or(1) < most_steps, "thin", "exceeds 2^47 steps", "ask for fewer");
  require(plan.draws < most_steps / plan.thin.value_or(longest_automatic_thin), "draws",
          "warm-up plus draws times thin exceeds 2^47 steps", "ask for fewer");
  if (plan.step_size) {
    const Schedule& s = *plan.step_size;
    require(s.a > 0 && std::isfinite(s.a), "step_size", "must be positive and finite",
            "leave it out to find it in warm-up");
    require(s.b > 0 && std::isfinite(s.b) && s.c >= 0 && std::isfinite(s.c), "step_size",
            "a schedule a,b,c needs b > 0 and c >= 0", "e.g. 0.1,1000,0.55");
  }
  if (plan.target_acceptance) {
    require(*plan.target_acceptance > 0 && *plan.target_acceptance < 1, "target_acceptance",
            "must lie between 0 and 1", "0.8 suits hmc, 0.574 mala");
  }
  if (plan.trajectory_length) {
    require(*plan.trajectory_length > 0 && std::isfinite(*plan.trajectory_length),
            "trajectory_length", "must be positive and finite", "leave it out to adapt it");
  }
}

}  // namespace tain
