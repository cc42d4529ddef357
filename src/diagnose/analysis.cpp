#include "diagnose/analysis.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "diagnose/moments.hpp"
#include "diagnose/tail.hpp"
#include "tain/core/error.hpp"

namespace tain::diagnostics {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double epsilon = std::numeric_limits<double>::epsilon();

double smaller(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? not_a_number : std::min(a, b);
}
double larger(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? not_a_number : std::max(a, b);
}

}  // namespace

void Analysis::load(const Series& s) {
  TAIN_EXPECTS(s.values.size() == s.chains * s.draws, "series of another shape");
  chains_ = s.chains;
  draws_ = s.draws;
  half_ = s.draws / 2;
  sorted_ = false;
  finite_ =
      !s.values.empty() && std::ranges::all_of(s.values, [](double v) { return std::isfinite(v); });
  constant_ = false;
  bulk_.clear();
  folded_moments_.clear();
  if (!finite_) {
    return;
  }
  double largest = 0;
  for (const double v : s.values) {
    largest = std::max(largest, std::abs(v));
  }
  // Two factors: the inverse of the smallest subnormal is beyond the largest double.
  const int exponent = largest > 0 ? -std::ilogb(largest) : 0;
  values_.resize(s.values.size());
  const double first = std::ldexp(1.0, exponent / 2),
               second = std::ldexp(1.0, exponent - exponent / 2);
  std::ranges::transform(s.values, values_.begin(), [&](double v) { return v * first * second; });
  scale_exponent_ = exponent;
  const auto [low, high] = std::ranges::minmax(values_);
  constant_ = high - low < epsilon;
  mean_ = constant_ ? values_.front() : mean_of(values_);
  sd_ = values_.size() > 1 ? std::sqrt(variance_of(values_, mean_)) : not_a_number;
}

double Analysis::mean() const {
  return finite_ ? std::ldexp(mean_, -scale_exponent_) : not_a_number;
}

double Analysis::sd() const {
  if (!finite_) {
    return not_a_number;
  }
  return constant_ ? 0.0 : std::ldexp(sd_, -scale_exponent_);
}

double Analysis::quantile(double p) {
  return finite_ ? std::ldexp(scaled_quantile(p), -scale_exponent_) : not_a_number;
}

double Analysis::scaled_quantile(double p) {
  sort();
  // R's type 7, in its own order of operations: indicators of "at most the quantile" must not
  // change by a rounding.
  const double position = 1 + static_cast<double>(values_.size() - 1) * p;
  const double below = std::floor(position);
  const double weight = position - below;
  const std::size_t index = static_cast<std::size_t>(below) - 1;
  const double low = ascending_[index].value;
  const double high = ascending_[std::min(index + 1, values_.size() - 1)].value;
  return weight > 0 && high != low ? (1.0 - weight) * low + weight * high : low;
}

void Analysis::sort() {
  if (!sorted_) {
    ascending_ = sorter_.sort(values_);
    sorted_ = true;
  }
}

// Segment k of the split chains: first halves, then second halves; an odd chain loses its middle.
std::span<const double> Analysis::split(std::span<const double> series, std::size_t segment) const {
  const std::size_t chain = segment % chains_;
  const std::size_t start = segment < chains_ ? 0 : draws_ - half_;
  return series.subspan(chain * draws_ + start, half_);
}

// Normal scores of the split draws among each other, into derived_.
void Analysis::normalise(std::span<const Placed> ascending) {
  const std::size_t count = 2 * half_ * chains_;
  if (scores_.size() != count) {
    scores_ = NormalScores(count);
  }
  derived_.resize(values_.size());
  if (count < values_.size()) {
    kept_.clear();
    std::ranges::copy_if(ascending, std::back_inserter(kept_),
                         [&](const Placed& p) { return p.place % draws_ != half_; });
    ascending = kept_;
  }
  rank_normalise(ascending, scores_, derived_);
}

// |x - median| in ascending order: the order of x, read from its middle outwards on both sides.
void Analysis::fold() {
  sort();
  const std::size_t n = ascending_.size();
  const double median = n % 2 == 1 ? ascending_[n / 2].value
                                   : (ascending_[n / 2 - 1].value + ascending_[n / 2].value) / 2;
  folded_.clear();
  std::size_t left = n / 2, right = n / 2;  // next are left - 1 and right
  const auto distance = [&](std::size_t i) { return std::abs(ascending_[i].value - median); };
  while (left > 0 || right < n) {
    const bool go_right = left == 0 || (right < n && distance(right) <= distance(left - 1));
    const std::size_t i = go_right ? right++ : --left;
    folded_.push_back({distance(i), ascending_[i].place});
  }
}

