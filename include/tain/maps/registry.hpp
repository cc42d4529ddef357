// The maps a user can name, for `tain maps` and the documentation.
#pragma once

#include <span>
#include <string_view>

namespace tain {

struct MapEntry {
  std::string_view name;     ///< as in problem files and --map
  std::string_view summary;  ///< the set and the formula, one line
  std::string_view options;  ///< what the constructor takes, one line
};

/// All maps, in the order they are listed to users.
std::span<const MapEntry> map_table();

}  // namespace tain
