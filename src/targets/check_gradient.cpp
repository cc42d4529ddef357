#include "tain/targets/check_gradient.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "random/noise.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

constexpr std::size_t num_points = lane_group;
constexpr std::size_t max_comparisons = 100;
constexpr std::array<double, 4> steps = {1e-2, 1e-3, 1e-4, 1e-5};

/// V as a function of y, at num_points points.
class Comparison {
 public:
  Comparison(const AnyMap& map, const AnyPotential& target, std::uint64_t seed)
      : map_(map),
        target_(target),
        noise_(seed),
        y_(map.dual_dim(), num_points),
        x_(map.primal_dim(), num_points),
        gx_(map.primal_dim(), num_points),
        gy_(map.dual_dim(), num_points),
        moved_(map.dual_dim(), num_points),
        noise_block_(map.dual_dim(), num_points) {
    place_points();
    value_at(y_.view(), value_);
    map_.pull_back(y_.view(), x_.view(), gx_.view(), gy_.view(), ws_);
    // Later evaluations reuse x and gx; the points themselves are wanted again for the report.
    points_ = BlockStorage(map.primal_dim(), num_points);
    std::ranges::copy(x_.view().flat(), points_.view().flat().begin());
  }

  GradientCheck run() {
    GradientCheck result;
    result.along_direction = map_.dual_dim() > max_comparisons;
    judge_points(result);
    const std::size_t comparisons = std::min(map_.dual_dim(), max_comparisons);
    for (std::size_t k = 0; k < comparisons && result.passed; ++k) {
      compare(k, result);
    }
    if (result.passed) {
      result.passed = result.worst_error <= gradient_pass_mark;
    }
    explain(result);
    return result;
  }

 private:
  using Values = std::array<double, num_points>;

  void place_points() {
    std::vector<double> centre(map_.primal_dim());
    map_.centre(centre);
    for (std::size_t i = 0; i < centre.size(); ++i) {
      std::fill_n(x_.view().row(i), num_points, centre[i]);
    }
    map_.to_dual(x_.view(), y_.view(), ws_);
    noise_.normals(Purpose::check, 0, 0, noise_block_.view());
    const std::span<const float> xi = noise_block_.view().flat();
    std::ranges::transform(y_.view().flat(), xi, y_.view().flat().begin(),
                           [](double y, float n) { return y + n; });
  }

  void value_at(ConstBlock y, Values& value) {
    map_.to_primal(y, x_.view(), ws_);
    target_.evaluate(x_.view(), value, gx_.view(), ws_);
  }

  /// Which points may be used; NaN anywhere is a failure at once.
  void judge_points(GradientCheck& result) {
    for (std::size_t l = 0; l < num_points; ++l) {
      bool finite = true;
      for (std::size_t i = 0; i < map_.dual_dim(); ++i) {
        finite = finite && std::isfinite(gy_.view().at(i, l));
      }
      usable_[l] = finite && std::isfinite(value_[l]);
      result.points += usable_[l];
      if (!usable_[l] && value_[l] != std::numeric_limits<double>::infinity()) {
        result.passed = false;
        result.worst_error = std::numeric_limits<double>::quiet_NaN();
        result.point = point(l);
      }
    }
    result.passed = result.passed && result.points > 0;
  }

  std::vector<double> point(std::size_t lane) const {
    std::vector<double> x;
    for (std::size_t i = 0; i < map_.primal_dim(); ++i) {
      x.push_back(points_.view().at(i, lane));
    }
    return x;
  }

  double direction(std::size_t k, std::size_t i, std::size_t lane) const {
    if (map_.dual_dim() <= max_comparisons) {
      return i == k ? 1.0 : 0.0;
    }
    return noise_block_.view().at(i, lane);
  }

  void move(std::size_t k, double step) {
    for (std::size_t i = 0; i < map_.dual_dim(); ++i) {
      for (std::size_t l = 0; l < num_points; ++l) {
        moved_.view().at(i, l) = y_.view().at(i, l) + step * direction(k, i, l);
      }
    }
  }

