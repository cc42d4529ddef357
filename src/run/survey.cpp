#include "run/survey.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>

#include "targets/undefined.hpp"

namespace tain {
namespace {

// Positions of the noise (Purpose::start): beyond those of start.cpp.
constexpr std::uint64_t scatter_step = 16, look_step = 17, sign_step = 18;
constexpr double passable_nats = 1.5;  // a barrier that chains step over
constexpr double nats_of_light_modes = 10;
constexpr std::size_t points_between = 15;
constexpr std::size_t most_modes = 64, nearest_tried = 3, entries_per_mode = 32;
constexpr std::size_t most_dim_for_hessian = 40;
constexpr std::size_t descents_from_everywhere = 64, descents_from_looks = 64,
                      most_modes_looked_from = 16;
constexpr double nearest_look = 2.5, doublings_of_looks = 5.3, cosine_of_elsewhere = 0.9;

using Points = std::vector<std::vector<double>>;

/// How much lower than the best a weight may be.
double slack(std::size_t dim) { return double(dim) + 3 * std::sqrt(double(dim)) + 3; }

/// Half of the points within a few units of y0, half at scales that double up to 3e7.
double scale_of(std::size_t k) {
  constexpr std::size_t doublings = 24;
  const std::size_t half = k / 2;
  return k % 2 == 0 ? 0.5 * std::exp2(double(half % 3)) : std::exp2(double(2 + half % doublings));
}

std::vector<double> between(const std::vector<double>& a, const std::vector<double>& b, double t) {
  std::vector<double> point(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    point[i] = a[i] + t * (b[i] - a[i]);
  }
  return point;
}

double squared_distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += (a[i] - b[i]) * (a[i] - b[i]);
  }
  return sum;
}

/// Points where W is finite: those where it is not move half-way to y0, up to twenty times.
Points scattered(const AnyPotential& W, const std::vector<double>& y0, const NoiseField& noise,
                 Workspace& ws) {
  Points points(descents_from_everywhere);
  for (std::size_t k = 0; k < points.size(); ++k) {
    Stream stream(noise, Purpose::start, scatter_step, static_cast<std::uint32_t>(k));
    for (const double centre : y0) {
      points[k].push_back(centre + scale_of(k) * stream.normal());
    }
  }
  points.front() = y0;
  for (int attempt = 0; attempt < 20; ++attempt) {
    const std::vector<double> values = values_at(W, points, ws);
    bool all = true;
    for (std::size_t k = 0; k < points.size(); ++k) {
      if (!std::isfinite(values[k])) {
        points[k] = between(y0, points[k], 0.5);
        all = false;
      }
    }
    if (all) {
      break;
    }
  }
  return points;
}

// ---- wells -------------------------------------------------------------------------------------

/// Curvatures by Hutchinson's estimate with four random signs, gradients on the way.
Well well_at(const AnyPotential& W, const std::vector<double>& y, const NoiseField& noise,
             Workspace& ws) {
  constexpr std::size_t signs = lane_group / 2;
  Workspace::Scope scope(ws);
  const std::size_t dim = y.size();
  const Block point = ws.block(dim, lane_group), grad = ws.block(dim, lane_group);
  const Block direction = ws.block(dim, signs);
  const std::span<double> value = ws.array(lane_group);
  Stream stream(noise, Purpose::start, sign_step, 0);
  for (std::size_t i = 0; i < dim; ++i) {
    const double step = 1e-5 * (0.1 + std::abs(y[i]));
    for (std::size_t s = 0; s < signs; ++s) {
      direction.at(i, s) = stream.uniform() < 0.5 ? -step : step;
      point.at(i, s) = y[i] + direction.at(i, s);
      point.at(i, signs + s) = y[i] - direction.at(i, s);
    }
  }
  evaluate_where_defined(W, point, value, grad, ws);
  Well well{y, std::accumulate(value.begin(), value.end(), 0.0) / lane_group, {}, 0};
  well.weight = -well.value;
  for (std::size_t i = 0; i < dim; ++i) {
    double curvature = 0, slope = 0;
    for (std::size_t s = 0; s < signs; ++s) {
      const double above = grad.at(i, s), below = grad.at(i, signs + s);
      curvature += (above - below) / (2 * direction.at(i, s)) / signs;
      slope += (above + below) / (2 * signs);
    }
    const double k = std::abs(curvature) + slope * slope;
    // Flat: as wide as the unit of the dual.
    const double square = k > 1e-20 && std::isfinite(k) ? k : 1.0;
    well.width.push_back(1 / std::sqrt(square));
    well.weight -= std::log(square) / 2;
  }
  if (!std::isfinite(well.weight)) {
    well.weight = -std::numeric_limits<double>::infinity();
  }
  return well;
}

