#include "run_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "flags.hpp"
#include "problem.hpp"
#include "problem_file.hpp"
#include "recording.hpp"
#include "results.hpp"
#include "tain/core/error.hpp"
#include "tain/core/file.hpp"
#include "tain/kernels/kernel.hpp"
#include "values.hpp"

namespace tain::cli {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

// ---- manifests ---------------------------------------------------------------------------------
// Manifests may have been written by other versions, or by hand: what has another kind is left out.

std::string text_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<double> number_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? std::optional(found->get<double>())
                                                     : std::nullopt;
}

std::optional<std::uint64_t> count_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_unsigned()
             ? std::optional(found->get<std::uint64_t>())
             : std::nullopt;
}

std::vector<double> numbers_of(const Json& object, const char* key) {
  std::vector<double> values;
  const auto found = object.find(key);
  if (found != object.end() && found->is_array()) {
    for (const Json& element : *found) {
      values.push_back(element.is_number() ? element.get<double>() : NAN);
    }
  }
  return values;
}

StepSizeHistory history_of(const Json& manifest) {
  StepSizeHistory history;
  if (const auto found = manifest.find("step_size_history");
      found != manifest.end() && found->is_object()) {
    history.step = numbers_of(*found, "step");
    history.step_size = numbers_of(*found, "step_size");
    history.acceptance = numbers_of(*found, "acceptance");
  }
  const std::size_t points = history.step.size();
  if (points > StepSizeHistory::most || history.step_size.size() != points ||
      history.acceptance.size() != points) {
    return {};
  }
  return history;
}

/// A file without a place for it (.npy) takes from the manifest what it was drawn from.
void complete(DrawsInfo& info, const Json& manifest) {
  const auto fill = [&](std::string& text, const char* key) {
    text = text.empty() ? text_of(manifest, key) : text;
  };
  if (info.kernel.empty()) {
    info.step_size = number_of(manifest, "step_size").value_or(0);
    info.seed = count_of(manifest, "seed").value_or(0);
    info.thin = count_of(manifest, "thin").value_or(1);
  }
  fill(info.target, "target");
  fill(info.map, "map");
  fill(info.kernel, "kernel");
  if (info.request.empty() && manifest.contains("options")) {
    info.request = manifest["options"].dump();
  }
}

/// The command without what only a stopped run needed.
std::string repeatable(std::string command) {
  constexpr std::string_view resume = " --resume";
  if (const std::size_t place = command.find(resume); place != std::string::npos) {
    command.erase(place, resume.size());
  }
  return command;
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
    account.warmup = count_of(request, "warmup");
  }
  if (!manifest.is_object()) {
    return account;
  }
  account.version = text_of(manifest, "tain");
  account.command = repeatable(text_of(manifest, "command"));
  account.isa = text_of(manifest, "isa");
  account.compiler = text_of(manifest, "compiler");
  account.started = text_of(manifest, "started");
  account.ended = text_of(manifest, "ended");
  account.stop_reason = text_of(manifest, "stop_reason");
  account.trajectory_length = number_of(manifest, "trajectory_length");
  account.seconds = number_of(manifest, "seconds");
  account.cpu_seconds = number_of(manifest, "cpu_seconds");
  account.gradients = count_of(manifest, "gradients");
  account.history = history_of(manifest);
  if (manifest.contains("inputs") && manifest["inputs"].is_object()) {
    for (const auto& [path, hash] : manifest["inputs"].items()) {
      account.inputs.emplace_back(path, hash.is_string() ? hash.get<std::string>() : "");
    }
  }
  return account;
}

/// Draws know their own acceptance only; the manifest that of every step in between.
RunFacts facts_from(const RunDraws& draws, const DrawsInfo& info, const Json& manifest) {
  RunFacts facts = facts_of(info, draws.chains * draws.draws, draws.acceptance, draws.diverging);
  if (!manifest.is_object()) {
    return facts;
  }
  facts.divergences = count_of(manifest, "divergences").value_or(facts.divergences);
  const auto kernel = std::ranges::find(kernel_table(), info.kernel, &KernelEntry::name);
  if (kernel != kernel_table().end() && kernel->bias == Bias::indicated) {
    if (const auto acceptance = number_of(manifest, "acceptance")) {
      facts.bias_indicator = acceptance;
    }
  }
  return facts;
}

// ---- set and exact laws ------------------------------------------------------------------------

struct KnownProblem {
  SetShape set;
  std::vector<MarginalLaw> laws;
};

/// A draws file may name files, and libraries to load: nothing is opened but lists of numbers that
/// are still those of the run.
bool is_harmless(const Json& options, const RunAccount& account) {
  for (const char* file : {"data", "covariance", "precision"}) {
    if (options.contains(file)) {
      return false;
    }
  }
  for (const auto& [key, value] : options.items()) {
    const std::string text = value.is_string() ? value.get<std::string>() : std::string();
    if (key == "target" && text.find('/') != std::string::npos) {
      return false;
    }
    if (text.starts_with('@')) {
      const std::string path = fs::absolute(text.substr(1)).string();
      const auto known =
          std::ranges::find(account.inputs, path, [](const auto& input) { return input.first; });
      if (known == account.inputs.end() || !fs::is_regular_file(path) ||
          file_hash(path) != known->second) {
        return false;
      }
    }
  }
  return true;
}

/// The flags of one heading of the help.
Json options_of_group(const Json& options, const Command& command, std::string_view group) {
  Json kept = Json::object();
  for (const Flag& flag : command.flags) {
    if (const auto found = options.find(std::string(flag.name));
        flag.group == group && found != options.end()) {
      kept[std::string(flag.name)] = *found;
    }
  }
  return kept;
}

