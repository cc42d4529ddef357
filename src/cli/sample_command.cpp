#include <fmt/format.h>

#include <algorithm>

#include "cli/fill.hpp"
#include "cli/problem.hpp"
#include "cli/problem_file.hpp"
#include "cli/program.hpp"
#include "cli/progress.hpp"
#include "cli/ranks.hpp"
#include "cli/results.hpp"
#include "cli/spelling.hpp"
#include "cli/terminal.hpp"
#include "comm/agreement.hpp"
#include "comm/common_isa.hpp"
#include "core/apart.hpp"
#include "core/archive.hpp"
#include "core/file.hpp"
#include "core/simd.hpp"
#include "sampling/run_folder.hpp"
#include "tain/sampling/sample.hpp"

namespace tain::cli {
namespace {

/// Files that options name, as manifests do.
std::vector<std::string> files_of(const Command& command, const RawOptions& raw) {
  std::vector<std::string> files;
  for (const auto& [name, value] : raw.values) {
    const Kind kind = find_flag(command, name)->kind;
    const std::string& text = value.parts.front();
    if (kind == Kind::input_file || (kind == Kind::matrix && value.columns == 0) ||
        (name == "target" && text.find('/') != std::string::npos)) {
      files.push_back(std::filesystem::absolute(text).lexically_normal().string());
    } else if (kind == Kind::numbers && text.starts_with('@') && text.size() > 1) {
      files.push_back(std::filesystem::absolute(text.substr(1)).lexically_normal().string());
    }
  }
  return files;
}

RawOptions all_options(const Command& command, RawOptions flags) {
  if (flags.arguments.empty()) {
    return flags;
  }
  RawOptions file = read_problem_file(command, flags.arguments.front());
  // A flag given anew may name a changed file on purpose.
  for (const std::string& path : files_of(command, flags)) {
    file.inputs.erase(path);
  }
  const std::string origin = flags.arguments.front();
  RawOptions all = merge(std::move(file), std::move(flags));
  if (origin.ends_with(".json") && !all.values.contains("target")) {
    fail(Fault::config, origin, "its target is code, or data in memory, which no file keeps",
         "run the program that made it again, or give --target");
  }
  return all;
}

SamplePlan read_plan(const Options& options) {
  SamplePlan plan;
  OptionFields fields(options);
  plan.describe(fields);
  plan.describe_manner(fields);
  plan.threads = threads_of_rank(plan.threads);
  return plan;
}

/// Of a manifest: what it was made from must still be what it was.
void require_same_inputs(const Command& command, const RawOptions& raw) {
  for (const std::string& path : files_of(command, raw)) {
    const auto known = raw.inputs.find(path);
    if (known != raw.inputs.end() && file_hash(path) != known->second) {
      fail(Fault::data, path, "has changed since the manifest was written",
           "restore it, or give its flag again to use the new content");
    }
  }
}

/// The library knows of all files but that of the problem.
void require_apart_from_problem(const RawOptions& raw, const SamplePlan& plan) {
  std::vector<NamedPath> outputs;
  if (!plan.output.empty()) {
    outputs.push_back({Field{"output"}, plan.output});
    outputs.push_back({"the manifest of the output", manifest_file(plan.output)});
  }
  outputs.push_back({Field{"report"}, plan.report});
  const NamedPath problem{"the problem",
                          raw.arguments.empty() ? std::string() : raw.arguments.front()};
  require_apart(outputs, {&problem, 1});
}

void print_run(const Run& run, const Options& options) {
  const std::size_t max_rows = options.positive_count("max-rows");
  const bool exact = options.on("exact");
  if (options.on("json")) {
    nlohmann::ordered_json object = run_json(run);
    if (exact) {
      object["exact"] = exact_json(run.exact());
    }
    print(object.dump(2) + "\n");
    return;
  }
  print(run.text(terminal_style(max_rows)) +
        (exact ? "\n" + format_exact(run.exact(), max_rows) : ""));
}

}  // namespace

int sample_command(const Command& command, const RawOptions& flags) {
  const RawOptions raw = all_options(command, flags);
  remember_origins(raw);
  const Options options(command, raw);
  const Console console(options.on("quiet") ? Console::Volume::silent : Console::Volume::normal);
  std::ranges::for_each(raw.hints, [&](const std::string& hint) { console.note(hint); });
  require_same_on_ranks(ranks(), fingerprint(shell_text(raw.words)), "command line",
                        "start all ranks with the same options");
  if (!ranks().alone()) {
    pin_isa(common_isa(ranks()));
  }
  if (const std::string isa = options.choice("isa"); isa != "auto") {
    pin_isa(parse_isa(isa));  // before anything is computed
  }
  require_same_inputs(command, raw);
  const Target target = read_target(command, raw);
  const std::optional<Set> set = read_set(command, raw, target);
  SamplePlan plan = read_plan(options);
  require_apart_from_problem(raw, plan);
  ProgressDisplay display(
      progress_mode(options.on("quiet") && !options.given("progress") ? "none"
                                                                      : options.choice("progress")),
      plan);
  plan.note = [&](std::string_view text) { console.note(text); };
  plan.progress = [&](const Progress& progress) {
    display.show(progress);
    if (stop_requested() || progress.step == progress.total_steps) {
      display.clear();
    }
    return stop_requested() ? Next::stop : Next::go_on;
  };
  plan.command = shell_text(flags.words, {"--resume"});
  const Run run = sample(set, target, plan, ranks());
  if (!ranks().is_root()) {
    return 0;  // rank 0 has the draws, and the say
  }
  if (run.judged()) {
    print_run(run, options);
  }
  if (run.finished()) {
    return options.on("strict") && !run.verdict().trust ? static_cast<int>(Fault::gate_failed) : 0;
  }
  console.note(fmt::format(
      "interrupted after {} of {} draws{}", run.draws().draws, plan.draws,
      run.resumable()
          ? fmt::format("; continue with: {}",
                        shell_text(flags.words, {"--resume", "--force", "-f"}) + " --resume")
          : "; give -o FILE next time to be able to continue"));
  return static_cast<int>(stop_fault());
}

}  // namespace tain::cli
