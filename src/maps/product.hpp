// Product of mirror maps: each factor holds consecutive coordinates of x and of y.
//
// Definition: X = X_1 x ... x X_m, h(x) = sum_f h_f(x_f); Jacobians are block diagonal, log det
//   adds up. The chart is the union of the factors' charts.
// Laws: those of MirrorMap, as far as every factor keeps them.
// Cost: that of the factors, one indirect call each; blocks are cut by rows, nothing is copied.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "tain/maps/mirror_map.hpp"

namespace tain {

class ProductMap {
 public:
  /// Throws Error (config) if there is no factor.
  explicit ProductMap(std::vector<AnyMap> factors);

  std::string name() const;  ///< e.g. "product(simplex(3, symmetric), box(2))"
  std::size_t primal_dim() const { return parts_.back().primal + factors_.back().primal_dim(); }
  std::size_t dual_dim() const { return parts_.back().dual + factors_.back().dual_dim(); }
  std::span<const AnyMap> factors() const { return factors_; }

  void to_primal(ConstBlock y, Block x, Workspace& ws) const;
  void to_dual(ConstBlock x, Block y, Workspace& ws) const;
  void pull_back(ConstBlock y, ConstBlock x, ConstBlock gx, Block gy, Workspace& ws) const;
  void add_log_det(ConstBlock y, ConstBlock x, std::span<double> value, Block gy,
                   Workspace& ws) const;
  bool contains(std::span<const double> x) const;
  void centre(std::span<double> x) const;
  /// Factor by factor; none if a factor has none.
  std::optional<Projection> projection() const;
  std::optional<Projection> hull_projection() const;

 private:
  // First coordinates of a factor.
  struct Part {
    std::size_t primal, dual;
  };
  template <class T>
  BasicBlock<T> primal(BasicBlock<T> x, std::size_t f) const {
    return x.slice(parts_[f].primal, factors_[f].primal_dim());
  }
  template <class T>
  BasicBlock<T> dual(BasicBlock<T> y, std::size_t f) const {
    return y.slice(parts_[f].dual, factors_[f].dual_dim());
  }

  std::vector<AnyMap> factors_;
  std::vector<Part> parts_;
};

static_assert(MirrorMap<ProductMap>);

}  // namespace tain
