#include "lda/training/train_record.hpp"

#include <cmath>

#include "core/machine.hpp"
#include "core/simd.hpp"
#include "core/version.hpp"
#include "sampling/verdict_json.hpp"

namespace tain {
namespace {

using Json = nlohmann::ordered_json;

/// JSON has no infinity.
Json finite(double number) { return std::isfinite(number) ? Json(number) : Json("inf"); }

/// Numbers as numbers, whole ones without a point; the others as one would type them.
Json value_json(const Setting& setting) {
  if (const auto* count = std::get_if<std::uint64_t>(&setting.value)) {
    return *count;
  }
  const auto* number = std::get_if<double>(&setting.value);
  if (!number) {
    return setting.text();
  }
  const bool whole = *number == std::floor(*number) && std::abs(*number) < 1e15;
  return whole ? Json(static_cast<std::int64_t>(*number)) : Json(*number);
}

Json settings_json(const TrainingRun& run) {
  auto object = Json::object();
  for (const Setting& setting :
       training_settings(run.corpus(), run.training().plan(), run.schedule())) {
    object[setting.name] = value_json(setting);
  }
  return object;
}

Json stop_json(const StopRule& stop) {
  auto object = Json::object();
  if (stop.steps) {
    object["steps"] = *stop.steps;
  }
  if (stop.passes) {
    object["passes"] = *stop.passes;
  }
  if (stop.seconds) {
    object["max-seconds"] = *stop.seconds;
  }
  return object;
}

Json findings_json(const TrainingRun& run, const TrainingReport& report) {
  Json object{{"steps", run.training().steps()},
              {"docs", run.training().documents_seen()},
              {"passes", run.passes()},
              {"seconds", run.time().seconds},
              {"training_seconds", run.time().training_seconds},
              {"cpu_seconds", run.time().cpu_seconds},
              {"tokens_drawn", run.training().tokens_drawn()},
              {"stop_reason", stop_reason_name(report.stopped)},
              {"draws_kept", report.draws_kept}};
  if (report.perplexity) {
    const Evaluation& last = report.history.rows().back();
    object["perplexity_average"] = finite(last.average.value);
    object["standard_error_average"] = finite(last.average.standard_error);
    object["evaluations_averaged"] = last.averaged;
    object["perplexity_topics"] = finite(report.perplexity->value);
    object["standard_error_topics"] = finite(report.perplexity->standard_error);
    object["perplexity"] = finite(last.single.value);
    object["standard_error"] = finite(last.single.standard_error);
  } else {
    object["perplexity_average"] = nullptr;
  }
  object["verdict"] = verdict_json(report.verdict);
  return object;
}

}  // namespace

std::string training_details(TrainingRun& run, const TrainingReport& report,
                             const TrainCall& call) {
  Json details{{"tain", version_number()},
               {"command", call.command},
               {"options", settings_json(run)},
               {"stop_rule", stop_json(call.stop)},
               {"threads", run.threads().count()},
               {"ranks", run.training().sharding().comm().ranks()},
               {"layout", layout_name(run.training().sharding().layout())},
               {"received_bytes", run.training().sharding().comm().traffic().bytes},
               {"isa", isa_name(current_isa())},
               {"compiler", compiler_name()},
               {"started", call.started},
               {"ended", utc_now()},
               {"shares", report.shares}};
  details.update(findings_json(run, report));
  return details.dump();
}

}  // namespace tain
