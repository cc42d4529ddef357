#include "sampling/unvisited.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "tain/maps/dense.hpp"

namespace tain {
namespace {

using Points = std::vector<std::vector<double>>;

constexpr std::uint64_t ray_step = 24;  // positions of the noise (Purpose::start)
constexpr std::size_t most_draws = 4096, energies = 256;
constexpr std::size_t rays = 32, most_dim_of_rays = 40, most_modes = 3;
constexpr std::size_t lines = 32, most_coordinates = 2;
constexpr double tail = 0.02;  // of the draws, beyond a line's quantiles
// What matters: so much more mass than draws, or a mean or an sd that would change by so many sd.
constexpr double least_excess = 0.015, least_ratio = 1.75, least_shift = 0.05;

/// Some draws in the dual, evenly over all chains, and what they say together.
class Cloud {
 public:
  explicit Cloud(const Draws& draws) : dim_(draws.dual_dim), mean_(dim_) {
    const std::size_t all = draws.chains * draws.draws;
    for (std::size_t k = 0; k < all; k += std::max<std::size_t>(1, all / most_draws)) {
      const auto y = draws.dual.subspan(k * dim_, dim_);
      points_.emplace_back(y.begin(), y.end());
    }
    for (const std::vector<double>& y : points_) {
      for (std::size_t i = 0; i < dim_; ++i) {
        mean_[i] += y[i] / size();
      }
    }
  }

  double size() const { return static_cast<double>(points_.size()); }
  std::size_t dim() const { return dim_; }
  const Points& points() const { return points_; }
  const std::vector<double>& mean() const { return mean_; }

  /// `count` of the draws.
  Points some(std::size_t count) const {
    Points chosen;
    const std::size_t step = std::max<std::size_t>(1, points_.size() / count);
    for (std::size_t k = 0; k < points_.size() && chosen.size() < count; k += step) {
      chosen.push_back(points_[k]);
    }
    return chosen;
  }
  std::vector<double> sorted(std::size_t i) const {
    std::vector<double> values;
    for (const std::vector<double>& y : points_) {
      values.push_back(y[i]);
    }
    std::ranges::sort(values);
    return values;
  }
  /// The third standardised moment, without its sign.
  double skewness(std::size_t i) const {
    double square = 0, cube = 0;
    for (const std::vector<double>& y : points_) {
      const double d = y[i] - mean_[i];
      square += d * d / size();
      cube += d * d * d / size();
    }
    return square > 0 ? std::abs(cube) / std::pow(square, 1.5) : 0.0;
  }

 private:
  std::size_t dim_;
  Points points_;
  std::vector<double> mean_;
};

/// How many errors of a thousand draws a part lacks; 0 where that does not matter.
double lack(const Unvisited& part, double shift) {
  const double excess = part.mass - part.draws;
  const bool matters =
      part.mass >= least_ratio * part.draws && (excess >= least_excess || shift >= least_shift);
  return matters ? excess / std::sqrt(part.mass * (1 - part.mass) / 1000) : 0.0;
}

/// The part that lacks most.
struct Most {
  std::optional<Unvisited> part;
  double errors = 0;

  void add(Unvisited next, double shift) {
    if (const double e = lack(next, shift); e > errors) {
      errors = e;
      part = std::move(next);
    }
  }
};

/// Without the quarter that has most.
double mean_of_lower(std::vector<double> values) {
  std::ranges::sort(values);
  if (values.size() > 1) {
    values.resize(values.size() - (values.size() + 3) / 4);
  }
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double error_of_mean(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double square = 0;
  for (const double v : values) {
    square += (v - mean) * (v - mean);
  }
  return n > 1 ? std::sqrt(square / (n - 1) / n) : 0.0;
}

// ---- rays --------------------------------------------------------------------------------------

/// Coordinates in which the draws have the covariance 1: y = m + L z.
class Whitened {
 public:
  explicit Whitened(const Cloud& cloud) : dim_(cloud.dim()), factor_(dim_ * dim_) {
    std::vector<double>& a = factor_;
    for (const std::vector<double>& y : cloud.points()) {
      for (std::size_t i = 0; i < dim_; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
          a[i * dim_ + j] += (y[i] - cloud.mean()[i]) * (y[j] - cloud.mean()[j]) / cloud.size();
        }
      }
    }
    for (std::size_t i = 0; i < dim_; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        a[j * dim_ + i] = a[i * dim_ + j];
      }
    }
    defined_ = dense::cholesky(factor_, dim_);
  }

