#include "targets/dirichlet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/lanes.hpp"
#include "maps/simplex.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

/// Categories of least weight, up to this sum of weights, take the direct form; the others the
/// series (see Numerics in the header).
constexpr double direct_limit = 1e8;
/// |t| below which the series is used; its first dropped term is 2 t^9 / 11! = 5e-17, relatively.
constexpr double series_limit = 0.1;

/// e^t - 1 - t for |t| <= series_limit, from its Taylor series.
inline double exp_remainder(double t) {
  double p = 1.0 / 3628800;
  p = p * t + 1.0 / 362880;
  p = p * t + 1.0 / 40320;
  p = p * t + 1.0 / 5040;
  p = p * t + 1.0 / 720;
  p = p * t + 1.0 / 120;
  p = p * t + 1.0 / 24;
  p = p * t + 1.0 / 6;
  p = p * t + 0.5;
  return p * t * t;
}

/// What a row of the block contributes: grad = A x - a, value += a (e^t - 1 - t).
struct Row {
  double weight;        // a_l
  double log_mean;      // log m_l
  double total;         // A
  bool series = false;  // sums e^t - 1 - t by series where t is small
};

void add_row_direct(const Row& row, std::size_t lanes, const double* __restrict u,
                    const double* __restrict x, const double* __restrict lse,
                    double* __restrict value, double* __restrict grad) {
  for (std::size_t l = 0; l < lanes; ++l) {
    const double g = row.total * x[l] - row.weight;
    const double t = (u[l] - lse[l]) - row.log_mean;
    value[l] += g - row.weight * t;
    grad[l] = g;
  }
}

void add_row_series(const Row& row, std::size_t lanes, const double* __restrict u,
                    const double* __restrict x, const double* __restrict lse,
                    double* __restrict value, double* __restrict grad) {
  for (std::size_t l = 0; l < lanes; ++l) {
    const double g = row.total * x[l] - row.weight;
    const double t = (u[l] - lse[l]) - row.log_mean;
    const double direct = g - row.weight * t;
    const double series = row.weight * exp_remainder(t);
    value[l] += std::abs(t) < series_limit ? series : direct;
    grad[l] = g;
  }
}

void add_row(const Row& row, std::size_t lanes, const double* u, const double* x, const double* lse,
             double* value, double* grad) {
  (row.series ? add_row_series : add_row_direct)(row, lanes, u, x, lse, value, grad);
}

/// One Row per category, those of the heavier categories with the series.
std::vector<Row> make_rows(std::span<const double> weights, double total) {
  std::vector<Row> rows;
  rows.reserve(weights.size());
  for (const double a : weights) {
    rows.push_back({a, std::log(a) - std::log(total), total});
  }
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return weights[i]; });
  double sum = 0;
  for (const std::size_t i : order) {
    sum += weights[i];
    rows[i].series = sum > direct_limit;
  }
  return rows;
}

/// Running sums of whole counts; empty where they are not whole, all zero, or too large for doubles
/// to tell neighbours apart.
std::vector<std::uint64_t> running_sums(std::span<const double> counts) {
  constexpr double too_large = 0x1p53;
  std::vector<std::uint64_t> sums;
  double sum = 0;
  for (const double n : counts) {
    sum += n;
    if (n != std::floor(n) || sum >= too_large) {
      return {};
    }
    sums.push_back(static_cast<std::uint64_t>(sum));
  }
  return sum > 0 ? sums : std::vector<std::uint64_t>{};
}

/// (4.4) in the logits u: gu_l = A x_l - (N m_l / b + alpha_l). gu may be u.
void batch_logit_gradient(const DirichletPosterior& posterior, ConstBlock u, const Batches& batches,
                          Block gu, Workspace& ws) {
  const Workspace::Scope scope(ws);
  const double each = static_cast<double>(posterior.terms()) / static_cast<double>(batches.size);
  const double total = posterior.total();
  const Block m = ws.block(u.rows(), u.lanes());
  posterior.count_categories(batches, m);
  lanes::softmax(u, gu, ws.array(u.lanes()));
  for (std::size_t i = 0; i < u.rows(); ++i) {
    const double *seen = m.row(i), prior = posterior.alpha()[i];
    double* g = gu.row(i);
    for (std::size_t l = 0; l < u.lanes(); ++l) {
      g[l] = total * g[l] - (each * seen[l] + prior);
    }
  }
}

