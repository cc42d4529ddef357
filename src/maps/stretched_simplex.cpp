// Stretched logits.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/lanes.hpp"
#include "core/special.hpp"
#include "maps/simplex.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

constexpr double smallest_share = 1e-290;  // floor of x: 1/x and log x stay finite
constexpr double steepest = 1e290;         // largest slope: |z| = 1e6 stays finite
constexpr double largest_product = 1e300;  // what slopes may multiply up to before a logarithm
constexpr double rounding = 1e-15;         // where Newton ends, relative
constexpr double active_margin = 1;        // see for_weights
constexpr double sharpness = SimplexMap::sharpness;

double softplus(double t) { return std::max(t, 0.0) + std::log1p(std::exp(-std::abs(t))); }

/// k phi and phi' as functions of t = k (y - c), less k c.
struct Stretch {
  double slope;
  double value(double t) const { return t - (slope - 1) * softplus(-t); }
  double derivative(double t) const { return 1 + (slope - 1) / (1 + std::exp(t)); }
};

/// t with value(t) = u, from a guess that must not be right of it. The stretch is concave: Newton's
/// steps from the left never pass the root. In the exponential part they advance by 1 only, so long
/// ones alternate with bisection.
double invert(const Stretch& phi, double u, double guess) {
  if (phi.slope == 1) {
    return u;
  }
  // phi(t) <= min(t, s t), and phi >= u at max(u, 0) + log s + 1.
  double low = std::max({u, u / phi.slope, guess});
  double high = std::max(low, std::max(u, 0.0) + std::log(phi.slope) + 1);
  for (int iteration = 0; iteration < 200; ++iteration) {
    const double step = (u - phi.value(low)) / phi.derivative(low);
    if (!(step > rounding * std::max(1.0, std::abs(low)))) {
      return low + (step < 0 ? step : 0.0);
    }
    low += step;
    const double middle = 0.5 * (low + high);
    if (step > 0.5 && middle > low) {
      (phi.value(middle) < u ? low : high) = middle;
    }
  }
  return low;
}

/// E t where (value(t) - level) / k = log g, g ~ Gamma(weight): trapezoid rule on the density
/// exp(a u - e^u) phi'(t), which is e^t to the left (k/a is the slope) and falls at least like e^-t
/// right of the knee.
double mean_position(double weight, const Stretch& phi, double level) {
  constexpr double step = 0.25, reach = 40;
  const double last = std::min(std::log(phi.slope) + 6 * sharpness, reach);
  double total = 0, moment = 0;
  for (double t = -reach; t <= last; t += step) {
    const double u = (phi.value(t) - level) / sharpness;
    const double density = std::exp(weight * u - std::exp(u)) * phi.derivative(t) / phi.slope;
    total += density;
    moment += density * t;
  }
  return moment / total;
}

/// sum y = 0 must hold where the mass is: minus the mean of E y_i, y_i seen from level 0.
double level_of(std::span<const double> weights, std::span<const double> slopes,
                std::span<const double> knees) {
  double total = 0, mean = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (i == 0 || weights[i] != weights[i - 1]) {
      const Stretch phi{slopes[i]};
      mean = phi.slope == 1
                 ? digamma(weights[i])
                 : knees[i] + mean_position(weights[i], phi, -sharpness * knees[i]) / sharpness;
    }
    total += mean;
  }
  return -total / static_cast<double>(weights.size());
}

void check(std::span<const double> slopes, std::span<const double> knees,
           std::optional<std::size_t> reference) {
  constexpr std::string_view where = "stretched simplex";
  if (slopes.size() < 2 || knees.size() != slopes.size()) {
    fail(Fault::config, where, fmt::format("{} slopes and {} knees", slopes.size(), knees.size()),
         "give one of each per category, 2 or more");
  }
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    if (!(slopes[i] >= 1 && slopes[i] <= steepest) || !std::isfinite(knees[i])) {
      fail(Fault::config, where,
           fmt::format("category {} has slope {} and knee {}", i + 1, slopes[i], knees[i]),
           "give slopes from 1 to 1e290 and finite knees");
    }
  }
  if (reference && *reference >= slopes.size()) {
    fail(Fault::config, where,
         fmt::format("reference category {} of {} does not exist", *reference + 1, slopes.size()),
         "name one of the categories");
  }
}

}  // namespace

