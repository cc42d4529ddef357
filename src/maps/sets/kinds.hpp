// What the files of kinds share.
#pragma once

#include "core/number_file.hpp"
#include "maps/set_kind.hpp"

namespace tain {

template <class Kind>
std::unique_ptr<SetKind> make_kind() {
  return std::make_unique<Kind>();
}

/// Refuses numbers that do not fit together as soon as the dimension is known.
template <class Kind>
Set checked(Kind kind) {
  if (const Dim dim = kind.dim()) {
    kind.check(*dim);
  }
  return Set(std::make_shared<const Kind>(std::move(kind)));
}

}  // namespace tain
