// Stochastic Cox-Ingersoll-Ross process (scir; Baker, Fearnhead, Fox & Nemeth 2018), a baseline for
// Dirichlet posteriors.
//
// Definition: theta_l follows d theta = (A - theta) dt + sqrt(2 theta) dW, whose stationary law is
//   Gamma(A, 1), with A_l = alpha_l + (N/b) m_l, m_l terms of the batch in category l. A step of
//   size h is the exact transition over time h:
//     theta' = (1 - e^-h) Gamma(A + K),   K ~ Poisson(theta / (e^h - 1)),
//   for theta' / ((1 - e^-h)/2) is non-central chi-square with 2 A degrees of freedom and
//   non-centrality 2 K on average. x = theta / sum theta.
// Laws: those of Kernel. With all terms (A = alpha + n) every step leaves the posterior invariant,
//   whatever h; with batches the law is wider than the posterior by an amount that falls with h.
// Numerics: the state is y = log theta, so that Gamma draws of tiny shapes, which underflow in
//   theta, keep all their digits and shares of the sum can always be formed. theta below 1e-308
//   gives K = 0, which is right to that precision.
// Noise: the words of (chain, step) and row l (random/gamma.hpp).
// Cost: a gamma draw per coordinate, in vectors.
#pragma once

#include "kernels/baselines/baseline.hpp"
#include "kernels/batch.hpp"
#include "targets/dirichlet.hpp"

namespace tain {

class Scir final : public Baseline {
 public:
  explicit Scir(DirichletPosterior posterior, Batching batching = {});

  std::string_view name() const override { return "scir"; }
  bool exact() const override { return batching_.whole(posterior_.terms()); }
  /// The process forgets at rate 1.
  double relaxation(std::span<const double>, const Tuning& tuning) const override {
    return 1 / tuning.step_size;
  }
  /// W, the density of the state (LogGammas), is evaluated for value and grad only.
  void advance(const AnyPotential& W, const NoiseField& noise, std::uint64_t t,
               const Tuning& tuning, ChainBlock& chains, StepInfo& info,
               Workspace& ws) const override;

 private:
  DirichletPosterior posterior_;
  Batching batching_;
};

}  // namespace tain
