#include "diagnose/distance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "tain/core/error.hpp"

namespace tain {
namespace {

bool any_nan(std::span<const double> values) {
  return std::ranges::any_of(values, [](double v) { return std::isnan(v); });
}

std::vector<double> ascending(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  return sorted;
}

}  // namespace

BinEdges equal_width_bins(double low, double high, std::size_t bins) {
  TAIN_EXPECTS(bins >= 1 && low < high, "no bins");
  BinEdges edges(bins - 1);
  for (std::size_t k = 0; k < edges.size(); ++k) {
    edges[k] = std::lerp(low, high, static_cast<double>(k + 1) / static_cast<double>(bins));
  }
  return edges;
}

BinEdges equal_probability_bins(const std::function<double(double)>& quantile, std::size_t bins) {
  TAIN_EXPECTS(bins >= 1, "no bins");
  BinEdges edges(bins - 1);
  for (std::size_t k = 0; k < edges.size(); ++k) {
    edges[k] = quantile(static_cast<double>(k + 1) / static_cast<double>(bins));
  }
  return edges;
}

BinEdges equal_share_bins(std::span<const double> draws, std::size_t bins) {
  TAIN_EXPECTS(bins >= 1 && !draws.empty() && !any_nan(draws), "no draws to cut into bins");
  const std::vector<double> sorted = ascending(draws);
  BinEdges edges;
  for (std::size_t k = 1; k < bins; ++k) {
    const double edge = sorted[k * sorted.size() / bins];
    if (edge > sorted.front() && (edges.empty() || edge > edges.back())) {
      edges.push_back(edge);
    }
  }
  return edges;
}

std::vector<double> histogram(std::span<const double> draws, const BinEdges& edges) {
  if (draws.empty() || any_nan(draws)) {
    return std::vector<double>(edges.size() + 1, std::numeric_limits<double>::quiet_NaN());
  }
  std::vector<double> shares(edges.size() + 1, 0.0);
  for (const double draw : draws) {
    shares[static_cast<std::size_t>(std::ranges::upper_bound(edges, draw) - edges.begin())] += 1;
  }
  for (double& share : shares) {
    share /= static_cast<double>(draws.size());
  }
  return shares;
}

std::vector<double> bin_probabilities(const std::function<double(double)>& cdf,
                                      const BinEdges& edges) {
  std::vector<double> probabilities;
  probabilities.reserve(edges.size() + 1);
  double below = 0;
  for (const double edge : edges) {
    const double up_to = cdf(edge);
    probabilities.push_back(up_to - below);
    below = up_to;
  }
  probabilities.push_back(1 - below);
  return probabilities;
}

double total_variation(std::span<const double> p, std::span<const double> q) {
  TAIN_EXPECTS(p.size() == q.size(), "other bins");
  double sum = 0;
  for (std::size_t k = 0; k < p.size(); ++k) {
    sum += std::abs(p[k] - q[k]);
  }
  return sum / 2;
}

double kl_divergence(std::span<const double> p, std::span<const double> q) {
  TAIN_EXPECTS(p.size() == q.size(), "other bins");
  double sum = 0;
  for (std::size_t k = 0; k < p.size(); ++k) {
    if (p[k] != 0) {
      sum += p[k] * std::log(p[k] / q[k]);
    }
  }
  return sum;
}

double expected_total_variation(std::span<const double> p, std::size_t n) {
  double sum = 0;
  for (const double probability : p) {
    sum += std::sqrt(probability * (1 - probability));
  }
  return sum / std::sqrt(2 * std::numbers::pi * static_cast<double>(n));
}

double total_variation(std::span<const double> draws, const std::function<double(double)>& cdf,
                       const BinEdges& edges) {
  return total_variation(histogram(draws, edges), bin_probabilities(cdf, edges));
}

double two_sample_total_variation(std::span<const double> a, std::span<const double> b,
                                  const BinEdges& edges) {
  return total_variation(histogram(a, edges), histogram(b, edges));
}

double wasserstein(std::span<const double> a, std::span<const double> b) {
  if (a.empty() || b.empty() || any_nan(a) || any_nan(b)) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  const std::vector<double> x = ascending(a), y = ascending(b);
  // Both quantile functions are steps: of width 1/n and 1/m. Walk along u in units of 1/(n m).
  const std::size_t n = x.size(), m = y.size();
  double sum = 0;
  std::size_t i = 0, j = 0, left_x = m, left_y = n;
  while (i < n && j < m) {
    const std::size_t width = std::min(left_x, left_y);
    sum += static_cast<double>(width) * std::abs(x[i] - y[j]);
    left_x -= width;
    left_y -= width;
    if (left_x == 0) {
      ++i;
      left_x = m;
    }
    if (left_y == 0) {
      ++j;
      left_y = n;
    }
  }
  return sum / static_cast<double>(n) / static_cast<double>(m);
}

}  // namespace tain