/// Distance of a point from a well's middle, in its widths.
double widths_between(const Well& well, std::span<const double> y) {
  double sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double z = (y[i] - well.y[i]) / well.width[i];
    sum += z * z;
  }
  return std::sqrt(sum);
}

// ---- modes -------------------------------------------------------------------------------------

/// Does W rise between two ends by more than chains step over?
bool apart(const AnyPotential& W, const std::vector<double>& a, double value_a,
           const std::vector<double>& b, double value_b, Workspace& ws) {
  Points way;
  for (std::size_t k = 1; k <= points_between; ++k) {
    way.push_back(between(a, b, double(k) / (points_between + 1)));
  }
  const std::vector<double> values = values_at(W, way, ws);
  return std::ranges::max(values) > std::max(value_a, value_b) + passable_nats;
}

bool nearly_same(const std::vector<double>& a, const std::vector<double>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::abs(a[i] - b[i]) > 1e-7 * (1e-3 + std::abs(a[i]) + std::abs(b[i]))) {
      return false;
    }
  }
  return true;
}

/// Where descents ended, and which of them belong together.
class Ends {
 public:
  Ends(const AnyPotential& W, Workspace& ws) : W_(W), ws_(ws) {}

  /// The group of an end: an old one, a new one, or none where there are too many.
  std::optional<std::size_t> add(const Descent& descent) {
    std::vector<std::size_t> order(groups_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const std::size_t tried = std::min(nearest_tried, order.size());
    const auto distance = [&](std::size_t g) {
      return squared_distance(groups_[g].front().end, descent.end);
    };
    std::ranges::partial_sort(order, order.begin() + std::ptrdiff_t(tried), {}, distance);
    for (const std::size_t g : std::span(order).first(tried)) {
      const Descent& leader = groups_[g].front();
      if (nearly_same(leader.end, descent.end)) {
        return g;
      }
      if (!apart(W_, leader.end, leader.value, descent.end, descent.value, ws_)) {
        // One that stopped on a saddle, as symmetry makes them, belongs here but joins nobody.
        if (descent.value <= leader.value + passable_nats) {
          groups_[g].push_back(descent);
        }
        return g;
      }
    }
    if (groups_.size() == most_modes) {
      return std::nullopt;
    }
    groups_.push_back({descent});
    return groups_.size() - 1;
  }

  /// Groups whose nearest ends are within reach become one; gives the new number of each old.
  std::vector<std::size_t> join() {
    std::vector<std::size_t> leader(groups_.size());
    std::iota(leader.begin(), leader.end(), std::size_t{0});
    for (const auto& [a, b] : neighbours()) {
      const std::size_t first = led_by(leader, a.first), second = led_by(leader, b.first);
      const Descent &one = groups_[a.first][a.second], &other = groups_[b.first][b.second];
      if (first != second && !apart(W_, one.end, one.value, other.end, other.value, ws_)) {
        leader[std::max(first, second)] = std::min(first, second);
      }
    }
    std::vector<std::size_t> place(groups_.size());
    std::vector<std::vector<Descent>> joined;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const std::size_t first = led_by(leader, g);
      if (first == g) {
        place[g] = joined.size();
        joined.emplace_back();
      } else {
        place[g] = place[first];
      }
      std::ranges::move(groups_[g], std::back_inserter(joined[place[g]]));
    }
    groups_ = std::move(joined);
    return place;
  }

  const std::vector<std::vector<Descent>>& groups() const { return groups_; }

 private:
  using Member = std::pair<std::size_t, std::size_t>;  // of a group

