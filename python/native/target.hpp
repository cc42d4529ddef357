// A target as Python holds it.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tain/targets/target.hpp"

namespace tain::python {

class UserFunction;

/// Moved, never copied: one object of Python's shows a function to its garbage collector.
struct Target {
  explicit Target(tain::Target whole)
      : target(std::move(whole)), potential(target.potential(std::nullopt)) {}
  explicit Target(AnyPotential code, std::vector<std::string> names = {},
                  std::vector<std::shared_ptr<UserFunction>> called = {})
      : target(code, std::move(names)), potential(std::move(code)), functions(std::move(called)) {}
  Target(Target&&) = default;
  Target& operator=(Target&&) = default;
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;
  ~Target() = default;

  tain::Target target;
  AnyPotential potential;                                ///< of it
  std::vector<std::shared_ptr<UserFunction>> functions;  ///< that the potential calls
};

}  // namespace tain::python
