// A target as Python holds it.
#pragma once

#include <string>
#include <vector>

#include "tain/targets/potential.hpp"

namespace tain::python {

struct Target {
  AnyPotential potential;
  std::vector<std::string> names = {};  ///< of the coordinates; empty: x[1], x[2], ...
};

}  // namespace tain::python
