#include "tain/run/sampler.hpp"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "tain/core/archive.hpp"
#include "tain/core/error.hpp"
#include "tain/core/file.hpp"
#include "tain/run/adaptation.hpp"
#include "tain/run/start.hpp"

namespace tain {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double report_seconds = 0.1;  // observers are called about this often
constexpr std::uint64_t early_leapfrogs =
    8;  // before scales are known, long trajectories are waste
constexpr std::uint64_t probe_step = std::uint64_t{1}
                                     << 47;  // noise of step-size probes: beyond any run

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double process_cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

// Lanes per block: the working set of a step should stay near the core, and every thread should get
// a block. Results do not depend on it.
std::size_t lanes_per_block(std::size_t dim, std::size_t chains, std::size_t threads) {
  const std::size_t near = std::clamp<std::size_t>(16384 / std::max<std::size_t>(dim, 1), 32, 256);
  return std::min(padded_lanes(near), padded_lanes((chains + threads - 1) / threads));
}

// The earliest step at which an unadjusted chain was lost.
struct Lost {
  std::uint64_t step = std::numeric_limits<std::uint64_t>::max();
  std::uint32_t chain = 0;
  bool operator<(const Lost& other) const {
    return step != other.step ? step < other.step : chain < other.chain;
  }
};

}  // namespace

struct Sampler::State {
  State(const Problem& p, const SamplePlan& given, Threads& pool);

  void place_chains();
  void prepare_tuning();
  double reasonable_step(double guess);
  void warm_up_step();
  void adapt();
  void adapt_length();
  void end_warm_up();
  std::uint64_t automatic_thin() const;
  void sample_chunk(std::uint64_t steps, DrawSink& sink);
  Lost sample_block(std::size_t b, std::uint64_t steps, DrawSink& sink);
  void put_draws(std::size_t b, std::uint64_t draw, DrawSink& sink);
  [[noreturn]] void report_lost(const Lost& lost) const;
  double mean_acceptance() const;
  double harmonic_acceptance() const;
  std::uint64_t total_steps() const { return plan.warmup + plan.draws * thin; }
  std::uint64_t draws_done() const { return t < plan.warmup ? 0 : (t - plan.warmup) / thin; }
  double step_size_at(std::uint64_t step) const {
    return plan.step_size ? (*plan.step_size)(step) : tuning.step_size;
  }
  std::uint64_t divergences() const;
  std::uint64_t request_fingerprint() const;
  void archive(Archive& a);

  Problem problem;
  SamplePlan plan;
  Threads& threads;
  AnyPotential W;
  std::unique_ptr<const Kernel> kernel;
  NoiseField noise;
  bool diagonal;  // learn scales?
  bool adapts_length;
  double target_acceptance;
  WarmupSchedule schedule;
  std::vector<double> y0;

  std::vector<ChainBlock> blocks;
  std::vector<StepInfo> infos;
  std::vector<Workspace> workspaces;

  std::uint64_t t = 0;          // next step
  std::uint64_t gradients = 0;  // per chain
  std::uint64_t probes = 0;
  std::uint64_t thin;
  std::vector<double> variance;  // of the last window
  Tuning tuning;
  DualAveraging step_adaptation;
  ChainMoments moments;
  LengthAscent length_ascent;
  std::vector<double> acceptance_sum, diverged;               // per chain, after warm-up
  std::vector<std::vector<double>> acceptance_now, lost_now;  // per block: since the last draw
};

Sampler::State::State(const Problem& p, const SamplePlan& given, Threads& pool)
    : problem(p),
      plan((validate(given), given)),
      threads(pool),
      W(mirrored(p.map, p.target, p.form)),
      kernel(make_kernel(given.kernel)),
      noise(given.seed),
      diagonal(given.precondition == Precondition::diagonal ||
               (given.precondition == Precondition::automatic && kernel->exact())),
      adapts_length(kernel->name() == "hmc" && !given.trajectory_length),
      target_acceptance(given.target_acceptance.value_or(kernel->target_acceptance())),
      schedule(given.warmup),
      thin(given.thin.value_or(1)),
      moments(W.dim()),
      acceptance_sum(given.chains),
      diverged(given.chains) {
  if (!plan.step_size && plan.warmup == 0) {
    fail(Fault::config, "step-size", "auto needs warm-up steps to find one",
         "give --warmup 100 or more, or a --step-size");
  }
  const std::size_t lanes = lanes_per_block(W.dim(), plan.chains, threads.count());
  for (std::size_t first = 0; first < plan.chains; first += lanes) {
    blocks.emplace_back(static_cast<std::uint32_t>(first),
                        std::min<std::size_t>(lanes, plan.chains - first), W.dim());
    infos.emplace_back(blocks.back().lanes());
    acceptance_now.emplace_back(blocks.back().lanes(), 1.0);
    lost_now.emplace_back(blocks.back().lanes(), 0.0);
  }
  workspaces.resize(blocks.size());
  place_chains();
  prepare_tuning();
}

