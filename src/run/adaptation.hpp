// What warm-up learns, from all chains together: step size, scales, trajectory length.
//
// All parts are small values with explicit state, so that a run can be saved in the middle of
// warm-up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/archive.hpp"
#include "kernels/kernel.hpp"
#include "tain/run/record.hpp"

namespace tain {

/// Step size by dual averaging of the mean acceptance (Nesterov 2009; Hoffman & Gelman 2014, 3.2),
/// with their constants: gamma = 0.05, t0 = 10, kappa = 0.75.
class DualAveraging {
 public:
  /// Restarts around a step size that works.
  void restart(double step_size);
  /// One observation; returns the step size to try next.
  double update(double acceptance, double target);
  /// The averaged step size, to keep after warm-up.
  double average() const;
  void archive(Archive& a);

 private:
  double centre_ = 0, shortfall_ = 0, log_average_ = 0;
  std::uint64_t count_ = 0;
};

/// Means and variances of every coordinate over chains and steps. Sums run over chains in an order
/// that does not depend on how chains are cut into blocks and ranks: ascending, those of one number
/// modulo lane_group together.
class ChainMoments {
 public:
  explicit ChainMoments(std::size_t dim = 0);
  void clear();
  /// The sums of one step, so many numbers, go from rank to rank: opened where chain 0 is, passed
  /// on with the chains of every rank, closed by everybody.
  std::size_t turn_size() const { return sum_.size() * (1 + 2 * lane_group); }
  void open(const ChainBlock& first, std::span<double> turn) const;
  /// `blocks`: consecutive ones of whole lane groups, but for the last.
  void pass(std::span<const ChainBlock> blocks, std::span<double> turn) const;
  void close(std::span<const double> turn, std::uint64_t chains);
  std::uint64_t count() const { return count_; }
  std::vector<double> mean() const;
  std::vector<double> variance() const;
  void archive(Archive& a);

 private:
  std::uint64_t count_ = 0;
  std::vector<double> shift_, sum_, sum_squares_;  // of y - shift: no cancellation
};

/// Trajectory length by ascent in log tau of the criterion that kernels/hamiltonian.hpp states:
/// Adam without momentum (rate 0.05, second moment 0.95), which makes the slope's scale irrelevant;
/// one step per transition. The geometric average with weights t is kept.
class LengthAscent {
 public:
  void restart(double length);
  /// `slope`: acceptance-weighted mean slope in log tau; bounds keep the work of a step finite.
  double update(double slope, double shortest, double longest);
  double average() const;
  void archive(Archive& a);

 private:
  double log_length_ = 0, second_moment_ = 0, log_sum_ = 0, weight_ = 0;
  std::uint64_t count_ = 0;
};

/// Warm-up of `total` steps: a first phase that finds the typical set, windows of doubling length
/// that estimate the scales, a last phase for the step size alone.
struct WarmupSchedule {
  explicit WarmupSchedule(std::uint64_t total);
  bool in_windows(std::uint64_t t) const { return t >= first && t < last; }
  /// Does a window close after step t?
  bool closes_window(std::uint64_t t) const;
  std::uint64_t first = 0, last = 0;
  std::vector<std::uint64_t> ends;  ///< last step of each window
};

/// Scales from pooled variances: s_i^2 = var_i, drawn to their geometric mean with the weight of
/// five observations, which makes few-chain estimates safe without fixing a unit.
std::vector<double> scales_from(const ChainMoments& moments);

}  // namespace tain