SimplexMap SimplexMap::stretched(std::vector<double> slopes, std::vector<double> knees,
                                 std::optional<std::size_t> reference) {
  check(slopes, knees, reference);
  SimplexMap simplex(slopes.size(), reference);
  simplex.slopes_ = std::move(slopes);
  simplex.knees_ = std::move(knees);
  if (reference) {
    simplex.slopes_[*reference] = 1;
    simplex.knees_[*reference] = 0;
  }
  return simplex;
}

SimplexMap SimplexMap::for_weights(std::span<const double> weights,
                                   std::optional<std::size_t> reference) {
  // x_i = g_i / sum g with independent g_i ~ Gamma(a_i), so u_i = log g_i + level. With s = k/a the
  // left tail e^(a u) is e^(k y). In t = k (y - c), g_i = 1 is to stand at log s + 1, where the
  // stretch has died down (phi' = 1 + 1/e); c_i so puts all categories on one level. Unstretched
  // ones keep their typical place as knee, for centre().
  std::vector<double> slopes, knees;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double a = weights[i];
    if (i > 0 && a == weights[i - 1]) {
      slopes.push_back(slopes.back());
      knees.push_back(knees.back());
    } else {
      const Stretch phi{std::clamp(sharpness / a, 1.0, steepest)};
      slopes.push_back(phi.slope);
      knees.push_back(phi.slope > 1 ? -phi.value(std::log(phi.slope) + active_margin) / sharpness
                                    : std::log(a));
    }
  }
  const double level = reference && *reference < weights.size() ? -std::log(weights[*reference])
                                                                : level_of(weights, slopes, knees);
  for (double& knee : knees) {
    knee += level;
  }
  return stretched(std::move(slopes), std::move(knees), reference);
}

void SimplexMap::spread_transposed(ConstBlock gy, Block gz, Workspace& ws) const {
  TAIN_EXPECTS(gy.rows() == primal_dim() && gz.rows() == dual_dim(), "wrong number of rows");
  const std::size_t added = reference_.value_or(dual_dim()), after = dual_dim() - added;
  lanes::copy(gy.slice(0, added).flat(), gz.slice(0, added).flat());
  lanes::copy(gy.slice(added + 1, after).flat(), gz.slice(added, after).flat());
  if (reference_) {
    return;
  }
  Workspace::Scope scope(ws);
  const std::span<double> common = ws.array(gy.lanes());
  lanes::sum(gz, common);
  lanes::affine(common, -1 / (root_ * (root_ - 1)), 0.0, common);
  lanes::add_scaled(1 / root_, gy.slice(added, 1).flat(), common);
  lanes::add_to_rows(1.0, common, gz);
}

lanes::Stretched SimplexMap::stretched_logits(ConstBlock z, Workspace& ws) const {
  TAIN_EXPECTS(z.rows() == dual_dim(), "wrong number of rows");
  const std::size_t n = primal_dim(), lanes = z.lanes();
  const lanes::Stretched out{ws.block(n, lanes), ws.block(n, lanes), ws.block(n, lanes)};
  Workspace::Scope scope(ws);
  const std::span<double> shift = ws.array(lanes);
  const auto stretch = [&](ConstBlock y, std::size_t first) {
    const std::size_t count = y.rows();
    lanes::stretch(y, shift,
                   {slopes().subspan(first, count), knees().subspan(first, count), sharpness},
                   {out.u.slice(first, count), out.slope.slice(first, count),
                    out.inverse_slope.slice(first, count)});
  };
  if (reference_) {
    lanes::fill(0.0, shift);
    stretch(z.slice(0, *reference_), 0);
    stretch(z.slice(*reference_, n - 1 - *reference_), *reference_ + 1);
    lanes::fill(0.0, out.u.slice(*reference_, 1).flat());
    lanes::fill(1.0, out.slope.slice(*reference_, 1).flat());
    lanes::fill(1.0, out.inverse_slope.slice(*reference_, 1).flat());
  } else {
    const Block last = ws.block(1, lanes);
    lanes::sum(z, last.flat());
    lanes::affine(last.flat(), 1 / (root_ * (root_ - 1)), 0.0, shift);
    stretch(z, 0);
    lanes::affine(last.flat(), 1 / root_, 0.0, last.flat());
    lanes::fill(0.0, shift);
    stretch(last, n - 1);
  }
  return out;
}