double Analysis::rhat() {
  if (!usable() || half_ < 2) {
    return not_a_number;
  }
  sort();
  normalise(ascending_);
  const double bulk = basic_rhat(derived_);
  gather(bulk_, derived_);
  fold();
  normalise(folded_);
  const double folded = basic_rhat(derived_);
  gather(folded_moments_, derived_);
  return larger(bulk, folded);
}

// From the halves that basic_rhat has just looked at.
void Analysis::gather(ChainMoments& moments, std::span<const double> series) const {
  moments.clear();
  if (is_constant(series)) {
    return;
  }
  moments.late_draws = half_;
  const auto n = static_cast<double>(half_);
  const std::size_t quarter = std::max<std::size_t>(half_ / 2, 1);
  for (std::size_t chain = 0; chain < chains_; ++chain) {
    const double first = segment_means_[chain], second = segment_means_[chains_ + chain];
    const double variances = segment_variances_[chain] + segment_variances_[chains_ + chain];
    moments.mean.push_back((first + second) / 2);
    moments.variance.push_back(((n - 1) * variances + n * (first - second) * (first - second) / 2) /
                               (2 * n - 1));
    moments.early.push_back(mean_of(split(series, chain).first(quarter)));
    moments.late.push_back(second);
    moments.late_variance.push_back(segment_variances_[chains_ + chain]);
  }
}

double Analysis::pareto_k() {
  if (!usable()) {
    return not_a_number;
  }
  sort();
  const std::size_t n = ascending_.size(), length = tail_length(n);
  if (length < fewest_in_tail) {
    return not_a_number;
  }
  tail_.resize(length);
  const double low = ascending_[length].value, high = ascending_[n - length - 1].value;
  for (std::size_t i = 0; i < length; ++i) {
    tail_[i] = ascending_[n - length + i].value - high;
  }
  const double right = generalised_pareto_k(tail_);
  for (std::size_t i = 0; i < length; ++i) {
    tail_[i] = low - ascending_[length - 1 - i].value;
  }
  return std::fmax(right, generalised_pareto_k(tail_));
}

double Analysis::lesser_end(std::span<const double> weights, double share) {
  TAIN_EXPECTS(weights.size() == values_.size(), "one weight per value");
  if (!usable()) {
    return not_a_number;
  }
  sort();
  const std::size_t n = ascending_.size();
  const auto count = std::max<std::size_t>(1, static_cast<std::size_t>(share * double(n)));
  double low = 0, high = 0;
  for (std::size_t i = 0; i < count; ++i) {
    low += weights[ascending_[i].place];
    high += weights[ascending_[n - 1 - i].place];
  }
  return std::min(low, high) / double(count);
}

double Analysis::ess_bulk() {
  if (!usable() || half_ < 3) {
    return not_a_number;
  }
  sort();
  normalise(ascending_);
  return basic_ess(derived_);
}

double Analysis::ess_quantile(double p) {
  if (!usable()) {
    return not_a_number;
  }
  const auto n = static_cast<double>(values_.size());
  const double bound = scaled_quantile(p == 1 ? (n - 0.5) / n : p);
  derived_.resize(values_.size());
  std::ranges::transform(values_, derived_.begin(),
                         [&](double v) { return v <= bound ? 1.0 : 0.0; });
  return basic_ess(derived_);
}

double Analysis::ess_tail() { return smaller(ess_quantile(0.05), ess_quantile(0.95)); }

double Analysis::ess_mean() { return usable() ? basic_ess(values_) : not_a_number; }

double Analysis::ess_sd() {
  if (!usable()) {
    return not_a_number;
  }
  derived_.resize(values_.size());
  std::ranges::transform(values_, derived_.begin(), [&](double v) { return std::abs(v - mean_); });
  return basic_ess(derived_);
}

double Analysis::mcse_mean() { return sd() / std::sqrt(ess_mean()); }

