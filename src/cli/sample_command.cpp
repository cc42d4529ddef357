#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>

#include "exact.hpp"
#include "help.hpp"
#include "problem_file.hpp"
#include "program.hpp"
#include "request.hpp"
#include "results.hpp"
#include "run_report.hpp"
#include "tain/core/file.hpp"
#include "tain/core/simd.hpp"
#include "tain/run/walk.hpp"
#include "tain/targets/check_gradient.hpp"
#include "terminal.hpp"
#include "values.hpp"

namespace tain::cli {
namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

constexpr std::uint64_t fewest_draws =
    4;  // fewer give no diagnostics, so an interrupted run keeps them back

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

/// Shows progress, writes checkpoints, obeys signals.
class Watch final : public Observer {
 public:
  Watch(const SampleRequest& request, Recording& recording, const Sampler& sampler)
      : display_(progress_mode(request.progress), request.plan),
        recording_(recording),
        sampler_(sampler),
        interval_(request.checkpoint_seconds) {}

  Next on_progress(const Progress& progress) override {
    display_.show(progress);
    if (stop_requested()) {
      return Next::stop;
    }
    if (std::chrono::duration<double>(Clock::now() - last_checkpoint_).count() >= interval_) {
      recording_.checkpoint(sampler_);
      last_checkpoint_ = Clock::now();
    }
    return Next::go_on;
  }
  void end() { display_.clear(); }

 private:
  ProgressDisplay display_;
  Recording& recording_;
  const Sampler& sampler_;
  double interval_;
  Clock::time_point last_checkpoint_ = Clock::now();
};

DrawShape shape_of(const SampleRequest& request) {
  return {request.plan.chains, request.plan.draws, request.problem.map.primal_dim(),
          state_dim(request.problem, request.plan.kernel)};
}

/// Refuses what cannot fit before anything is allocated.
void require_memory(const SampleRequest& request, const DrawShape& shape, const Talk& talk) {
  // State, gradient, proposal, momentum and the map's and target's scratch: about ten arrays of the
  // chains' size.
  const double chains = 10.0 * 8 * static_cast<double>(padded_lanes(shape.chains)) *
                        static_cast<double>(shape.primal_dim);
  const auto draws = static_cast<double>(shape.bytes());
  const double limit =
      request.memory ? static_cast<double>(*request.memory) : 0.8 * machine_memory();
  const double needed = chains + (request.output ? 0 : draws);
  if (needed > limit) {
    fail(Fault::config, "--memory",
         fmt::format("the run needs {}, more than the limit of {}", format_bytes(needed),
                     format_bytes(limit)),
         request.output ? "use fewer chains" : "use fewer draws or chains, --thin, or -o FILE");
  }
  talk.say(fmt::format("{} chains in {} dimensions: {} for the chains, {} for the draws ({})",
                       shape.chains, shape.primal_dim, format_bytes(chains), format_bytes(draws),
                       request.output ? "on disk" : "in memory"));
}

void require_gradient(const SampleRequest& request, const Talk& talk) {
  const GradientCheck check =
      check_gradient(request.problem.map, request.problem.target, request.plan.seed);
  if (!check.passed) {
    fail(Fault::data, fmt::format("target {}", request.problem.target.name()), check.explanation,
         "correct the gradient, or leave out --check-gradient");
  }
  talk.say(check.explanation);
}

/// What is known at the end of a run, complete or not.
struct Outcome {
  RunSummary run;
  std::string stop_reason;
  std::string started, ended;
  Findings findings;
  std::vector<ExactRow> exact;
};

Json history_json(const StepSizeHistory& history) {
  return {
      {"step", history.step}, {"step_size", history.step_size}, {"acceptance", history.acceptance}};
}

Json manifest(const SampleRequest& request, const Outcome& outcome,
              const std::string& command_line) {
  return {{"tain", version_number()},
          {"command", command_line},
          {"options", request.options},
          {"inputs", request.inputs},
          {"target", request.problem.target.name()},
          {"map", request.problem.map.name()},
          {"kernel", request.plan.kernel},
          {"seed", request.plan.seed},
          {"isa", isa_name(current_isa())},
          {"compiler", TAIN_COMPILER},
          {"step_size", outcome.run.tuning.step_size},
          {"trajectory_length", outcome.run.tuning.trajectory_length},
          {"step_size_history", history_json(outcome.run.history)},
          {"draws", outcome.run.draws},
          {"thin", outcome.run.thin},
          {"gradients", outcome.run.gradients},
          {"divergences", outcome.run.divergences},
          {"acceptance", outcome.run.acceptance},
          {"trust", outcome.findings.verdict.trust},
          {"seconds", outcome.run.seconds},
          {"cpu_seconds", outcome.run.cpu_seconds},
          {"started", outcome.started},
          {"ended", outcome.ended},
          {"stop_reason", outcome.stop_reason}};
}

Json outcome_json(const SampleRequest& request, const Outcome& outcome) {
  Json object = findings_json(outcome.findings);
  object["target"] = request.problem.target.name();
  object["map"] = request.problem.map.name();
  object["kernel"] = request.plan.kernel;
  object["seed"] = request.plan.seed;
  object["chains"] = request.plan.chains;
  object["draws"] = outcome.run.draws;
  object["thin"] = outcome.run.thin;
  object["step_size"] = outcome.run.tuning.step_size;
  object["trajectory_length"] = outcome.run.tuning.trajectory_length;
  object["acceptance"] = outcome.run.acceptance;
  object["divergences"] = outcome.run.divergences;
  object["bias_indicator"] =
      outcome.run.bias_indicator ? Json(*outcome.run.bias_indicator) : nullptr;
  object["gradients"] = outcome.run.gradients;
  object["seconds"] = outcome.run.seconds;
  object["cpu_seconds"] = outcome.run.cpu_seconds;
  object["stop_reason"] = outcome.stop_reason;
  object["output"] = request.output ? Json(request.output->string()) : nullptr;
  if (request.exact) {
    object["exact"] = exact_json(outcome.exact);
  }
  return object;
}

/// The first draws of every chain of a table, without gaps: as they stand where the run is
/// complete, else copied.
class CompletedDraws {
 public:
  CompletedDraws(const DrawTable& table, std::uint64_t draws) : table_(table), draws_(draws) {}