void Sampler::State::place_chains() {
  const TargetFacts facts = problem.target.facts(problem.map);
  std::vector<double> point = !plan.start.empty() ? plan.start : facts.start;
  if (point.empty()) {
    point.resize(problem.map.primal_dim());
    problem.map.centre(point);
  }
  y0 = dual_start(problem.map, point);
  std::vector<double> spread(W.dim(), 0.0);
  if (plan.start.empty()) {
    spread = curvature_diagonal(W, y0, noise);
    // The local Gaussian's standard deviation. Flat directions are believed only where the target
    // itself named the point; elsewhere they keep the natural unit of the dual.
    const double flattest = facts.start.empty() ? 1.0 : 1e-4;
    std::transform(spread.begin(), spread.end(), spread.begin(),
                   [&](double h) { return h > 0 ? 1 / std::sqrt(std::max(h, flattest)) : 1.0; });
  }
  threads.for_each(blocks.size(), [&](std::size_t b) {
    disperse(W, y0, spread, noise, blocks[b], workspaces[b]);
  });
  for (const ChainBlock& block : blocks) {
    for (std::size_t l = 0; l < block.chains; ++l) {
      bool finite = std::isfinite(block.value[l]);
      for (std::size_t i = 0; finite && i < W.dim(); ++i) {
        finite = std::isfinite(block.grad.view().at(i, l));
      }
      if (!finite) {
        fail(Fault::data, fmt::format("target {}", problem.target.name()),
             "its value or gradient is not finite at the starting point",
             "give another --start, or check the target with --check-gradient");
      }
    }
  }
  if (diagonal) {
    tuning.scale = spread;
    if (!plan.start.empty()) {
      tuning.scale.assign(W.dim(), 1.0);
    }
  }
}

void Sampler::State::prepare_tuning() {
  tuning.trajectory_length = plan.trajectory_length.value_or(1.0);
  length_ascent.restart(tuning.trajectory_length);
  if (plan.step_size) {
    tuning.step_size = (*plan.step_size)(0);
    return;
  }
  double guess = 0.1;
  if (!kernel->exact() && !diagonal) {
    // beta <= 1/L, the rule of Theorem 4; refined by the bias indicator during warm-up.
    const TargetFacts facts = problem.target.facts(problem.map);
    const double lipschitz = facts.dual_lipschitz.value_or(largest_curvature(W, y0, noise));
    guess = lipschitz > 0 && std::isfinite(lipschitz) ? 1 / lipschitz : guess;
  }
  tuning.step_size = reasonable_step(guess);
  step_adaptation.restart(tuning.step_size);
}

// Doubles or halves until the acceptance of single steps of the first chains crosses one half.
double Sampler::State::reasonable_step(double guess) {
  const std::size_t chains = std::min<std::size_t>(plan.chains, lane_group);
  Tuning probe_tuning = tuning;
  probe_tuning.max_leapfrogs = 1;
  probe_tuning.centre.clear();
  probe_tuning.step_size = guess;
  int direction = 0;
  for (int attempt = 0; attempt < 100; ++attempt) {
    ChainBlock probe(0, chains, W.dim());
    for (std::size_t i = 0; i < W.dim(); ++i) {
      std::copy_n(blocks[0].y.view().row(i), lane_group, probe.y.view().row(i));
    }
    evaluate(W, probe, workspaces[0]);
    StepInfo info(probe.lanes());
    kernel->advance(W, noise, probe_step + probes++, probe_tuning, probe, info, workspaces[0]);
    double mean = 0;
    for (std::size_t l = 0; l < chains; ++l) {
      mean += info.acceptance[l] / double(chains);
    }
    const int wanted = mean > 0.5 ? 1 : -1;
    if (direction != 0 && wanted != direction) {
      break;
    }
    direction = wanted;
    probe_tuning.step_size *= direction > 0 ? 2.0 : 0.5;
  }
  return probe_tuning.step_size;
}

