// What there is to choose from, for those who choose by name.
#pragma once

#include <string_view>

namespace tain {

struct NamedKind {
  std::string_view name, summary;
  std::string_view options = {};  ///< what it takes
};

}  // namespace tain
