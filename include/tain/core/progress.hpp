// How far long work has come.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "tain/core/next.hpp"

namespace tain {

struct WorkProgress {
  enum class Unit { documents, bytes };

  std::string_view phase;  ///< "counting words", "inferring topics", ...
  std::uint64_t documents = 0;
  std::uint64_t done = 0;                  ///< units, of the phase
  std::optional<std::uint64_t> size = {};  ///< of how many; none: not known
  Unit unit = Unit::documents;
};

/// May stop the work.
using WorkWatch = std::function<Next(const WorkProgress&)>;

}  // namespace tain
