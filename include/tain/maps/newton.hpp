// Mirror map of any Legendre function whose conjugate has no closed form: x = grad h*(y) by Newton.
//
// Definition: x minimises h(x) - <x, y>. From h's centre, damped Newton steps x - t p,
//     p = H^-1 g,  g = grad h(x) - y,  H = hess h(x),  lambda^2 = g' p,
//   t = 1/(1 + lambda) while lambda > 1/4 (the step that stays inside for self-concordant h:
//   Nesterov & Nemirovski 1994), else 1, halved until the point is inside and the objective falls.
//   log det = log det H(x) by Cholesky; its gradient in y_j is the derivative along H^-1 e_j, the
//   j-th column of dx/dy: from h.log_det_gradient (in x) if h has it, else by central differences.
// Laws: those of MirrorMap; to_primal is a function of y alone (no warm start), so lanes stay
//   independent. Law 5 holds as long as doubles near the boundary can tell x's gradient to 1e-3;
//   beyond, and whenever Newton fails, the lane is NaN: never a wrong point, never an endless loop.
// Numerics: iterates until x stops changing in its last bits or lambda stops falling. Central
//   differences: step 6e-6 in the local norm, relative error about 4e-11 for self-concordant h.
// Cost: dim^3 / 3 flops for each of some 10 to 60 iterations, lane by lane; without
//   log_det_gradient, 2 dim more Cholesky factorisations per gradient.
#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tain/core/error.hpp"
#include "tain/maps/dense.hpp"
#include "tain/maps/mirror_map.hpp"

namespace tain {

/// Strictly convex, twice differentiable inside, gradient unbounded towards the boundary. value is
/// +inf (or NaN) at points that are not strictly inside; the others are asked inside only.
template <class H>
concept LegendreFunction = requires(const H& h, std::span<const double> x, std::span<double> out) {
  { h.dim() } -> std::convertible_to<std::size_t>;
  { h.value(x) } -> std::convertible_to<double>;
  { h.gradient(x, out) } -> std::same_as<void>;
  { h.hessian(x, out) } -> std::same_as<void>;  // row-major, dim x dim
  { h.centre(out) } -> std::same_as<void>;      // a point well inside
};

template <class H>
concept KnowsLogDetGradient =
    LegendreFunction<H> && requires(const H& h, std::span<const double> x, std::span<double> out) {
      { h.log_det_gradient(x, out) } -> std::same_as<void>;  // d log det hess h / dx
    };

template <LegendreFunction H>
class NewtonMap {
 public:
  /// `label` becomes part of the name. Throws Error (config) if h's centre is not inside.
  explicit NewtonMap(H h, std::string label = "custom")
      : h_(std::move(h)), label_(std::move(label)), centre_(h_.dim()) {
    h_.centre(centre_);
    if (!contains(centre_)) {
      fail(Fault::config, name(), "the centre is not strictly inside the set",
           "let centre() give a point where value() is finite");
    }
  }

  std::string name() const { return "newton(" + label_ + ")"; }
  std::size_t primal_dim() const { return centre_.size(); }
  std::size_t dual_dim() const { return centre_.size(); }
  const H& function() const { return h_; }

  void to_primal(ConstBlock y, Block x, Workspace& ws) const;
  void to_dual(ConstBlock x, Block y, Workspace& ws) const;
  void pull_back(ConstBlock y, ConstBlock x, ConstBlock gx, Block gy, Workspace& ws) const;
  void add_log_det(ConstBlock y, ConstBlock x, std::span<double> value, Block gy,
                   Workspace& ws) const;
  bool contains(std::span<const double> x) const {
    return x.size() == primal_dim() && std::isfinite(h_.value(x));
  }
  void centre(std::span<double> x) const { std::copy(centre_.begin(), centre_.end(), x.begin()); }

 private:
  static constexpr int max_iterations = 500;
  static constexpr int max_halvings = 60;
  static constexpr double damping_threshold = 0.25;  // lambda
  static constexpr double armijo = 1e-4;             // share of the predicted fall to be seen
  static constexpr double settled = 1e-9;            // lambda below which only rounding is left
  static constexpr double accepted_residual = 1e-3;  // of y, relative

  using Point = std::span<double>;
  using ConstPoint = std::span<const double>;

  bool solve(ConstPoint y, Point x, Workspace& ws) const;
  bool line_search(ConstPoint y, Point x, ConstPoint p, double lambda, double& objective,
                   Point trial) const;
  double objective_at(ConstPoint x, ConstPoint y, double& rounding) const;
  bool hessian_factor(ConstPoint x, Point factor) const {
    h_.hessian(x, factor);
    return dense::cholesky(factor, primal_dim());
  }
  double log_det_at(ConstPoint x, Point scratch) const {
    constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
    return std::isfinite(h_.value(x)) && hessian_factor(x, scratch)
               ? dense::log_det(scratch, primal_dim())
               : nothing;
  }
  double slope_along(ConstPoint x, Point direction, double length, Point moved,
                     Point scratch) const;
  void log_det_slope(ConstPoint x, ConstPoint factor, Point slope, Workspace& ws) const;

  static void load(ConstBlock block, std::size_t lane, Point point) {
    for (std::size_t i = 0; i < point.size(); ++i) {
      point[i] = block.at(i, lane);
    }
  }
  static void store(ConstPoint point, Block block, std::size_t lane) {
    for (std::size_t i = 0; i < point.size(); ++i) {
      block.at(i, lane) = point[i];
    }
  }

  H h_;
  std::string label_;
  std::vector<double> centre_;
};

}  // namespace tain

#include "tain/maps/newton-inl.hpp"  // IWYU pragma: export
