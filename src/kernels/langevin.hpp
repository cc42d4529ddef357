// Langevin steps on the dual: mirrored Langevin dynamics (mld) and its Metropolis-adjusted form
// (mala).
//
// Definition (paper 3.3, with a constant diagonal preconditioner P = diag(s_i^2)):
//     y' = y - beta P grad W(y) + sqrt(2 beta P) xi
//   mld takes y' always: biased by O(beta). mala takes it with probability
//     min(1, exp(W(y) - W(y') + |xi|^2/2 - |xi'|^2/2)),
//   xi' the noise that leads from y' back to y, and leaves exp(-W) invariant exactly (Roberts &
//   Tweedie 1996).
// The acceptance probability is computed for both: for mld its mean is the bias indicator.
// Cost: one gradient, dim normals, four passes over the block.
#pragma once

#include "kernels/kernel.hpp"

namespace tain {

class Langevin final : public Kernel {
 public:
  enum class Adjust { none, metropolis };
  explicit Langevin(Adjust adjust) : adjust_(adjust) {}

  std::string_view name() const override { return exact() ? "mala" : "mld"; }
  bool exact() const override { return adjust_ == Adjust::metropolis; }
  double relaxation(std::span<const double> variance, const Tuning& tuning) const override {
    return langevin_relaxation(variance, tuning);
  }
  /// mala: the optimum of Roberts & Rosenthal 1998. mld: comfortably above the bias gate.
  double target_acceptance() const override { return exact() ? 0.574 : 0.999; }
  std::uint64_t gradients(std::uint64_t t, const Tuning& tuning) const override;
  void advance(const AnyPotential& W, const NoiseField& noise, std::uint64_t t,
               const Tuning& tuning, ChainBlock& chains, StepInfo& info,
               Workspace& ws) const override;

 private:
  Adjust adjust_;
};

}  // namespace tain