  bool defined() const { return defined_; }
  double log_det() const { return dense::log_det(factor_, dim_); }  // of the covariance
  /// m + r L u
  std::vector<double> point(const std::vector<double>& m, const std::vector<double>& u,
                            double r) const {
    std::vector<double> y = m;
    for (std::size_t i = 0; i < dim_; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        y[i] += r * factor_[i * dim_ + j] * u[j];
      }
    }
    return y;
  }
  /// |L^-1 (y - m)|
  double distance(const std::vector<double>& y, const std::vector<double>& m) const {
    std::vector<double> z(dim_);
    double square = 0;
    for (std::size_t i = 0; i < dim_; ++i) {
      double v = y[i] - m[i];
      for (std::size_t j = 0; j < i; ++j) {
        v -= factor_[i * dim_ + j] * z[j];
      }
      z[i] = v / factor_[i * dim_ + i];
      square += z[i] * z[i];
    }
    return std::sqrt(square);
  }

 private:
  std::size_t dim_;
  std::vector<double> factor_;
  bool defined_ = false;
};

Points directions(std::size_t dim, const NoiseField& noise) {
  Points all(rays, std::vector<double>(dim));
  for (std::size_t k = 0; k < rays; ++k) {
    Stream stream(noise, Purpose::start, ray_step, static_cast<std::uint32_t>(k));
    double square = 0;
    for (double& u : all[k]) {
      u = stream.normal();
      square += u * u;
    }
    for (double& u : all[k]) {
      u /= std::sqrt(square);
    }
  }
  return all;
}

/// Radii in units of a draw's distance from the centre; finer where mass gathers in a thin shell.
std::vector<double> radii(std::size_t dim) {
  const double d = static_cast<double>(dim);
  const double factor = std::exp(0.5 / std::sqrt(std::max(1.0, d / 10)));
  std::vector<double> all;
  for (double r = 1e-3 * std::sqrt(d); r < 60 * std::sqrt(d); r *= factor) {
    all.push_back(r);
  }
  return all;
}

/// Mass of shells along rays from a mode, over the bound of the whole.
struct Shells {
  std::vector<double> radius;
  Points ways;
  std::vector<std::vector<double>> mass = {};  // of every ray

  /// What the rays have together, if they agree.
  std::optional<double> together() const {
    std::vector<double> totals;
    for (const std::vector<double>& ray : mass) {
      totals.push_back(std::accumulate(ray.begin(), ray.end(), 0.0));
    }
    std::ranges::sort(totals);
    if (!(totals[3 * rays / 4] < 2 * totals[rays / 4])) {
      return {};
    }
    return std::accumulate(totals.begin(), totals.end(), 0.0) / double(rays);
  }
};

Shells shells_around(const AnyPotential& W, const std::vector<double>& m, const Whitened& whitened,
                     double log_whole, const NoiseField& noise, Workspace& ws) {
  const std::size_t dim = m.size();
  const auto d = static_cast<double>(dim);
  Shells shells{radii(dim), directions(dim, noise)};
  Points points;
  for (const std::vector<double>& u : shells.ways) {
    for (const double r : shells.radius) {
      points.push_back(whitened.point(m, u, r));
    }
  }
  const std::vector<double> value = values_at(W, points, ws);
  // The trapezoidal rule in log r.
  const double log_area =
      std::numbers::ln2 + d / 2 * std::log(std::numbers::pi) - std::lgamma(d / 2);
  const double constant = whitened.log_det() / 2 + log_area +
                          std::log(std::log(shells.radius[1] / shells.radius[0])) - log_whole;
  std::size_t next = 0;
  for (std::size_t k = 0; k < rays; ++k) {
    shells.mass.emplace_back();
    for (const double r : shells.radius) {
      shells.mass.back().push_back(std::exp(constant + d * std::log(r) - value[next++]));
    }
  }
  return shells;
}

