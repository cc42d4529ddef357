// The laws of Potential (tain/targets/potential.hpp), checkable for any potential at any points.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "tain/targets/potential.hpp"

namespace tain::testing_support {

struct Evaluation {
  std::vector<double> value;
  BlockStorage grad;
};

inline Evaluation evaluate(const AnyPotential& v, ConstBlock x) {
  Evaluation out{std::vector<double>(x.lanes()), BlockStorage(x.rows(), x.lanes())};
  Workspace ws;
  v.evaluate(x, out.value, out.grad.view(), ws);
  return out;
}

inline bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

/// The gradient is the derivative of the value, at every lane and coordinate.
/// Error bound: differences of fourth order err by h^4 V^(5)/30 + 12 eps |V| / h (four values good
/// to 8 eps, weights 1/12, 8/12). Steps h are 1e-2 .. 1e-5 of `scale` (the length over which the
/// potential changes); the best must agree to 1e-7 max(1, |g|), far below what a wrong formula
/// makes, plus the rounding bound of that step.
inline ::testing::AssertionResult gradient_is_derivative(const AnyPotential& v, ConstBlock x,
                                                         double scale = 1) {
  const Evaluation base = evaluate(v, x);
  BlockStorage moved(x.rows(), x.lanes());
  const auto shifted = [&](std::size_t i, double by) {
    std::ranges::copy(x.flat(), moved.view().flat().begin());
    for (std::size_t l = 0; l < x.lanes(); ++l) {
      moved.view().at(i, l) += by;
    }
    return evaluate(v, moved.view()).value;
  };
  for (std::size_t i = 0; i < x.rows(); ++i) {
    std::vector<double> least(x.lanes(), std::numeric_limits<double>::infinity());
    std::vector<double> numeric(x.lanes()), excess(x.lanes(), least[0]);
    for (const double relative : {1e-2, 1e-3, 1e-4, 1e-5}) {
      const double h = relative * scale;
      const auto above = shifted(i, h), below = shifted(i, -h);
      const auto far_above = shifted(i, 2 * h), far_below = shifted(i, -2 * h);
      for (std::size_t l = 0; l < x.lanes(); ++l) {
        const double slope = (8 * (above[l] - below[l]) - (far_above[l] - far_below[l])) / (12 * h);
        const double rounding = 12 * std::numeric_limits<double>::epsilon() *
                                std::max(std::abs(above[l]), std::abs(below[l])) / h;
        const double difference = std::abs(slope - base.grad.view().at(i, l));
        if (difference + rounding < least[l]) {
          least[l] = difference + rounding;
          numeric[l] = slope;
          excess[l] = difference - rounding;
        }
      }
    }
    for (std::size_t l = 0; l < x.lanes(); ++l) {
      const double g = base.grad.view().at(i, l);
      if (!(excess[l] <= 1e-7 * std::max(1.0, std::abs(g)))) {
        return ::testing::AssertionFailure()
               << v.name() << ": coordinate " << i << ", lane " << l << ": gradient " << g
               << " but differences give " << numeric[l];
      }
    }
  }
  return ::testing::AssertionSuccess();
}

/// A lane's bits do not depend on the other lanes, on its place, or on what the workspace held.
inline ::testing::AssertionResult lanes_are_independent(const AnyPotential& v, ConstBlock x) {
  const Evaluation together = evaluate(v, x);
  BlockStorage alone(x.rows(), lane_group), grad(x.rows(), lane_group);
  std::vector<double> value(lane_group);
  Workspace ws;
  for (std::size_t l = 0; l < x.lanes(); ++l) {
    const std::size_t place = (3 * l + 5) % lane_group;
    std::ranges::fill(alone.view().flat(), 0.125);
    for (std::size_t i = 0; i < x.rows(); ++i) {
      alone.view().at(i, place) = x.at(i, l);
    }
    v.evaluate(alone.view(), value, grad.view(), ws);
    bool same = same_bits(value[place], together.value[l]);
    for (std::size_t i = 0; i < x.rows(); ++i) {
      same = same && same_bits(grad.view().at(i, place), together.grad.view().at(i, l));
    }
    if (!same) {
      return ::testing::AssertionFailure()
             << v.name() << ": lane " << l << " depends on the others";
    }
  }
  return ::testing::AssertionSuccess();
}

/// All laws at once.
inline ::testing::AssertionResult keeps_potential_laws(const AnyPotential& v, ConstBlock x,
                                                       double scale = 1) {
  if (v.dim() != x.rows()) {
    return ::testing::AssertionFailure() << v.name() << " has dimension " << v.dim();
  }
  if (auto result = gradient_is_derivative(v, x, scale); !result) {
    return result;
  }
  return lanes_are_independent(v, x);
}

}  // namespace tain::testing_support
