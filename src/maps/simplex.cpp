#include "maps/simplex.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "core/lanes.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

constexpr double smallest = 1e-290;     // floor of x: 1/x and log x stay finite
constexpr double sum_tolerance = 1e-9;  // of contains: what text files with 10 digits keep

// tau of the definition for coordinates whose maximum is 0; sorts them.
double simplex_threshold(std::span<double> u) {
  std::ranges::sort(u, std::greater<>());
  double sum = 0, tau = -1;
  for (std::size_t k = 0; k < u.size(); ++k) {
    sum += u[k];
    const double next = (sum - 1) / static_cast<double>(k + 1);
    if (!(u[k] > next)) {
      break;
    }
    tau = next;
  }
  return tau;
}

void onto_simplex(ConstBlock x, Block out, Workspace& ws) {
  const Workspace::Scope scope(ws);
  const std::span<double> u = ws.array(x.rows()), finite = ws.array(x.lanes());
  lanes::all_finite(x, finite);
  for (std::size_t l = 0; l < x.lanes(); ++l) {
    double largest = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < x.rows(); ++i) {
      largest = std::max(largest, x.at(i, l));
    }
    for (std::size_t i = 0; i < x.rows(); ++i) {
      u[i] = x.at(i, l) - largest;
    }
    const double tau =
        finite[l] != 0 ? simplex_threshold(u) : std::numeric_limits<double>::quiet_NaN();
    for (std::size_t i = 0; i < x.rows(); ++i) {
      const double v = (x.at(i, l) - largest) - tau;
      out.at(i, l) = v < 0 ? 0.0 : v;
    }
  }
}

// The nearest point with sum 1.
void onto_simplex_hull(ConstBlock x, Block out, Workspace& ws) {
  const Workspace::Scope scope(ws);
  const std::span<double> excess = ws.array(x.lanes());
  lanes::sum(x, excess);
  lanes::affine(excess, 1.0, -1.0, excess);
  lanes::copy(x.flat(), out.flat());
  lanes::add_to_rows(-1.0 / static_cast<double>(x.rows()), excess, out);
}

}  // namespace

SimplexMap::SimplexMap(std::size_t categories, std::optional<std::size_t> reference)
    : categories_(categories),
      reference_(reference),
      added_(0),
      weight_(0),
      root_(std::sqrt(static_cast<double>(categories))) {
  if (categories < 2) {
    fail(Fault::config, "simplex", fmt::format("{} categories make no simplex", categories),
         "give at least 2");
  }
  if (reference && *reference >= categories) {
    fail(Fault::config, "simplex",
         fmt::format("reference category {} of {} does not exist", *reference + 1, categories),
         "name one of the categories");
  }
  added_ = reference.value_or(categories - 1);
  weight_ = reference ? 0.0 : 1.0 / (root_ - 1.0);
}

SimplexMap SimplexMap::symmetric(std::size_t categories) { return {categories, std::nullopt}; }

SimplexMap SimplexMap::with_reference(std::size_t categories, std::size_t reference) {
  return {categories, reference};
}

std::string SimplexMap::name() const {
  const std::string_view form = is_stretched() ? ", stretched" : reference_ ? "" : ", symmetric";
  return reference_ ? fmt::format("simplex({}{}, reference {})", categories_, form, *reference_ + 1)
                    : fmt::format("simplex({}{})", categories_, form);
}

void SimplexMap::logits(ConstBlock y, Block u) const {
  TAIN_EXPECTS(y.rows() == dual_dim() && u.rows() == primal_dim(), "wrong number of rows");
  const std::size_t after = categories_ - 1 - added_;
  lanes::copy(y.slice(0, added_).flat(), u.slice(0, added_).flat());
  lanes::copy(y.slice(added_, after).flat(), u.slice(added_ + 1, after).flat());
  const std::span<double> added = u.slice(added_, 1).flat();
  if (reference_) {
    lanes::fill(0.0, added);
  } else {
    lanes::sum(y, added);
    lanes::affine(added, weight_, 0.0, added);
  }
}

void SimplexMap::logit_pull_back(ConstBlock gu, Block gy) const {
  TAIN_EXPECTS(gu.rows() == primal_dim() && gy.rows() == dual_dim(), "wrong number of rows");
  const std::size_t after = categories_ - 1 - added_;
  lanes::copy(gu.slice(0, added_).flat(), gy.slice(0, added_).flat());
  lanes::copy(gu.slice(added_ + 1, after).flat(), gy.slice(added_, after).flat());
  if (!reference_) {
    lanes::add_to_rows(weight_, gu.slice(added_, 1).flat(), gy);
  }
}

void SimplexMap::to_primal(ConstBlock y, Block x, Workspace& ws) const {
  Workspace::Scope scope(ws);
  if (is_stretched()) {
    lanes::softmax(stretched_logits(y, ws).u, x, ws.array(x.lanes()));
  } else {
    logits(y, x);
    lanes::softmax(x, x, ws.array(x.lanes()));
  }
  lanes::clamp(x.flat(), smallest, 1.0, x.flat());
}

void SimplexMap::log_primal(ConstBlock y, Block log_x, Workspace& ws) const {
  Workspace::Scope scope(ws);
  const std::span<double> lse = ws.array(y.lanes());
  if (is_stretched()) {
    lanes::copy(stretched_logits(y, ws).u.flat(), log_x.flat());
  } else {
    logits(y, log_x);
  }
  lanes::log_sum_exp(log_x, lse);
  lanes::add_to_rows(-1.0, lse, log_x);
}

