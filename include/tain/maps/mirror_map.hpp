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
//      semi-definite on the chart of maps that are gradients there (all but stretched coordinates;
//      the simplex without its reference category);
//   5. to_primal gives a finite point of the closed set for every finite y, |y| = 1e3 and beyond
//      included; log det and its gradient are finite there;
//   6. contains(to_primal(y)) for moderate y, !contains(points outside).
// What else a map may know of its set, where there is a closed form:
//   projection       P(x) = argmin over z of the closed set of |x - z|, and hull_projection the
//                    same for the smallest affine space that holds it: all that projected and
//                    proximal samplers (kernels/baselines) know about a set. Laws: P(P(x)) = P(x),
//                    P(x) in X, (x - P(x))'(z - P(x)) <= 0 for z in X, P(x) = P(hull(x)), up to a
//                    few 2^-52 max(|x|, 1). A point with a NaN gives one with a NaN.
//   log_primal       log x from y, exact where x underflows
//   outline          what plots draw of the set
// All functions treat lanes independently (core/block.hpp). x passed beside y is always
// to_primal(y).
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
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

/// (x, out, scratch): the nearest point of a set; out may be x.
using Projection = std::function<void(ConstBlock x, Block out, Workspace& ws)>;

/// A set as plots draw it: two of its coordinates, seen along the others.
struct Outline {
  enum class Kind { unknown, none, range, triangle, circle };
  Kind kind = Kind::unknown;
  std::vector<double> lower = {}, upper = {};  ///< range; infinite where it is open
  std::vector<double> centre = {};             ///< circle
  double radius = 0;
  std::optional<std::size_t> skipped = {};  ///< the coordinate that has none in the dual
};

/// The name of a map, with the names that sets have today.
std::string map_text(std::string name);

/// Any mirror map, chosen at run time. One indirect call serves a whole block. Shares, never
/// copies.
class AnyMap {
 public:
  template <MirrorMap M>
  AnyMap(M map)  // NOLINT(google-explicit-constructor): every map is an AnyMap
      : self_(std::make_shared<const Model<M>>(std::move(map))) {}

  std::string name() const { return self_->name(); }
  /// As people call it; files and fingerprints keep the name.
  std::string text() const { return map_text(name()); }
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
  std::optional<Projection> projection() const { return self_->projection(); }
  std::optional<Projection> hull_projection() const { return self_->hull_projection(); }
  Outline outline() const { return self_->outline(); }
  /// False where the map knows no better than the logarithm of x.
  bool log_primal(ConstBlock y, Block log_x, Workspace& ws) const {
    return self_->log_primal(y, log_x, ws);
  }
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
    virtual std::optional<Projection> projection() const = 0;
    virtual std::optional<Projection> hull_projection() const = 0;
    virtual Outline outline() const = 0;
    virtual bool log_primal(ConstBlock, Block, Workspace&) const = 0;
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
    std::optional<Projection> projection() const override {
      if constexpr (requires { map.projection(); }) {
        return map.projection();
      } else {
        return std::nullopt;
      }
    }
    std::optional<Projection> hull_projection() const override {
      if constexpr (requires { map.hull_projection(); }) {
        return map.hull_projection();
      } else {
        return std::nullopt;
      }
    }
    Outline outline() const override {
      if constexpr (requires { map.outline(); }) {
        return map.outline();
      } else {
        return {};
      }
    }
    bool log_primal(ConstBlock y, Block log_x, Workspace& ws) const override {
      if constexpr (requires { map.log_primal(y, log_x, ws); }) {
        map.log_primal(y, log_x, ws);
        return true;
      } else {
        return false;
      }
    }
    M map;
  };
  std::shared_ptr<const Concept> self_;
};

}  // namespace tain
