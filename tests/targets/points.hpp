// Points to test at: reproducible and of a given spread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

#include "tain/core/block.hpp"

namespace tain::testing_support {

/// centre + spread * normal, in every coordinate.
inline BlockStorage normal_points(std::size_t rows, std::size_t lanes, std::uint64_t seed,
                                  double centre, double spread) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  BlockStorage points(rows, lanes);
  for (double& x : points.view().flat()) {
    x = centre + spread * normal(engine);
  }
  return points;
}

/// low + (high - low) * uniform, in every coordinate.
inline BlockStorage uniform_points(std::size_t rows, std::size_t lanes, std::uint64_t seed,
                                   double low, double high) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> uniform(low, high);
  BlockStorage points(rows, lanes);
  for (double& x : points.view().flat()) {
    x = uniform(engine);
  }
  return points;
}

}  // namespace tain::testing_support
