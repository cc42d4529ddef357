// Logits stretched left of a knee (maps/simplex.hpp), a block at a time. Laws: those of
// core/lanes.hpp.
#pragma once

#include "core/lanes.hpp"

namespace tain::lanes {

/// Per row i: slope s_i left of the knee at c_i, 1 right of it; the bend is 1/sharpness wide.
struct Knees {
  std::span<const double> slopes;  ///< s_i >= 1
  std::span<const double> places;  ///< c_i
  double sharpness = 1;            ///< k
};
struct Stretched {
  Block u, slope, inverse_slope;
};
/// With v = y(i, l) - shift[l]: u = v - (s_i - 1)/k softplus(k (c_i - v)), slope = du/dv
/// = 1 + (s_i - 1) / (1 + e^(k (v - c_i))) and its inverse, both to 5 ULP for moderate k (c_i - v).
/// u may be y. Costs one exponential and one division.
void stretch(ConstBlock y, In shift, const Knees& knees, const Stretched& out);

}  // namespace tain::lanes
