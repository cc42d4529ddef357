#include "kernels/theory.hpp"

#include <algorithm>
#include <cmath>

#include "tain/core/error.hpp"

namespace tain {
namespace {

double noise(const ProblemConstants& constants) {  // S
  return constants.lipschitz * constants.dim + constants.gradient_variance;
}

ErrorBound error_bound(const ProblemConstants& constants, double step_size, double steps) {
  TAIN_EXPECTS(constants.lipschitz > 0 && constants.start_distance > 0 && step_size > 0,
               "the theory needs positive numbers");
  const double bound =
      constants.start_distance / (2 * step_size * steps) + step_size * noise(constants);
  return {step_size, steps, bound, std::min(1.0, std::sqrt(bound / 2))};
}

}  // namespace

ErrorBound bound_for_accuracy(const ProblemConstants& constants, double epsilon) {
  const double step_size = std::min(epsilon / (2 * noise(constants)), 1 / constants.lipschitz);
  return error_bound(constants, step_size,
                     std::ceil(constants.start_distance / (step_size * epsilon)));
}

ErrorBound bound_for_steps(const ProblemConstants& constants, double steps) {
  const double best = std::sqrt(constants.start_distance / (2 * steps * noise(constants)));
  return error_bound(constants, std::min(best, 1 / constants.lipschitz), steps);
}

double batch_variance(double term_variance, std::uint64_t terms, const Batching& batching) {
  if (batching.whole(terms)) {
    return 0;
  }
  const double n = static_cast<double>(terms), b = static_cast<double>(batching.size);
  const double left = batching.replacement == Replacement::with ? 1 : (n - b) / (n - 1);
  return term_variance / b * left;
}

double start_distance(std::span<const double> mean, std::span<const double> variance,
                      std::span<const double> start) {
  TAIN_EXPECTS(mean.size() == start.size() && variance.size() == start.size(), "sizes differ");
  double sum = 0;
  for (std::size_t i = 0; i < start.size(); ++i) {
    sum += variance[i] + (mean[i] - start[i]) * (mean[i] - start[i]);
  }
  return sum;
}

}  // namespace tain