/// W - W(mode) under the entropic map (3.7).
class DirichletDual {
 public:
  DirichletDual(SimplexMap simplex, std::string name, const DirichletPosterior& posterior)
      : simplex_(std::move(simplex)),
        name_(std::move(name)),
        posterior_(posterior),
        rows_(make_rows(posterior.weights(), posterior.total())) {}
  std::string name() const { return name_; }
  std::size_t dim() const { return simplex_.dual_dim(); }

  void evaluate(ConstBlock y, std::span<double> value, Block grad, Workspace& ws) const {
    const Workspace::Scope scope(ws);
    const std::size_t n = rows_.size(), lanes = y.lanes();
    const Block u = ws.block(n, lanes), x = ws.block(n, lanes);
    const std::span<double> lse = ws.array(lanes);
    simplex_.logits(y, u);
    lanes::softmax(u, x, lse);
    std::fill_n(value.begin(), lanes, 0.0);
    if (const auto reference = simplex_.reference()) {
      // The gradient in y is that in the logits without the reference: straight to its place.
      const std::span<double> unused = ws.array(lanes);
      for (std::size_t i = 0; i < n; ++i) {
        double* g = i == *reference ? unused.data() : grad.row(i < *reference ? i : i - 1);
        add_row(rows_[i], lanes, u.row(i), x.row(i), lse.data(), value.data(), g);
      }
    } else {
      const Block gu = ws.block(n, lanes);
      for (std::size_t i = 0; i < n; ++i) {
        add_row(rows_[i], lanes, u.row(i), x.row(i), lse.data(), value.data(), gu.row(i));
      }
      simplex_.logit_pull_back(gu, grad);
    }
  }

  std::uint64_t terms() const { return posterior_.terms(); }
  void batch_gradient(ConstBlock y, const Batches& batches, Block grad, Workspace& ws) const {
    const Workspace::Scope scope(ws);
    const Block u = ws.block(rows_.size(), y.lanes());
    simplex_.logits(y, u);
    batch_logit_gradient(posterior_, u, batches, u, ws);
    simplex_.logit_pull_back(u, grad);
  }

 private:
  SimplexMap simplex_;
  std::string name_;
  DirichletPosterior posterior_;
  std::vector<Row> rows_;
};

/// The same in stretched logits, with the stretch's own log det.
class StretchedDirichletDual {
 public:
  StretchedDirichletDual(SimplexMap simplex, std::string name, const DirichletPosterior& posterior)
      : simplex_(std::move(simplex)),
        name_(std::move(name)),
        posterior_(posterior),
        rows_(make_rows(posterior.weights(), posterior.total())) {}
  std::string name() const { return name_; }
  std::size_t dim() const { return simplex_.dual_dim(); }

  void evaluate(ConstBlock z, std::span<double> value, Block grad, Workspace& ws) const {
    const Workspace::Scope scope(ws);
    const std::size_t n = rows_.size(), lanes = z.lanes();
    const lanes::Stretched stretched = simplex_.stretched_logits(z, ws);
    const Block u = stretched.u, x = ws.block(n, lanes);
    const std::span<double> lse = ws.array(lanes), gu = ws.array(lanes);
    lanes::softmax(u, x, lse);
    std::fill_n(value.begin(), lanes, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      add_row(rows_[i], lanes, u.row(i), x.row(i), lse.data(), value.data(), gu.data());
      std::copy_n(gu.data(), lanes, x.row(i));
    }
    simplex_.from_logits(stretched, x, value, grad, ws);
  }

  std::uint64_t terms() const { return posterior_.terms(); }
  void batch_gradient(ConstBlock z, const Batches& batches, Block grad, Workspace& ws) const {
    const Workspace::Scope scope(ws);
    const lanes::Stretched stretched = simplex_.stretched_logits(z, ws);
    const std::span<double> unused = ws.array(z.lanes());
    lanes::fill(0.0, unused);
    batch_logit_gradient(posterior_, stretched.u, batches, stretched.u, ws);
    simplex_.from_logits(stretched, stretched.u, unused, grad, ws);
  }

 private:
  SimplexMap simplex_;
  std::string name_;
  DirichletPosterior posterior_;
  std::vector<Row> rows_;
};

}  // namespace

