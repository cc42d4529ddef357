// What the files of kinds share.
#pragma once

#include <fmt/format.h>

#include "core/number_file.hpp"
#include "maps/set_kind.hpp"
#include "tain/core/error.hpp"

namespace tain {

template <class Kind>
std::unique_ptr<SetKind> make_kind() {
  return std::make_unique<Kind>();
}

inline constexpr std::size_t deepest_set = 64;

/// Refuses numbers that do not fit together as soon as the dimension is known.
template <class Kind>
Set checked(Kind kind) {
  if (kind.depth() > deepest_set) {
    fail(Fault::config, std::string(kind.name()),
         fmt::format("more than {} sets within one another", deepest_set),
         "give product() all its parts at once");
  }
  if (const Dim dim = kind.dim()) {
    kind.check(*dim);
  }
  return Set(std::make_shared<const Kind>(std::move(kind)));
}

}  // namespace tain
