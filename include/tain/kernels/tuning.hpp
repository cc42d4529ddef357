// Step sizes that fall, and what warm-up chooses and sampling keeps fixed.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace tain {

/// Step size of step t: a (1 + t/b)^-c; c = 0 keeps it constant.
struct Schedule {
  double a = 0.1, b = 1000, c = 0;
  double operator()(std::uint64_t t) const { return a * std::pow(1 + double(t) / b, -c); }
};

/// Shared by all chains.
struct Tuning {
  double step_size = 0.1;  ///< beta of Langevin, epsilon of HMC
  /// s_i: diagonal preconditioner P = diag(s_i^2); empty: identity.
  std::vector<double> scale = {};
  double trajectory_length = 1.0;      ///< HMC only, in units of scaled time
  std::uint64_t max_leapfrogs = 1024;  ///< HMC only: bound on the work of one step
  /// HMC warm-up only: running mean of y, for the ChEES criterion.
  std::vector<double> centre = {};
  /// Kernels on mini-batches: steps between two looks at the whole potential, which is what their
  /// acceptance (the bias indicator) costs.
  std::uint64_t probe_every = 1;
};

}  // namespace tain
