#include "tally.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

#include "tain/core/special.hpp"
#include "tain/diagnose/distance.hpp"

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

Tally::Tally(std::span<const Marginal> marginals, std::size_t looks) {
  for (const Marginal& m : marginals) {
    edges_.push_back({{m.log_edges.begin(), m.log_edges.end()}, m.probability, width_});
    width_ += m.probability.size();
  }
  counts_.assign(looks * groups * width_, 0);
}

std::span<std::uint32_t> Tally::bins(std::size_t look, std::size_t marginal, std::size_t group) {
  return {counts_.data() + (look * groups + group) * width_ + edges_[marginal].first,
          edges_[marginal].probability.size()};
}

std::span<const std::uint32_t> Tally::bins(std::size_t look, std::size_t marginal,
                                           std::size_t group) const {
  return {counts_.data() + (look * groups + group) * width_ + edges_[marginal].first,
          edges_[marginal].probability.size()};
}

void Tally::add(std::size_t look, std::size_t marginal, std::size_t group,
                std::span<const float> log_x) {
  const std::vector<float>& edges = edges_[marginal].log_x;
  std::vector<std::uint32_t> own(edges.size() + 1);
  for (const float value : log_x) {
    ++own[static_cast<std::size_t>(std::ranges::upper_bound(edges, value) - edges.begin())];
  }
  const std::span<std::uint32_t> shared = bins(look, marginal, group);
  for (std::size_t k = 0; k < own.size(); ++k) {
    if (own[k] != 0) {
      std::atomic_ref<std::uint32_t>(shared[k]).fetch_add(own[k], std::memory_order_relaxed);
    }
  }
}

double Tally::distance_without(std::size_t look, std::size_t marginal, std::size_t left_out) const {
  const std::vector<double>& probability = edges_[marginal].probability;
  std::vector<double> share(probability.size());
  double total = 0;
  for (std::size_t g = 0; g < groups; ++g) {
    const auto counts = bins(look, marginal, g);
    for (std::size_t k = 0; g != left_out && k < counts.size(); ++k) {
      share[k] += counts[k];
      total += counts[k];
    }
  }
  for (double& s : share) {
    s /= total;
  }
  return total_variation(share, probability);
}

double Tally::distance(std::size_t look, std::size_t marginal) const {
  return distance_without(look, marginal, groups);
}

double Tally::error(std::size_t look, std::size_t marginal) const {
  std::array<double, groups> without{};
  double mean = 0;
  for (std::size_t g = 0; g < groups; ++g) {
    without[g] = distance_without(look, marginal, g);
    mean += without[g] / groups;
  }
  double sum = 0;
  for (const double d : without) {
    sum += (d - mean) * (d - mean);
  }
  return std::sqrt(sum * (groups - 1) / groups);
}

}  // namespace tain
