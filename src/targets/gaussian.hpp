// Gaussian restricted to the set of a map.
//
// Definition: V(x) = 1/2 (x - m)' P (x - m), P the precision matrix (inverse covariance).
// Laws: those of Potential.
// Numerics: a covariance is inverted by Cholesky; entries of P below
//   max(1e-13, 8 eps kappa) sqrt(P_ii P_jj), kappa the condition number of the correlations, are
//   rounding noise of the inversion and are set to zero. A covariance with a banded inverse, such
//   as sd^2 rho^|i-j|, so gets the banded precision it has by rights. A precision matrix is taken
//   as given. Matrices may be asymmetric by 1e-8 sqrt(C_ii C_jj) (numbers from text files) and are
//   then averaged with their transposes.
// Cost: 2 flops per entry in the row ranges of P and lane, 2 passes; diagonal: 1 pass.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "tain/targets/potential.hpp"
#include "targets/quadratic.hpp"

namespace tain {

class Gaussian {
 public:
  static constexpr bool unimodal = true;
  /// Independent coordinates. All three throw Error (config) for sizes that differ, values that are
  /// not finite, standard deviations that are not positive, and matrices that are not symmetric or
  /// not positive definite.
  static Gaussian diagonal(std::vector<double> mean, std::span<const double> sd);
  /// Row-major covariance, mean.size() squared numbers.
  static Gaussian with_covariance(std::vector<double> mean, std::span<const double> covariance);
  /// Row-major precision.
  static Gaussian with_precision(std::vector<double> mean, std::span<const double> precision);

  std::string name() const;
  std::size_t dim() const { return form_.dim(); }
  const QuadraticForm& form() const { return form_; }

  void evaluate(ConstBlock x, std::span<double> value, Block grad, Workspace& ws) const {
    form_.evaluate(x, value, grad, ws);
  }
  /// Start: the mean where the set contains it. Exact mean and variance on all of R^d, and for
  /// independent coordinates on any Box (truncated normals). L (as a row-sum bound) on R^d.
  TargetFacts facts(const AnyMap& map) const;

 private:
  Gaussian(QuadraticForm form, std::vector<double> variance)
      : form_(std::move(form)), variance_(std::move(variance)) {}
  QuadraticForm form_;
  std::vector<double> variance_;  // diagonal of the covariance
};

static_assert(Potential<Gaussian> && Informed<Gaussian>);

}  // namespace tain
