// Mirrored: a target on a constrained set plus a mirror map *is* an unconstrained target.
//
// Definition: W(y) = V(grad h*(y)) + log det hess h(grad h*(y))        (paper 2.2, Lemma 1)
//   closed form   W and grad W from the target itself (paper 3.7), where it knows them for this map
//   generic form  grad W = hess h*(y) (grad V(x) + grad log det hess h(x))    (second line of 3.3)
// W is +inf where a coordinate of x is beyond 1e300: no chain may live where numbers end.
// Where the target is a sum of N terms, so is W, with W_i = V_i + log det / N (Lemma 2).
// Everything below this line, kernels included, knows nothing of constraints.
#pragma once

#include "tain/maps/mirror_map.hpp"
#include "tain/targets/potential.hpp"

namespace tain {

/// W as a Potential in y. Throws Error (config) when dimensions differ, or when `closed` is asked
/// for and the target has no closed dual under this map.
AnyPotential mirrored(const AnyMap& map, const AnyPotential& target,
                      DualForm form = DualForm::automatic);

}  // namespace tain