  std::span<const double> values() { return part(table_.primal(), table_.shape().primal_dim); }
  /// Borrows from this, as the names do from the request.
  RunDraws all(const std::vector<std::string>& names) {
    const DrawShape& shape = table_.shape();
    return {.chains = shape.chains,
            .draws = draws_,
            .names = names,
            .values = values(),
            .acceptance = part(table_.acceptance(), 1),
            .diverging = part(table_.diverging(), 1),
            .dual_dim = shape.dual_dim,
            .dual = part(table_.dual(), shape.dual_dim)};
  }

 private:
  std::span<const double> part(std::span<const double> whole, std::size_t width) {
    const DrawShape& shape = table_.shape();
    if (draws_ == shape.draws) {
      return whole;
    }
    std::vector<double>& copy = copies_.emplace_back();
    for (std::size_t chain = 0; chain < shape.chains; ++chain) {
      const auto own = whole.subspan(chain * shape.draws * width, draws_ * width);
      copy.insert(copy.end(), own.begin(), own.end());
    }
    return copy;
  }

  const DrawTable& table_;
  std::uint64_t draws_;
  std::vector<std::vector<double>> copies_;  // their elements stay where they are
};

Findings find(const SampleRequest& request, const RunSummary& run, const DrawTable& table,
              Threads& threads) {
  CompletedDraws draws(table, run.draws);
  Findings findings{
      summarise(draws.values(), request.plan.chains, run.draws, request.names, threads),
      {},
      request.plan.chains};
  RunFacts facts{run.divergences, run.draws * request.plan.chains, run.bias_indicator,
                 run.bias_unknown};
  findings.verdict = judge(findings.rows, request.plan.chains, run.draws, facts);
  return findings;
}

DrawsInfo info_of(const Command& command, const SampleRequest& request, const Outcome& outcome) {
  DrawsInfo info;
  info.names = request.names;
  info.map = request.problem.map.name();
  info.target = request.problem.target.name();
  info.kernel = request.plan.kernel;
  info.step_size = outcome.run.tuning.step_size;
  info.seed = request.plan.seed;
  info.thin = outcome.run.thin;
  info.stop_reason = outcome.stop_reason;
  info.request = resumable_request(command, request)["options"].dump();
  return info;
}

void write_output(const SampleRequest& request, const Outcome& outcome, Recording& recording,
                  const DrawsInfo& info, const Json& manifest, const Talk& talk) {
  recording.mark_partial();
  write_draws(*request.output, recording.table(), outcome.run.draws, info);
  write_atomically(request.output->string() + ".manifest.json", manifest.dump(2) + "\n");
  talk.say(fmt::format("{} draws of {} chains are in {}", outcome.run.draws, request.plan.chains,
                       request.output->string()));
}

void write_page(const SampleRequest& request, const Outcome& outcome, const DrawTable& table,
                const DrawsInfo& info, const Json& manifest, Threads& threads, const Talk& talk) {
  CompletedDraws draws(table, outcome.run.draws);
  std::vector<std::string> files;
  if (request.output) {
    files.push_back(request.output->filename().string());
  }
  const RunReport report =
      make_run_report(draws.all(request.names), info, manifest, std::move(files), threads);
  Page page(run_title(report), run_lead(report));
  add_run(page, report, threads);
  write_atomically(*request.report, page.html());
  talk.say(fmt::format("the report is in {}", request.report->string()));
}

void print_outcome(const SampleRequest& request, const Outcome& outcome) {
  if (request.json) {
    print(outcome_json(request, outcome).dump(2) + "\n");
    return;
  }
  std::string text = findings_text(outcome.findings, request.max_rows);
  if (request.exact) {
    text += "\n" + format_exact(outcome.exact, request.max_rows);
  }
  print(text);
}

RawOptions all_options(const Command& command, RawOptions flags) {
  if (flags.arguments.empty()) {
    return flags;
  }
  RawOptions file = read_problem_file(command, flags.arguments.front());
  for (const auto& [name, value] : flags.values) {
    // A flag given anew may name a changed file on purpose.
    const Flag* flag = find_flag(command, name);
    if (flag->kind == Kind::input_file || flag->kind == Kind::numbers || name == "target") {
      for (const std::string& part : value.parts) {
        file.inputs.erase(
            std::filesystem::absolute(part.substr(part.starts_with('@') ? 1 : 0)).string());
      }
    }
  }
  return merge(std::move(file), std::move(flags));
}

Recording open_recording(const Command& command, const SampleRequest& request,
                         const DrawShape& shape) {
  return request.output
             ? Recording::in_folder(*request.output, shape, resumable_request(command, request),
                                    request.continuation)
             : Recording::in_memory(shape);
}

std::string resume_command(const std::string& command_line) {
  return command_line.find(" --resume") == std::string::npos ? command_line + " --resume"
                                                             : command_line;
}

}  // namespace

