#include "maps/box.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/lanes.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double largest = std::numeric_limits<double>::max();
constexpr double tiniest = std::numeric_limits<double>::min();  // its reciprocal is finite
constexpr double exp_limit = 709.0;                             // e^709 < largest < e^710

// Nearest usable double inside a bound: one that differs from it, by no less than a normal number.
double just_above(double bound) {
  return std::max(std::nextafter(bound, infinity), bound + tiniest);
}
double just_below(double bound) {
  return std::min(std::nextafter(bound, -infinity), bound - tiniest);
}

// NaN stays NaN.
double between(double value, double low, double high) {
  const double raised = low > value ? low : value;
  return high < raised ? high : raised;
}

template <class F>
void apply(std::span<double> values, F f) {
  for (double& value : values) {
    value = f(value);
  }
}

// out = e^(sign y), capped to stay finite.
void capped_exp(lanes::In y, double sign, lanes::Out out) {
  lanes::affine(y, sign, 0.0, out);
  lanes::clamp(out, -infinity, exp_limit, out);
  lanes::exp(out, out);
}

void onto_box(const BoxMap& box, ConstBlock x, Block out) {
  for (std::size_t i = 0; i < x.rows(); ++i) {
    const double lower = box.lower()[i], upper = box.upper()[i];
    for (std::size_t l = 0; l < x.lanes(); ++l) {
      const double v = x.at(i, l);
      out.at(i, l) = v < lower ? lower : v > upper ? upper : v;  // NaN stays NaN
    }
  }
}

}  // namespace

BoxMap::Kind BoxMap::kind_of(double lower, double upper) {
  if (std::isinf(lower)) {
    return std::isinf(upper) ? Kind::line : Kind::half_below;
  }
  if (std::isinf(upper)) {
    return Kind::half_above;
  }
  if (lower == -upper) {
    return Kind::centred;
  }
  return std::abs(lower) < std::abs(upper) ? Kind::from_lower : Kind::from_upper;
}

BoxMap::BoxMap(std::vector<double> lower, std::vector<double> upper)
    : lower_(std::move(lower)), upper_(std::move(upper)) {
  const std::size_t dim = lower_.size();
  if (dim == 0 || upper_.size() != dim) {
    fail(Fault::config, Field{"upper"},
         fmt::format("{} lower bounds and {} upper bounds", dim, upper_.size()),
         "give one of each for every coordinate");
  }
  for (std::size_t i = 0; i < dim; ++i) {
    const double l = lower_[i], u = upper_[i];
    const double least = std::isinf(l) ? -largest : just_above(l);
    const double most = std::isinf(u) ? largest : just_below(u);
    // Written so that NaN fails; l = +inf or u = -inf fail too.
    if (!(l < u) || l == infinity || u == -infinity || !(least <= most)) {
      fail(Fault::config, Field{"lower"},
           fmt::format("no number lies between the bounds {} and {} of coordinate {}", l, u, i + 1),
           std::isnan(l) || std::isnan(u) ? "give numbers"
                                          : "the lower bound must be less than the upper");
    }
    const Kind kind = kind_of(l, u);
    const bool bounded = !std::isinf(l) && !std::isinf(u);
    least_.push_back(least);
    most_.push_back(most);
    radius_.push_back(bounded ? u / 2 - l / 2 : 1.0);
    log_radii_ += std::log(radius_.back());
    if (runs_.empty() || runs_.back().kind != kind) {
      runs_.push_back({kind, i, 0});
    }
    ++runs_.back().count;
  }
}

BoxMap BoxMap::orthant(std::size_t dim) {
  BoxMap box(std::vector<double>(dim, 0.0), std::vector<double>(dim, infinity));
  box.label_ = "orthant";
  return box;
}

BoxMap BoxMap::identity(std::size_t dim) {
  BoxMap box(std::vector<double>(dim, -infinity), std::vector<double>(dim, infinity));
  box.label_ = "identity";
  return box;
}

std::string BoxMap::name() const { return fmt::format("{}({})", label_, primal_dim()); }

void BoxMap::to_primal(const Run& run, ConstBlock y, Block x) const {
  switch (run.kind) {
    case Kind::line:
      return lanes::copy(y.flat(), x.flat());
    case Kind::centred:
      lanes::tanh(y.flat(), x.flat());
      break;
    case Kind::from_lower:
    case Kind::from_upper:
      lanes::affine(y.flat(), run.kind == Kind::from_lower ? -2.0 : 2.0, 0.0, x.flat());
      lanes::exp(x.flat(), x.flat());
      break;
    case Kind::half_above:
    case Kind::half_below:
      capped_exp(y.flat(), run.kind == Kind::half_above ? 1.0 : -1.0, x.flat());
      break;
  }
  for (std::size_t row = 0; row < run.count; ++row) {
    const std::size_t i = run.first + row;
    const double l = lower_[i], u = upper_[i], r = radius_[i], least = least_[i], most = most_[i];
    const std::span<double> values = x.slice(row, 1).flat();
    switch (run.kind) {
      case Kind::centred:
        apply(values, [=](double f) { return between(r * f, least, most); });
        break;
      case Kind::from_lower:
        apply(values, [=](double e) { return between(l + r * (2 / (1 + e)), least, most); });
        break;
      case Kind::from_upper:
        apply(values, [=](double e) { return between(u - r * (2 / (1 + e)), least, most); });
        break;
      case Kind::half_above:
        apply(values, [=](double e) { return between(l + e, least, most); });
        break;
      case Kind::half_below:
        apply(values, [=](double e) { return between(u - e, least, most); });
        break;
      case Kind::line:
        break;
    }
  }
}

