#include "tain/targets/check_gradient.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "random/noise.hpp"
#include "tain/core/error.hpp"
#include "targets/log_density.hpp"
#include "targets/undefined.hpp"

namespace tain {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();
constexpr std::size_t most_lanes = 2 * lane_group;
constexpr std::size_t most_coordinates = 16;
constexpr std::size_t directions = 8;
constexpr std::size_t light_directions = 2;
constexpr std::array<double, 6> scales = {0.5, 1, 2, 4, 8, 16};
constexpr int most_halvings = 16;
// The first settles nearly all; smaller ones what is curved, larger ones what rounding blurs.
constexpr std::array<double, 6> steps = {1e-3, 1e-4, 1e-5, 1e-6, 1e-2, 1e-1};
/// Good enough to look no further.
constexpr double settled_mark = 1e-4;
/// Rounding that nobody minds, in units of the dual.
constexpr double harmless = 1e-6;
/// Slopes below this, per unit of the dual, are flat.
constexpr double flat = 1e-9;
/// Slopes that are not known to this part of themselves say nothing.
constexpr double vague = 0.1;

/// A slope, as given and as differences have it.
struct Slope {
  double analytic = 0, numeric = 0;
  double gap = unlimited;     // between the two; infinite: no difference could be taken
  double unsure = unlimited;  // of the numeric one
  bool settled = false;

  double size() const { return std::max({std::abs(analytic), std::abs(numeric), flat}); }
  bool tells() const { return settled || unsure <= vague * size(); }
  double error() const {
    return settled ? gap / std::max(1.0, size()) : std::max(0.0, gap - 2 * unsure) / size();
  }
};

/// V as a function of y, at a few points.
class Comparison {
 public:
  Comparison(const AnyMap& map, const AnyPotential& target, std::uint64_t seed,
             GradientEffort effort)
      : map_(map),
        target_(target),
        noise_(seed),
        lanes_(effort == GradientEffort::full ? most_lanes : lane_group),
        along_(map.dual_dim() > most_coordinates ||
               (effort == GradientEffort::light && map.dual_dim() > light_directions)),
        comparisons_(!along_                           ? map.dual_dim()
                     : effort == GradientEffort::light ? light_directions
                                                       : directions),
        y_(map.dual_dim(), lanes_),
        moved_(map.dual_dim(), lanes_),
        gy_(map.dual_dim(), lanes_),
        points_(map.primal_dim(), lanes_),
        gradient_(map.primal_dim(), lanes_),
        x_(map.primal_dim(), lanes_),
        gx_(map.primal_dim(), lanes_) {}

  GradientCheck run(std::span<const double> around) {
    place_points(around);
    std::array<bool, most_lanes> compared{}, differs{};
    for (std::size_t k = 0; k < comparisons_ && std::ranges::count(differs, true) < 2; ++k) {
      compare(k, compared, differs);
    }
    check_.points = static_cast<std::size_t>(std::ranges::count(compared, true));
    check_.differing = static_cast<std::size_t>(std::ranges::count(differs, true));
    check_.passed = check_.points > 0 && check_.differing < std::min<std::size_t>(2, check_.points);
    if (!check_.passed && check_.points > 0 && along_) {
      find_coordinate();
    }
    explain();
    if (check_.passed && target_.terms() > 0) {
      add_up_terms();
    }
    return check_;
  }

 private:
  using Values = std::array<double, most_lanes>;
  /// Part of the dual coordinates: those in [first, last).
  struct Range {
    std::size_t first, last;
  };

  // ---- points ------------------------------------------------------------------------------------

  void place_points(std::span<const double> around) {
    const std::vector<double> own =
        around.empty() ? target_.facts(map_).start : std::vector(around.begin(), around.end());
    std::vector<double> centre(map_.primal_dim());
    map_.centre(centre);
    if (own.size() == centre.size() && map_.contains(own)) {
      centre = own;
    }
    for (std::size_t i = 0; i < centre.size(); ++i) {
      std::fill_n(points_.view().row(i), lanes_, centre[i]);
    }
    map_.to_dual(points_.view(), moved_.view(), ws_);
    FloatBlockStorage noise(map_.dual_dim(), lanes_);
    noise_.normals(Purpose::check, 0, 0, noise.view());
    Values scale{};
    for (std::size_t l = 0; l < lanes_; ++l) {
      scale[l] = scales[l % scales.size()];
    }
    for (int halvings = 0;; ++halvings) {
      for (std::size_t i = 0; i < map_.dual_dim(); ++i) {
        for (std::size_t l = 0; l < lanes_; ++l) {
          y_.view().at(i, l) = moved_.view().at(i, l) + scale[l] * noise.view().at(i, l);
        }
      }
      const bool last = halvings == most_halvings;
      if (try_points(halvings == 0, last)) {
        if (last || std::all_of(usable_.begin(), usable_.begin() + lanes_, std::identity())) {
          return;
        }
      }
      for (std::size_t l = 0; l < lanes_; ++l) {
        scale[l] *= usable_[l] ? 1.0 : 0.5;
      }
    }
  }