double Sampler::State::mean_acceptance() const {
  double sum = 0;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (std::size_t l = 0; l < blocks[b].chains; ++l) {
      sum += infos[b].acceptance[l];
    }
  }
  return sum / double(plan.chains);
}

double Sampler::State::harmonic_acceptance() const {
  constexpr double least = 1e-3;  // a single stuck chain of a thousand halves the mean
  double sum = 0;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (std::size_t l = 0; l < blocks[b].chains; ++l) {
      sum += 1 / std::max(infos[b].acceptance[l], least);
    }
  }
  return double(plan.chains) / sum;
}

void Sampler::State::warm_up_step() {
  tuning.step_size = step_size_at(t);
  tuning.max_leapfrogs = t < schedule.first ? early_leapfrogs : Tuning{}.max_leapfrogs;
  threads.for_each(blocks.size(), [&](std::size_t b) {
    kernel->advance(W, noise, t, tuning, blocks[b], infos[b], workspaces[b]);
  });
  if (!kernel->exact() && plan.step_size && plan.on_non_finite == OnNonFinite::fail) {
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      for (std::size_t l = 0; l < blocks[b].chains; ++l) {
        if (infos[b].divergent[l] != 0) {
          report_lost({t, blocks[b].first_chain + static_cast<std::uint32_t>(l)});
        }
      }
    }
  }
  gradients += kernel->gradients(t, tuning);
  adapt();
  if (++t == plan.warmup) {
    end_warm_up();
  }
}

void Sampler::State::adapt() {
  // While chains still look for the typical set, one that is stuck must be heard: the harmonic
  // mean.
  const double acceptance = t < schedule.first ? harmonic_acceptance() : mean_acceptance();
  if (!plan.step_size) {
    tuning.step_size = step_adaptation.update(acceptance, target_acceptance);
  }
  if (!schedule.in_windows(t)) {
    return;
  }
  moments.add(blocks);
  if (adapts_length) {
    adapt_length();
  }
  if (schedule.closes_window(t)) {
    variance = moments.variance();
    if (diagonal) {
      tuning.scale = scales_from(moments);
      if (!plan.step_size) {
        tuning.step_size = reasonable_step(tuning.step_size);
        step_adaptation.restart(tuning.step_size);
      }
    }
    moments.clear();
  }
}

void Sampler::State::adapt_length() {
  if (!tuning.centre.empty()) {
    double slope = 0, weight = 0;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      for (std::size_t l = 0; l < blocks[b].chains; ++l) {
        const double a = infos[b].acceptance[l];
        if (a > 0 && std::isfinite(infos[b].length_slope[l])) {
          slope += a * infos[b].length_slope[l];
          weight += a;
        }
      }
    }
    tuning.trajectory_length =
        length_ascent.update(weight > 0 ? slope / weight : 0.0, tuning.step_size,
                             tuning.step_size * double(Tuning{}.max_leapfrogs));
  }
  tuning.centre = moments.mean();
}

void Sampler::State::end_warm_up() {
  if (!plan.step_size) {
    tuning.step_size = step_adaptation.average();
  }
  if (adapts_length) {
    tuning.trajectory_length = length_ascent.average();
  }
  if (!plan.thin) {
    thin = automatic_thin();
  }
  tuning.centre.clear();
  tuning.max_leapfrogs = Tuning{}.max_leapfrogs;
}

std::uint64_t Sampler::State::automatic_thin() const {
  double relaxation = 0;
  for (std::size_t i = 0; kernel->diffuses() && i < variance.size(); ++i) {
    const double scale = tuning.scale.empty() ? 1.0 : tuning.scale[i];
    relaxation = std::max(relaxation, variance[i] / (tuning.step_size * scale * scale));
  }
  return static_cast<std::uint64_t>(std::clamp(std::ceil(relaxation_times_per_draw * relaxation),
                                               1.0, double(longest_automatic_thin)));
}

void Sampler::State::sample_chunk(std::uint64_t steps, DrawSink& sink) {
  std::vector<Lost> lost(blocks.size());
  threads.for_each(blocks.size(), [&](std::size_t b) { lost[b] = sample_block(b, steps, sink); });
  const Lost first = *std::min_element(lost.begin(), lost.end());
  if (first.step != Lost{}.step) {
    report_lost(first);
  }
  for (const std::uint64_t end = t + steps; t < end; ++t) {
    tuning.step_size = step_size_at(t);
    gradients += kernel->gradients(t, tuning);
  }
}

