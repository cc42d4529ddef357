// Projections of a map that must have them.
#pragma once

#include "tain/maps/mirror_map.hpp"

namespace tain {

inline std::optional<Projection> projection_onto(const AnyMap& map) { return map.projection(); }
inline std::optional<Projection> projection_onto_hull(const AnyMap& map) {
  return map.hull_projection();
}

}  // namespace tain
