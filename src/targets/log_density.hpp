// A potential from a log density: V = -log p, grad V = -grad log p, with the same bits.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "tain/targets/potential.hpp"

namespace tain {

class LogDensity {
 public:
  explicit LogDensity(AnyPotential log_p) : log_p_(std::move(log_p)) {}

  std::string name() const { return log_p_.name(); }
  std::size_t dim() const { return log_p_.dim(); }
  void evaluate(ConstBlock x, std::span<double> value, Block grad, Workspace& ws) const {
    log_p_.evaluate(x, value, grad, ws);
    negate(value.first(x.lanes()));
    negate(grad.flat());
  }
  std::uint64_t terms() const { return log_p_.terms(); }
  void batch_gradient(ConstBlock x, const Batches& batches, Block grad, Workspace& ws) const {
    log_p_.batch_gradient(x, batches, grad, ws);
    negate(grad.flat());
  }

 private:
  static void negate(std::span<double> numbers) {
    std::ranges::transform(numbers, numbers.begin(), std::negate());
  }

  AnyPotential log_p_;  // whose value and gradient are those of log p
};

static_assert(Decomposable<LogDensity>);

}  // namespace tain