Lost Sampler::State::sample_block(std::size_t b, std::uint64_t steps, DrawSink& sink) {
  ChainBlock& block = blocks[b];
  StepInfo& info = infos[b];
  Tuning now = tuning;
  for (std::uint64_t s = t; s < t + steps; ++s) {
    now.step_size = step_size_at(s);
    kernel->advance(W, noise, s, now, block, info, workspaces[b]);
    for (std::size_t l = 0; l < block.chains; ++l) {
      const std::size_t chain = block.first_chain + l;
      acceptance_sum[chain] += info.acceptance[l];
      acceptance_now[b][l] = info.acceptance[l];
      if (info.divergent[l] != 0) {
        diverged[chain] += 1;
        lost_now[b][l] = 1;
        if (!kernel->exact() && plan.on_non_finite == OnNonFinite::fail) {
          return {s, static_cast<std::uint32_t>(chain)};
        }
      }
    }
    if ((s + 1 - plan.warmup) % thin == 0) {
      put_draws(b, (s + 1 - plan.warmup) / thin - 1, sink);
    }
  }
  return {};
}

void Sampler::State::put_draws(std::size_t b, std::uint64_t draw, DrawSink& sink) {
  const ChainBlock& block = blocks[b];
  Workspace& ws = workspaces[b];
  Workspace::Scope scope(ws);
  const ConstBlock y = block.y.view();
  const Block x = ws.block(problem.map.primal_dim(), block.lanes());
  problem.map.to_primal(y, x, ws);
  const std::span<double> primal = ws.array(x.rows()), dual = ws.array(y.rows());
  for (std::size_t l = 0; l < block.chains; ++l) {
    for (std::size_t i = 0; i < x.rows(); ++i) {
      primal[i] = x.at(i, l);
    }
    for (std::size_t i = 0; i < y.rows(); ++i) {
      dual[i] = y.at(i, l);
    }
    sink.put({.chain = block.first_chain + static_cast<std::uint32_t>(l),
              .draw = draw,
              .primal = primal,
              .dual = dual,
              .log_density = -block.value[l],
              .acceptance = acceptance_now[b][l],
              .divergent = lost_now[b][l] != 0});
    lost_now[b][l] = 0;
  }
}

void Sampler::State::report_lost(const Lost& lost) const {
  const double step_size = step_size_at(lost.step);
  fail(Fault::data,
       fmt::format("kernel {}, chain {}, step {}", kernel->name(), lost.chain + 1, lost.step + 1),
       fmt::format("the state is no longer finite at step size {:.3g}", step_size),
       fmt::format("use --step-size auto or {:.2g}, or --kernel mala", step_size / 4));
}

std::uint64_t Sampler::State::divergences() const {
  double sum = 0;
  for (const double d : diverged) {
    sum += d;
  }
  return static_cast<std::uint64_t>(sum);
}

// Covers plan, problem and the bits of W at the start, hence data and instruction set too.
std::uint64_t Sampler::State::request_fingerprint() const {
  std::string text =
      fmt::format("{} {} {} {} {} {} {} {} {} {}", problem.map.name(), problem.target.name(),
                  W.dim(), plan.kernel, plan.seed, plan.chains, plan.warmup, plan.draws,
                  plan.thin.value_or(0), diagonal);
  const auto number = [&](double v) { text += fmt::format(" {}", v); };
  if (plan.step_size) {
    number(plan.step_size->initial);
    number(plan.step_size->offset);
    number(plan.step_size->exponent);
  }
  number(target_acceptance);
  number(plan.trajectory_length.value_or(-1));
  number(double(plan.on_non_finite));
  Workspace ws;
  ChainBlock start(0, 1, W.dim());
  for (std::size_t i = 0; i < W.dim(); ++i) {
    std::fill_n(start.y.view().row(i), lane_group, y0[i] + 0.25);
  }
  evaluate(W, start, ws);
  number(start.value[0]);
  for (std::size_t i = 0; i < W.dim(); ++i) {
    number(start.grad.view().at(i, 0));
  }
  return fingerprint(text);
}

