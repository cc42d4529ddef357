// Uniform law on the set of a map.
//
// Definition: V = 0. All of W is then log det hess h.
// Laws: those of Potential. On the simplex it is Dirichlet(1), whose closed dual it borrows.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "tain/targets/potential.hpp"

namespace tain {

class Uniform {
 public:
  static constexpr bool unimodal = true;
  /// Throws Error (config) for dimension 0.
  explicit Uniform(std::size_t dim);

  std::string name() const;
  std::size_t dim() const { return dim_; }
  void evaluate(ConstBlock x, std::span<double> value, Block grad, Workspace& ws) const;
  /// Known under Simplex.
  std::optional<AnyPotential> closed_dual(const AnyMap& map) const;
  /// Exact moments on the simplex and on bounded boxes.
  TargetFacts facts(const AnyMap& map) const;

 private:
  std::size_t dim_;
};

static_assert(Potential<Uniform> && DualAware<Uniform> && Informed<Uniform>);

}  // namespace tain
