// What the theory promises for an accuracy: Theorem 4 of the paper, for a target on a set.
//
//     std::puts(tain::error_bounds(tain::real(2), tain::gaussian(), {.start = {1, 1}}).text().c_str());
//
// Definition: for every accuracy epsilon the constant step size and the number of steps after
//   which the relative entropy of an iterate picked at random is at most epsilon, if W is convex.
//   These are upper bounds, loose by orders of magnitude in practice.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tain/core/numbers.hpp"
#include "tain/maps/set.hpp"
#include "tain/run/plan.hpp"
#include "tain/targets/target.hpp"

namespace tain {

struct TheoryPlan {
  Numbers epsilon = {0.1, 0.01};  ///< accuracies: relative entropy to the target
  /// Of grad W; of a batch's gradient; the squared Wasserstein distance of the start. None: the
  /// target's own.
  std::optional<double> lipschitz = {}, gradient_variance = {}, start_distance = {};

  void describe(Fields& fields);
};

struct ErrorBounds {
  struct Constant {
    double value = 0;
    std::string source;  ///< where it comes from
  };
  struct Line {
    double relative_entropy = 0, total_variation = 0;  ///< at most
    double step_size = 0;
    double steps = 0;  ///< a whole number, maybe beyond any run
  };

  std::string target, map;  ///< names
  std::string problem;      ///< "gaussian(2) on real(2)"
  double dim = 0;           ///< of the dual
  Constant lipschitz = {}, gradient_variance = {}, start_distance = {};
  std::vector<Line> lines = {};  ///< one per accuracy

  std::string text() const;
};

/// For runs that start and take batches as a plan says; without a set on the target's own. Throws
/// Error (config) for a constant that is neither known nor given.
ErrorBounds error_bounds(const std::optional<Set>& set, const Target& target,
                         const SamplePlan& run = {}, const TheoryPlan& plan = {});

}  // namespace tain
