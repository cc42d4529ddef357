#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/fill.hpp"
#include "cli/problem.hpp"
#include "cli/program.hpp"
#include "cli/terminal.hpp"
#include "tain/sampling/theory.hpp"

namespace tain::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string bounds_json(const ErrorBounds& bounds) {
  Json object{{"target", bounds.target},
              {"map", bounds.map},
              {"lipschitz", bounds.lipschitz.value},
              {"dim", bounds.dim},
              {"gradient_variance", bounds.gradient_variance.value},
              {"start_distance", bounds.start_distance.value},
              {"promises", Json::array()}};
  for (const ErrorBounds::Line& line : bounds.lines) {
    object["promises"].push_back({{"relative_entropy", line.relative_entropy},
                                  {"total_variation", line.total_variation},
                                  {"step_size", line.step_size},
                                  {"steps", line.steps}});
  }
  return object.dump(2) + "\n";
}

}  // namespace

int plan_command(const Command& command, const RawOptions& raw) {
  const Options options(command, raw);
  const Console console(Console::Volume::normal);
  std::ranges::for_each(raw.hints, [&](const std::string& hint) { console.note(hint); });
  const SamplePlan run = filled(SamplePlan(), options);
  const Target target = read_target(command, raw);
  const ErrorBounds bounds =
      error_bounds(read_set(command, raw, target), target, run, filled(TheoryPlan(), options));
  print(options.on("json") ? bounds_json(bounds) : bounds.text());
  return 0;
}

}  // namespace tain::cli
