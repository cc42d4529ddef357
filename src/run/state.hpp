// Everything a run knows: what Sampler's functions, a file per phase, work on.
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "tain/core/archive.hpp"
#include "tain/run/adaptation.hpp"
#include "tain/run/sampler.hpp"
#include "tain/run/walk.hpp"

namespace tain {

/// The earliest step at which an unadjusted chain was lost.
struct Lost {
  std::uint64_t step = std::numeric_limits<std::uint64_t>::max();
  std::uint32_t chain = 0;
  bool operator<(const Lost& other) const {
    return step != other.step ? step < other.step : chain < other.chain;
  }
};

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
  RunSummary summary() const;  // all but the times
  std::uint64_t request_fingerprint() const;
  void archive(Archive& a);

  Problem problem;
  SamplePlan plan;
  Threads& threads;
  AnyPotential dual;  // W of the mirror map: where chains start
  Walk walk;
  const AnyPotential& W;  // what the kernel walks on
  const Kernel* kernel;
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
  StepSizeHistory history;
  std::vector<double> acceptance_sum, diverged;  // per chain, after warm-up
  std::vector<std::vector<double>> lost_now;     // per block: since the last draw
};

}  // namespace tain
