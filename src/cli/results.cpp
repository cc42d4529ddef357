#include "cli/results.hpp"

#include "cli/terminal.hpp"
#include "sampling/verdict_json.hpp"

namespace tain::cli {

using Json = nlohmann::ordered_json;

TextStyle terminal_style(std::size_t max_rows) {
  return {.max_rows = max_rows, .columns = terminal_columns(), .colours = has_colours()};
}

Json diagnosis_json(const Diagnosis& found) {
  auto summary = Json::array();
  for (const SummaryRow& row : found.rows) {
    summary.push_back({{"name", row.name},
                       {"mean", row.mean},
                       {"mcse_mean", row.mcse_mean},
                       {"sd", row.sd},
                       {"q5", row.q5},
                       {"q50", row.q50},
                       {"q95", row.q95},
                       {"ess_bulk", row.ess_bulk},
                       {"ess_tail", row.ess_tail},
                       {"rhat", row.rhat},
                       {"nested_rhat", row.nested_rhat},
                       {"drift", row.drift},
                       {"pareto_k", row.pareto_k}});
  }
  return {{"summary", summary}, {"verdict", verdict_json(found.verdict)}};
}

Json exact_json(const std::vector<ExactMoment>& rows) {
  auto list = Json::array();
  for (const ExactMoment& r : rows) {
    list.push_back({{"name", r.name},
                    {"exact", r.exact},
                    {"estimate", r.estimate},
                    {"mcse", r.mcse},
                    {"z", r.z}});
  }
  return list;
}

Json run_json(const Run& run) {
  const RunRecord& record = run.record();
  const RunSummary& done = record.done;
  Json object = diagnosis_json(run.diagnosis());
  object["target"] = record.target;
  object["map"] = record.map;
  object["kernel"] = record.plan.kernel;
  object["seed"] = record.plan.seed;
  object["chains"] = record.plan.chains;
  object["draws"] = done.draws;
  object["thin"] = done.thin;
  object["step_size"] = done.tuning.step_size;
  object["trajectory_length"] = done.tuning.trajectory_length;
  object["acceptance"] = done.acceptance;
  object["divergences"] = done.divergences;
  object["bias_indicator"] = done.bias_indicator ? Json(*done.bias_indicator) : nullptr;
  object["gradients"] = done.gradients;
  object["seconds"] = done.seconds;
  object["cpu_seconds"] = done.cpu_seconds;
  object["stop_reason"] = record.stop_reason;
  object["output"] = record.plan.output.empty() ? Json(nullptr) : Json(record.plan.output.string());
  return object;
}

}  // namespace tain::cli
