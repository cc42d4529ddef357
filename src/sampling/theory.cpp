#include "sampling/theory.hpp"

#include <fmt/format.h>

#include "run/start.hpp"
#include "run/walk.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

constexpr std::string_view given = "given";

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
                            const std::vector<double>& start, const ConstantOverrides& overrides) {
  const TargetFacts facts = problem.target.facts(problem.map);
  const std::vector<double> y0 = dual_start(problem.map, start);
  // The checks of a run of Algorithm 1, which the theorem is about: no plan for what is refused.
  static_cast<void>(make_walk(problem, {.kernel = "smld", .batch = batch}));
  const std::uint64_t terms = problem.target.terms();
  KnownConstants known;
  known.numbers.dim = static_cast<double>(problem.map.dual_dim());

  if (!overrides.lipschitz && !facts.dual_lipschitz) {
    unknown(problem, "lipschitz", "the Lipschitz constant of grad W");
  }
  known.numbers.lipschitz = overrides.lipschitz ? *overrides.lipschitz : *facts.dual_lipschitz;
  known.lipschitz_source = overrides.lipschitz ? given : "the target's bound on hess W";

  if (overrides.gradient_variance) {
    known.numbers.gradient_variance = *overrides.gradient_variance;
    known.variance_source = given;
  } else if (batch.whole(terms)) {
    known.variance_source = "whole gradients";
  } else if (facts.term_variance) {
    known.numbers.gradient_variance = batch_variance(*facts.term_variance, terms, batch);
    known.variance_source = fmt::format("batches of {} of N = {} terms", batch.size, terms);
  } else {
    unknown(problem, "gradient_variance", "the variance of a batch's gradient");
  }

  if (!overrides.start_distance && facts.dual_mean.empty()) {
    unknown(problem, "start_distance", "the moments of y");
  }
  known.numbers.start_distance = overrides.start_distance
                                     ? *overrides.start_distance
                                     : start_distance(facts.dual_mean, facts.dual_variance, y0);
  known.distance_source = overrides.start_distance ? given : "exact moments of y and the start";
  return known;
}

}  // namespace tain
