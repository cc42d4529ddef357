// Millions of independent chains of one Dirichlet posterior: what histograms of a sampler's law at
// step t need. Not the kernels of kernels/: those are double, for any target, a step at a time; here
// the target is fixed and all steps of a chain stay in registers, in float.
//
// Definition: a_l = n_l + alpha_l, N = sum n, A = sum a; chains are lanes of float blocks,
//   mld     (paper 3.3 on 3.7, category r as reference, u = (y, 0)):
//             y_l <- y_l - beta (A x_l - a_l) + sqrt(2 beta) xi_l,   x = softmax(u)
//   sgrld   (Patterson & Teh 2013, eq. 11, expanded mean, whole-data gradient):
//             theta_l <- |theta_l + eps (alpha_l - theta_l + n_l - N x_l)
//                         + sqrt(2 eps theta_l) xi_l|,   x = theta / sum theta
//   Noise is that of Kernel::advance: normal l of (chain, step), purpose proposal.
// Laws: a chain's bits depend on its number, the step and the seed only.
// Numerics: state and arithmetic are float, sums over categories in ascending order. x is right to
//   2e-7 relatively, so the drift to 2e-7 A; near the mode the drift has size sqrt(A x (1 - x)),
//   and the shift of the law it causes is below 1e-5 standard deviations for A = 1e4. theta stays
//   above 1e-37. Equals the double kernels to rounding over few steps (tests).
// Cost: all steps of a vector of chains run in registers and the first cache: one pass of memory
//   per call, whatever the number of steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "random/noise.hpp"
#include "tain/core/block.hpp"
#include "targets/dirichlet.hpp"

namespace tain {

class SimplexEnsemble {
 public:
  static SimplexEnsemble mld(const DirichletPosterior& posterior, std::size_t reference,
                             double step_size);
  static SimplexEnsemble sgrld(const DirichletPosterior& posterior, double step_size);

  std::size_t categories() const { return rates_.size(); }
  /// Rows of a state block: n - 1 for mld, n for sgrld.
  std::size_t rows() const;
  /// Every lane to the same point of the simplex (all coordinates positive).
  void place(std::span<const double> x, FloatBlock state) const;
  /// Steps begin, ..., end - 1 of the chains first_chain, first_chain + 1, ...
  void advance(const NoiseField& noise, std::uint32_t first_chain, std::uint64_t begin,
               std::uint64_t end, FloatBlock state) const;
  /// out(k, l) = log x of category wanted[k] in lane l.
  void log_primal(ConstFloatBlock state, std::span<const std::size_t> wanted, FloatBlock out) const;

 private:
  enum class Method { mld, sgrld };
  SimplexEnsemble() = default;

  Method method_ = Method::mld;
  std::size_t reference_ = 0;
  float step_size_ = 0;
  float total_ = 0;           // mld: A; sgrld: N
  double spread_ = 1;         // sgrld: sum of theta at the start
  std::vector<float> rates_;  // mld: a; sgrld: alpha + n
};

}  // namespace tain
