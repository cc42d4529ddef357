// MirrorMap: the one place where a constraint lives.
//
// Definition: a Legendre function h on a convex set X, seen through what a sampler needs:
//     y = grad h(x),  x = grad h*(y),  and log det hess h(x)          (paper 2.1, 2.2)
//   Blocks hold many points at once, one per lane. primal_dim() counts the coordinates users see,
//   dual_dim() the free ones: on the simplex they are n and n - 1. A map may use any linear change
//   of the dual coordinates (y -> A y with constant A): that is another mirror map for the same
//   set. The chart of X is dual_dim() of its primal coordinates: all, but one of each simplex
//   (which one is left out does not change |det|). It fixes the reference measure.
// Laws (tests/support/map_laws.hpp checks them for every map):
//   1. to_primal(to_dual(x)) = x and to_dual(to_primal(y)) = y up to rounding;
//   2. pull_back is the transposed Jacobian of to_primal: gy_j = sum_i gx_i dx_i/dy_j;
//   3. add_log_det adds -log |det d chart(x) / dy| to value, and its gradient in y to gy;
//   4. the Jacobian of to_primal in the map's own dual coordinates is symmetric positive
//      semi-definite on the chart of maps that are gradients there (box, ball, orthant, Newton, and
//      the simplex without its reference category);
//   5. to_primal gives a finite point of the closed set for every finite y, |y| = 1e3 and beyond
//      included; log det and its gradient are finite there;
//   6. contains(to_primal(y)) for moderate y, !contains(points outside).
// All functions treat lanes independently (core/block.hpp). x passed beside y is always
// to_primal(y).
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tain/core/block.hpp"
#include "tain/core/workspace.hpp"

namespace tain {

template <class M>
concept MirrorMap =
    requires(const M& h, ConstBlock in, Block out, std::span<double> value,
             std::span<const double> point, std::span<double> point_out, Workspace& ws) {
      { h.name() } -> std::convertible_to<std::string>;  // e.g. "simplex(11, symmetric)"
      { h.primal_dim() } -> std::convertible_to<std::size_t>;
      { h.dual_dim() } -> std::convertible_to<std::size_t>;
      { h.to_primal(in, out, ws) } -> std::same_as<void>;               // (y) -> x
      { h.to_dual(in, out, ws) } -> std::same_as<void>;                 // (x) -> y
      { h.pull_back(in, in, in, out, ws) } -> std::same_as<void>;       // (y, x, gx) -> gy
      { h.add_log_det(in, in, value, out, ws) } -> std::same_as<void>;  // (y, x) -> value +=, gy +=
      { h.contains(point) } -> std::same_as<bool>;    // one point: strictly inside the set?
      { h.centre(point_out) } -> std::same_as<void>;  // some point well inside, to start from
    };

/// Any mirror map, chosen at run time. One indirect call serves a whole block. Shares, never
/// copies.
class AnyMap {
 public:
  template <MirrorMap M>
  AnyMap(M map)  // NOLINT(google-explicit-constructor): every map is an AnyMap
      : self_(std::make_shared<const Model<M>>(std::move(map))) {}

  std::string name() const { return self_->name(); }
  std::size_t primal_dim() const { return self_->primal_dim(); }
  std::size_t dual_dim() const { return self_->dual_dim(); }
  void to_primal(ConstBlock y, Block x, Workspace& ws) const { self_->to_primal(y, x, ws); }
  void to_dual(ConstBlock x, Block y, Workspace& ws) const { self_->to_dual(x, y, ws); }
  void pull_back(ConstBlock y, ConstBlock x, ConstBlock gx, Block gy, Workspace& ws) const {
    self_->pull_back(y, x, gx, gy, ws);
  }
  void add_log_det(ConstBlock y, ConstBlock x, std::span<double> value, Block gy,
                   Workspace& ws) const {
    self_->add_log_det(y, x, value, gy, ws);
  }
  bool contains(std::span<const double> x) const { return self_->contains(x); }
  void centre(std::span<double> x) const { self_->centre(x); }
  /// The concrete map, or null if it is of another type.
  template <class M>
  const M* as() const {
    auto* model = dynamic_cast<const Model<M>*>(self_.get());
    return model ? &model->map : nullptr;
  }

 private:
  struct Concept {
    virtual ~Concept() = default;
    virtual std::string name() const = 0;
    virtual std::size_t primal_dim() const = 0;
    virtual std::size_t dual_dim() const = 0;
    virtual void to_primal(ConstBlock, Block, Workspace&) const = 0;
    virtual void to_dual(ConstBlock, Block, Workspace&) const = 0;
    virtual void pull_back(ConstBlock, ConstBlock, ConstBlock, Block, Workspace&) const = 0;
    virtual void add_log_det(ConstBlock, ConstBlock, std::span<double>, Block,
                             Workspace&) const = 0;
    virtual bool contains(std::span<const double>) const = 0;
    virtual void centre(std::span<double>) const = 0;
  };
  template <class M>
  struct Model final : Concept {
    explicit Model(M m) : map(std::move(m)) {}
    std::string name() const override { return map.name(); }
    std::size_t primal_dim() const override { return map.primal_dim(); }
    std::size_t dual_dim() const override { return map.dual_dim(); }
    void to_primal(ConstBlock y, Block x, Workspace& ws) const override { map.to_primal(y, x, ws); }
    void to_dual(ConstBlock x, Block y, Workspace& ws) const override { map.to_dual(x, y, ws); }
    void pull_back(ConstBlock y, ConstBlock x, ConstBlock gx, Block gy,
                   Workspace& ws) const override {
      map.pull_back(y, x, gx, gy, ws);
    }
    void add_log_det(ConstBlock y, ConstBlock x, std::span<double> value, Block gy,
                     Workspace& ws) const override {
      map.add_log_det(y, x, value, gy, ws);
    }
    bool contains(std::span<const double> x) const override { return map.contains(x); }
    void centre(std::span<double> x) const override { map.centre(x); }
    M map;
  };
  std::shared_ptr<const Concept> self_;
};

}  // namespace tain
