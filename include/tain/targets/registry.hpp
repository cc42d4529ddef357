// The targets users can name, for `tain targets` and its completions.
#pragma once

#include <span>
#include <string_view>

namespace tain {

struct TargetEntry {
  std::string_view name;
  std::string_view summary;
  std::string_view options;  ///< what it needs or accepts, comma-separated
};

std::span<const TargetEntry> target_table();

}  // namespace tain