  /// Comparisons of one coordinate or direction, per point.
  struct Slopes {
    Values analytic{}, numeric{}, disagreement{}, bound{};
    Values least;  // disagreement + bound of the step taken; infinite: none could be taken
  };

  Slopes slopes(std::size_t k) {
    Slopes s;
    s.least.fill(std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < map_.dual_dim(); ++i) {
      for (std::size_t l = 0; l < num_points; ++l) {
        s.analytic[l] += gy_.view().at(i, l) * direction(k, i, l);
      }
    }
    for (const double h : steps) {
      const Values near = difference(k, h), far = difference(k, 2 * h);
      for (std::size_t l = 0; l < num_points; ++l) {
        const double slope = (8 * near[l] - far[l]) / (12 * h);
        const double rounding = 12 * std::numeric_limits<double>::epsilon() *
                                std::max(1.0, std::abs(value_[l]) + std::abs(near[l])) / h;
        const double disagreement = std::abs(slope - s.analytic[l]);
        // Not taken where a neighbour is outside the support: the slope is not finite.
        if (disagreement + rounding < s.least[l]) {
          s.least[l] = disagreement + rounding;
          s.numeric[l] = slope;
          s.disagreement[l] = disagreement;
          s.bound[l] = rounding;
        }
      }
    }
    return s;
  }

  /// V(y + h v) - V(y - h v)
  Values difference(std::size_t k, double h) {
    Values above{}, below{};
    move(k, h);
    value_at(moved_.view(), above);
    move(k, -h);
    value_at(moved_.view(), below);
    for (std::size_t l = 0; l < num_points; ++l) {
      above[l] -= below[l];
    }
    return above;
  }

  void compare(std::size_t k, GradientCheck& result) {
    if (result.along_direction) {
      noise_.normals(Purpose::check, k + 1, 0, noise_block_.view());
    }
    const Slopes s = slopes(k);
    for (std::size_t l = 0; l < num_points; ++l) {
      if (!usable_[l] || !std::isfinite(s.least[l])) {
        continue;
      }
      const double error =
          std::max(0.0, s.disagreement[l] - s.bound[l]) / std::max(1.0, std::abs(s.analytic[l]));
      if (error > result.worst_error || result.point.empty()) {
        result.worst_error = error;
        result.coordinate = k;
        result.analytic = s.analytic[l];
        result.numeric = s.numeric[l];
        result.point = point(l);
      }
    }
  }

  void explain(GradientCheck& result) const {
    if (result.points == 0 || std::isnan(result.worst_error)) {
      result.explanation =
          std::isnan(result.worst_error)
              ? fmt::format("{} gives a value or gradient that is not finite inside {}.",
                            target_.name(), map_.name())
              : fmt::format("{} has value +inf at every point tried inside {}.", target_.name(),
                            map_.name());
      return;
    }
    result.explanation = fmt::format(
        "The gradient of {} {} its differences: worst relative error {:.1e} {} {} ({:.9g} given, "
        "{:.9g} by differences).",
        target_.name(), result.passed ? "agrees with" : "differs from", result.worst_error,
        result.along_direction ? "along random direction" : "at dual coordinate",
        result.coordinate + 1, result.analytic, result.numeric);
  }

  const AnyMap& map_;
  const AnyPotential& target_;
  NoiseField noise_;
  Workspace ws_;
  BlockStorage y_, x_, gx_, gy_, moved_, points_;
  FloatBlockStorage noise_block_;
  Values value_{};
  std::array<bool, num_points> usable_{};
};

}  // namespace

GradientCheck check_gradient(const AnyMap& map, const AnyPotential& target, std::uint64_t seed) {
  if (map.primal_dim() != target.dim()) {
    fail(Fault::config, "target " + target.name(),
         fmt::format("has dimension {} but the map {} has dimension {}", target.dim(), map.text(),
                     map.primal_dim()),
         "give both the same dimension");
  }
  return Comparison(map, target, seed).run();
}

}  // namespace tain