  static std::size_t led_by(const std::vector<std::size_t>& leader, std::size_t g) {
    while (leader[g] != g) {
      g = leader[g];
    }
    return g;
  }

  /// The nearest members of every two groups, the nearest pairs first.
  std::vector<std::pair<Member, Member>> neighbours() const {
    struct Pair {
      double distance;
      Member a, b;
    };
    std::vector<Pair> pairs;
    for (std::size_t a = 0; a < groups_.size(); ++a) {
      for (std::size_t b = a + 1; b < groups_.size(); ++b) {
        Pair nearest{std::numeric_limits<double>::infinity(), {a, 0}, {b, 0}};
        for (std::size_t i = 0; i < groups_[a].size(); ++i) {
          for (std::size_t j = 0; j < groups_[b].size(); ++j) {
            const double distance = squared_distance(groups_[a][i].end, groups_[b][j].end);
            if (distance < nearest.distance) {
              nearest = {distance, {a, i}, {b, j}};
            }
          }
        }
        pairs.push_back(nearest);
      }
    }
    std::ranges::stable_sort(pairs, {}, &Pair::distance);
    // Enough to join a chain of them, each to the next.
    pairs.resize(std::min(pairs.size(), nearest_tried * groups_.size()));
    std::vector<std::pair<Member, Member>> result;
    for (const Pair& pair : pairs) {
      result.emplace_back(pair.a, pair.b);
    }
    return result;
  }

  const AnyPotential& W_;
  Workspace& ws_;
  std::vector<std::vector<Descent>> groups_;
};

// ---- shapes ------------------------------------------------------------------------------------

/// L of L L^T = a, both row by row; none unless a is positive definite.
std::optional<std::vector<double>> cholesky(std::vector<double> a, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = 0; k < j; ++k) {
      for (std::size_t i = j; i < n; ++i) {
        a[i * n + j] -= a[i * n + k] * a[j * n + k];
      }
    }
    const double pivot = a[j * n + j];
    if (!(pivot > 0) || !std::isfinite(pivot)) {
      return std::nullopt;
    }
    for (std::size_t i = j; i < n; ++i) {
      a[i * n + j] /= std::sqrt(pivot);
    }
  }
  return a;
}

/// The Hessian in units of `unit` along each coordinate, by central differences of a tenth of it.
std::vector<double> hessian(const AnyPotential& W, const std::vector<double>& y,
                            const std::vector<double>& unit, Workspace& ws) {
  constexpr double part = 0.1;
  constexpr std::size_t pairs = lane_group / 2;
  const std::size_t dim = y.size();
  std::vector<double> result(dim * dim);
  for (std::size_t first = 0; first < dim; first += pairs) {
    Workspace::Scope scope(ws);
    const Block point = ws.block(dim, lane_group), grad = ws.block(dim, lane_group);
    const std::span<double> value = ws.array(lane_group);
    for (std::size_t l = 0; l < lane_group; ++l) {
      const std::size_t j = first + l % pairs;
      for (std::size_t i = 0; i < dim; ++i) {
        point.at(i, l) = y[i] + (i == j ? (l < pairs ? part : -part) * unit[i] : 0.0);
      }
    }
    evaluate_where_defined(W, point, value, grad, ws);
    for (std::size_t j = first; j < std::min(first + pairs, dim); ++j) {
      for (std::size_t i = 0; i < dim; ++i) {
        const double change = grad.at(i, j - first) - grad.at(i, j - first + pairs);
        result[i * dim + j] = change / (2 * part) * unit[i];
      }
    }
  }
  for (std::size_t i = 0; i < dim; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      result[i * dim + j] = result[j * dim + i] = 0.5 * (result[i * dim + j] + result[j * dim + i]);
    }
  }
  return result;
}

/// A mode as a Gaussian: y = middle + width z, z with the precision L L^T.
class Shape {
 public:
  Shape(const AnyPotential& W, const Well& well, Workspace& ws)
      : well_(well), factor_(cholesky(hessian(W, well.y, well.width, ws), well.y.size())) {}

