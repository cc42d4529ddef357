#include "run/sampler.hpp"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/failpoint.hpp"
#include "run/kernel_table.hpp"
#include "run/start.hpp"
#include "run/state.hpp"
#include "tain/core/error.hpp"
#include "targets/mirrored.hpp"

namespace tain {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double report_seconds = 0.1;  // whoever watches is told about this often

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Comm& alone() {
  static Alone process;
  return process;
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

}  // namespace

bool ReportClock::due() const { return seconds_since(reported_) >= report_seconds; }

std::uint64_t ReportClock::next(std::uint64_t steps) const {
  const double spent = seconds_since(begun_);
  return spent < report_seconds / 2   ? steps * 2
         : spent > report_seconds * 2 ? std::max<std::uint64_t>(1, steps / 2)
                                      : steps;
}

Sampler::State::State(const Problem& p, const SamplePlan& given, Threads& pool, Comm& ranks)
    : problem(p),
      plan((validate(given), given)),
      threads(pool),
      comm(ranks),
      dual(mirrored(p.map, p.target, p.form)),
      walk(make_walk(p, given)),
      W(walk.potential),
      kernel(walk.kernel.get()),
      noise(given.seed),
      diagonal(given.precondition == Precondition::diagonal ||
               (given.precondition == Precondition::automatic && kernel->exact() &&
                kernel->reports_acceptance())),
      adapts_length(kernel_row(kernel->name()).has(Has::trajectories) && !given.trajectory_length),
      target_acceptance(given.target_acceptance.value_or(kernel->target_acceptance())),
      schedule(given.warmup),
      own(chains_of_rank(given.chains, ranks.rank(), ranks.ranks())),
      thin(given.thin.value_or(1)),
      moments(W.dim()),
      acceptance_sum(own.count),
      diverged(own.count) {
  if (!plan.step_size && !kernel->reports_acceptance()) {
    fail(Fault::config, Field{"step_size"},
         fmt::format("kernel {} has no automatic one", kernel->name()), "give one, e.g. 0.01");
  }
  if (!kernel->reports_acceptance() && plan.precondition == Precondition::diagonal) {
    fail(Fault::config, Field{"precondition"}, fmt::format("kernel {} has none", kernel->name()),
         "leave it out");
  }
  if (!plan.step_size && plan.warmup == 0) {
    fail(Fault::config, Field{"step_size"}, "auto needs warm-up steps to find one",
         Phrase("give ", Field{"warmup", "100"}, " or more, or a step size"));
  }
  make_blocks();
  place_chains();
  require_same_on_all_ranks(request_fingerprint(), "problems, plans or instruction sets");
  prepare_tuning();
}

void Sampler::State::make_blocks() {
  const std::size_t lanes = lanes_per_block(W.dim(), own.count, threads.count());
  for (std::size_t begun = 0; begun < own.count; begun += lanes) {
    blocks.emplace_back(own.first + static_cast<std::uint32_t>(begun),
                        std::min<std::size_t>(lanes, own.count - begun), W.dim(),
                        kernel->memory_rows(W.dim()));
    infos.emplace_back(blocks.back().lanes());
    lost_now.emplace_back(blocks.back().lanes(), 0.0);
  }
  workspaces.resize(blocks.size());
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    workspaces[b].use_lanes(blocks[b].chains);
  }
  if (!comm.alone()) {
    parcels.emplace(comm, threads, plan.chains, problem.map.primal_dim(), W.dim());
  }
}

void Sampler::State::look_around() {
  const TargetFacts facts = problem.target.facts(problem.map);
  std::vector<double> point = plan.start.given() ? plan.start.values : facts.start;
  if (point.empty()) {
    point.resize(problem.map.primal_dim());
    problem.map.centre(point);
  }
  y0 = dual_start(problem.map, point);
  // Descents take whole gradients: not where the point of a run is to avoid them.
  if (!problem.target.unimodal() && plan.batch.size == 0) {
    Workspace ws;
    const std::size_t steps = plan.chains * (plan.warmup + plan.draws);
    modes = tain::survey(dual, y0, looks_for(dual.dim(), steps), noise, ws);
  }
}