  /// False where the target is not defined: as far out as a run may never come.
  bool try_points(bool first, bool last) {
    map_.to_primal(y_.view(), points_.view(), ws_);
    try {
      target_.evaluate(points_.view(), std::span(value_).first(lanes_), gradient_.view(), ws_);
    } catch (const std::exception& thrown) {
      if (last || !is_undefined_here(thrown)) {
        throw;
      }
      usable_.fill(false);
      return false;
    }
    map_.pull_back(y_.view(), points_.view(), gradient_.view(), gy_.view(), ws_);
    for (std::size_t l = 0; l < lanes_; ++l) {
      const bool inside = map_.contains(point(l));
      usable_[l] = inside && std::isfinite(value_[l]);
      for (std::size_t i = 0; i < map_.dual_dim(); ++i) {
        usable_[l] = usable_[l] && std::isfinite(gy_.view().at(i, l));
      }
      if (first && inside && std::isnan(value_[l])) {
        ++check_.not_numbers;
        not_a_number_ = point(l);
      }
      rounding_[l] = std::abs(value_[l]);
      for (std::size_t i = 0; i < map_.primal_dim(); ++i) {
        rounding_[l] += std::abs(points_.view().at(i, l) * gradient_.view().at(i, l));
      }
    }
    const bool single = std::all_of(value_.begin(), value_.begin() + lanes_, [](double v) {
      return std::abs(v) < 1e38 && v == double(float(v));
    });
    epsilon_ =
        single ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
    return true;
  }

  std::vector<double> point(std::size_t lane) const {
    std::vector<double> x;
    for (std::size_t i = 0; i < map_.primal_dim(); ++i) {
      x.push_back(points_.view().at(i, lane));
    }
    return x;
  }

  // ---- slopes ------------------------------------------------------------------------------------

  /// Component i of direction k.
  double sign(std::size_t k, std::size_t i) const {
    if (!along_) {
      return 1.0;
    }
    const auto words = noise_.words(Purpose::check, 1, static_cast<std::uint32_t>(k),
                                    static_cast<std::uint32_t>(i / 128));
    return (words[i / 32 % 4] >> (i % 32) & 1) != 0 ? 1.0 : -1.0;
  }

  Range range_of(std::size_t k) const {
    return along_ ? Range{0, map_.dual_dim()} : Range{k, k + 1};
  }

  void move(std::size_t k, Range range, double step) {
    const auto all = std::as_const(y_).view().flat();
    std::ranges::copy(all, moved_.view().flat().begin());
    for (std::size_t i = range.first; i < range.last; ++i) {
      const double by = step * sign(k, i);
      for (std::size_t l = 0; l < lanes_; ++l) {
        moved_.view().at(i, l) += by;
      }
    }
  }

  Values value_at(std::size_t k, Range range, double step) {
    Values value{};
    move(k, range, step);
    map_.to_primal(moved_.view(), x_.view(), ws_);
    target_.evaluate(x_.view(), std::span(value).first(lanes_), gx_.view(), ws_);
    return value;
  }

  using Slopes = std::array<Slope, most_lanes>;

  Slopes slopes(std::size_t k, Range range) {
    Slopes found;
    for (std::size_t i = range.first; i < range.last; ++i) {
      for (std::size_t l = 0; l < lanes_; ++l) {
        found[l].analytic += gy_.view().at(i, l) * sign(k, i);
      }
    }
    for (const double h : steps) {
      const Values far_below = value_at(k, range, -2 * h), below = value_at(k, range, -h),
                   above = value_at(k, range, h), far_above = value_at(k, range, 2 * h);
      bool all_settled = true;
      for (std::size_t l = 0; l < lanes_; ++l) {
        const double near = (above[l] - below[l]) / (2 * h);
        const double far = (far_above[l] - far_below[l]) / (4 * h);
        const double bend = std::abs(above[l] - 2 * value_[l] + below[l]) / h;
        const double rounding = 12 * epsilon_ * rounding_[l] / h;
        Slope slope{.analytic = found[l].analytic, .numeric = (4 * near - far) / 3};
        slope.gap = std::abs(slope.numeric - slope.analytic);
        slope.unsure = bend + std::abs(near - far) + rounding;
        slope.settled = std::isfinite(slope.gap) &&
                        slope.gap <= settled_mark * slope.size() + std::min(rounding, harmless);
        // Not taken where a neighbour is outside the support: it is not finite.
        if (!found[l].settled &&
            (slope.settled || slope.gap + slope.unsure < found[l].gap + found[l].unsure)) {
          found[l] = slope;
        }
        all_settled = all_settled && (found[l].settled || !usable_[l]);
      }
      if (all_settled) {
        break;
      }
    }
    return found;
  }

