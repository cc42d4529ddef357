// What there is to choose from, for those who choose by name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tain {

struct NamedKind {
  std::string_view name, summary;
  std::vector<std::string> fields = {};  ///< what it takes, by the names that errors use
};

}  // namespace tain
