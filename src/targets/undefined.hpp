// Points at which a target is not defined, as its code says by what it throws.
#pragma once

#include <exception>
#include <span>

#include "tain/targets/potential.hpp"

namespace tain {

/// UndefinedHere, std::domain_error, std::range_error, or an error in data, as libraries give.
bool is_undefined_here(const std::exception& thrown);

/// As evaluate, but +inf with no slope in lanes where the target is not defined: for those who look
/// further out than a run may come.
void evaluate_where_defined(const AnyPotential& W, ConstBlock y, std::span<double> value,
                            Block grad, Workspace& ws);

}  // namespace tain