/// The set without its target, where that needs files.
Json only_the_set(const Json& options, const Command& command, std::size_t dim) {
  Json kept = options_of_group(options, command, "Domain");
  if (!kept.contains("map")) {
    kept["map"] = text_of(options, "target") == "dirichlet" ? "simplex" : "identity";
  }
  if (!kept["map"].is_array()) {
    kept["dim"] = dim;
  }
  kept["target"] = "uniform";
  return kept;
}

/// Simplex: the category that has no dual coordinate, from the map's name.
std::optional<std::size_t> reference_in(std::string_view map) {
  constexpr std::string_view word = "reference ";
  const std::size_t place = map.find(word);
  if (place == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view digits = map.substr(place + word.size());
  std::size_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number > 0 ? std::optional(number - 1) : std::nullopt;
}

KnownProblem describe(const Problem& problem, const DrawsInfo& info) {
  KnownProblem known{shape_of(problem.map), marginal_laws(problem.map, problem.target)};
  known.set.reference = reference_in(info.map);
  return known;
}

/// From what a draws file keeps of the options.
KnownProblem known_problem(const RunDraws& draws, const DrawsInfo& info,
                           const RunAccount& account) {
  KnownProblem known;
  const std::size_t dim = draws.names.size();
  Json request = Json::parse(info.request, nullptr, false);
  if (request.is_object() && request.contains("options")) {
    request = request["options"];
  }
  if (!request.is_object()) {
    known.set = shape_of(draws);
    return known;
  }
  const Command& command = find_command("sample");
  const bool whole = is_harmless(request, account);
  Json options = only_the_set(request, command, dim);
  if (whole) {
    options = options_of_group(request, command, "Problem");
    options.update(options_of_group(request, command, "Domain"));
  }
  try {
    const BuiltProblem built = build_problem(command, options_from(command, options, "draws"));
    if (built.problem.map.primal_dim() == dim) {
      known = describe(built.problem, info);
      if (!whole) {
        known.laws.clear();
      }
    }
  } catch (const Error&) {
    known.set = shape_of(draws);  // another version's options: the draws tell what they can
  }
  return known;
}

/// The manifest beside draws, if there is one and it belongs to them; null otherwise.
Json manifest_beside(const fs::path& path, const DrawsFile& file, std::vector<std::string>& notes) {
  const fs::path place = manifest_file(path);
  if (!fs::is_regular_file(place)) {
    return nullptr;
  }
  Json manifest = Json::parse(read_file(place), nullptr, false);
  const bool fits = manifest.is_object() && count_of(manifest, "draws") == file.draws &&
                    (file.info.kernel.empty() || count_of(manifest, "seed") == file.info.seed);
  if (!fits) {
    notes.push_back(
        fmt::format("{} does not belong to these draws and is left out", place.string()));
    return nullptr;
  }
  return manifest;
}

}  // namespace

RunReport make_run_report(const RunDraws& draws, DrawsInfo info, const Json& manifest,
                          std::vector<std::string> files, const Problem* problem,
                          Threads& threads) {
  if (manifest.is_object()) {
    complete(info, manifest);
  }
  RunReport report;
  report.draws = draws;
  report.account = account_of(info, manifest, std::move(files));
  report.rows = summarise(draws.values, draws.chains, draws.draws,
                          {draws.names.begin(), draws.names.end()}, threads);
  report.facts = facts_from(draws, info, manifest);
  report.verdict = judge(report.rows, draws.chains, draws.draws, report.facts);
  KnownProblem known =
      problem ? describe(*problem, info) : known_problem(draws, info, report.account);
  report.set = std::move(known.set);
  report.laws = std::move(known.laws);
  return report;
}

RunSummary summary_of(const Json& manifest) {
  RunSummary summary;
  summary.tuning.step_size = number_of(manifest, "step_size").value_or(0);
  summary.tuning.trajectory_length = number_of(manifest, "trajectory_length").value_or(0);
  summary.history = history_of(manifest);
  summary.draws = count_of(manifest, "draws").value_or(0);
  summary.thin = count_of(manifest, "thin").value_or(1);
  summary.gradients = count_of(manifest, "gradients").value_or(0);
  summary.divergences = count_of(manifest, "divergences").value_or(0);
  summary.acceptance = number_of(manifest, "acceptance").value_or(1);
  summary.seconds = number_of(manifest, "seconds").value_or(0);
  summary.cpu_seconds = number_of(manifest, "cpu_seconds").value_or(0);
  DrawsInfo info;
  complete(info, manifest);
  const RunFacts facts = facts_from({}, info, manifest);
  summary.bias_indicator = facts.bias_indicator;
  summary.bias_unknown = facts.bias_unknown;
  summary.finished = true;
  return summary;
}

ReportedRun read_run(const std::vector<fs::path>& paths, Threads& threads) {
  ReportedRun run;
  run.file = read_draws(paths, DualPart::read);
  std::vector<std::string> files;
  for (const fs::path& path : paths) {
    files.push_back(path.filename().string());
  }
  const Json manifest = manifest_beside(paths.front(), run.file, run.notes);
  const DrawsFile& file = run.file;
  run.report = make_run_report({.chains = file.chains,
                                .draws = file.draws,
                                .names = file.names,
                                .values = file.values,
                                .acceptance = file.acceptance,
                                .diverging = file.diverging,
                                .dual_dim = file.dual_dim,
                                .dual = file.dual},
                               file.info, manifest, std::move(files), nullptr, threads);
  return run;
}

}  // namespace tain::cli
