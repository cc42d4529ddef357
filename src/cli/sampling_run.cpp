#include "sampling_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>

#include "help.hpp"
#include "run_report.hpp"
#include "tain/core/failpoint.hpp"
#include "tain/core/file.hpp"
#include "tain/core/simd.hpp"
#include "tain/run/ranks.hpp"
#include "tain/run/walk.hpp"
#include "tain/targets/check_gradient.hpp"
#include "values.hpp"

namespace tain::cli {
namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

constexpr std::uint64_t fewest_draws =
    4;  // fewer give no diagnostics, so an interrupted run keeps them back

/// Asks, and has checkpoints written, when rank 0 finds that it is time.
class Watch final : public Observer {
 public:
  Watch(const SamplingRun::Look& look, double checkpoint_seconds, std::uint64_t checkpoint_draws,
        std::function<void()> checkpoint, Comm& comm)
      : look_(look),
        interval_(checkpoint_seconds),
        every_draws_(checkpoint_draws),
        checkpoint_(std::move(checkpoint)),
        comm_(comm) {}

  Next on_progress(const Progress& progress) override {
    const Next next = look_(progress);
    const std::chrono::duration<double> since = Clock::now() - last_checkpoint_;
    const bool counted =
        every_draws_ > 0 && progress.draws > 0 && progress.draws % every_draws_ == 0;
    if (agreed(comm_, next == Next::go_on && (counted || since.count() >= interval_))) {
      checkpoint_();
      last_checkpoint_ = Clock::now();
    }
    return next;
  }
  std::uint64_t every() const override { return every_draws_; }