std::vector<StartPlace> Sampler::State::start_places() const {
  if (plan.start.given()) {
    return {{y0, std::vector(dual.dim(), 0.0)}};
  }
  // The local Gaussian's standard deviation.
  const auto spread_at = [&](const std::vector<double>& y, double flattest) {
    std::vector<double> spread = curvature_diagonal(dual, y, noise);
    std::ranges::transform(spread, spread.begin(), [=](double h) {
      return h > 0 ? 1 / std::sqrt(std::max(h, flattest)) : 1.0;
    });
    return spread;
  };
  if (modes.modes.empty()) {
    // Flat directions are believed only where the target itself named the point; elsewhere they
    // keep the natural unit of the dual.
    const bool named = !problem.target.facts(problem.map).start.empty();
    std::vector<StartPlace> places{{y0, spread_at(y0, named ? 1e-4 : 1.0)}};
    for (const std::vector<Well>& wells : modes.entries) {  // a funnel: no mode that counts
      for (const Well& entry : wells) {
        places.push_back({entry.y, std::vector(dual.dim(), 0.0)});
        places.push_back(places.front());
      }
    }
    return places;
  }
  // In every mode by turns: around it, then at the edges that descents from everywhere saw.
  std::size_t rounds = 1;
  for (const std::vector<Well>& wells : modes.entries) {
    rounds = std::max(rounds, 2 * wells.size());
  }
  std::vector<StartPlace> places;
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t m = 0; m < modes.modes.size(); ++m) {
      const std::vector<Well>& edges = modes.entries[m];
      if (round % 2 == 0 || edges.empty()) {
        places.push_back({modes.modes[m].y, modes.modes[m].width});
      } else {
        places.push_back({edges[round / 2 % edges.size()].y, std::vector(dual.dim(), 0.0)});
      }
    }
  }
  return places;
}

void Sampler::State::place_chains() {
  look_around();
  const std::vector<StartPlace> places = start_places();
  y0 = places.front().y;
  threads.for_each(blocks.size(), [&](std::size_t b) {
    ChainBlock& block = blocks[b];
    ChainBlock start(block.first_chain, block.chains, dual.dim());
    disperse(dual, places, noise, start, workspaces[b]);
    walk.from_dual(start.y.view(), block.y.view(), workspaces[b]);
    evaluate(W, block, workspaces[b]);
    kernel->prepare(block);
  });
  std::uint64_t lost = 0;
  for (const ChainBlock& block : blocks) {
    for (std::size_t l = 0; l < block.chains; ++l) {
      bool finite = std::isfinite(block.value[l]);
      for (std::size_t i = 0; finite && i < W.dim(); ++i) {
        finite = std::isfinite(block.grad.view().at(i, l));
      }
      lost += finite ? 0 : 1;
    }
  }
  comm.sum({&lost, 1});
  if (lost > 0) {
    fail(Fault::data, fmt::format("target {}", problem.target.name()),
         "its value or gradient is not finite at the starting point",
         Phrase("give another ", Field{"start"}, " inside its support"));
  }
  if (diagonal) {
    tuning.scale = places.front().spread;
    if (plan.start.given()) {
      tuning.scale.assign(W.dim(), 1.0);
    }
  }
}

void Sampler::State::prepare_tuning() {
  tuning.probe_every = plan.step_size ? walk.probe_every : 1;
  tuning.trajectory_length = plan.trajectory_length.value_or(1.0);
  length_ascent.restart(tuning.trajectory_length);
  if (plan.step_size) {
    tuning.step_size = (*plan.step_size)(0);
    return;
  }
  double guess = 0.1;
  if (!kernel->exact() && !diagonal) {
    // beta <= 1/L, the rule of Theorem 4; refined by the bias indicator during warm-up.
    const auto known = problem.target.facts(problem.map).dual_lipschitz;
    const double lipschitz = known ? *known : largest_curvature(W, y0, noise);
    guess = lipschitz > 0 && std::isfinite(lipschitz) ? 1 / lipschitz : guess;
  }
  tuning.step_size = reasonable_step(guess);
  step_adaptation.restart(tuning.step_size);
}

