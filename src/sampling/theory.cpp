#include "sampling/theory.hpp"

#include <fmt/format.h>

#include "core/fields.hpp"
#include "run/start.hpp"
#include "run/walk.hpp"
#include "sampling/problem.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

constexpr std::string_view told = "given";

[[noreturn]] void unknown(const Problem& problem, std::string_view field, std::string_view what) {
  fail(Fault::config, Field{std::string(field)},
       fmt::format("target {} does not know {} under the map {}", problem.target.name(), what,
                   problem.map.text()),
       Phrase("to plan steps give ", Field{std::string(field)}, ", else take another set or ",
              Field{"coordinates"}));
}

}  // namespace

std::vector<double> theory_start(const Problem& problem, const std::vector<double>& start) {
  if (!start.empty()) {
    return start;
  }
  std::vector<double> point = problem.target.facts(problem.map).start;
  if (point.empty()) {
    point.resize(problem.map.primal_dim());
    problem.map.centre(point);
  }
  return point;
}

KnownConstants constants_of(const Problem& problem, const Batching& batch,
                            const std::vector<double>& start, const TheoryPlan& given) {
  const TargetFacts facts = problem.target.facts(problem.map);
  const std::vector<double> y0 = dual_start(problem.map, start);
  // The checks of a run of Algorithm 1, which the theorem is about: no plan for what is refused.
  static_cast<void>(make_walk(problem, {.kernel = "smld", .batch = batch}));
  const std::uint64_t terms = problem.target.terms();
  KnownConstants known;
  known.numbers.dim = static_cast<double>(problem.map.dual_dim());

  if (!given.lipschitz && !facts.dual_lipschitz) {
    unknown(problem, "lipschitz", "the Lipschitz constant of grad W");
  }
  known.numbers.lipschitz = given.lipschitz ? *given.lipschitz : *facts.dual_lipschitz;
  known.lipschitz_source = given.lipschitz ? told : "the target's bound on hess W";

  if (given.gradient_variance) {
    known.numbers.gradient_variance = *given.gradient_variance;
    known.variance_source = told;
  } else if (batch.whole(terms)) {
    known.variance_source = "whole gradients";
  } else if (facts.term_variance) {
    known.numbers.gradient_variance = batch_variance(*facts.term_variance, terms, batch);
    known.variance_source = fmt::format("batches of {} of N = {} terms", batch.size, terms);
  } else {
    unknown(problem, "gradient_variance", "the variance of a batch's gradient");
  }

  if (!given.start_distance && facts.dual_mean.empty()) {
    unknown(problem, "start_distance", "the moments of y");
  }
  known.numbers.start_distance = given.start_distance
                                     ? *given.start_distance
                                     : start_distance(facts.dual_mean, facts.dual_variance, y0);
  known.distance_source = given.start_distance ? told : "exact moments of y and the start";
  return known;
}

void TheoryPlan::describe(Fields& fields) {
  fields.field("epsilon", epsilon);
  for (const double accuracy : epsilon.values) {
    if (!(accuracy > 0)) {
      fields.refuse("epsilon", fmt::format("{} is not positive", accuracy),
                    "give accuracies such as 0.1,0.01");
    }
  }
  fields.positive("lipschitz", lipschitz);
  fields.positive("gradient_variance", gradient_variance);
  fields.positive("start_distance", start_distance);
}

ErrorBounds error_bounds(const std::optional<Set>& set, const Target& target, const SamplePlan& run,
                         const TheoryPlan& plan) {
  require_in_range(plan);
  const Problem problem = build_problem(set, target, run).problem;
  const KnownConstants known =
      constants_of(problem, run.batch, theory_start(problem, run.start.values), plan);
  const ProblemConstants& numbers = known.numbers;
  ErrorBounds bounds{.target = std::string(problem.target.name()),
                     .map = std::string(problem.map.name()),
                     .problem = fmt::format("{} on {}", problem.target.name(), problem.map.text()),
                     .dim = numbers.dim,
                     .lipschitz = {numbers.lipschitz, known.lipschitz_source},
                     .gradient_variance = {numbers.gradient_variance, known.variance_source},
                     .start_distance = {numbers.start_distance, known.distance_source}};
  for (const double epsilon : plan.epsilon.values) {
    const ErrorBound bound = bound_for_accuracy(numbers, epsilon);
    bounds.lines.push_back({epsilon, bound.total_variation, bound.step_size, bound.steps});
  }
  return bounds;
}

std::string ErrorBounds::text() const {
  std::string text = problem + "\n\n";
  const auto line = [&](std::string_view name, double number, std::string_view source) {
    text += fmt::format("{:<9}{:<12.6g}{}\n", name, number, source);
  };
  line("L", lipschitz.value, lipschitz.source);
  line("d", dim, "coordinates of y");
  line("sigma^2", gradient_variance.value, gradient_variance.source);
  line("R_0", start_distance.value, start_distance.source);
  text +=
      fmt::format("\n{:>12}{:>12}{:>12}{:>12}\n", "KL at most", "TV at most", "step size", "steps");
  for (const Line& row : lines) {
    text += fmt::format("{:>12.4g}{:>12.4g}{:>12.4g}{:>12.4g}\n", row.relative_entropy,
                        row.total_variation, row.step_size, row.steps);
  }
  return text +
         "\nUpper bounds, for convex W and an iterate picked at random (Theorem 4), and loose: on "
         "the\npaper's posterior a step of 1e-2 leaves the variances right within 20 %, where an "
         "accuracy\nof 0.1 asks for 1e-6. What suits a run is found in warm-up.\n";
}

}  // namespace tain