int sample_command(const Command& command, RawOptions flags, const std::string& command_line) {
  const RawOptions raw = all_options(command, std::move(flags));
  const SampleRequest request = make_request(command, raw);
  const Talk talk(request.quiet ? Talk::Volume::silent : Talk::Volume::normal);
  for (const std::string& note : request.notes) {
    talk.say(note);
  }
  const DrawShape shape = shape_of(request);
  require_memory(request, shape, talk);
  if (request.check_gradient) {
    require_gradient(request, talk);
  }
  Threads threads(request.threads);
  Sampler sampler(request.problem, request.plan, threads);
  Recording recording = open_recording(command, request, shape);
  if (const auto checkpoint = recording.checkpoint_file()) {
    sampler.restore(*checkpoint);
  }
  Outcome outcome;
  outcome.started = utc_now();
  Watch watch(request, recording, sampler);
  outcome.run = sampler.run(recording.table(), watch);
  watch.end();
  outcome.ended = utc_now();
  const bool finished = outcome.run.finished;
  outcome.stop_reason = finished ? "finished" : "interrupted";
  if (!finished) {
    recording.checkpoint(sampler);
  }
  if (finished || outcome.run.draws >= fewest_draws) {
    outcome.findings = find(request, outcome.run, recording.table(), threads);
    if (request.exact) {
      outcome.exact =
          compare_exact(recording.table(), outcome.run.draws, request.problem.map,
                        request.problem.target.facts(request.problem.map), request.names);
    }
    const DrawsInfo info = info_of(command, request, outcome);
    const Json account = manifest(request, outcome, command_line);
    if (request.output) {
      write_output(request, outcome, recording, info, account, talk);
    }
    if (request.report) {
      write_page(request, outcome, recording.table(), info, account, threads, talk);
    }
    print_outcome(request, outcome);
  }
  if (finished) {
    recording.finish();
    return request.strict && !outcome.findings.verdict.trust ? static_cast<int>(Fault::gate_failed)
                                                             : 0;
  }
  talk.say(fmt::format("interrupted after {} of {} draws{}", outcome.run.draws, request.plan.draws,
                       recording.persistent()
                           ? fmt::format("; continue with: {}", resume_command(command_line))
                           : "; give -o FILE next time to be able to continue"));
  return static_cast<int>(stop_fault());
}

}  // namespace tain::cli
