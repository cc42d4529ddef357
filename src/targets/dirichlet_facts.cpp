// What a Dirichlet posterior knows about itself under the simplex's maps.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/special.hpp"
#include "maps/simplex.hpp"
#include "targets/dirichlet.hpp"

namespace tain {
namespace {

/// b_l = sum of all weights but a_l, without the cancellation of A - a_l.
std::vector<double> sums_of_others(std::span<const double> weights) {
  std::vector<double> others(weights.size());
  double before = 0, after = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    others[i] = before;
    before += weights[i];
  }
  for (std::size_t i = weights.size(); i-- > 0;) {
    others[i] += after;
    after += weights[i];
  }
  return others;
}

/// From this weight on, differences of polygamma functions come from their asymptotic series term
/// by term; the first term left out is below 1e-16 of the first one kept.
constexpr double asymptotic_from = 60;

/// a^-k - (a + b)^-k without cancellation for b << a.
double power_difference(double a, double b, int k) {
  return -std::pow(a, -k) * std::expm1(k * -std::log1p(b / a));
}

/// E log x = digamma(a) - digamma(a + b), accurate also where b << a.
double log_mean(double a, double b) {
  if (a < asymptotic_from) {
    return digamma(a) - digamma(a + b);
  }
  return -std::log1p(b / a) - power_difference(a, b, 1) / 2 - power_difference(a, b, 2) / 12 +
         power_difference(a, b, 4) / 120 - power_difference(a, b, 6) / 252 +
         power_difference(a, b, 8) / 240;
}

/// Var log x = trigamma(a) - trigamma(a + b), likewise.
double log_variance(double a, double b) {
  if (a < asymptotic_from) {
    return trigamma(a) - trigamma(a + b);
  }
  return power_difference(a, b, 1) + power_difference(a, b, 2) / 2 + power_difference(a, b, 3) / 6 -
         power_difference(a, b, 5) / 30 + power_difference(a, b, 7) / 42 -
         power_difference(a, b, 9) / 30;
}

/// Moments of y: x_l = G_l / sum G with independent G_l ~ Gamma(a_l), and neither kind of
/// coordinates sees the common factor, so y is linear in log G, which has mean digamma(a_l) and
/// variance trigamma(a_l).
void add_dual_moments(std::span<const double> weights, std::optional<std::size_t> reference,
                      TargetFacts& facts) {
  const std::size_t n = weights.size();
  std::vector<double> mean(n), variance(n);
  std::ranges::transform(weights, mean.begin(), digamma);
  std::ranges::transform(weights, variance.begin(), trigamma);
  if (reference) {  // y_j = log G_j - log G_k
    for (std::size_t j = 0; j < n; ++j) {
      if (j != *reference) {
        facts.dual_mean.push_back(mean[j] - mean[*reference]);
        facts.dual_variance.push_back(variance[j] + variance[*reference]);
      }
    }
    return;
  }
  // y_j = log G_j - c sum_(i<n) log G_i + log G_n / sqrt(n),  c = 1 / (sqrt(n) (sqrt(n) - 1))
  const double root = std::sqrt(double(n)), c = 1 / (root * (root - 1));
  const double means = std::accumulate(mean.begin(), mean.end() - 1, 0.0);
  const double variances = std::accumulate(variance.begin(), variance.end() - 1, 0.0);
  for (std::size_t j = 0; j + 1 < n; ++j) {
    facts.dual_mean.push_back(mean[j] - c * means + mean[n - 1] / root);
    facts.dual_variance.push_back((1 - 2 * c) * variance[j] + c * c * variances +
                                  variance[n - 1] / double(n));
  }
}

/// E |N grad W_i - grad W|^2 = sum_l N^2 p_l (1 - p_l), p = n / N: N grad W_i and grad W differ
/// only in N 1(c(i) = l) against n_l. Symmetric coordinates are an isometry of the zero-sum logits,
/// in which that difference lies; reference coordinates leave the reference out.
double term_variance(std::span<const double> counts, double terms,
                     std::optional<std::size_t> reference) {
  double sum = 0;
  for (std::size_t l = 0; l < counts.size(); ++l) {
    sum += reference == l ? 0.0 : counts[l] * (terms - counts[l]);
  }
  return sum;
}

}  // namespace

TargetFacts DirichletPosterior::facts(const AnyMap& map) const {
  TargetFacts facts;
  const SimplexMap* simplex = map.as<SimplexMap>();
  if (map.primal_dim() != dim() || !simplex) {
    return facts;
  }
  facts.weights = weights_;
  if (!simplex->is_stretched()) {
    facts.dual_lipschitz = dim() == 2 && simplex->reference() ? total_ / 4 : total_ / 2;
    add_dual_moments(weights_, simplex->reference(), facts);
    if (terms() > 0) {
      facts.term_variance = term_variance(counts_, double(terms()), simplex->reference());
    }
  }
  const std::vector<double> others = sums_of_others(weights_);
  for (std::size_t i = 0; i < dim(); ++i) {
    const double a = weights_[i], b = others[i];
    facts.mean.push_back(a / total_);
    facts.variance.push_back(a / total_ * (b / total_) / (total_ + 1));
    facts.log_mean.push_back(log_mean(a, b));
    facts.log_variance.push_back(log_variance(a, b));
  }
  if (simplex->is_stretched()) {
    return facts;  // stretched coordinates are steep at the mean; their map knows a better point
  }
  facts.start = facts.mean;
  // The mean of a category with a tiny weight may underflow; the simplex is open.
  for (double& x : facts.start) {
    x = std::max(x, 1e-280);
  }
  return facts;
}

}  // namespace tain
