// The rows of target_table(), and what the files of kinds share.
#pragma once

#include "targets/target_kind.hpp"

namespace tain {

TargetEntry dirichlet_entry();
TargetEntry gaussian_entry();
TargetEntry uniform_entry();
TargetEntry linear_regression_entry();
TargetEntry logistic_regression_entry();
TargetEntry library_entry();

template <class Kind>
std::unique_ptr<TargetKind> make_target_kind() {
  return std::make_unique<Kind>();
}

/// With its files read.
template <class Kind>
Target ready(Kind kind) {
  kind.read();
  return Target(std::make_shared<const Kind>(std::move(kind)));
}

/// Throws Error (usage) where nothing said how many coordinates there are.
std::size_t known(const Dim& dim);

}  // namespace tain
