// Gammas one by one, of different shapes: a chain of its own, row after row.
#pragma once

#include <cmath>
#include <cstdint>

#include "random/gamma.hpp"

namespace tain::testing {

class GammaSource {
 public:
  GammaSource(const NoiseField& noise, Purpose purpose, std::uint64_t step, std::uint32_t chain)
      : noise_(noise), place_{purpose, step, chain} {}

  double log(double shape) {
    const Block cell(&shape, 1, 1);
    log_gammas(noise_, place_, cell, cell);
    ++place_.first_row;
    return shape;
  }
  double operator()(double shape) { return std::exp(log(shape)); }

 private:
  NoiseField noise_;
  NoisePlace place_;
};

}  // namespace tain::testing