  // ---- the answer --------------------------------------------------------------------------------

  void compare(std::size_t k, std::array<bool, most_lanes>& compared,
               std::array<bool, most_lanes>& differs) {
    const Slopes found = slopes(k, range_of(k));
    for (std::size_t l = 0; l < lanes_; ++l) {
      const Slope& slope = found[l];
      if (!usable_[l] || !slope.tells()) {
        continue;
      }
      compared[l] = true;
      const double error = slope.error();
      const bool wrong = !slope.settled && error > gradient_pass_mark;
      differs[l] = differs[l] || wrong;
      if (wrong) {
        opposite_ = opposite_.value_or(true) &&
                    std::abs(slope.analytic + slope.numeric) <= 0.01 * slope.size();
      }
      if (error > check_.worst_error || check_.point.empty()) {
        check_.worst_error = error;
        take(slope, k, l);
      }
    }
  }

  void take(const Slope& slope, std::size_t k, std::size_t lane) {
    check_.coordinate = k;
    check_.along_direction = along_;
    check_.analytic = slope.analytic;
    check_.numeric = slope.numeric;
    check_.point = point(lane);
    worst_lane_ = lane;
  }

  /// The coordinate that makes the worst direction wrong: the half that is further off, again and
  /// again.
  void find_coordinate() {
    const std::size_t k = check_.coordinate, lane = worst_lane_;
    Range range{0, map_.dual_dim()};
    while (range.last - range.first > 1) {
      const std::size_t middle = std::midpoint(range.first, range.last);
      const Range halves[] = {{range.first, middle}, {middle, range.last}};
      const auto off = [&](Range half) {
        const Slope slope = slopes(k, half)[lane];
        return slope.settled ? 0.0 : slope.error() * slope.size();
      };
      const double lower = off(halves[0]), upper = off(halves[1]);
      if (!(lower > 0 || upper > 0)) {
        return;
      }
      range = halves[upper > lower ? 1 : 0];
    }
    Slope slope = slopes(k, range)[lane];
    slope.analytic *= sign(k, range.first);
    slope.numeric *= sign(k, range.first);
    take(slope, range.first, lane);
    check_.along_direction = false;
  }

  /// Where only one coordinate of x moves with the dual one, in its terms; else as it is.
  std::string slope_text() {
    const double sign = of_log_density() ? -1 : 1;
    const auto told = [&](const std::string& where, double given, double numeric) {
      return fmt::format("{} {:.6g} as given and {:.6g} by differences of {}", where, sign * given,
                         sign * numeric, sign < 0 ? "log p" : "V");
    };
    if (check_.along_direction) {
      return told("along a direction of random signs the slope is", check_.analytic,
                  check_.numeric);
    }
    const Range range{check_.coordinate, check_.coordinate + 1};
    constexpr double h = 1e-3;
    const auto at = [&](double step) {
      move(0, range, step);
      map_.to_primal(moved_.view(), x_.view(), ws_);
      std::vector<double> x;
      for (std::size_t i = 0; i < map_.primal_dim(); ++i) {
        x.push_back(x_.view().at(i, worst_lane_));
      }
      return x;
    };
    const std::vector<double> below = at(-h), above = at(h);
    std::vector<std::size_t> moved;
    for (std::size_t i = 0; i < above.size(); ++i) {
      if (above[i] != below[i]) {
        moved.push_back(i);
      }
    }
    if (moved.size() != 1) {
      return told(fmt::format("along dual coordinate {} of {} the slope is", check_.coordinate + 1,
                              map_.text()),
                  check_.analytic, check_.numeric);
    }
    const std::size_t i = moved.front();
    const double given = gradient_.view().at(i, worst_lane_) + 0.0;  // no "-0"
    const double stretch =
        check_.analytic != 0 ? given / check_.analytic : 2 * h / (above[i] - below[i]);
    return told(fmt::format("coordinate {} is", i + 1), given, stretch * check_.numeric);
  }

  bool of_log_density() const { return target_.as<LogDensity>() != nullptr; }

  static std::string shown(std::span<const double> x) {
    constexpr std::size_t most = 8;
    return fmt::format("[{:.6g}{}]", fmt::join(x.first(std::min(most, x.size())), ", "),
                       x.size() > most ? ", ..." : "");
  }

