#include "reproduce/histograms.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numbers>

#include "core/special.hpp"
#include "diagnose/distance.hpp"

namespace tain {
namespace {

Marginal marginal(const DirichletPosterior& posterior, std::size_t category, std::string binning,
                  std::vector<double> log_edges) {
  const double a = posterior.weights()[category], b = posterior.total() - a;
  Marginal result{category, std::move(binning), std::move(log_edges), {}, 0};
  result.probability =
      bin_probabilities([=](double log_x) { return beta_cdf(log_x, a, b); }, result.log_edges);
  result.of_a_constant_zero = 1 - result.probability.front();
  return result;
}

}  // namespace

Marginal equal_width_marginal(const DirichletPosterior& posterior, std::size_t category,
                              std::size_t bins) {
  const double a = posterior.weights()[category], b = posterior.total() - a;
  const double low = std::exp(beta_log_quantile(1e-4, a, b));
  const double high = std::exp(beta_log_quantile(1 - 1e-4, a, b));
  BinEdges edges = equal_width_bins(low, high, bins);
  for (double& edge : edges) {
    edge = std::log(edge);
  }
  return marginal(posterior, category, "equal width", std::move(edges));
}

Marginal equal_probability_marginal(const DirichletPosterior& posterior, std::size_t category,
                                    std::size_t bins) {
  const double a = posterior.weights()[category], b = posterior.total() - a;
  return marginal(
      posterior, category, "equal probability",
      equal_probability_bins([=](double p) { return beta_log_quantile(p, a, b); }, bins));
}

Histograms::Histograms(std::span<const Marginal> marginals, std::size_t looks) {
  for (const Marginal& m : marginals) {
    edges_.push_back({{m.log_edges.begin(), m.log_edges.end()}, m.probability, width_});
    width_ += m.probability.size();
  }
  counts_.assign(looks * width_, 0);
}

std::span<const std::uint32_t> Histograms::bins(std::size_t look, std::size_t marginal) const {
  return {counts_.data() + look * width_ + edges_[marginal].first,
          edges_[marginal].probability.size()};
}

void Histograms::add(std::size_t look, std::size_t marginal, std::span<const float> log_x) {
  const std::vector<float>& edges = edges_[marginal].log_x;
  std::vector<std::uint32_t> own(edges.size() + 1);
  for (const float value : log_x) {
    ++own[static_cast<std::size_t>(std::ranges::upper_bound(edges, value) - edges.begin())];
  }
  std::uint32_t* const shared = counts_.data() + look * width_ + edges_[marginal].first;
  for (std::size_t k = 0; k < own.size(); ++k) {
    if (own[k] != 0) {
      std::atomic_ref<std::uint32_t>(shared[k]).fetch_add(own[k], std::memory_order_relaxed);
    }
  }
}

std::vector<double> Histograms::shares(std::size_t look, std::size_t marginal,
                                       double& total) const {
  const auto counts = bins(look, marginal);
  std::vector<double> share(counts.begin(), counts.end());
  total = 0;
  for (const double count : share) {
    total += count;
  }
  for (double& s : share) {
    s /= total;
  }
  return share;
}

double Histograms::distance(std::size_t look, std::size_t marginal) const {
  double total = 0;
  return total_variation(shares(look, marginal, total), edges_[marginal].probability);
}

double Histograms::error(std::size_t look, std::size_t marginal) const {
  double n = 0;
  const std::vector<double> share = shares(look, marginal, n);
  const std::vector<double>& probability = edges_[marginal].probability;
  double variances = 0, slopes = 0, square_slopes = 0;
  for (std::size_t k = 0; k < share.size(); ++k) {
    const double q = share[k], variance = q * (1 - q) / n;
    if (variance == 0) {
      continue;
    }
    const double seen = q - probability[k];
    const double d = std::sqrt(std::max(seen * seen - variance, 0.0));
    const double ratio = d / std::sqrt(2 * variance);
    const double slope = std::erf(ratio);
    const double folded =
        std::sqrt(2 * variance / std::numbers::pi) * std::exp(-ratio * ratio) + d * slope;
    variances += d * d + variance - folded * folded;
    const double signed_slope = std::copysign(slope, seen) * q;
    slopes += signed_slope;
    square_slopes += signed_slope * signed_slope;
  }
  // cov(q_k, q_l) = -q_k q_l / n for k != l
  return 0.5 * std::sqrt(std::max(variances - (slopes * slopes - square_slopes) / n, 0.0));
}

}  // namespace tain
