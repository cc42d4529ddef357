// Targets whose answers are known, for the verdict to be judged by.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "laws.hpp"
#include "tain/tain.hpp"

namespace tain::verdicts {

/// good: any sampler worth its name gets it right and should be believed. hostile: a run may be
/// wrong, and must not be trusted where it is. unknowable: nothing that a method sees, which knows
/// values and gradients where its chains have been, tells that it is wrong.
enum class Class { good, hostile, unknowable };
std::string_view text_of(Class kind);

struct Case {
  std::string name;
  Class kind = Class::good;
  Set set;
  Target target;
  /// One per coordinate; empty: no law is proper or known to be meant, and whatever is drawn is
  /// wrong.
  std::vector<Law> laws = {};
};

/// All, in the order of the table: good ones, hostile ones, unknowable ones.
std::vector<Case> all_cases();

// A file each.
std::vector<Case> set_cases();     ///< targets_sets.cpp: well-behaved on every set
std::vector<Case> model_cases();   ///< targets_models.cpp: well-behaved models and shapes
std::vector<Case> mode_cases();    ///< targets_modes.cpp: several modes
std::vector<Case> shape_cases();   ///< targets_shapes.cpp: funnels, tails, ridges
std::vector<Case> broken_cases();  ///< targets_broken.cpp: wrong gradients, jumps, infinite mass
std::vector<Case> unknowable_cases();  ///< targets_unknowable.cpp

/// Code of one's own in so many coordinates.
Target code(std::size_t dim, PointFunction V);
/// V of a mixture of normals, as code of one's own.
Target mixture(std::vector<Bump> bumps);
/// Two normals with sd 1 and first : 1 - first in mass, at `low` and at `low` + `distance` along
/// the diagonal.
std::vector<Bump> two_bumps(std::size_t dim, double low, double distance, double first = 0.5);

}  // namespace tain::verdicts
