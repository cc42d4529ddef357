// Is there no constraint at all? Then y = x, and closed forms of unconstrained laws hold.
#pragma once

#include <algorithm>
#include <cmath>

#include "maps/box.hpp"
#include "tain/maps/mirror_map.hpp"

namespace tain {

inline bool is_whole_space(const AnyMap& map) {
  const BoxMap* box = map.as<BoxMap>();
  const auto infinite = [](double bound) { return std::isinf(bound); };
  return box && std::ranges::all_of(box->lower(), infinite) &&
         std::ranges::all_of(box->upper(), infinite);
}

}  // namespace tain
