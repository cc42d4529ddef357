// The cells of a block as the vector code of gamma.cpp sees them.
#pragma once

#include <cmath>

#include "random/gamma.hpp"
#include "random/philox.hpp"

namespace tain {

/// A step's process: theta' = gain Gamma(A + Poisson(per_growth theta)).
struct GammaStep {
  explicit GammaStep(double h) : per_growth(1 / std::expm1(h)), gain(-std::expm1(-h)) {}
  double per_growth;  ///< 1 / (e^h - 1)
  double gain;        ///< 1 - e^-h
};

struct FloatCells {
  const philox::Keys& keys;
  const NoisePlace& place;
  float common;
  const GammaInverse* inverse;  ///< of the common shape; null if it has none
  ConstFloatBlock shapes;
  FloatBlock out;
  const GammaStep* step = nullptr;  ///< null: draws
  ConstFloatBlock states = {};      ///< what a step starts from
};

struct LogCells {
  const philox::Keys& keys;
  const NoisePlace& place;
  ConstBlock shapes;
  Block out;  ///< of a step what it starts from
  const GammaStep* step = nullptr;
};

}  // namespace tain
