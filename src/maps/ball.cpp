#include "maps/ball.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/lanes.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

// Euclidean norm of one lane, whatever its size: the largest entry is divided out.
double scaled_norm(ConstBlock y, std::size_t lane) {
  double top = 0;
  for (std::size_t i = 0; i < y.rows(); ++i) {
    top = std::max(top, std::abs(y.at(i, lane)));
  }
  if (!(top > 0) || std::isinf(top)) {
    return top;
  }
  double sum = 0;
  for (std::size_t i = 0; i < y.rows(); ++i) {
    const double part = y.at(i, lane) / top;
    sum += part * part;
  }
  return top * std::sqrt(sum);
}

void norms(ConstBlock y, std::span<double> s) {
  lanes::dot(y, y, s);
  lanes::sqrt(s, s);
  for (std::size_t lane = 0; lane < s.size(); ++lane) {
    if (std::isinf(s[lane])) {
      s[lane] = std::min(scaled_norm(y, lane), std::numeric_limits<double>::max());
    }
  }
}

// k = (1 - a) / (a s^2) with a = tanh(s)/s, from 1/a = 1 + s^2/(3 + s^2/(5 + ...)) (Lambert). Cut
// after 19, it is off by less than s^18 / (21 (3 5 ... 19)^2) < 1e-18 for s <= 1.
double lambert(double s) {
  const double t = s * s;
  double tail = 19;
  for (double odd = 17; odd >= 3; odd -= 2) {
    tail = odd + t / tail;
  }
  return 1 / tail;
}

void onto_ball(std::span<const double> centre, double radius, ConstBlock x, Block out,
               Workspace& ws) {
  const Workspace::Scope scope(ws);
  const std::span<double> largest = ws.array(x.lanes()), squares = ws.array(x.lanes());
  std::ranges::fill(largest, 0.0);
  std::ranges::fill(squares, 0.0);
  // Relative to the largest coordinate, so that squares cannot overflow.
  for (std::size_t i = 0; i < x.rows(); ++i) {
    for (std::size_t l = 0; l < x.lanes(); ++l) {
      largest[l] = std::max(largest[l], std::abs(x.at(i, l) - centre[i]));
    }
  }
  for (std::size_t i = 0; i < x.rows(); ++i) {
    for (std::size_t l = 0; l < x.lanes(); ++l) {
      const double z = largest[l] > 0 ? (x.at(i, l) - centre[i]) / largest[l] : 0.0;
      squares[l] += z * z;
    }
  }
  for (std::size_t l = 0; l < x.lanes(); ++l) {
    const double norm = largest[l] * std::sqrt(squares[l]);
    squares[l] = norm <= radius ? 1.0 : radius / norm;  // NaN spreads
  }
  for (std::size_t i = 0; i < x.rows(); ++i) {
    for (std::size_t l = 0; l < x.lanes(); ++l) {
      const double v = x.at(i, l), factor = squares[l];
      out.at(i, l) = factor == 1.0 ? v : centre[i] + (v - centre[i]) * factor;
    }
  }
}

}  // namespace

BallMap::BallMap(std::vector<double> centre, double radius, BallForm form)
    : centre_(std::move(centre)), radius_(radius), form_(form), margin_(0), at_origin_(true) {
  if (centre_.empty()) {
    fail(Fault::config, Field{"centre"}, "has no coordinates", "give at least one");
  }
  if (!(radius > 0) || std::isinf(radius)) {
    fail(Fault::config, Field{"radius"}, fmt::format("{} is not a positive number", radius),
         "give a positive radius");
  }
  double largest = 0;
  for (std::size_t i = 0; i < centre_.size(); ++i) {
    if (!std::isfinite(centre_[i])) {
      fail(Fault::config, Field{"centre"}, fmt::format("coordinate {} is {}", i + 1, centre_[i]),
           "give finite numbers");
    }
    at_origin_ = at_origin_ && centre_[i] == 0;
    largest = std::max(largest, std::abs(centre_[i]));
  }
  const double d = static_cast<double>(primal_dim());
  const double distance = largest * std::sqrt(d);  // at least |c|
  margin_ = (d + 8 + 4 * distance / radius) * std::numeric_limits<double>::epsilon();
  if (!(margin_ < 1e-3)) {
    fail(Fault::config, Field{"radius"},
         fmt::format("{} is lost in rounding beside a centre of size {}", radius, largest),
         "shift the problem so that the centre is near zero");
  }
}

std::string BallMap::name() const {
  return form_ == BallForm::tanh ? fmt::format("ball({})", primal_dim())
                                 : fmt::format("ball({}, paper)", primal_dim());
}