void Sampler::State::archive(Archive& a) {
  a.field(t);
  a.field(gradients);
  a.field(probes);
  a.field(thin);
  a.field(variance);
  a.field(tuning.step_size);
  a.field(tuning.trajectory_length);
  a.field(tuning.scale);
  a.field(tuning.centre);
  a.field(tuning.max_leapfrogs);
  step_adaptation.archive(a);
  moments.archive(a);
  length_ascent.archive(a);
  a.field(acceptance_sum);
  a.field(diverged);
  // Chain by chain: a resumed run may cut chains into other blocks.
  std::vector<double> chain(W.dim() + 2);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const Block y = blocks[b].y.view();
    for (std::size_t l = 0; l < y.lanes(); ++l) {
      if (l < blocks[b].chains) {
        for (std::size_t i = 0; i < W.dim(); ++i) {
          chain[i] = y.at(i, l);
        }
        chain[W.dim()] = acceptance_now[b][l];
        chain[W.dim() + 1] = lost_now[b][l];
        a.field(std::span<double>(chain));
      }
      if (a.reading()) {  // padding repeats the last chain
        for (std::size_t i = 0; i < W.dim(); ++i) {
          y.at(i, l) = chain[i];
        }
        acceptance_now[b][l] = chain[W.dim()];
        lost_now[b][l] = chain[W.dim() + 1];
      }
    }
    if (a.reading()) {
      evaluate(W, blocks[b], workspaces[b]);
    }
  }
}

Sampler::Sampler(const Problem& problem, const SamplePlan& plan, Threads& threads)
    : state_(std::make_unique<State>(problem, plan, threads)) {}
Sampler::~Sampler() = default;

RunSummary Sampler::run(DrawSink& sink, Observer& observer) {
  State& s = *state_;
  const auto start = Clock::now();
  const double cpu_start = process_cpu_seconds();
  auto reported = start;
  std::uint64_t chunk = 1;
  bool stopped = false;
  while (s.t < s.total_steps() && !stopped) {
    const auto begin = Clock::now();
    const bool warming = s.t < s.plan.warmup;
    if (warming) {
      s.warm_up_step();
    } else {
      s.sample_chunk(std::min(chunk, s.total_steps() - s.t), sink);
      const double spent = seconds_since(begin);
      chunk = spent < report_seconds / 2   ? chunk * 2
              : spent > report_seconds * 2 ? std::max<std::uint64_t>(1, chunk / 2)
                                           : chunk;
    }
    if (seconds_since(reported) >= report_seconds || s.t == s.total_steps()) {
      reported = Clock::now();
      stopped = observer.on_progress({.step = s.t,
                                      .total_steps = s.total_steps(),
                                      .draws = s.draws_done(),
                                      .warming_up = s.t < s.plan.warmup,
                                      .divergences = s.divergences(),
                                      .step_size = s.tuning.step_size,
                                      .acceptance = s.mean_acceptance()}) == Next::stop;
    }
  }
  RunSummary summary;
  summary.tuning = s.tuning;
  summary.draws = s.draws_done();
  summary.thin = s.thin;
  summary.gradients = s.gradients * s.plan.chains;
  summary.divergences = s.divergences();
  const double steps = s.t > s.plan.warmup ? double(s.t - s.plan.warmup) : 0.0;
  double acceptance = 0;
  for (const double a : s.acceptance_sum) {
    acceptance += a;
  }
  summary.acceptance = steps > 0 ? acceptance / (steps * s.plan.chains) : 1.0;
  if (!s.kernel->exact()) {
    summary.bias_indicator = summary.acceptance;
  }
  summary.seconds = seconds_since(start);
  summary.cpu_seconds = process_cpu_seconds() - cpu_start;
  summary.finished = s.t == s.total_steps();
  return summary;
}

std::size_t Sampler::state_bytes() const {
  // State, gradient, proposal, its gradient; about as much again for a step's scratch.
  std::size_t lanes = 0;
  for (const ChainBlock& block : state_->blocks) {
    lanes += block.lanes();
  }
  return 8 * lanes * (state_->W.dim() + state_->problem.map.primal_dim()) * sizeof(double);
}

namespace {
constexpr std::string_view format_name = "tain checkpoint 1";
}

void Sampler::save(const std::filesystem::path& path) const {
  Archive a;
  std::string name(format_name);
  std::uint64_t request = state_->request_fingerprint();
  a.field(name);
  a.field(request);
  state_->archive(a);
  write_atomically(path, a.finish());
}

void Sampler::restore(const std::filesystem::path& path) {
  Archive a(read_file(path), path.string());
  std::string name;
  std::uint64_t request = 0;
  a.field(name);
  a.field(request);
  if (name != format_name || request != state_->request_fingerprint()) {
    fail(Fault::data, path.string(), "belongs to another problem, plan, version or instruction set",
         "resume with the options of the first run, or start afresh");
  }
  state_->archive(a);
  a.expect_end();
}

}  // namespace tain