void BoxMap::to_dual(const Run& run, ConstBlock x, Block y) const {
  lanes::copy(x.flat(), y.flat());
  for (std::size_t row = 0; row < run.count; ++row) {
    const std::size_t i = run.first + row;
    const double l = lower_[i], u = upper_[i], r = radius_[i];
    const std::span<double> values = y.slice(row, 1).flat();
    switch (run.kind) {
      case Kind::centred:
        apply(values, [=](double v) { return std::atanh(v / r); });
        break;
      case Kind::from_lower:
      case Kind::from_upper:  // artanh((x-m)/r), without the rounding of m
        apply(values, [=](double v) { return 0.5 * (std::log(v - l) - std::log(u - v)); });
        break;
      case Kind::half_above:
        apply(values, [=](double v) { return std::log(v - l); });
        break;
      case Kind::half_below:
        apply(values, [=](double v) { return -std::log(u - v); });
        break;
      case Kind::line:
        break;
    }
  }
}

void BoxMap::pull_back(const Run& run, ConstBlock y, ConstBlock gx, Block gy) const {
  switch (run.kind) {
    case Kind::line:
      return lanes::copy(gx.flat(), gy.flat());
    case Kind::half_above:
    case Kind::half_below:
      capped_exp(y.flat(), run.kind == Kind::half_above ? 1.0 : -1.0, gy.flat());
      return lanes::multiply(gy.flat(), gx.flat(), gy.flat());
    case Kind::centred:
    case Kind::from_lower:
    case Kind::from_upper:
      lanes::sech_squared(y.flat(), gy.flat());
      lanes::multiply(gy.flat(), gx.flat(), gy.flat());
      lanes::affine_rows({radius_.data() + run.first, run.count}, {}, gy);
  }
}

void BoxMap::to_primal(ConstBlock y, Block x, Workspace&) const {
  TAIN_EXPECTS(y.rows() == dual_dim() && x.rows() == primal_dim(), "wrong number of rows");
  for (const Run& run : runs_) {
    to_primal(run, y.slice(run.first, run.count), x.slice(run.first, run.count));
  }
}

void BoxMap::to_dual(ConstBlock x, Block y, Workspace&) const {
  TAIN_EXPECTS(y.rows() == dual_dim() && x.rows() == primal_dim(), "wrong number of rows");
  for (const Run& run : runs_) {
    to_dual(run, x.slice(run.first, run.count), y.slice(run.first, run.count));
  }
}

void BoxMap::pull_back(ConstBlock y, ConstBlock, ConstBlock gx, Block gy, Workspace&) const {
  TAIN_EXPECTS(gx.rows() == primal_dim() && gy.rows() == dual_dim(), "wrong number of rows");
  for (const Run& run : runs_) {
    pull_back(run, y.slice(run.first, run.count), gx.slice(run.first, run.count),
              gy.slice(run.first, run.count));
  }
}

void BoxMap::add_log_det(ConstBlock y, ConstBlock x, std::span<double> value, Block gy,
                         Workspace& ws) const {
  Workspace::Scope scope(ws);
  const std::span<double> total = ws.array(y.lanes());
  for (const Run& run : runs_) {
    const ConstBlock rows = y.slice(run.first, run.count);
    const std::span<double> slope = gy.slice(run.first, run.count).flat();
    if (run.kind == Kind::line) {
      continue;
    }
    if (run.kind == Kind::half_above || run.kind == Kind::half_below) {
      const double sign = run.kind == Kind::half_above ? -1.0 : 1.0;
      lanes::sum(rows, total);
      lanes::add_scaled(sign, total, value);
      apply(slope, [=](double g) { return g + sign; });
      continue;
    }
    Workspace::Scope inner(ws);
    const Block scratch = ws.block(run.count, y.lanes());
    lanes::log_cosh(rows.flat(), scratch.flat());
    lanes::sum(scratch, total);
    lanes::add_scaled(2.0, total, value);
    if (run.kind == Kind::centred) {
      // The slope 2 tanh y is 2 x / r to the last bits: bounded, and no difference to cancel.
      for (std::size_t i = run.first; i < run.first + run.count; ++i) {
        lanes::add_scaled(2.0 / radius_[i], x.slice(i, 1).flat(), gy.slice(i, 1).flat());
      }
    } else {
      lanes::tanh(rows.flat(), scratch.flat());
      lanes::add_scaled(2.0, scratch.flat(), slope);
    }
  }
  apply(value, [this](double v) { return v - log_radii_; });
}

bool BoxMap::contains(std::span<const double> x) const {
  bool inside = x.size() == primal_dim();
  for (std::size_t i = 0; inside && i < x.size(); ++i) {
    inside = lower_[i] < x[i] && x[i] < upper_[i];
  }
  return inside;
}

void BoxMap::centre(std::span<double> x) const {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double l = lower_[i], u = upper_[i];
    const double to_upper = std::isinf(u) ? 0.0 : u - 1;  // y = 0 on half-lines and the line
    const double from_lower = std::isinf(u) ? l + 1 : l / 2 + u / 2;
    x[i] = between(std::isinf(l) ? to_upper : from_lower, least_[i], most_[i]);
  }
}

Projection BoxMap::projection() const {
  return [box = *this](ConstBlock x, Block out, Workspace&) { onto_box(box, x, out); };
}

Projection BoxMap::hull_projection() const {
  return [](ConstBlock x, Block out, Workspace&) { lanes::copy(x.flat(), out.flat()); };
}

Outline BoxMap::outline() const {
  const auto infinite = [](double v) { return std::isinf(v); };
  const bool open = std::ranges::all_of(lower_, infinite) && std::ranges::all_of(upper_, infinite);
  return {
      .kind = open ? Outline::Kind::none : Outline::Kind::range, .lower = lower_, .upper = upper_};
}

}  // namespace tain
