// Descents of W from many points at once, to see where it is low before a run begins.
//
// Definition: L-BFGS with six pairs (Nocedal & Wright 2006, algorithm 7.4) and a backtracking line
//   search (Armijo, 1e-4), a descent per lane. W is in nats, so "settled" has a unit: a descent
//   ends where its next step promises less than 1e-9 of one, or where no step down is found.
// Laws: lanes are independent; W at the end is no higher than at the start; points where W or its
//   gradient is not finite are never stepped on.
// Cost: a block of those lanes that are still on their way per step, at most 200 steps.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tain/core/workspace.hpp"
#include "tain/targets/potential.hpp"

namespace tain {

struct Descent {
  std::vector<double> start, end;
  /// The first point whose Newton decrement, as far as the pairs tell it, is that of a draw of a
  /// Gaussian: at most d + 3 sqrt(2d). Where W has no lowest point, as in funnels, such points lie
  /// where the mass is. Empty: there was none.
  std::vector<double> entry;
  double value = 0;      ///< W at the end; +inf: it was not finite at the start
  bool settled = false;  ///< false: still going down when steps ran out
};

/// A descent from every point.
std::vector<Descent> descend(const AnyPotential& W, std::span<const std::vector<double>> starts,
                             Workspace& ws);

/// W at points, all of W.dim() numbers; +inf where it or the gradient is not finite.
std::vector<double> values_at(const AnyPotential& W, std::span<const std::vector<double>> points,
                              Workspace& ws);

}  // namespace tain