  void explain() {
    const std::string name = target_.name();
    if (check_.points == 0) {
      check_.worst_error = std::numeric_limits<double>::quiet_NaN();
      const bool all_nan =
          check_.not_numbers > 0 && std::all_of(value_.begin(), value_.begin() + lanes_,
                                                [](double v) { return std::isnan(v); });
      check_.not_numbers = all_nan ? check_.not_numbers : 0;  // else it is only unknown
      check_.point = point(0);
      check_.explanation =
          all_nan ? fmt::format(
                        "{} gives a value that is not a number at every point tried inside "
                        "{}, such as x = {}.",
                        name, map_.text(), shown(not_a_number_))
          : std::all_of(value_.begin(), value_.begin() + lanes_,
                        [](double v) { return v == unlimited; })
              ? fmt::format("{} has value +inf at every point tried inside {}.", name, map_.text())
              : fmt::format(
                    "The gradient of {} could be compared with differences at no point "
                    "tried inside {}.",
                    name, map_.text());
      return;
    }
    if (check_.passed) {
      check_.explanation = fmt::format(
          "The gradient of {} agrees with its differences: worst relative error {:.1e} "
          "at {} points.",
          name, check_.worst_error, check_.points);
    } else {
      check_.opposite = opposite_.value_or(false);
      check_.explanation =
          fmt::format("The gradient of {} differs from its differences: {}, at x = {}.", name,
                      slope_text(), shown(check_.point));
    }
    if (check_.not_numbers > 0) {
      check_.explanation +=
          fmt::format(" Its value is not a number at {} of {} points of the set, such as x = {}.",
                      check_.not_numbers, lanes_, shown(not_a_number_));
    }
  }

  // ---- sums of terms -----------------------------------------------------------------------------

  /// (N/b) sum over a batch, over all batches of a partition with weights b/N, is the whole. The
  /// point is in every lane, and each lane has terms of its own.
  void add_up_terms() {
    constexpr std::uint64_t piece = 1024;
    const std::uint64_t terms = target_.terms();
    const std::size_t d = target_.dim();
    for (std::size_t i = 0; i < d; ++i) {
      std::fill_n(x_.view().row(i), lanes_, points_.view().at(i, worst_lane_));
    }
    std::vector<double> sum(d), size(d);
    std::vector<std::uint64_t> indices;
    for (std::uint64_t begin = 0; begin < terms;) {
      const std::uint64_t left = terms - begin;
      const std::uint64_t count = left < lanes_ ? left : std::min(left / lanes_, piece);
      const std::size_t used = left < lanes_ ? 1 : lanes_;  // too few left: all lanes have the same
      indices.resize(count * lanes_);
      for (std::size_t l = 0; l < lanes_; ++l) {
        const auto lane = std::span(indices).subspan(l * count, count);
        std::iota(lane.begin(), lane.end(), begin + (used == 1 ? 0 : l * count));
      }
      target_.batch_gradient(x_.view(), {count, indices}, gx_.view(), ws_);
      const double share = double(count) / double(terms);
      for (std::size_t i = 0; i < d; ++i) {
        for (std::size_t l = 0; l < used; ++l) {
          sum[i] += share * gx_.view().at(i, l);
          size[i] += std::abs(share * gx_.view().at(i, l));
        }
      }
      begin += count * used;
    }
    for (std::size_t i = 0; i < d; ++i) {
      const double whole = gradient_.view().at(i, worst_lane_);
      const double error = std::abs(sum[i] - whole) / std::max({size[i], std::abs(whole), flat});
      if (!(error <= gradient_pass_mark)) {
        check_.passed = false;
        check_.worst_error = error;
        check_.explanation = fmt::format(
            "The {} terms of {} do not sum to the whole: coordinate {} of the gradient is {:.9g} "
            "from the terms and {:.9g} from the whole, at x = {}.",
            terms, target_.name(), i + 1, sum[i], whole, shown(check_.point));
        return;
      }
    }
    check_.explanation += fmt::format(" Its {} terms sum to it.", terms);
  }

  const AnyMap& map_;
  const AnyPotential& target_;
  NoiseField noise_;
  std::size_t lanes_;
  bool along_;
  std::size_t comparisons_;
  Workspace ws_;
  BlockStorage y_, moved_, gy_;              // dual
  BlockStorage points_, gradient_, x_, gx_;  // primal; the latter two of what is moved
  Values value_{}, rounding_{};              // at the points; what rounding is measured against
  std::array<bool, most_lanes> usable_{};
  double epsilon_ = 0;  // of the values
  std::vector<double> not_a_number_;
  std::size_t worst_lane_ = 0;
  std::optional<bool> opposite_;
  GradientCheck check_;
};

}  // namespace

GradientCheck check_gradient(const AnyMap& map, const AnyPotential& target, std::uint64_t seed,
                             std::span<const double> around, GradientEffort effort) {
  if (map.primal_dim() != target.dim()) {
    fail(Fault::config, "target " + target.name(),
         fmt::format("has dimension {} but the map {} has dimension {}", target.dim(), map.text(),
                     map.primal_dim()),
         "give both the same dimension");
  }
  return Comparison(map, target, seed, effort).run(around);
}

}  // namespace tain