Sampler::Sampler(const Problem& problem, const SamplePlan& plan, Threads& threads)
    : Sampler(problem, plan, threads, alone()) {}

Sampler::Sampler(const Problem& problem, const SamplePlan& plan, Threads& threads, Comm& comm)
    : state_(std::make_unique<State>(problem, resolved(plan), threads, comm)) {}

Sampler::~Sampler() = default;

const Survey& Sampler::survey() const { return state_->modes; }

Progress Sampler::State::progress() const {
  return {.step = t,
          .total_steps = total_steps(),
          .draws = draws_done(),
          .warming_up = t < plan.warmup,
          .divergences = static_cast<std::uint64_t>(step_sums.divergences),
          .step_size = tuning.step_size,
          .acceptance = step_sums.acceptance / double(plan.chains)};
}

RunSummary Sampler::State::summary(double cpu_seconds) {
  struct {
    double acceptance, divergences, cpu_seconds;
  } sums{};
  comm.ordered_reduce(std::as_writable_bytes(std::span(&sums, 1)), [&] {
    for (const double a : acceptance_sum) {
      sums.acceptance += a;
    }
    sums.divergences += divergences();
    sums.cpu_seconds += cpu_seconds;
  });
  RunSummary result;
  result.tuning = tuning;
  result.history = history;
  result.draws = draws_done();
  result.thin = thin;
  result.gradients = gradients * plan.chains;
  result.divergences = static_cast<std::uint64_t>(step_sums.divergences);
  const double steps = t > plan.warmup ? double(t - plan.warmup) : 0.0;
  result.acceptance = steps > 0 ? sums.acceptance / (steps * plan.chains) : 1.0;
  if (!kernel->exact() && kernel->reports_acceptance()) {
    result.bias_indicator = result.acceptance;
  }
  result.bias_unknown = !kernel->exact() && !kernel->reports_acceptance();
  result.cpu_seconds = sums.cpu_seconds;
  result.finished = t == total_steps();
  return result;
}

std::uint64_t Sampler::State::steps_to_draws(std::uint64_t every) const {
  return every == 0 ? std::numeric_limits<std::uint64_t>::max()
                    : every * thin - (t - plan.warmup) % (every * thin);
}

std::uint64_t Sampler::State::steps_to_failpoint() const {
  if (!comm.alone()) {  // all go in the same chunks, and one of them may not have the failpoint
    return std::numeric_limits<std::uint64_t>::max();
  }
  const std::uint64_t draws = failpoint_distance("draws", draws_done());
  return draws <= plan.draws ? draws * thin - (t - plan.warmup) % thin
                             : failpoint_distance("steps", t);
}

RunSummary Sampler::run(DrawSink& sink, const ProgressFunction& watch, std::uint64_t every) {
  State& s = *state_;
  const auto start = Clock::now();
  const double cpu_start = process_cpu_seconds();
  s.pace = {};
  std::uint64_t chunk = 1, stops = 0;
  every = std::min(every, s.plan.draws);
  while (s.t < s.total_steps() && stops == 0) {
    s.pace.begin_chunk();
    bool due = false;
    if (s.t < s.plan.warmup) {
      s.warm_up_step();
      due = every != 0 && s.t % every == 0;
    } else {
      const std::uint64_t to_look = s.steps_to_draws(every);
      const std::uint64_t steps =
          std::min({chunk, s.total_steps() - s.t, to_look, s.steps_to_failpoint()});
      s.sample_chunk(steps, sink);
      chunk = static_cast<std::uint64_t>(s.step_sums.next_chunk);
      due = steps == to_look;
    }
    failpoint_count("steps", s.t);
    failpoint_count("draws", s.draws_done());
    if (due || s.step_sums.report_due != 0 || s.t == s.total_steps()) {
      s.pace.reported();
      stops = watch && watch(s.progress()) == Next::stop ? 1 : 0;
      s.comm.sum({&stops, 1});
    }
  }
  RunSummary summary = s.summary(process_cpu_seconds() - cpu_start);
  summary.seconds = seconds_since(start);
  return summary;
}

}  // namespace tain