  /// The point that is `direction`, made `radius` sd long.
  std::vector<double> at(std::vector<double> direction, double radius) const {
    const std::size_t n = direction.size();
    const double length =
        std::sqrt(std::inner_product(direction.begin(), direction.end(), direction.begin(), 0.0));
    for (std::size_t i = n; i-- > 0;) {  // z = L^-T direction
      if (factor_) {
        for (std::size_t k = i + 1; k < n; ++k) {
          direction[i] -= (*factor_)[k * n + i] * direction[k];
        }
        direction[i] /= (*factor_)[i * n + i];
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      direction[i] = well_.y[i] + well_.width[i] * direction[i] * (radius / length);
    }
    return direction;
  }

  /// Cosine between the way down at y and the way back to the middle, as the Gaussian measures
  /// angles: 1 wherever W depends on the Gaussian's radius alone.
  double cosine(std::span<const double> y, std::span<const double> gradient) const {
    const std::size_t n = y.size();
    std::vector<double> z(n), g(n);
    double along = 0, z_square = 0, g_square = 0;
    for (std::size_t i = 0; i < n; ++i) {
      z[i] = (y[i] - well_.y[i]) / well_.width[i];
      g[i] = gradient[i] * well_.width[i];
      along += z[i] * g[i];
    }
    for (std::size_t i = 0; i < n; ++i) {
      double turned = factor_ ? 0 : z[i];  // L^T z, L^-1 g
      for (std::size_t k = i; factor_ && k < n; ++k) {
        turned += (*factor_)[k * n + i] * z[k];
      }
      for (std::size_t k = 0; factor_ && k < i; ++k) {
        g[i] -= (*factor_)[i * n + k] * g[k];
      }
      g[i] /= factor_ ? (*factor_)[i * n + i] : 1;
      z_square += turned * turned;
      g_square += g[i] * g[i];
    }
    return along / std::sqrt(z_square * g_square);
  }

 private:
  const Well& well_;
  std::optional<std::vector<double>> factor_;  // none: the widths alone
};

double part_of(double x) { return x - std::floor(x); }

/// Directions and distances all around, even over logarithms of distances (in sd of a mode) and, in
/// the plane, over both together.
class Looks {
 public:
  Looks(std::size_t dim, const NoiseField& noise)
      : dim_(dim),
        stream_(noise, Purpose::start, look_step, 0),
        radius_offset_(stream_.uniform()),
        angle_offset_(stream_.uniform()) {}

  struct Look {
    std::vector<double> direction;
    double radius;
  };
  Look operator()(std::size_t k) {
    // Steps of Roberts' sequence in the plane: powers of 1 / 1.3247...
    const double doublings =
        doublings_of_looks * part_of(radius_offset_ + 0.7548776662466927 * double(k));
    Look look{std::vector<double>(dim_), nearest_look * std::exp2(doublings)};
    if (dim_ == 2) {
      const double turns = part_of(angle_offset_ + 0.5698402909980532 * double(k));
      look.direction = {std::cos(2 * std::numbers::pi * turns),
                        std::sin(2 * std::numbers::pi * turns)};
    } else {
      std::ranges::generate(look.direction, [&] { return stream_.normal(); });
    }
    return look;
  }

