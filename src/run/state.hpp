// Everything a run knows: what Sampler's functions, a file per phase, work on.
#pragma once

#include <chrono>
#include <compare>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "core/archive.hpp"
#include "run/adaptation.hpp"
#include "run/chains_of_rank.hpp"
#include "run/draw_buffers.hpp"
#include "run/sampler.hpp"
#include "run/start.hpp"
#include "run/walk.hpp"

namespace tain {

/// The earliest step at which an unadjusted chain was lost.
struct NonFinite {
  std::uint64_t step = std::numeric_limits<std::uint64_t>::max();
  std::uint32_t chain = 0;
  auto operator<=>(const NonFinite&) const = default;
};

/// When to report, and how many steps to take until then.
class ReportClock {
 public:
  void begin_chunk() { begun_ = Clock::now(); }
  void reported() { reported_ = Clock::now(); }
  bool due() const;
  /// Steps of the next chunk, after one of `steps`.
  std::uint64_t next(std::uint64_t steps) const;

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point begun_ = Clock::now(), reported_ = Clock::now();
};

/// What all ranks know after a step of warm-up or a chunk of sampling. Rank 0 starts it, the others
/// add their chains in turn; numbers alone, so that it can travel in front of other sums.
struct StepSums {
  double report_due = 0, next_chunk = 1;  // by the clock of rank 0
  double acceptance = 0, inverse = 0;     // of the last step: sums of a and of 1/a
  double slope = 0, weight = 0;           // of the trajectory length
  double divergences = 0;                 // after warm-up
  double lost_step = std::numeric_limits<double>::infinity(), lost_chain = 0;
};

inline constexpr std::size_t step_sums_size = sizeof(StepSums) / sizeof(double);

struct Sampler::State {
  State(const Problem& p, const SamplePlan& given, Threads& pool, Comm& ranks);

  void make_blocks();
  void look_around();
  std::vector<StartPlace> start_places() const;
  void place_chains();
  void prepare_tuning();
  void require_same_on_all_ranks(std::uint64_t fingerprint, std::string_view what);
  double reasonable_step(double guess);
  std::vector<double> first_chains();
  void warm_up_step();
  /// After so many steps: fills step_sums and turn, or reports what any rank has lost.
  void share(std::uint64_t steps, const NonFinite& lost);
  void add_step(StepSums& sums) const;
  NonFinite lost_by_step() const;
  void adapt();
  void adapt_length();
  void end_warm_up();
  std::uint64_t automatic_thin() const;
  void sample_chunk(std::uint64_t steps, DrawSink& sink);
  NonFinite sample_pieces(std::uint64_t steps, DrawSink& sink);
  NonFinite sample_piece(std::uint64_t steps, DrawSink& sink);
  void step_over(std::uint64_t steps);
  NonFinite sample_block(std::size_t b, std::uint64_t steps, DrawSink& sink);
  void put_draws(std::size_t b, std::uint64_t draw, DrawSink& sink);
  [[noreturn]] void report_non_finite(const NonFinite& lost) const;
  Progress progress() const;
  std::uint64_t total_steps() const { return plan.warmup + plan.draws * thin; }
  std::uint64_t draws_done() const { return t < plan.warmup ? 0 : (t - plan.warmup) / thin; }
  /// After warm-up, until the draws are the next multiple of a number; 0: never.
  std::uint64_t steps_to_draws(std::uint64_t every) const;
  std::uint64_t steps_to_failpoint() const;
  double step_size_at(std::uint64_t step) const {
    return plan.step_size ? (*plan.step_size)(step) : tuning.step_size;
  }
  double divergences() const;  // of this rank
  RunSummary summary(double cpu_seconds);
  std::uint64_t request_fingerprint() const;
  std::uint64_t tuning_fingerprint() const;
  // A chain as numbers: sum of acceptances, divergences, state, memory, last acceptance, lost.
  std::size_t record_size() const { return W.dim() + kernel->memory_rows(W.dim()) + 4; }
  std::vector<double> own_records() const;
  std::vector<double> all_records() const;  // on rank 0
  void take_records(std::span<const double> all);
  void archive(Archive& a, std::span<double> records);
  /// After reading: could a run like this one have come to it?
  void require_possible(const Archive& a, std::span<const double> records) const;

  Problem problem;
  SamplePlan plan;
  Threads& threads;
  Comm& comm;
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
  Survey modes;  // none where they were not looked for

  ChainRange own;
  std::vector<ChainBlock> blocks;  // of own chains
  std::vector<StepInfo> infos;
  std::vector<Workspace> workspaces;
  std::optional<DrawBuffers> parcels;  // none in a process by itself
  ReportClock pace;
  StepSums step_sums;
  std::vector<double> turn;  // those sums and sums of moments, as they travel

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
  std::vector<double> acceptance_sum, diverged;  // per own chain, after warm-up
  std::vector<std::vector<double>> lost_now;     // per block: since the last draw
  std::vector<NonFinite> lost_in;                // per block: in the piece just made
};

}  // namespace tain