void SimplexMap::stretched_to_dual(ConstBlock x, Block z, Workspace& ws) const {
  TAIN_EXPECTS(x.rows() == primal_dim() && z.rows() == dual_dim(), "wrong number of rows");
  Workspace::Scope scope(ws);
  const std::size_t n = primal_dim();
  const std::span<double> log_x = ws.array(n), y = ws.array(n);
  for (std::size_t lane = 0; lane < x.lanes(); ++lane) {
    for (std::size_t i = 0; i < n; ++i) {
      log_x[i] = std::log(x.at(i, lane));
      y[i] = -std::numeric_limits<double>::infinity();
    }
    invert_logits(log_x, y);
    // The inverse of the isometry: z_j = y_j + y_n / (sqrt(n) - 1).
    const double common = reference_ ? 0.0 : y[n - 1] / (root_ - 1);
    for (std::size_t j = 0; j + 1 < n; ++j) {
      z.at(j, lane) = y[reference_ && j >= *reference_ ? j + 1 : j] + common;
    }
  }
}

void SimplexMap::invert_logits(std::span<const double> log_x, std::span<double> y) const {
  const std::size_t n = primal_dim();
  double shift = reference_ ? -log_x[*reference_] : 0.0;
  // Newton for the shift: the sum is convex in it, so that from the second point on the steps go
  // down to the root; they end when rounding turns them up again.
  for (int iteration = 0; iteration < 200; ++iteration) {
    double total = 0, pace = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const Stretch phi{slopes_[i]};
      const double t =
          invert(phi, sharpness * (log_x[i] + shift - knees_[i]), sharpness * (y[i] - knees_[i]));
      y[i] = knees_[i] + t / sharpness;
      total += y[i];
      pace += 1 / phi.derivative(t);
    }
    const double step = -total / pace;
    if (reference_ || !std::isfinite(step) || (iteration > 0 && step >= 0) ||
        std::abs(step) <= rounding * std::max(1.0, std::abs(shift))) {
      return;
    }
    shift += step;
    for (std::size_t i = 0; i < n; ++i) {  // the inverse is convex: its tangent is a lower bound
      y[i] += step / Stretch{slopes_[i]}.derivative(sharpness * (y[i] - knees_[i]));
    }
  }
}

void SimplexMap::stretched_pull_back(ConstBlock z, ConstBlock x, ConstBlock gx, Block gz,
                                     Workspace& ws) const {
  // gu = (diag x - x x') gx, then D and the transpose of the isometry.
  Workspace::Scope scope(ws);
  const lanes::Stretched stretched = stretched_logits(z, ws);
  const Block g = stretched.u;
  const std::span<double> mean = ws.array(x.lanes());
  lanes::dot(x, gx, mean);
  lanes::copy(gx.flat(), g.flat());
  lanes::add_to_rows(-1.0, mean, g);
  lanes::multiply(g.flat(), x.flat(), g.flat());
  lanes::multiply(g.flat(), stretched.slope.flat(), g.flat());
  spread_transposed(g, gz, ws);
}

void SimplexMap::add_log_slopes(const lanes::Stretched& stretched, std::span<double> value,
                                std::span<double> inverse_total, Workspace& ws) const {
  // Logarithms of products, as long as they cannot overflow: few logarithms in all.
  Workspace::Scope scope(ws);
  const std::size_t n = primal_dim(), lanes = value.size();
  const std::span<double> product = ws.array(lanes);
  lanes::fill(1.0, product);
  lanes::fill(0.0, inverse_total);
  double reached = 1;
  const auto flush = [&] {
    lanes::log(product, product);
    lanes::add_scaled(-1.0, product, value);
    lanes::fill(1.0, product);
    reached = 1;
  };
  for (std::size_t i = 0; i < n; ++i) {
    if (reached * slopes_[i] > largest_product) {
      flush();
    }
    reached *= slopes_[i];
    const double* __restrict p = stretched.slope.row(i);
    const double* __restrict inverse = stretched.inverse_slope.row(i);
    double* __restrict total = inverse_total.data();
    double* __restrict whole = product.data();
    for (std::size_t l = 0; l < lanes; ++l) {
      total[l] += inverse[l];
      whole[l] *= p[l];
    }
  }
  flush();
}