double Analysis::mcse_sd() {
  if (!usable()) {
    return not_a_number;
  }
  derived_.resize(values_.size());
  std::ranges::transform(values_, derived_.begin(),
                         [&](double v) { return (v - mean_) * (v - mean_); });
  const double ess = basic_ess(derived_);
  const double second = mean_of(derived_);
  double fourth = 0;
  for (const double square : derived_) {
    fourth += square * square;
  }
  fourth /= static_cast<double>(derived_.size());
  // Delta method: var(sd) = var(variance) / (4 variance).
  const double variance_of_sd = (fourth - second * second) / ess / second / 4;
  return std::ldexp(std::sqrt(variance_of_sd), -scale_exponent_);
}

bool Analysis::is_constant(std::span<const double> series) const {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (std::size_t k = 0; k < 2 * chains_; ++k) {
    const auto [a, b] = std::ranges::minmax(split(series, k));
    low = std::min(low, a);
    high = std::max(high, b);
  }
  return high - low < epsilon;
}

// sqrt of (pooled variance estimate / mean variance within split chains).
double Analysis::basic_rhat(std::span<const double> series) {
  if (is_constant(series)) {
    return not_a_number;
  }
  const std::size_t segments = 2 * chains_;
  segment_means_.resize(segments);
  segment_variances_.resize(segments);
  double within = 0;
  for (std::size_t k = 0; k < segments; ++k) {
    const std::span<const double> segment = split(series, k);
    segment_means_[k] = mean_of(segment);
    segment_variances_[k] = variance_of(segment, segment_means_[k]);
    within += segment_variances_[k];
  }
  within /= static_cast<double>(segments);
  const auto n = static_cast<double>(half_);
  const double between = n * variance_of(segment_means_, mean_of(segment_means_));
  return std::sqrt((between / within + n - 1) / n);
}

double Analysis::basic_ess(std::span<const double> series) {
  if (half_ < 3 || is_constant(series)) {
    return not_a_number;
  }
  const std::size_t segments = 2 * chains_;
  segment_means_.resize(segments);
  centred_.resize(segments * half_);
  for (std::size_t k = 0; k < segments; ++k) {
    const std::span<const double> segment = split(series, k);
    const double mean = segment_means_[k] = mean_of(segment);
    std::ranges::transform(segment, centred_.begin() + static_cast<std::ptrdiff_t>(k * half_),
                           [&](double v) { return v - mean; });
  }
  autocovariance_.load(centred_, half_);
  const auto n = static_cast<double>(half_);
  const double mean_variance = autocovariance_(0) * n / (n - 1);
  const double between = variance_of(segment_means_, mean_of(segment_means_));
  return ess_from_lags(mean_variance, mean_variance * (n - 1) / n + between);
}

// Geyer's initial monotone sequence over pairs of lags, as posterior sums it.
double Analysis::ess_from_lags(double mean_variance, double variance_plus) {
  const auto correlation = [&](std::size_t t) {
    return 1 - (mean_variance - autocovariance_(t)) / variance_plus;
  };
  std::vector<double>& rho = correlations_;  // pairs that count, and the last even lag
  double even = 1, odd = correlation(1);
  rho.assign({even, odd});
  std::size_t t = 0;
  while (t + 5 < half_ && even + odd > 0) {
    t += 2;
    even = correlation(t);
    odd = correlation(t + 1);
    rho.push_back(even + odd >= 0 ? even : 0.0);
    rho.push_back(even + odd >= 0 ? odd : 0.0);
  }
  if (even > 0) {
    rho[t] = even;
  }
  for (std::size_t pair = 2; pair + 2 <= t; pair += 2) {
    const double before = rho[pair - 2] + rho[pair - 1];
    if (rho[pair] + rho[pair + 1] > before) {
      rho[pair] = rho[pair + 1] = before / 2;
    }
  }
  // Sequences without a second pair count lag 0 as if it were one: posterior's reading, kept.
  const std::size_t summed = std::max<std::size_t>(t, 1);
  const double sum =
      std::accumulate(rho.begin(), rho.begin() + static_cast<std::ptrdiff_t>(summed), 0.0);
  const auto total = static_cast<double>(centred_.size());
  const double time = std::max(-1 + 2 * sum + rho[t], 1 / std::log10(total));
  return total / time;
}

}  // namespace tain::diagnostics
