// Warm-up: steps that adapt step size, scales and trajectory length from all chains together.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "run/state.hpp"

namespace tain {

namespace {
// Before scales are known, long trajectories are waste.
constexpr std::uint64_t early_leapfrogs = 8;
// Noise of step-size probes: beyond any run.
constexpr std::uint64_t probe_step = std::uint64_t{1} << 47;
// A single stuck chain of a thousand halves the harmonic mean.
constexpr double least_acceptance = 1e-3;
}  // namespace

// Doubles or halves until the acceptance of single steps of the first chains crosses one half. All
// ranks do the same.
double Sampler::State::reasonable_step(double guess) {
  const std::size_t chains = std::min<std::size_t>(plan.chains, lane_group);
  const std::vector<double> start = first_chains();
  Workspace ws;
  ws.use_lanes(chains);
  Tuning probe_tuning = tuning;
  probe_tuning.max_leapfrogs = 1;
  probe_tuning.centre.clear();
  probe_tuning.step_size = guess;
  int direction = 0;
  for (int attempt = 0; attempt < 100; ++attempt) {
    ChainBlock probe(0, chains, W.dim(), kernel->memory_rows(W.dim()));
    std::ranges::copy(start, probe.y.view().data());
    evaluate(W, probe, ws);
    kernel->prepare(probe);
    StepInfo info(probe.lanes());
    kernel->advance(W, noise, probe_step + probes++, probe_tuning, probe, info, ws);
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

void Sampler::State::warm_up_step() {
  tuning.step_size = step_size_at(t);
  tuning.max_leapfrogs = t < schedule.first ? early_leapfrogs : Tuning{}.max_leapfrogs;
  threads.for_each(blocks.size(), [&](std::size_t b) {
    blocks[b].fill_padding();
    kernel->advance(W, noise, t, tuning, blocks[b], infos[b], workspaces[b]);
  });
  gradients += kernel->gradients(t, tuning);
  share(1, lost_by_step());
  adapt();
  if (++t == plan.warmup) {
    end_warm_up();
  }
}

void Sampler::State::add_step(StepSums& sums) const {
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const StepInfo& info = infos[b];
    for (std::size_t l = 0; l < blocks[b].chains; ++l) {
      const double a = info.acceptance[l];
      sums.acceptance += a;
      sums.inverse += 1 / std::max(a, least_acceptance);
      if (a > 0 && std::isfinite(info.length_slope[l])) {
        sums.slope += a * info.length_slope[l];
        sums.weight += a;
      }
    }
  }
}

// An unadjusted step that was given, not searched for, must not lose a chain.
NonFinite Sampler::State::lost_by_step() const {
  if (kernel->exact() || !plan.step_size || plan.on_non_finite != OnNonFinite::fail) {
    return {};
  }
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (std::size_t l = 0; l < blocks[b].chains; ++l) {
      if (infos[b].divergent[l] != 0) {
        return {t, blocks[b].first_chain + static_cast<std::uint32_t>(l)};
      }
    }
  }
  return {};
}

void Sampler::State::adapt() {
  // While chains still look for the typical set, one that is stuck must be heard: the harmonic
  // mean.
  const double chains = double(plan.chains);
  const double acceptance =
      t < schedule.first ? chains / step_sums.inverse : step_sums.acceptance / chains;
  if (!plan.step_size) {
    history.add(t, tuning.step_size, acceptance);
    tuning.step_size = step_adaptation.update(acceptance, target_acceptance);
  }
  if (!schedule.in_windows(t)) {
    return;
  }
  moments.close(std::span(turn).subspan(step_sums_size), plan.chains);
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
    const double slope = step_sums.weight > 0 ? step_sums.slope / step_sums.weight : 0.0;
    tuning.trajectory_length = length_ascent.update(
        slope, tuning.step_size, tuning.step_size * double(Tuning{}.max_leapfrogs));
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
  tuning.probe_every = walk.probe_every;
  require_same_on_all_ranks(tuning_fingerprint(), "results of warm-up");
}

std::uint64_t Sampler::State::automatic_thin() const {
  const double steps = relaxation_times_per_draw * kernel->relaxation(variance, tuning);
  return static_cast<std::uint64_t>(
      std::clamp(std::ceil(steps), 1.0, double(longest_automatic_thin)));
}

}  // namespace tain
