// The record of a run: what was asked for and what was done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tain/kernels/tuning.hpp"
#include "tain/run/plan.hpp"

namespace tain {

class Archive;

/// How the step size was found: a bounded account of warm-up.
///
/// Definition: point k covers `stride` consecutive steps: the last of them, the geometric mean of
///   their step sizes, the mean of their acceptances. Where more than `most` points would be
///   needed, neighbours are merged and the stride doubles, so any warm-up leaves between most / 2
///   and most points.
/// Laws: a function of the steps alone, wherever the run was saved and restored in between.
struct StepSizeHistory {
  static constexpr std::size_t most = 256;

  void add(std::uint64_t step, double step_size, double acceptance);
  void archive(Archive& a);
  bool empty() const { return step.empty(); }

  std::vector<double> step;  ///< numbers of steps, exact up to 2^53
  std::vector<double> step_size, acceptance;

 private:
  void merge_neighbours();

  std::uint64_t stride_ = 1, pending_ = 0;
  double log_sum_ = 0, acceptance_sum_ = 0;  // of the steps that wait for their point
};

struct RunSummary {
  Tuning tuning;
  StepSizeHistory history;        ///< empty where the step size was given
  std::uint64_t draws = 0;        ///< complete draws per chain
  std::uint64_t thin = 1;         ///< steps per draw
  std::uint64_t gradients = 0;    ///< over all chains, warm-up included
  std::uint64_t divergences = 0;  ///< after warm-up
  double acceptance = 1;          ///< mean over sampling steps
  /// Unadjusted kernels: that same mean, as an indicator of bias.
  std::optional<double> bias_indicator;
  bool bias_unknown = false;  ///< unadjusted, and no such indicator
  double seconds = 0;         ///< wall clock of this process's part, sampling only
  double cpu_seconds = 0;     ///< of all ranks
  bool finished = false;
};

/// As far as it is known: of draws in a file, texts may be empty and counts 0. The kernel is empty
/// where another sampler drew them.
struct RunRecord {
  SamplePlan plan;  ///< with "auto" as what it meant
  std::string target, map;
  std::vector<std::string> notes;             ///< what was decided on the user's behalf
  std::map<std::string, std::string> inputs;  ///< files with their hashes
  std::vector<std::string> files;             ///< names of those that hold the draws
  std::string version, isa, compiler, started, ended, stop_reason;
  RunSummary done;
};

}  // namespace tain