void look_along_rays(const Shells& shells, const std::vector<double>& m, const Cloud& cloud,
                     const Whitened& whitened, Most& most) {
  const auto d = static_cast<double>(cloud.dim());
  const std::vector<double>& r = shells.radius;
  // Where rays agree, what they have together is the whole, and less than the bound.
  const std::optional<double> together = shells.together();
  const auto whole = [&](double part) {
    return together ? std::min(1 + part, std::max(*together, part)) : 1 + part;
  };
  std::vector<double> distance;
  for (const std::vector<double>& y : cloud.points()) {
    distance.push_back(whitened.distance(y, m));
  }
  std::ranges::sort(distance);
  const double off_centre = whitened.distance(cloud.mean(), m);
  for (std::size_t edge = 1; edge < r.size(); ++edge) {
    const double radius = std::sqrt(r[edge - 1] * r[edge]);
    const double within =
        static_cast<double>(std::ranges::upper_bound(distance, radius) - distance.begin()) /
        cloud.size();
    std::vector<double> inner(rays), outer(rays), spread(rays);
    for (std::size_t k = 0; k < rays; ++k) {
      for (std::size_t j = 0; j < r.size(); ++j) {
        const double mass = shells.mass[k][j];
        (j < edge ? inner : outer)[k] += mass;
        spread[k] += j < edge ? 0.0 : mass * r[j] * r[j] / d;
      }
    }
    const double in = mean_of_lower(inner), out = mean_of_lower(outer);
    const double core = in / whole(in), rest = out / whole(out);
    const std::vector<double> rim = whitened.point(m, shells.ways.front(), radius);
    most.add({Unvisited::Part::around, m, rim, core, within},
             std::max(1 - std::sqrt(1 - core), core * off_centre));
    most.add({Unvisited::Part::outside, m, rim, rest, 1 - within},
             std::sqrt(1 + mean_of_lower(spread) / whole(out)) - 1);
  }
}

// ---- lines -------------------------------------------------------------------------------------

/// Places along a coordinate: where draws are, beyond them, and around a draw.
std::vector<double> places(const std::vector<double>& sorted, double at) {
  constexpr std::size_t quantiles = 20, beyond = 9, around = 9;
  std::vector<double> all{at};
  const std::size_t last = sorted.size() - 1;
  for (std::size_t q = 0; q <= quantiles; ++q) {
    all.push_back(sorted[q * last / quantiles]);
  }
  const auto edge = static_cast<std::size_t>(tail * static_cast<double>(last));
  const double width = sorted[last - edge] - sorted[edge];
  for (const bool up : {false, true}) {
    const auto place = [&](std::size_t k) { return sorted[up ? last - k : k]; };
    for (std::size_t k = edge; k > 0; k /= 2) {
      all.push_back(place(k));
    }
    const double end = place(0), inside = place(edge), sign = up ? 1.0 : -1.0;
    double step = std::abs(end - inside) / 8;
    for (std::size_t k = 0; k < beyond; ++k, step *= 2) {
      all.push_back(end + sign * step);
    }
    for (std::size_t k = 0; k < around; ++k) {
      all.push_back(at + sign * width * 1e-3 * std::pow(2.2, static_cast<double>(k)));
    }
  }
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  return all;
}

/// Of exp(-w) between two places: as if it were an exponential.
double piece(double length, double w0, double w1) {
  const double low = std::min(w0, w1), fall = std::abs(w1 - w0);
  if (!std::isfinite(low)) {
    return 0;
  }
  if (!std::isfinite(fall)) {
    return 0;  // an edge of the set lies between: less than there is
  }
  return length * std::exp(-low) * (fall < 1e-6 ? 1 : -std::expm1(-fall) / fall);
}

/// What lies beyond a quantile of the draws.
struct End {
  double at = 0, draws = 0;
  bool up = false;
  std::vector<double> mass = {};  // of every line
};

