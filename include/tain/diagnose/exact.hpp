// Draws against exact moments: is the sampler right?
//
// Definition: for mean and variance of x_i, and of log x_i, where the target knows them:
//   z = (estimate - exact) / MCSE. The variance is the mean of the squared deviations from the
//   sample mean, and its MCSE that of this mean.
#pragma once

#include <string>
#include <vector>

#include "tain/draws/draws.hpp"
#include "tain/targets/potential.hpp"

namespace tain {

struct ExactMoment {
  std::string name;  ///< e.g. "mean of x[3]", "variance of log x[1]"
  double exact = 0, estimate = 0, mcse = 0, z = 0;
};

/// One row per known moment; empty if the target knows none under this map.
std::vector<ExactMoment> compare_exact(const Draws& draws, const AnyMap& map,
                                       const TargetFacts& facts);

/// Largest |z| first where rows are cut, and what chance alone would give.
std::string format_exact(std::vector<ExactMoment> rows, std::size_t max_rows);

}  // namespace tain