DirichletPosterior::DirichletPosterior(std::vector<double> counts, std::vector<double> alpha)
    : counts_(std::move(counts)), alpha_(std::move(alpha)), weights_(counts_) {
  constexpr std::string_view where = "target dirichlet";
  if (weights_.size() != alpha_.size()) {
    fail(Fault::config, where,
         fmt::format("{} counts but {} values of alpha", weights_.size(), alpha_.size()),
         "give one alpha per category");
  }
  if (weights_.size() < 2) {
    fail(Fault::config, where, fmt::format("{} categories", weights_.size()), "give 2 or more");
  }
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    if (!(weights_[i] >= 0) || !std::isfinite(weights_[i])) {
      fail(Fault::config, Field{"counts"}, fmt::format("number {} is {}", i + 1, weights_[i]),
           "counts must be finite and not negative");
    }
    if (!(alpha_[i] > 0) || !std::isfinite(alpha_[i])) {
      fail(Fault::config, Field{"alpha"}, fmt::format("number {} is {}", i + 1, alpha_[i]),
           "alpha must be finite and positive");
    }
    weights_[i] += alpha_[i];
    total_ += weights_[i];
  }
  if (!std::isfinite(total_)) {
    fail(Fault::config, where, "counts and alpha overflow when summed", "scale them down");
  }
  ends_ = running_sums(counts_);
}

std::string DirichletPosterior::name() const { return fmt::format("dirichlet({})", dim()); }

void DirichletPosterior::evaluate(ConstBlock x, std::span<double> value, Block grad,
                                  Workspace& ws) const {
  const Workspace::Scope scope(ws);
  const std::size_t n = dim(), lanes = x.lanes();
  const Block log_x = ws.block(n, lanes);
  lanes::log(x.flat(), log_x.flat());
  std::fill_n(value.begin(), lanes, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    const double power = weights_[i] - 1;
    for (std::size_t l = 0; l < lanes; ++l) {
      const double xi = x.at(i, l);
      value[l] -= power * log_x.at(i, l);
      grad.at(i, l) = -power / xi;
      // Outside the support nothing is likely; written so that NaN stays NaN.
      if (xi <= 0) {
        value[l] = std::numeric_limits<double>::infinity();
        grad.at(i, l) = 0;
      }
    }
  }
}

std::size_t DirichletPosterior::category(std::uint64_t term) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(ends_, term) - ends_.begin());
}

void DirichletPosterior::count_categories(std::span<const std::uint64_t> batch,
                                          std::span<double> m) const {
  TAIN_EXPECTS(m.size() == dim(), "one count per category");
  std::ranges::fill(m, 0.0);
  for (const std::uint64_t term : batch) {
    m[category(term)] += 1;
  }
}

void DirichletPosterior::count_categories(const Batches& batches, Block m) const {
  TAIN_EXPECTS(m.rows() == dim(), "one row per category");
  lanes::fill(0.0, m.flat());
  for (std::size_t lane = 0; lane < m.lanes(); ++lane) {
    for (const std::uint64_t term : batches.of(lane)) {
      m.at(category(term), lane) += 1;
    }
  }
}

void DirichletPosterior::batch_gradient(ConstBlock x, const Batches& batches, Block grad,
                                        Workspace&) const {
  const double each = static_cast<double>(terms()) / static_cast<double>(batches.size);
  count_categories(batches, grad);
  for (std::size_t i = 0; i < dim(); ++i) {
    const double *xi = x.row(i), prior = alpha_[i] - 1;
    double* g = grad.row(i);
    for (std::size_t l = 0; l < x.lanes(); ++l) {
      g[l] = xi[l] <= 0 ? 0 : -(each * g[l] + prior) / xi[l];
    }
  }
}

std::optional<AnyPotential> DirichletPosterior::closed_dual(const AnyMap& map) const {
  const std::string label = fmt::format("{} on {}", name(), map.name());
  if (map.primal_dim() != dim()) {
    return std::nullopt;
  }
  const SimplexMap* simplex = map.as<SimplexMap>();
  if (!simplex) {
    return std::nullopt;
  }
  if (simplex->is_stretched()) {
    return StretchedDirichletDual(*simplex, label, *this);
  }
  return DirichletDual(*simplex, label, *this);
}

}  // namespace tain