std::vector<End> ends_of(const std::vector<double>& sorted) {
  std::vector<End> ends;
  const std::size_t last = sorted.size() - 1;
  for (const double share : {tail, tail / 8}) {
    const auto k = static_cast<std::size_t>(share * static_cast<double>(last));
    const double draws = static_cast<double>(k) / static_cast<double>(sorted.size());
    if (sorted[k] < sorted[last - k]) {
      ends.push_back({sorted[k], draws, false});
      ends.push_back({sorted[last - k], draws, true});
    }
  }
  return ends;
}

void look_along_lines(const AnyPotential& W, std::size_t i, std::size_t count, const Cloud& cloud,
                      Workspace& ws, Most& most) {
  const std::vector<double> sorted = cloud.sorted(i);
  std::vector<End> ends = ends_of(sorted);
  for (const std::vector<double>& y : cloud.some(count)) {
    const std::vector<double> t = places(sorted, y[i]);
    Points points(t.size(), y);
    for (std::size_t k = 0; k < t.size(); ++k) {
      points[k][i] = t[k];
    }
    const std::vector<double> w = values_at(W, points, ws);
    const double least = std::ranges::min(w);
    if (!std::isfinite(least)) {
      continue;
    }
    std::vector<double> mass;
    for (std::size_t k = 0; k + 1 < t.size(); ++k) {
      mass.push_back(piece(t[k + 1] - t[k], w[k] - least, w[k + 1] - least));
    }
    const double all = std::accumulate(mass.begin(), mass.end(), 0.0);
    for (End& end : ends) {
      double beyond = 0;
      for (std::size_t k = 0; k < mass.size(); ++k) {
        beyond += (end.up ? t[k] >= end.at : t[k + 1] <= end.at) ? mass[k] : 0.0;
      }
      end.mass.push_back(all > 0 ? beyond / all : 0.0);
    }
  }
  const std::vector<double> middle = cloud.some(1).front();
  for (const End& end : ends) {
    // Lines through draws of different parts may differ: then too few were looked along.
    if (!end.mass.empty() && mean_of_lower(end.mass) - end.draws > 4 * error_of_mean(end.mass)) {
      std::vector<double> from = middle, to = middle;
      from[i] = sorted[sorted.size() / 2];
      to[i] = end.at;
      most.add({Unvisited::Part::beyond, from, to, mean_of_lower(end.mass), end.draws}, 0);
    }
  }
}

}  // namespace

std::optional<Unvisited> unvisited_mass(const AnyPotential& W, const Survey& survey,
                                        const Draws& draws, const NoiseField& noise) {
  const Cloud cloud(draws);
  const std::size_t dim = cloud.dim();
  Workspace ws;
  Most most;
  if (dim <= most_dim_of_rays && cloud.size() > 10 * static_cast<double>(dim)) {
    const Whitened whitened(cloud);
    const std::vector<double> w = values_at(W, cloud.some(energies), ws);
    const double mean = std::accumulate(w.begin(), w.end(), 0.0) / static_cast<double>(w.size());
    if (whitened.defined() && std::isfinite(mean)) {
      const double log_whole =
          0.5 * (static_cast<double>(dim) * (1 + std::log(2 * std::numbers::pi)) +
                 whitened.log_det()) -
          mean;
      for (std::size_t k = 0; k < std::min(most_modes, survey.modes.size()); ++k) {
        const std::vector<double>& m = survey.modes[k].y;
        look_along_rays(shells_around(W, m, whitened, log_whole, noise, ws), m, cloud, whitened,
                        most);
      }
    }
  }
  std::vector<std::size_t> order(dim);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<double> skewness;
  for (std::size_t i = 0; i < dim; ++i) {
    skewness.push_back(cloud.skewness(i));
  }
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return skewness[i]; });
  order.resize(std::min(dim, most_coordinates));
  for (const std::size_t i : order) {
    look_along_lines(W, i, dim == 1 ? 2 : lines / order.size(), cloud, ws, most);
  }
  return most.part;
}

}  // namespace tain
