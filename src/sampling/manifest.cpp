#include "sampling/manifest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/checksum.hpp"
#include "run/kernel_table.hpp"
#include "sampling/manifest_values.hpp"

namespace tain {
namespace {

using Json = nlohmann::ordered_json;

Json history_json(const StepSizeHistory& history) {
  return {
      {"step", history.step}, {"step_size", history.step_size}, {"acceptance", history.acceptance}};
}

/// Of how a run is done, not of what it gives.
constexpr std::array<const char*, 12> manner{
    "output", "threads",  "memory",   "check-gradient", "checkpoint-every", "checkpoint-seconds",
    "exact",  "max-rows", "progress", "quiet",          "strict",           "json"};

}  // namespace

std::string draws_checksum(const Draws& draws) {
  Checksum checksum;
  checksum.add(std::as_bytes(draws.values));
  return fmt::format("{:016x}", checksum.value());
}

Json manifest_json(const RunReport& report, const Search& search, Json asked,
                   const std::filesystem::path& output) {
  const RunRecord& record = report.record;
  const RunSummary& done = record.done;
  asked["output"] = std::filesystem::absolute(output).string();
  Json manifest{{"tain", record.version},
                {"command", record.plan.command},
                {"options", asked},
                {"inputs", record.inputs},
                {"target", record.target},
                {"map", record.map},
                {"kernel", record.plan.kernel},
                {"seed", record.plan.seed},
                {"isa", record.isa},
                {"compiler", record.compiler},
                {"step_size", done.tuning.step_size},
                {"trajectory_length", done.tuning.trajectory_length},
                {"step_size_history", history_json(done.history)},
                {"draws", done.draws},
                {"draws_checksum", draws_checksum(report.draws)},
                {"thin", done.thin},
                {"gradients", done.gradients},
                {"divergences", done.divergences},
                {"acceptance", done.acceptance},
                {"trust", report.found.verdict.trust},
                {"seconds", done.seconds},
                {"cpu_seconds", done.cpu_seconds},
                {"started", record.started},
                {"ended", record.ended},
                {"stop_reason", record.stop_reason}};
  if (!search.empty()) {
    manifest["search"] = search_json(search);
  }
  return manifest;
}

Json request_of(const Json& manifest, const Json& now) {
  const Json none = Json::object();
  Json shaping = manifest.value("options", none);
  if (!shaping.is_object()) {
    shaping = none;
  }
  for (const char* key : manner) {
    if (!now["options"].contains(key)) {
      shaping.erase(key);
    }
  }
  shaping["isa"] = manifest.value("isa", Json());
  shaping["version"] = manifest.value("tain", Json());
  return {{"options", shaping}, {"inputs", manifest.value("inputs", none)}};
}

void read_manifest(const Json& manifest, RunRecord& record) {
  RunSummary& done = record.done;
  done.tuning.step_size = number_in(manifest, "step_size").value_or(0);
  done.tuning.trajectory_length = number_in(manifest, "trajectory_length").value_or(0);
  done.history = history_in(manifest);
  done.draws = count_in(manifest, "draws").value_or(0);
  done.thin = std::max<std::uint64_t>(count_in(manifest, "thin").value_or(1), 1);
  done.gradients = count_in(manifest, "gradients").value_or(0);
  done.divergences =
      std::max(done.divergences, count_in(manifest, "divergences").value_or(done.divergences));
  if (const auto told = number_in(manifest, "acceptance"); told >= 0.0 && told <= 1.0) {
    done.acceptance = *told;
  }
  done.seconds = number_in(manifest, "seconds").value_or(0);
  done.cpu_seconds = number_in(manifest, "cpu_seconds").value_or(0);
  if (const auto acceptance = number_in(manifest, "acceptance")) {
    set_bias(record, acceptance);
  }
  record.target = text_in(manifest, "target");
  record.map = text_in(manifest, "map");
  record.version = text_in(manifest, "tain");
  record.isa = text_in(manifest, "isa");
  record.compiler = text_in(manifest, "compiler");
  record.started = text_in(manifest, "started");
  record.ended = text_in(manifest, "ended");
  record.stop_reason = text_in(manifest, "stop_reason");
  done.finished = record.stop_reason == "finished";
  if (record.plan.command.empty()) {
    record.plan.command = text_in(manifest, "command");
  }
  if (const auto inputs = manifest.find("inputs"); inputs != manifest.end()) {
    for (const auto& [path, hash] : inputs->items()) {
      record.inputs[path] = hash.is_string() ? hash.get<std::string>() : "";
    }
  }
}

void set_bias(RunRecord& record, std::optional<double> acceptance) {
  const Bias bias = bias_of(record.plan.kernel, record.plan.batch.size != 0);
  const bool known = acceptance && *acceptance >= 0 && *acceptance <= 1;
  record.done.bias_indicator =
      bias == Bias::indicated && known ? acceptance : std::optional<double>();
  record.done.bias_unknown = bias == Bias::unknown || (bias == Bias::indicated && !known);
}

}  // namespace tain
