// Expanded mean: a Dirichlet posterior seen through theta > 0, x = theta / sum theta, where some
// baselines walk (Patterson & Teh 2013).
//
// Definition: counts n_l, N = sum n_l, prior theta_l ~ Gamma(alpha_l, 1); with theta. = sum theta,
//     ExpandedMean  U(theta) = sum_l [theta_l - (alpha_l - 1) log theta_l] - sum_l n_l log x_l
//                   dU/dtheta_l = 1 - (alpha_l - 1 + n_l) / theta_l + N / theta.
//     LogGammas     theta_l ~ Gamma(alpha_l + n_l, 1), all independent, in y = log theta:
//                   W(y) = sum_l [e^y_l - (alpha_l + n_l) y_l]   (d theta = e^y dy is in it)
//   Under both x is the posterior; theta. is independent of x, Gamma(Gamma) under the first and
//   Gamma(N + Gamma) under the second.
// Laws: those of Potential. ExpandedMean is a sum of the posterior's N terms, the prior shared
//   evenly: a batch of b terms with m_l in category l has (N/b) m_l for n_l.
// Numerics: U and its gradient are finite for theta from 1e-290 on while counts stay below 1e17;
//   theta <= 0 is outside (+inf). W is finite wherever e^y is, so that theta may be far smaller
//   than any double.
// Cost: n log (ExpandedMean) or n exp (LogGammas), 3 passes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tain/targets/potential.hpp"
#include "targets/dirichlet.hpp"

namespace tain {

class ExpandedMean {
 public:
  explicit ExpandedMean(DirichletPosterior posterior);

  std::string name() const;
  std::size_t dim() const { return posterior_.dim(); }
  void evaluate(ConstBlock theta, std::span<double> value, Block grad, Workspace& ws) const;
  std::uint64_t terms() const { return posterior_.terms(); }
  void batch_gradient(ConstBlock theta, const Batches& batches, Block grad, Workspace& ws) const;

 private:
  DirichletPosterior posterior_;
  double observations_ = 0;  // N
};

class LogGammas {
 public:
  explicit LogGammas(const DirichletPosterior& posterior);

  std::string name() const;
  std::size_t dim() const { return shape_.size(); }
  void evaluate(ConstBlock y, std::span<double> value, Block grad, Workspace& ws) const;

 private:
  std::string name_;
  std::vector<double> shape_;  // alpha_l + n_l
};

static_assert(Decomposable<ExpandedMean> && Potential<LogGammas>);

}  // namespace tain
