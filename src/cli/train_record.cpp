#include "train_record.hpp"

#include <fmt/format.h>

#include "help.hpp"
#include "tain/core/simd.hpp"
#include "train_display.hpp"
#include "train_ranks.hpp"

namespace tain::cli {
namespace {

using Json = nlohmann::ordered_json;

/// Typed where JSON has the type, else text.
Json settings_json(const TrainingRun& run) {
  auto object = Json::object();
  for (const Setting& setting :
       training_settings(run.corpus(), run.training().plan(), run.schedule())) {
    const Json value = Json::parse(setting.value, nullptr, false);
    object[setting.name] =
        value.is_number() && setting.name != "corpus" ? value : Json(setting.value);
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

}  // namespace

Json training_details(TrainingRun& run, const TrainingReport& report, const RunRecord& record) {
  Json details{{"tain", version_number()},
               {"command", record.command},
               {"options", settings_json(run)},
               {"stop_rule", stop_json(record.stop)},
               {"threads", run.threads().count()},
               {"ranks", run.training().division().comm().ranks()},
               {"layout", layout_name(run.training().division().layout())},
               {"received_bytes", run.training().division().comm().traffic().bytes},
               {"isa", isa_name(current_isa())},
               {"compiler", TAIN_COMPILER},
               {"started", record.started},
               {"ended", utc_now()},
               {"shares", report.shares}};
  details.update(training_json(run, report));
  return details;
}

}  // namespace tain::cli