BallMap::Profile BallMap::profile(ConstBlock y, Workspace& ws) const {
  TAIN_EXPECTS(y.rows() == dual_dim(), "wrong number of rows");
  const std::size_t n = y.lanes();
  const Profile p{ws.array(n), ws.array(n), ws.array(n), ws.array(n)};
  norms(y, p.s);
  if (form_ == BallForm::paper) {
    for (std::size_t l = 0; l < n; ++l) {
      p.a[l] = 1 / (1 + p.s[l]);
      p.b[l] = p.s[l] > 0 ? -p.a[l] * p.a[l] / p.s[l] : 0.0;  // 0 at the kink
      p.k[l] = 0;
    }
    return p;
  }
  lanes::tanh(p.s, p.a);
  for (std::size_t l = 0; l < n; ++l) {
    const double s = p.s[l];
    p.a[l] = s == 0 ? 1.0 : p.a[l] / s;
    p.k[l] = s < 1 ? lambert(s) : (1 / p.a[l] - 1) / s / s;
    p.b[l] = p.a[l] * (p.k[l] - p.a[l]);
  }
  return p;
}

void BallMap::to_primal(ConstBlock y, Block x, Workspace& ws) const {
  Workspace::Scope scope(ws);
  const Profile p = profile(y, ws);
  for (std::size_t l = 0; l < y.lanes(); ++l) {
    const double most = (1 - margin_) / p.s[l];  // inf at 0
    p.a[l] = radius_ * (most < p.a[l] ? most : p.a[l]);
  }
  lanes::copy(y.flat(), x.flat());
  lanes::multiply_rows(p.a, x);
  if (!at_origin_) {
    lanes::affine_rows({}, centre_, x);
  }
}

void BallMap::to_dual(ConstBlock x, Block y, Workspace& ws) const {
  Workspace::Scope scope(ws);
  const std::span<double> r = ws.array(x.lanes());
  for (std::size_t i = 0; i < x.rows(); ++i) {
    lanes::affine(x.slice(i, 1).flat(), 1.0, -centre_[i], y.slice(i, 1).flat());
  }
  lanes::affine(y.flat(), 1 / radius_, 0.0, y.flat());
  norms(y, r);
  for (double& value : r) {
    if (form_ == BallForm::paper) {
      value = 1 / (1 - value);
    } else {
      value = value == 0 ? 1.0 : std::atanh(value) / value;
    }
  }
  lanes::multiply_rows(r, y);
}

void BallMap::pull_back(ConstBlock y, ConstBlock, ConstBlock gx, Block gy, Workspace& ws) const {
  Workspace::Scope scope(ws);
  const Profile p = profile(y, ws);
  const std::span<double> along = ws.array(y.lanes());
  lanes::dot(y, gx, along);
  for (std::size_t l = 0; l < y.lanes(); ++l) {
    along[l] *= radius_ * p.b[l];
    p.a[l] *= radius_;
  }
  lanes::copy(gx.flat(), gy.flat());
  lanes::multiply_rows(p.a, gy);
  for (std::size_t i = 0; i < y.rows(); ++i) {
    lanes::add_product(along, y.slice(i, 1).flat(), gy.slice(i, 1).flat());
  }
}

void BallMap::add_log_det(ConstBlock y, ConstBlock, std::span<double> value, Block gy,
                          Workspace& ws) const {
  Workspace::Scope scope(ws);
  const Profile p = profile(y, ws);
  const std::span<double> slope = ws.array(y.lanes());
  const double d = static_cast<double>(primal_dim());
  const double constant = d * std::log(radius_);
  if (form_ == BallForm::paper) {
    for (std::size_t l = 0; l < y.lanes(); ++l) {
      value[l] += (d + 1) * std::log1p(p.s[l]) - constant;
      slope[l] = p.s[l] > 0 ? (d + 1) * p.a[l] / p.s[l] : 0.0;
    }
  } else {
    for (std::size_t l = 0; l < y.lanes(); ++l) {
      slope[l] = 2 * p.a[l] + (d - 1) * (p.a[l] - p.k[l]);
    }
    lanes::log_cosh(p.s, p.s);
    lanes::log(p.a, p.a);
    for (std::size_t l = 0; l < y.lanes(); ++l) {
      value[l] += 2 * p.s[l] - (d - 1) * p.a[l] - constant;
    }
  }
  for (std::size_t i = 0; i < y.rows(); ++i) {
    lanes::add_product(slope, y.slice(i, 1).flat(), gy.slice(i, 1).flat());
  }
}

bool BallMap::contains(std::span<const double> x) const {
  double sum = 0;
  for (std::size_t i = 0; i < x.size() && i < primal_dim(); ++i) {
    const double part = (x[i] - centre_[i]) / radius_;
    sum += part * part;
  }
  return x.size() == primal_dim() && sum < 1;  // NaN is outside
}

void BallMap::centre(std::span<double> x) const {
  std::copy(centre_.begin(), centre_.end(), x.begin());
}

Projection BallMap::projection() const {
  return [centre = centre_, radius = radius_](ConstBlock x, Block out, Workspace& ws) {
    onto_ball(centre, radius, x, out, ws);
  };
}

Projection BallMap::hull_projection() const {
  return [](ConstBlock x, Block out, Workspace&) { lanes::copy(x.flat(), out.flat()); };
}

Outline BallMap::outline() const {
  return {.kind = Outline::Kind::circle, .centre = centre_, .radius = radius_};
}

}  // namespace tain
