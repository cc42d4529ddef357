#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/fill.hpp"
#include "cli/problem.hpp"
#include "cli/program.hpp"
#include "cli/terminal.hpp"
#include "cli/values.hpp"
#include "sampling/problem.hpp"
#include "sampling/theory.hpp"

namespace tain::cli {
namespace {

using Json = nlohmann::ordered_json;

struct PlanRow {
  double epsilon;
  ErrorBound error_bound;
};

std::vector<PlanRow> promises(const Options& options, const ProblemConstants& constants) {
  std::vector<PlanRow> rows;
  const std::vector<double> accuracies = *options.numbers("epsilon");
  for (const double epsilon : accuracies) {
    if (!(epsilon > 0)) {
      reject(options.value("epsilon"), fmt::format("{} is not positive", epsilon),
             "give accuracies such as 0.1,0.01");
    }
    rows.push_back({epsilon, bound_for_accuracy(constants, epsilon)});
  }
  return rows;
}

std::string plan_text(const Problem& problem, const KnownConstants& known,
                      const std::vector<PlanRow>& rows) {
  const ProblemConstants& d = known.numbers;
  std::string text = fmt::format("{} on {}\n\n", problem.target.name(), problem.map.text());
  const auto line = [&](std::string_view name, double number, std::string_view source) {
    text += fmt::format("{:<9}{:<12.6g}{}\n", name, number, source);
  };
  line("L", d.lipschitz, known.lipschitz_source);
  line("d", d.dim, "coordinates of y");
  line("sigma^2", d.gradient_variance, known.variance_source);
  line("R_0", d.start_distance, known.distance_source);
  text +=
      fmt::format("\n{:>12}{:>12}{:>12}{:>12}\n", "KL at most", "TV at most", "step size", "steps");
  for (const PlanRow& row : rows) {
    text += fmt::format("{:>12.4g}{:>12.4g}{:>12.4g}{:>12.4g}\n", row.epsilon,
                        row.error_bound.total_variation, row.error_bound.step_size,
                        row.error_bound.steps);
  }
  return text +
         "\nUpper bounds, for convex W and an iterate picked at random (Theorem 4), and loose: on "
         "the\n"
         "paper's posterior a step of 1e-2 leaves the variances right within 20 %, where an "
         "accuracy\n"
         "of 0.1 asks for 1e-6. `tain sample --step-size auto` finds the step that suits a run.\n";
}

std::string plan_json(const Problem& problem, const KnownConstants& known,
                      const std::vector<PlanRow>& rows) {
  const ProblemConstants& d = known.numbers;
  Json object{{"target", problem.target.name()},
              {"map", problem.map.name()},
              {"lipschitz", d.lipschitz},
              {"dim", d.dim},
              {"gradient_variance", d.gradient_variance},
              {"start_distance", d.start_distance},
              {"promises", Json::array()}};
  for (const PlanRow& row : rows) {
    object["promises"].push_back({{"relative_entropy", row.epsilon},
                                  {"total_variation", row.error_bound.total_variation},
                                  {"step_size", row.error_bound.step_size},
                                  {"steps", row.error_bound.steps}});
  }
  return object.dump(2) + "\n";
}

}  // namespace

int plan_command(const Command& command, const RawOptions& raw) {
  const Options options(command, raw);
  const Console console(Console::Volume::normal);
  std::ranges::for_each(raw.hints, [&](const std::string& hint) { console.note(hint); });
  SamplePlan plan;
  OptionFields fields(options);
  plan.describe(fields);
  const Target target = read_target(command, raw);
  const Problem problem = build_problem(read_set(command, raw, target), target, plan).problem;
  const std::vector<double> start = theory_start(problem, plan.start.values);
  const KnownConstants known =
      constants_of(problem, plan.batch, start,
                   {.lipschitz = options.positive_number("lipschitz"),
                    .gradient_variance = options.positive_number("gradient-variance"),
                    .start_distance = options.positive_number("start-distance")});
  const std::vector<PlanRow> rows = promises(options, known.numbers);
  print(options.on("json") ? plan_json(problem, known, rows) : plan_text(problem, known, rows));
  return 0;
}

}  // namespace tain::cli