 private:
  const SamplingRun::Look& look_;
  double interval_;
  std::uint64_t every_draws_;
  std::function<void()> checkpoint_;
  Comm& comm_;
  Clock::time_point last_checkpoint_ = Clock::now();
};

/// Of ranks other than the first.
struct NoDraws final : DrawSink {
  void put(const Draw&) override {}
};

DrawShape shape_of(const SampleRequest& request) {
  return {request.plan.chains, request.plan.draws, request.problem.map.primal_dim(),
          state_dim(request.problem, request.plan.kernel)};
}

/// Refuses what cannot fit before anything is allocated. Rank 0 has the most: draws and chains.
void require_memory(const SampleRequest& request, const DrawShape& shape, const Talk& talk,
                    int ranks) {
  // State, gradient, proposal, momentum and the map's and target's scratch: about ten arrays of the
  // chains' size.
  const std::uint32_t own = chains_of_rank(shape.chains, 0, ranks).count;
  const double chains =
      10.0 * 8 * static_cast<double>(padded_lanes(own)) * static_cast<double>(shape.primal_dim);
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
  talk.say(fmt::format(
      "{} chains in {} dimensions{}: {} for the chains, {} for the draws ({})", shape.chains,
      shape.primal_dim,
      ranks > 1 ? fmt::format(", {} or fewer on each of {} ranks", own, ranks) : std::string(),
      format_bytes(chains), format_bytes(draws), request.output ? "on disk" : "in memory"));
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

/// The request, once it is known to fit and, if it is to be checked, to have a right gradient.
SampleRequest checked(SampleRequest request, const Talk& talk, int ranks) {
  require_memory(request, shape_of(request), talk, ranks);
  if (request.check_gradient) {
    require_gradient(request, talk);
  }
  return request;
}

/// What an earlier run of this output, killed while it wrote its results, left of them.
void remove_leftovers_of(const SampleRequest& request) {
  for (const std::filesystem::path& file : output_files(*request.output, request.plan.chains)) {
    remove_leftovers(file);
  }
  remove_leftovers(manifest_file(*request.output));
  if (request.report) {
    remove_leftovers(*request.report);
  }
}

Recording open_recording(const SampleRequest& request) {
  if (!request.output) {
    return Recording::in_memory(shape_of(request));
  }
  Recording recording = Recording::in_folder(*request.output, shape_of(request),
                                             resumable_request(find_command("sample"), request),
                                             request.continuation);
  if (request.continuation != Continuation::fresh) {
    remove_leftovers_of(request);
  }
  return recording;
}

/// The manifest of the run that is to be resumed if it is already finished; null otherwise. Throws
/// Error (config) if what is finished is another run.
Json finished_run(const SampleRequest& request) {
  namespace fs = std::filesystem;
  const fs::path folder = run_folder(*request.output);
  const fs::path manifest_path = manifest_file(*request.output);
  const auto is_file = [](const fs::path& path) { return fs::is_regular_file(path); };
  if (holds_stopped_run(folder) || !is_file(manifest_path) ||
      !std::ranges::all_of(output_files(*request.output, request.plan.chains), is_file)) {
    return nullptr;
  }
  Json manifest = Json::parse(read_file(manifest_path), nullptr, false);
  if (!manifest.is_object() || manifest.value("stop_reason", Json()) != "finished") {
    return nullptr;
  }
  const Command& command = find_command("sample");
  require_same_request(resumable_request(command, manifest), resumable_request(command, request),
                       request.output->string());
  if (fs::exists(folder)) {  // it was killed while it cleared away
    const FolderLock lock(folder);
    remove_run_folder(folder);
  }
  return manifest;
}

/// Draws of a file to a table of their shape. A file that has no dual gives it by the map, where
/// the chains lived there; what cannot be known is NaN.
void fill_table(const DrawsFile& file, const AnyMap& map, DrawTable& table) {
  const DrawShape& shape = table.shape();
  const std::size_t n = shape.primal_dim, m = shape.dual_dim;
  const bool by_map = file.dual_dim != m && map.dual_dim() == m;
  BlockStorage x(n, lane_group), y(map.dual_dim(), lane_group);
  Workspace workspace;
  std::vector<double> dual(m, NAN);
  const auto statistic = [](const std::vector<double>& values, std::size_t pair) {
    return values.empty() ? NAN : values[pair];
  };
  for (std::size_t pair = 0; pair < shape.chains * shape.draws; ++pair) {
    const std::span primal(file.values.data() + pair * n, n);
    if (file.dual_dim == m) {
      std::copy_n(file.dual.data() + pair * m, m, dual.begin());
    } else if (by_map) {
      for (std::size_t i = 0; i < n; ++i) {
        std::fill_n(x.view().row(i), lane_group, primal[i]);
      }
      map.to_dual(x.view(), y.view(), workspace);
      for (std::size_t i = 0; i < m; ++i) {
        dual[i] = y.view().at(i, 0);
      }
    }
    table.put({.chain = static_cast<std::uint32_t>(pair / shape.draws),
               .draw = pair % shape.draws,
               .primal = primal,
               .dual = dual,
               .log_density = statistic(file.log_density, pair),
               .acceptance = statistic(file.acceptance, pair),
               .divergent = !file.diverging.empty() && file.diverging[pair] != 0});
  }
}

Json history_json(const StepSizeHistory& history) {
  return {
      {"step", history.step}, {"step_size", history.step_size}, {"acceptance", history.acceptance}};
}

std::string stop_reason(const RunSummary& run) { return run.finished ? "finished" : "interrupted"; }

DrawsInfo info_of(const SampleRequest& request, const RunSummary& run) {
  DrawsInfo info;
  info.names = request.names;
  info.map = request.problem.map.name();
  info.target = request.problem.target.name();
  info.kernel = request.plan.kernel;
  info.step_size = run.tuning.step_size;
  info.seed = request.plan.seed;
  info.thin = run.thin;
  info.stop_reason = stop_reason(run);
  info.request = resumable_request(find_command("sample"), request)["options"].dump();
  return info;
}

}  // namespace

RunDraws CompletedDraws::all(const std::vector<std::string>& names) {
  const DrawShape& shape = table_.shape();
  return {.chains = shape.chains,
          .draws = draws_,
          .names = names,
          .values = values(),
          .acceptance = acceptance(),
          .diverging = diverging(),
          .dual_dim = shape.dual_dim,
          .dual = dual()};
}

std::span<const double> CompletedDraws::part(std::span<const double> whole, std::size_t width) {
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

SamplingRun::SamplingRun(SampleRequest request, std::string command_line, const Talk& talk,
                         Comm& ranks)
    : request_(checked(std::move(request), talk, ranks.ranks())),
      command_line_(std::move(command_line)),
      comm_(ranks),
      threads_(request_.threads),
      sampler_(request_.problem, request_.plan, threads_, ranks) {
  std::filesystem::path stopped;
  if (comm_.leads()) {
    if (request_.continuation == Continuation::resume) {
      earlier_ = finished_run(request_);
    }
    recording_.emplace(earlier_.is_null() ? open_recording(request_)
                                          : Recording::in_memory(shape_of(request_)));
    stopped = recording_->checkpoint_file().value_or(std::filesystem::path());
  }
  recalled_ = agreed(comm_, !earlier_.is_null());
  resumable_ = agreed(comm_, recording_ && recording_->persistent());
  if (agreed(comm_, !stopped.empty())) {
    sampler_.restore(stopped);
  }
}

void SamplingRun::run(const Look& look, const Talk& talk) {
  if (recalled_) {
    if (recording_) {
      recall(talk);
    }
    return;
  }
  started_ = utc_now();
  Watch watch(
      look, request_.checkpoint_seconds, request_.checkpoint_every, [this] { checkpoint(); },
      comm_);
  NoDraws none;
  summary_ = sampler_.run(recording_ ? static_cast<DrawSink&>(recording_->table()) : none, watch);
  ended_ = utc_now();
  failpoint("run/sampled");
  if (!finished()) {
    checkpoint();
  }
  if (recording_) {
    finish(talk);
  }
}

void SamplingRun::checkpoint() {
  if (recording_) {
    recording_->checkpoint(sampler_);
  } else if (resumable_) {
    sampler_.save({});  // rank 0 writes it
  }
}

void SamplingRun::recall(const Talk& talk) {
  const std::string output = request_.output->string();
  talk.say(fmt::format("{}: the run is already finished; nothing is left to resume", output));
  const DrawShape shape = shape_of(request_);
  const DrawsFile file =
      read_draws(output_files(*request_.output, request_.plan.chains), DualPart::read);
  if (file.chains != shape.chains || file.draws != shape.draws ||
      file.names.size() != shape.primal_dim) {
    fail(Fault::data, output, "does not hold the draws that its manifest tells of",
         "give --force to start anew");
  }
  fill_table(file, request_.problem.map, recording_->table());
  summary_ = summary_of(earlier_);
  info_ = info_of(request_, summary_);
  judge_draws();
  write_report(talk);
}

void SamplingRun::write_report(const Talk& talk) {
  if (request_.report) {
    write_atomically(*request_.report, page());
    talk.say(fmt::format("the report is in {}", request_.report->string()));
  }
}

void SamplingRun::finish(const Talk& talk) {
  info_ = info_of(request_, summary_);
  if (finished() || summary_.draws >= fewest_draws) {
    judge_draws();
    failpoint("run/judged");
    if (request_.output) {
      write_output(talk);
    }
    write_report(talk);
  }
  if (finished()) {
    recording_->finish();
  } else {
    recording_->leave();
  }
}

void SamplingRun::judge_draws() {
  CompletedDraws draws(table(), summary_.draws);
  findings_ = Findings{
      summarise(draws.values(), request_.plan.chains, summary_.draws, request_.names, threads_),
      {},
      request_.plan.chains};
  const RunFacts facts{summary_.divergences, summary_.draws * request_.plan.chains,
                       summary_.bias_indicator, summary_.bias_unknown};
  findings_->verdict = judge(findings_->rows, request_.plan.chains, summary_.draws, facts);
  if (request_.exact) {
    exact_ = compare_exact(table(), summary_.draws, request_.problem.map,
                           request_.problem.target.facts(request_.problem.map), request_.names);
  }
}

Json SamplingRun::manifest() const {
  if (recalled_) {
    return earlier_;
  }
  return {{"tain", version_number()},
          {"command", command_line_},
          {"options", request_.options},
          {"inputs", request_.inputs},
          {"target", request_.problem.target.name()},
          {"map", request_.problem.map.name()},
          {"kernel", request_.plan.kernel},
          {"seed", request_.plan.seed},
          {"isa", isa_name(current_isa())},
          {"compiler", TAIN_COMPILER},
          {"step_size", summary_.tuning.step_size},
          {"trajectory_length", summary_.tuning.trajectory_length},
          {"step_size_history", history_json(summary_.history)},
          {"draws", summary_.draws},
          {"thin", summary_.thin},
          {"gradients", summary_.gradients},
          {"divergences", summary_.divergences},
          {"acceptance", summary_.acceptance},
          {"trust", findings_->verdict.trust},
          {"seconds", summary_.seconds},
          {"cpu_seconds", summary_.cpu_seconds},
          {"started", started_},
          {"ended", ended_},
          {"stop_reason", stop_reason(summary_)}};
}

Json SamplingRun::account() const {
  Json object = findings_json(*findings_);
  object["target"] = request_.problem.target.name();
  object["map"] = request_.problem.map.name();
  object["kernel"] = request_.plan.kernel;
  object["seed"] = request_.plan.seed;
  object["chains"] = request_.plan.chains;
  object["draws"] = summary_.draws;
  object["thin"] = summary_.thin;
  object["step_size"] = summary_.tuning.step_size;
  object["trajectory_length"] = summary_.tuning.trajectory_length;
  object["acceptance"] = summary_.acceptance;
  object["divergences"] = summary_.divergences;
  object["bias_indicator"] = summary_.bias_indicator ? Json(*summary_.bias_indicator) : nullptr;
  object["gradients"] = summary_.gradients;
  object["seconds"] = summary_.seconds;
  object["cpu_seconds"] = summary_.cpu_seconds;
  object["stop_reason"] = stop_reason(summary_);
  object["output"] = request_.output ? Json(request_.output->string()) : nullptr;
  if (request_.exact) {
    object["exact"] = exact_json(exact_);
  }
  return object;
}

void SamplingRun::write_output(const Talk& talk) {
  recording_->mark_partial();
  write_draws(*request_.output, table(), summary_.draws, info_);
  write_atomically(manifest_file(*request_.output), manifest().dump(2) + "\n");
  talk.say(fmt::format("{} draws of {} chains are in {}", summary_.draws, request_.plan.chains,
                       request_.output->string()));
}

std::string SamplingRun::page() {
  CompletedDraws draws(table(), summary_.draws);
  std::vector<std::string> files;
  if (request_.output) {
    files.push_back(request_.output->filename().string());
  }
  const RunReport report = make_run_report(draws.all(request_.names), info_, manifest(),
                                           std::move(files), &request_.problem, threads_);
  Page page(run_title(report), run_lead(report));
  add_run(page, report, threads_);
  return page.html();
}

}  // namespace tain::cli