 private:
  std::size_t dim_;
  Stream stream_;
  double radius_offset_, angle_offset_;
};

/// Points around modes where the way down leads to none of them, those that point away most first.
Points slopes_elsewhere(const AnyPotential& W, const std::vector<Well>& modes, std::size_t looks,
                        const NoiseField& noise, Workspace& ws) {
  const std::size_t dim = W.dim();
  if (dim > most_dim_for_hessian || modes.empty()) {
    return {};
  }
  std::vector<Shape> shapes;
  for (const Well& mode : std::span(modes).first(std::min(modes.size(), most_modes_looked_from))) {
    shapes.emplace_back(W, mode, ws);
  }
  std::vector<std::pair<double, std::vector<double>>> found;
  Looks look(dim, noise);
  for (std::size_t first = 0; first < looks; first += lane_group) {
    Workspace::Scope scope(ws);
    const Block y = ws.block(dim, lane_group), grad = ws.block(dim, lane_group);
    const std::span<double> value = ws.array(lane_group);
    Points points;
    for (std::size_t l = 0; l < lane_group; ++l) {
      auto [direction, radius] = look((first + l) / shapes.size());
      points.push_back(shapes[(first + l) % shapes.size()].at(std::move(direction), radius));
      for (std::size_t i = 0; i < dim; ++i) {
        y.at(i, l) = points[l][i];
      }
    }
    evaluate_where_defined(W, y, value, grad, ws);
    for (std::size_t l = 0; l < lane_group; ++l) {
      std::vector<double> gradient(dim);
      for (std::size_t i = 0; i < dim; ++i) {
        gradient[i] = grad.at(i, l);
      }
      double most = -1;
      for (const Shape& shape : shapes) {
        most = std::max(most, shape.cosine(points[l], gradient));
      }
      if (std::isfinite(value[l]) && most < cosine_of_elsewhere) {
        found.emplace_back(most, std::move(points[l]));
      }
    }
  }
  std::ranges::stable_sort(found, {}, &std::pair<double, std::vector<double>>::first);
  found.resize(std::min(found.size(), descents_from_looks));
  Points points;
  for (auto& [cosine, point] : found) {
    points.push_back(std::move(point));
  }
  return points;
}

/// Laplace's: -W - log det(Hess W) / 2.
std::optional<double> laplace(const AnyPotential& W, const Mode& mode, Workspace& ws) {
  const std::size_t dim = mode.y.size();
  if (dim > most_dim_for_hessian || !mode.ends.empty()) {
    return std::nullopt;
  }
  const auto factor = cholesky(hessian(W, mode.y, mode.width, ws), dim);
  if (!factor) {
    return std::nullopt;
  }
  double log_mass = -mode.value;
  for (std::size_t i = 0; i < dim; ++i) {
    log_mass += std::log(mode.width[i]) - std::log((*factor)[i * dim + i]);
  }
  return log_mass;
}

/// Between every descent's end and its start: the last point at which W is that of draws.
Points last_likely(const AnyPotential& W, std::span<const Descent* const> descents, Workspace& ws) {
  constexpr int rounds = 8;
  // Powers of two: a start may be 10^5 away from a mode as wide as 10^-6.
  std::vector<double> inside(descents.size(), -40.0), outside(descents.size(), 0.0);
  Points points(descents.size());
  for (std::size_t k = 0; k < descents.size(); ++k) {
    points[k] = descents[k]->start;
  }
  for (int round = 0; round <= rounds; ++round) {
    const std::vector<double> values = values_at(W, points, ws);
    for (std::size_t k = 0; k < descents.size(); ++k) {
      const Descent& descent = *descents[k];
      const double half = double(descent.end.size()) / 2;
      const bool likely = values[k] <= descent.value + half + 2 * std::sqrt(half) + 2;
      if (round > 0) {
        (likely ? inside : outside)[k] = (inside[k] + outside[k]) / 2;
      } else if (likely) {
        inside[k] = 0;
      }
      const double power = round < rounds ? (inside[k] + outside[k]) / 2 : inside[k];
      points[k] = between(descent.end, descent.start, std::exp2(power));
    }
  }
  return points;
}

}  // namespace

std::optional<double> Survey::share(const Mode& mode) const {
  if (!masses_known) {
    return std::nullopt;
  }
  double sum = 0;
  for (const auto* list : {&modes, &light}) {
    for (const Mode& other : *list) {
      sum += std::exp(*other.log_mass - *mode.log_mass);
    }
  }
  return 1 / sum;
}

std::size_t Survey::mode_of(std::span<const double> y) const {
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  std::size_t number = 0;
  const auto look = [&](const Mode& mode, const std::vector<double>& end) {
    double value = mode.value;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double z = (y[i] - end[i]) / mode.width[i];
      value += z * z / 2;
    }
    if (value < least) {
      least = value;
      best = number;
    }
  };
  for (const auto* list : {&modes, &light}) {
    for (const Mode& mode : *list) {
      look(mode, mode.y);
      for (const std::vector<double>& end : mode.ends) {
        look(mode, end);
      }
      ++number;
    }
  }
  return best;
}