void SimplexMap::from_logits(const lanes::Stretched& stretched, Block gu, std::span<double> value,
                             Block gz, Workspace& ws) const {
  Workspace::Scope scope(ws);
  const std::size_t n = primal_dim(), lanes = gu.lanes();
  const std::span<double> share = ws.array(lanes);  // 1 / sum 1/phi'; 0 with a reference
  add_log_slopes(stretched, value.first(lanes), share, ws);
  if (reference_) {
    lanes::fill(0.0, share);
  } else {
    const std::span<double> mean = ws.array(lanes);
    lanes::affine(share, 1 / static_cast<double>(n), 0.0, mean);
    lanes::log(mean, mean);
    lanes::add_scaled(-1.0, mean, value.first(lanes));
    for (double& s : share) {
      s = 1 / s;
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (slopes_[i] == 1) {
      continue;
    }
    // With bend = -phi''/phi' = k (1 - 1/phi') (1 - q), 1 - q = (s - phi') / (s - 1):
    //   g_y = phi' g_u + bend - bend / phi' / sum_j 1/phi'_j
    const double s = slopes_[i], scale = sharpness / (s - 1);
    const double* __restrict p = stretched.slope.row(i);
    const double* __restrict inverse = stretched.inverse_slope.row(i);
    const double* __restrict part = share.data();
    double* __restrict g = gu.row(i);
    for (std::size_t l = 0; l < lanes; ++l) {
      const double bend = (1 - inverse[l]) * ((s - p[l]) * scale);
      g[l] = p[l] * g[l] + bend * (1 - inverse[l] * part[l]);
    }
  }
  spread_transposed(gu, gz, ws);
}

void SimplexMap::stretched_log_det(ConstBlock z, ConstBlock x, std::span<double> value, Block gz,
                                   Workspace& ws) const {
  // - sum log x = n lse(u) - sum u, lse(u) = max u - log max x as in Simplex; its gradient in the
  // logits is n x - 1.
  Workspace::Scope scope(ws);
  const double n = static_cast<double>(primal_dim());
  const lanes::Stretched stretched = stretched_logits(z, ws);
  const Block own = ws.block(gz.rows(), gz.lanes());
  const std::span<double> top = ws.array(x.lanes()), lse = ws.array(x.lanes());
  const std::span<double> sums = ws.array(x.lanes());
  lanes::max(x, top);
  lanes::log(top, top);
  lanes::max(stretched.u, lse);
  lanes::add_scaled(-1.0, top, lse);
  lanes::sum(stretched.u, sums);
  const double constant = reference_ ? 0.0 : -0.5 * std::log(n);
  for (std::size_t lane = 0; lane < x.lanes(); ++lane) {
    value[lane] += n * lse[lane] - sums[lane] + constant;
  }
  lanes::affine(x.flat(), n, -1.0, stretched.u.flat());
  from_logits(stretched, stretched.u, value, own, ws);
  lanes::add_scaled(1.0, own.flat(), gz.flat());
}

void SimplexMap::stretched_centre(std::span<double> x) const {
  // Equal x would be steep for stretched categories, all of them at the wall. Spread over their law
  // instead, about logistic seen from the knee, by a sequence that fills (0, 1) evenly.
  constexpr double golden = 0.6180339887498949;
  double largest = reference_ ? 0.0 : -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double part = golden * static_cast<double>(i + 1);
    const double probability = part - std::floor(part);
    const double t = std::log(probability / (1 - probability));
    x[i] = knees_[i] + (slopes_[i] > 1 ? Stretch{slopes_[i]}.value(t) / sharpness : 0.0);
    largest = std::max(largest, x[i]);
  }
  double total = 0;
  for (double& value : x) {
    value = std::exp(value - largest);
    total += value;
  }
  for (double& value : x) {
    value = std::max(value / total, smallest_share);
  }
}

}  // namespace tain
