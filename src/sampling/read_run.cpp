#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/file.hpp"
#include "draws/draws_file.hpp"
#include "run/kernel_table.hpp"
#include "sampling/asked_json.hpp"
#include "sampling/json_text.hpp"
#include "sampling/manifest.hpp"
#include "sampling/manifest_values.hpp"
#include "sampling/problem.hpp"
#include "sampling/run_folder.hpp"
#include "sampling/run_state.hpp"
#include "tain/sampling/run.hpp"

namespace tain {
namespace {

namespace fs = std::filesystem;

Json object_in(const std::string& text) {
  Json object = parse_json(text);
  return object.is_object() ? object : Json::object();
}

/// What was asked, as a draws file keeps it or, where that has no place for it (.npy), its
/// manifest.
Json asked_in(const DrawsInfo& info, const Json& manifest) {
  Json asked = object_in(info.request);
  if (asked.empty()) {
    asked = manifest;
  }
  if (const auto options = asked.find("options"); options != asked.end()) {
    return options->is_object() ? *options : Json::object();
  }
  return manifest.empty() || !info.request.empty() ? asked : Json::object();
}

/// Its plan as far as the file tells: another version may have had other options. Where nothing
/// says that the target was looked at whole, it was not.
SamplePlan plan_of(const DrawsInfo& info, Json asked, const Json& manifest) {
  asked.erase("start");  // may be a file, which nobody needs
  SamplePlan plan;
  try {
    plan = plan_from(asked);
  } catch (const Error&) {
    asked.clear();
  }
  plan.batch.size = asked.contains("batch") ? plan.batch.size : 1;
  plan.warmup = count_in(asked, "warmup").value_or(0);
  plan.kernel = info.kernel.empty() ? text_in(manifest, "kernel") : info.kernel;
  plan.seed = info.kernel.empty() ? count_in(manifest, "seed").value_or(0) : info.seed;
  plan.output.clear();
  return plan;
}

/// Draws know their own acceptance only; the manifest that of every step in between.
RunRecord record_of(const Draws& draws, const DrawsInfo& info, const Json& asked,
                    const Json& manifest) {
  RunRecord record;
  record.plan = plan_of(info, asked, manifest);
  RunSummary& done = record.done;
  done.draws = draws.draws;
  done.thin = info.thin;
  done.tuning.step_size = info.step_size;
  done.divergences = static_cast<std::uint64_t>(
      std::ranges::count_if(draws.diverging, [](double d) { return d != 0; }));
  record.stop_reason = info.stop_reason;
  done.finished = info.stop_reason == "finished";
  done.acceptance = std::numeric_limits<double>::quiet_NaN();  // not known
  if (!draws.acceptance.empty()) {
    // Unadjusted: the acceptance is what Metropolis would have accepted.
    done.acceptance = std::accumulate(draws.acceptance.begin(), draws.acceptance.end(), 0.0) /
                      static_cast<double>(draws.acceptance.size());
  }
  set_bias(record, draws.acceptance.empty() ? std::nullopt : std::optional(done.acceptance));
  if (!manifest.empty()) {
    read_manifest(manifest, record);
  }
  record.target = info.target.empty() ? record.target : info.target;
  record.map = info.map.empty() ? record.map : info.map;
  return record;
}

/// What no run can have told of itself.
void require_possible(const DrawsFile& file, const fs::path& path) {
  const auto outside =
      std::ranges::find_if(file.acceptance, [](double a) { return a < 0 || a > 1 + 1e-9; });
  const bool acceptance = outside != file.acceptance.end();
  const bool step_size = !(file.info.step_size >= 0) || std::isinf(file.info.step_size);
  if (acceptance || step_size || file.info.thin == 0) {
    fail(Fault::data, path.string(),
         acceptance  ? fmt::format("has an acceptance of {}", *outside)
         : step_size ? fmt::format("has a step size of {}", file.info.step_size)
                     : std::string("keeps every 0th step (thin)"),
         "give the file as it was written");
  }
}

/// A draws file may name files: nothing is opened but lists of numbers that are still those of the
/// run, wherever in it they are named.
bool has_known_lists(const Json& value, const RunRecord& record) {
  if (value.is_structured()) {
    return std::ranges::all_of(value,
                               [&](const Json& part) { return has_known_lists(part, record); });
  }
  const std::string text = value.is_string() ? value.get<std::string>() : std::string();
  if (!text.starts_with('@')) {
    return true;
  }
  const std::string path = text.size() > 1 ? fs::absolute(text.substr(1)).string() : text;
  const auto known = record.inputs.find(path);
  return known != record.inputs.end() && fs::is_regular_file(path) &&
         file_hash(path) == known->second;
}

/// Targets of other files, and libraries to load, are left alone.
bool needs_files(const Json& asked) {
  return asked.contains("data") || !text_in(asked, "covariance").empty() ||
         !text_in(asked, "precision").empty() ||
         text_in(asked, "target").find('/') != std::string::npos;
}

/// The problem, or at least the outline of its set, from what a draws file keeps of what was asked.
void describe_problem(const Json& asked, Run::State& state) {
  RunReport& report = state.report;
  const std::size_t dim = report.draws.names.size();
  report.outline = outline_of(report.draws);
  if ((!asked.contains("target") && !asked.contains("map")) ||
      !has_known_lists(asked, report.record)) {
    return;
  }
  try {
    const Set set = set_from(asked, dim);
    if (set.dim().value_or(dim) != dim) {
      return;
    }
    if (!asked.contains("target") || needs_files(asked)) {
      report.outline = set.map(dim).outline();
      return;
    }
    BuiltProblem built = build_problem(set, target_from(asked), {});
    if (built.problem.map.primal_dim() == dim) {
      state.problem = std::move(built.problem);
    }
  } catch (const std::exception&) {  // another version's: the draws tell what they can
  }
}

/// Where the manifest of draws may be: beside the first file, or that of chain_%d.csv.
fs::path find_manifest(const std::vector<fs::path>& paths) {
  const std::string name = paths.front().filename().string();
  for (std::size_t at = name.find('1'); paths.size() > 1 && at != std::string::npos;
       at = name.find('1', at + 1)) {
    const std::string pattern = name.substr(0, at) + "%d" + name.substr(at + 1);
    if (const fs::path file = manifest_file(paths.front().parent_path() / pattern);
        fs::is_regular_file(file)) {
      return file;
    }
  }
  return manifest_file(paths.front());
}

/// Does it tell of these draws? One of an older version, which has no checksum, may if the file
/// itself says the same of one run.
bool belongs(const Json& manifest, const Draws& draws, const DrawsInfo& info, std::size_t files) {
  if (!manifest.is_object() || count_in(manifest, "draws") != draws.draws) {
    return false;
  }
  if (const std::string known = text_in(manifest, "draws_checksum"); !known.empty()) {
    return known == draws_checksum(draws);
  }
  return files == 1 && !info.kernel.empty() && text_in(manifest, "kernel") == info.kernel &&
         text_in(manifest, "target") == info.target && text_in(manifest, "map") == info.map &&
         count_in(manifest, "seed") == info.seed && count_in(manifest, "thin") == info.thin &&
         number_in(manifest, "step_size") == info.step_size;
}

/// The manifest of draws, if there is one and it belongs to them; empty otherwise.
Json manifest_of(const std::vector<fs::path>& paths, const Draws& draws, const DrawsInfo& info,
                 std::vector<std::string>& notes) {
  const fs::path file = find_manifest(paths);
  if (!fs::is_regular_file(file)) {
    return Json::object();
  }
  Json manifest = parse_json(read_file(file, most_record_bytes));
  if (!belongs(manifest, draws, info, paths.size())) {
    notes.push_back(
        fmt::format("{} does not belong to these draws and is left out", file.string()));
    return Json::object();
  }
  return manifest;
}

}  // namespace

Run read_run(const std::vector<fs::path>& paths, std::size_t threads, DualPart dual) {
  DrawsFile file = read_draws(paths, dual);
  require_possible(file, paths.front());
  const DrawsInfo info = file.info;
  const auto state = std::make_shared<Run::State>();
  state->threads = threads;
  state->report.draws = draws_of(std::move(file));
  std::vector<std::string> notes;
  const Json manifest = manifest_of(paths, state->report.draws, info, notes);
  const Json asked = asked_in(info, manifest);
  RunRecord& record = state->report.record;
  record = record_of(state->report.draws, info, asked, manifest);
  record.notes = std::move(notes);
  for (const fs::path& path : paths) {
    record.files.push_back(path.filename().string());
    state->read.push_back({"the file of the draws", path});
  }
  state->request = asked.empty() ? "" : json_text(asked);
  describe_problem(asked, *state);
  state->search = search_in(manifest);
  state->judge();
  return Run(state);
}

}  // namespace tain
