// A run: ensembles of chains from start to last draw.
//
// Phases: warm-up (adapts step size, preconditioner and trajectory length from all chains together,
//   in fixed order), then sampling (nothing adapts, so chains are independent). Step t counts from
//   0 over both phases; noise is addressed by (seed, chain, t).
// Ranks: each runs a range of the chains (run/chains_of_rank.hpp). What warm-up learns passes from rank
//   to rank once a step; afterwards only draws travel, to rank 0.
// Laws: bits depend neither on threads and ranks nor on where a run was stopped, saved and
//   restored.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/parallel.hpp"
#include "kernels/kernel.hpp"
#include "run/adaptation.hpp"
#include "run/sink.hpp"
#include "run/survey.hpp"
#include "tain/comm/comm.hpp"
#include "tain/maps/mirror_map.hpp"
#include "tain/run/plan.hpp"
#include "tain/run/record.hpp"
#include "tain/targets/potential.hpp"

namespace tain {

/// Steps per draw where the plan leaves it open: 1 for hmc; for Langevin kernels, which diffuse,
/// four relaxation times var_i / (beta s_i^2) of the slowest coordinate, at most 256.
inline constexpr double relaxation_times_per_draw = 4;
inline constexpr std::uint64_t longest_automatic_thin = 256;

struct Problem {
  AnyMap map;
  AnyPotential target;
  DualForm form = DualForm::automatic;
};

class Sampler {
 public:
  /// Validates everything: plan, dimensions, start inside the domain, finite W and gradient at the
  /// start.
  Sampler(const Problem& problem, const SamplePlan& plan, Threads& threads);
  /// One rank's part of the run. All ranks construct, run, save and restore together; throws Error
  /// (config) where their problems or plans differ.
  Sampler(const Problem& problem, const SamplePlan& plan, Threads& threads, Comm& comm);
  ~Sampler();

  /// The draws of all ranks go to the sink of rank 0. `every`: `watch` wants to be told after every
  /// so many steps of warm-up and every so many draws too, whatever the clock says; 0: it does not.
  /// The same on all ranks.
  RunSummary run(DrawSink& sink, const ProgressFunction& watch = {}, std::uint64_t every = 0);

  /// State to a file (atomically) and back; restore throws Error (data) if the file is damaged or
  /// from another problem or plan. Rank 0 writes and reads; any number of ranks may go on.
  /// `checksum`: of the draws so far, wherever they are kept; restore gives it back.
  void save(const std::filesystem::path& path, std::uint64_t checksum = 0) const;
  std::uint64_t restore(const std::filesystem::path& path);
  /// Draws of every chain so far.
  std::uint64_t draws() const;

  /// What was seen of the target before the run; empty where it is known, or nobody looked.
  const Survey& survey() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tain