std::size_t looks_for(std::size_t dim, std::size_t steps) {
  constexpr std::size_t fewest = 4096, most = 32768;
  return dim <= 2 ? 1024 * dim : std::clamp(steps / 2, fewest, most);
}

Survey survey(const AnyPotential& W, const std::vector<double>& y0, std::size_t looks,
              const NoiseField& noise, Workspace& ws) {
  std::vector<Descent> descents;
  std::vector<std::size_t> group_of;
  Ends ends(W, ws);
  const auto follow = [&](const Points& starts) {
    std::vector<Descent> found = descend(W, starts, ws);
    // Those that ran out of steps are on the way to some mode, not at one.
    std::erase_if(found, [](const Descent& d) { return !std::isfinite(d.value) || !d.settled; });
    std::ranges::stable_sort(found, {}, &Descent::value);
    for (Descent& descent : found) {
      if (const auto group = ends.add(descent)) {
        descents.push_back(std::move(descent));
        group_of.push_back(*group);
      }
    }
  };
  follow(scattered(W, y0, noise, ws));
  std::vector<Well> wells;
  for (const std::vector<Descent>& group : ends.groups()) {
    wells.push_back(well_at(W, group.front().end, noise, ws));
  }
  if (const Points more = slopes_elsewhere(W, wells, looks, noise, ws); !more.empty()) {
    follow(more);
  }
  const std::vector<std::size_t> joined = ends.join();

  // Wells of modes and of entries; the best weight decides which count.
  const std::size_t count = ends.groups().size();
  std::vector<Mode> modes;
  std::vector<std::vector<Well>> entries(count);
  double best = well_at(W, y0, noise, ws).weight;
  for (const std::vector<Descent>& group : ends.groups()) {
    const auto lowest = std::ranges::min_element(group, {}, &Descent::value);
    Mode& mode = modes.emplace_back(Mode{well_at(W, lowest->end, noise, ws)});
    for (const Descent& other : group) {
      if (widths_between(mode, other.end) > 0.1) {
        mode.ends.push_back(other.end);
      }
    }
    best = std::max(best, mode.weight);
  }
  std::vector<const Descent*> chosen;
  std::vector<std::size_t> chosen_group, taken(count);
  for (std::size_t k = 0; k < descents.size(); ++k) {
    const std::size_t group = joined[group_of[k]];
    if (taken[group]++ < entries_per_mode) {
      chosen.push_back(&descents[k]);
      chosen_group.push_back(group);
    }
  }
  Points points = last_likely(W, chosen, ws);
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    entries[chosen_group[k]].push_back(well_at(W, points[k], noise, ws));
    if (!chosen[k]->entry.empty()) {
      entries[chosen_group[k]].push_back(well_at(W, chosen[k]->entry, noise, ws));
    }
  }
  for (const std::vector<Well>& of_mode : entries) {
    for (const Well& entry : of_mode) {
      best = std::max(best, entry.weight);
    }
  }
  const double least = best - slack(y0.size());
  Survey result;
  std::vector<Well> all;
  for (std::size_t m = 0; m < count; ++m) {
    std::erase_if(entries[m], [=](const Well& w) { return !(w.weight >= least); });
    all.insert(all.end(), entries[m].begin(), entries[m].end());
    if (modes[m].weight >= least) {
      result.modes.push_back(std::move(modes[m]));
      result.entries.push_back(std::move(entries[m]));
    }
  }
  if (result.modes.empty()) {
    result.entries = {std::move(all)};
    return result;
  }
  std::erase_if(modes, [=](const Mode& mode) {
    // Those that count have been moved out.
    return mode.y.empty() || !(mode.weight >= least - nats_of_light_modes);
  });
  result.masses_known = result.modes.size() + modes.size() > 1;
  for (Mode& mode : result.modes) {
    if (result.masses_known) {
      mode.log_mass = laplace(W, mode, ws);
      result.masses_known = mode.log_mass.has_value();
    }
  }
  for (Mode& mode : modes) {
    if (result.masses_known && (mode.log_mass = laplace(W, mode, ws))) {
      result.light.push_back(std::move(mode));
    }
  }
  return result;
}

}  // namespace tain