void SimplexMap::to_dual(ConstBlock x, Block y, Workspace& ws) const {
  if (is_stretched()) {
    return stretched_to_dual(x, y, ws);
  }
  TAIN_EXPECTS(x.rows() == primal_dim() && y.rows() == dual_dim(), "wrong number of rows");
  Workspace::Scope scope(ws);
  const std::size_t after = categories_ - 1 - added_;
  const std::span<double> added = ws.array(x.lanes());
  lanes::log(x.slice(0, added_).flat(), y.slice(0, added_).flat());
  lanes::log(x.slice(added_ + 1, after).flat(), y.slice(added_, after).flat());
  lanes::log(x.slice(added_, 1).flat(), added);
  if (reference_) {
    lanes::add_to_rows(-1.0, added, y);
    return;
  }
  // Q log x: with S = sum log x, y_j = log x_j + (log x_n - S / sqrt(n)) / (sqrt(n) - 1).
  const std::span<double> total = ws.array(x.lanes());
  lanes::sum(y, total);
  lanes::add_scaled(1.0, added, total);
  lanes::add_scaled(-1.0 / root_, total, added);
  lanes::add_to_rows(weight_, added, y);
}

void SimplexMap::pull_back(ConstBlock y, ConstBlock x, ConstBlock gx, Block gy,
                           Workspace& ws) const {
  if (is_stretched()) {
    return stretched_pull_back(y, x, gx, gy, ws);
  }
  TAIN_EXPECTS(x.rows() == primal_dim() && gy.rows() == dual_dim(), "wrong number of rows");
  // gu = (diag x - x x') gx, and gu_added goes to every row with its weight.
  Workspace::Scope scope(ws);
  const std::size_t after = categories_ - 1 - added_;
  const std::span<double> mean = ws.array(x.lanes());
  lanes::dot(x, gx, mean);
  lanes::copy(gx.slice(0, added_).flat(), gy.slice(0, added_).flat());
  lanes::copy(gx.slice(added_ + 1, after).flat(), gy.slice(added_, after).flat());
  lanes::add_to_rows(-1.0, mean, gy);
  lanes::multiply(gy.slice(0, added_).flat(), x.slice(0, added_).flat(),
                  gy.slice(0, added_).flat());
  lanes::multiply(gy.slice(added_, after).flat(), x.slice(added_ + 1, after).flat(),
                  gy.slice(added_, after).flat());
  if (!reference_) {
    const std::span<double> added = ws.array(x.lanes());
    lanes::copy(gx.slice(added_, 1).flat(), added);
    lanes::add_scaled(-1.0, mean, added);
    lanes::multiply(added, x.slice(added_, 1).flat(), added);
    lanes::add_to_rows(weight_, added, gy);
  }
}

void SimplexMap::add_log_det(ConstBlock y, ConstBlock x, std::span<double> value, Block gy,
                             Workspace& ws) const {
  if (is_stretched()) {
    return stretched_log_det(y, x, value, gy, ws);
  }
  // - sum_i log x_i = n lse(u) - sum_i u_i (paper, appendix D). The largest logit belongs to the
  // largest x >= 1/n, so lse(u) = max u - log max x: no exponential, and no underflow.
  Workspace::Scope scope(ws);
  const double n = static_cast<double>(categories_);
  const std::span<double> total = ws.array(x.lanes()), top_logit = ws.array(x.lanes()),
                          top = ws.array(x.lanes());
  lanes::sum(y, total);
  lanes::max(y, top_logit);
  lanes::max(x, top);
  lanes::log(top, top);
  const double constant = reference_ ? 0.0 : -0.5 * std::log(n);
  for (std::size_t lane = 0; lane < x.lanes(); ++lane) {
    const double added = weight_ * total[lane];
    const double lse = (added > top_logit[lane] ? added : top_logit[lane]) - top[lane];
    value[lane] += n * lse - (total[lane] + added) + constant;
  }
  // In logits the gradient is n x_i - 1.
  const std::size_t after = categories_ - 1 - added_;
  lanes::add_scaled(n, x.slice(0, added_).flat(), gy.slice(0, added_).flat());
  lanes::add_scaled(n, x.slice(added_ + 1, after).flat(), gy.slice(added_, after).flat());
  lanes::affine(x.slice(added_, 1).flat(), weight_ * n, -1.0 - weight_, total);
  lanes::add_to_rows(1.0, total, gy);
}

bool SimplexMap::contains(std::span<const double> x) const {
  double sum = 0;
  for (const double value : x) {
    if (!(value > 0)) {
      return false;
    }
    sum += value;
  }
  return x.size() == categories_ && std::abs(sum - 1.0) <= sum_tolerance;
}

void SimplexMap::centre(std::span<double> x) const {
  if (is_stretched()) {
    return stretched_centre(x);
  }
  std::fill(x.begin(), x.end(), 1.0 / static_cast<double>(categories_));
}

Projection SimplexMap::projection() const { return onto_simplex; }

Projection SimplexMap::hull_projection() const { return onto_simplex_hull; }

Outline SimplexMap::outline() const {
  return {.kind = Outline::Kind::triangle, .skipped = reference_};
}

}  // namespace tain
