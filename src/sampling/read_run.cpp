#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "asked_json.hpp"
#include "manifest_values.hpp"
#include "run_folder.hpp"
#include "tain/core/file.hpp"
#include "tain/kernels/kernel.hpp"
#include "tain/sampling/problem.hpp"
#include "tain/sampling/sample.hpp"

namespace tain {
namespace {

namespace fs = std::filesystem;

/// A file without a place for it (.npy) takes from the manifest what it was drawn from.
void complete(DrawsInfo& info, const Json& manifest) {
  const auto fill = [&](std::string& text, const char* key) {
    text = text.empty() ? text_in(manifest, key) : text;
  };
  if (info.kernel.empty()) {
    info.step_size = number_in(manifest, "step_size").value_or(0);
    info.seed = count_in(manifest, "seed").value_or(0);
    info.thin = count_in(manifest, "thin").value_or(1);
  }
  fill(info.target, "target");
  fill(info.map, "map");
  fill(info.kernel, "kernel");
  if (info.request.empty() && manifest.contains("options")) {
    info.request = manifest["options"].dump();
  }
}

RunAccount account_of(const DrawsInfo& info, const Json& manifest, std::vector<std::string> files) {
  RunAccount account;
  account.target = info.target;
  account.map = info.map;
  account.kernel = info.kernel;
  account.files = std::move(files);
  if (!info.kernel.empty()) {
    account.seed = info.seed;
    account.thin = info.thin;
  }
  if (info.step_size > 0) {
    account.step_size = info.step_size;
  }
  const Json request = Json::parse(info.request, nullptr, false);
  if (request.is_object()) {
    account.warmup = count_in(request, "warmup");
  }
  if (!manifest.is_object()) {
    return account;
  }
  account.version = text_in(manifest, "tain");
  account.command = text_in(manifest, "command");
  account.isa = text_in(manifest, "isa");
  account.compiler = text_in(manifest, "compiler");
  account.started = text_in(manifest, "started");
  account.ended = text_in(manifest, "ended");
  account.stop_reason = text_in(manifest, "stop_reason");
  account.trajectory_length = number_in(manifest, "trajectory_length");
  account.seconds = number_in(manifest, "seconds");
  account.cpu_seconds = number_in(manifest, "cpu_seconds");
  account.gradients = count_in(manifest, "gradients");
  account.history = history_in(manifest);
  if (manifest.contains("inputs") && manifest["inputs"].is_object()) {
    for (const auto& [path, hash] : manifest["inputs"].items()) {
      account.inputs.emplace_back(path, hash.is_string() ? hash.get<std::string>() : "");
    }
  }
  return account;
}

/// Did the run look at the whole target in every step?
bool is_whole(const DrawsInfo& info) {
  const Json request = Json::parse(info.request, nullptr, false);
  return request.is_object() && request.value("batch", Json("full")) == "full";
}

RunFacts known_facts(const DrawsInfo& info, std::uint64_t total_draws,
                     std::span<const double> acceptance, std::span<const double> diverging) {
  RunFacts facts;
  facts.total_draws = total_draws;
  facts.divergences =
      static_cast<std::uint64_t>(std::ranges::count_if(diverging, [](double d) { return d != 0; }));
  const Bias bias = bias_of(info.kernel, !is_whole(info));
  facts.bias_unknown = bias == Bias::unknown;
  if (bias == Bias::indicated && !acceptance.empty()) {
    // Unadjusted: the acceptance is what Metropolis would have accepted.
    facts.bias_indicator = std::accumulate(acceptance.begin(), acceptance.end(), 0.0) /
                           static_cast<double>(acceptance.size());
  }
  return facts;
}

/// Draws know their own acceptance only; the manifest that of every step in between.
RunFacts facts_from(const Draws& draws, const DrawsInfo& info, const Json& manifest) {
  RunFacts facts = known_facts(info, draws.chains * draws.draws, draws.acceptance, draws.diverging);
  if (!manifest.is_object()) {
    return facts;
  }
  facts.divergences = count_in(manifest, "divergences").value_or(facts.divergences);
  if (bias_of(info.kernel, true) == Bias::indicated) {
    if (const auto acceptance = number_in(manifest, "acceptance")) {
      facts.bias_indicator = acceptance;
    }
  }
  return facts;
}

/// A draws file may name files: nothing is opened but lists of numbers that are still those of the
/// run, wherever in it they are named.
bool has_known_lists(const Json& value, const RunAccount& account) {
  if (value.is_structured()) {
    return std::ranges::all_of(value,
                               [&](const Json& part) { return has_known_lists(part, account); });
  }
  const std::string text = value.is_string() ? value.get<std::string>() : std::string();
  if (!text.starts_with('@')) {
    return true;
  }
  const std::string path = text.size() > 1 ? fs::absolute(text.substr(1)).string() : text;
  const auto known =
      std::ranges::find(account.inputs, path, [](const auto& input) { return input.first; });
  return known != account.inputs.end() && fs::is_regular_file(path) &&
         file_hash(path) == known->second;
}

/// Targets of other files, and libraries to load, are left alone.
bool needs_files(const Json& asked) {
  return asked.contains("data") || asked.contains("covariance") || asked.contains("precision") ||
         text_in(asked, "target").find('/') != std::string::npos;
}

/// Outline and exact laws, from what a draws file keeps of what was asked.
void describe_problem(const DrawsInfo& info, RunReport& report) {
  const std::size_t dim = report.draws.names.size();
  Json asked = Json::parse(info.request, nullptr, false);
  if (asked.is_object() && asked.contains("options")) {
    asked = asked["options"];
  }
  if (!asked.is_object() || (!asked.contains("target") && !asked.contains("map")) ||
      !has_known_lists(asked, report.account)) {
    report.outline = outline_of(report.draws);
    return;
  }
  try {
    const Set set = set_from(asked, dim);
    if (set.dim().value_or(dim) != dim) {
      report.outline = outline_of(report.draws);
      return;
    }
    if (needs_files(asked)) {
      report.outline = set.map(dim).outline();
      return;
    }
    const BuiltProblem built = build_problem(set, target_from(asked), {});
    if (built.problem.map.primal_dim() == dim) {
      report.outline = built.problem.map.outline();
      report.laws = marginal_laws(built.problem.map, built.problem.target);
    }
  } catch (const std::exception&) {
    report.outline = outline_of(report.draws);  // another version's: the draws tell what they can
  }
}

/// The manifest beside draws, if there is one and it belongs to them; null otherwise.
Json manifest_beside(const fs::path& path, const DrawsFile& file, std::vector<std::string>& notes) {
  const fs::path place = manifest_file(path);
  if (!fs::is_regular_file(place)) {
    return nullptr;
  }
  Json manifest = Json::parse(read_file(place), nullptr, false);
  const bool fits = manifest.is_object() && count_in(manifest, "draws") == file.draws &&
                    (file.info.kernel.empty() || count_in(manifest, "seed") == file.info.seed);
  if (!fits) {
    notes.push_back(
        fmt::format("{} does not belong to these draws and is left out", place.string()));
    return nullptr;
  }
  return manifest;
}

}  // namespace

RunFacts facts_of(const DrawsFile& file) {
  return known_facts(file.info, file.chains * file.draws, file.acceptance, file.diverging);
}

RunFiles read_run(const std::vector<fs::path>& paths, Threads& threads) {
  RunFiles run;
  DrawsFile file = read_draws(paths, DualPart::read);
  DrawsInfo info = file.info;
  const Json manifest = manifest_beside(paths.front(), file, run.notes);
  if (manifest.is_object()) {
    complete(info, manifest);
  }
  std::vector<std::string> files;
  for (const fs::path& path : paths) {
    files.push_back(path.filename().string());
  }
  RunReport& report = run.report;
  report.draws = draws_of(std::move(file));
  report.account = account_of(info, manifest, std::move(files));
  report.facts = facts_from(report.draws, info, manifest);
  const Draws& draws = report.draws;
  Diagnosis found =
      diagnose(draws.values, draws.chains, draws.draws, draws.names, report.facts, threads);
  report.rows = std::move(found.rows);
  report.verdict = std::move(found.verdict);
  describe_problem(info, report);
  return run;
}

}  // namespace tain
