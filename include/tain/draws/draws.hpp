// Draws as a value: in memory, in a mapped file, or read from one.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tain/maps/set.hpp"

namespace tain {

/// Arrays are row-major: (chain, draw, coordinate) and (chain, draw). Copies share the storage.
struct Draws {
  std::size_t chains = 0, draws = 0;
  std::vector<std::string> names = {};     ///< of coordinates
  std::vector<Parameter> parameters = {};  ///< that have names of their own
  std::span<const double> values = {};
  std::span<const double> acceptance = {}, diverging = {}, log_density = {};  ///< empty: unknown
  std::size_t dual_dim = 0;
  std::span<const double> dual = {};  ///< (chain, draw, dual coordinate); empty: unknown
  std::shared_ptr<const void> storage = {};
};

/// Whether to read the dual y of a file too, as large as the draws themselves.
enum class DualPart { skip, read };

/// Parts of x by their names: w[1], w[2], sigma are w and sigma.
std::vector<Parameter> parameters_of(std::span<const std::string> names);

}  // namespace tain
