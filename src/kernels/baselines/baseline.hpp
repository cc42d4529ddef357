// What the baselines have in common: one gradient (or batch) a step, no Metropolis test, hence
// neither an automatic step size nor anything that tells their bias.
#pragma once

#include "kernels/kernel.hpp"

namespace tain {

class Baseline : public Kernel {
 public:
  bool exact() const override { return false; }
  bool reports_acceptance() const final { return false; }
  double target_acceptance() const final { return 1; }
  std::uint64_t gradients(std::uint64_t, const Tuning&) const final { return 1; }
};

}  // namespace tain
