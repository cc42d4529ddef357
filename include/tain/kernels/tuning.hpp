// What warm-up chooses and sampling keeps fixed; shared by all chains.
#pragma once

#include <cstdint>
#include <vector>

namespace tain {

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
