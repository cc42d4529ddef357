// A target as Python holds it.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tain/targets/potential.hpp"

namespace tain::python {

class UserFunction;

/// Moved, never copied: one object of Python's shows a function to its garbage collector.
struct Target {
  explicit Target(AnyPotential v, std::vector<std::string> coordinates = {},
                  std::vector<std::shared_ptr<UserFunction>> called = {})
      : potential(std::move(v)), names(std::move(coordinates)), functions(std::move(called)) {}
  Target(Target&&) = default;
  Target& operator=(Target&&) = default;
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;
  ~Target() = default;

  AnyPotential potential;
  std::vector<std::string> names;  ///< of the coordinates; empty: x[1], x[2], ...
  std::vector<std::shared_ptr<UserFunction>> functions;  ///< that the potential calls
};

}  // namespace tain::python
