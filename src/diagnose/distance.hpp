// Distances between draws of one quantity and an exact law, or between two sets of draws.
//
// Definitions: over bins with probabilities p and q,
//     total variation  TV = 1/2 sum |p - q|,      KL(p | q) = sum p log(p / q)   (0 log 0 = 0);
//   1-d Wasserstein    W1 = integral over u in (0, 1) of |F^-1(u) - G^-1(u)|.
// Laws: TV and W1 are metrics, TV in [0, 1]; KL >= 0, and infinite where p has mass and q none.
//   Histograms never lose a draw: the first and the last bin reach to infinity.
// Numerics: even n exact draws are off by sampling noise: compare a measured TV with
//   expected_total_variation. NaN among the draws gives NaN.
// Cost: O(n log bins) for a histogram, O(n log n) for W1.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace tain {

/// Inner edges of bins, ascending: bin k is [edges[k-1], edges[k]), the outermost are unbounded;
/// k edges make k + 1 bins.
using BinEdges = std::vector<double>;

/// `bins` bins of which the inner ones, and the outer ones up to low and high, are equally wide.
BinEdges equal_width_bins(double low, double high, std::size_t bins);
/// `bins` bins of equal probability under the law with this quantile function.
BinEdges equal_probability_bins(const std::function<double(double)>& quantile, std::size_t bins);
/// `bins` bins that hold about equal shares of these draws (fewer bins where draws are tied).
BinEdges equal_share_bins(std::span<const double> draws, std::size_t bins);

/// Share of the draws in every bin.
std::vector<double> histogram(std::span<const double> draws, const BinEdges& edges);
/// Probability of every bin under the law with this distribution function.
std::vector<double> bin_probabilities(const std::function<double(double)>& cdf,
                                      const BinEdges& edges);

double total_variation(std::span<const double> p, std::span<const double> q);
double kl_divergence(std::span<const double> p, std::span<const double> q);
/// What the TV between p and the histogram of n independent draws from p is on average:
/// sum sqrt(p (1 - p) / (2 pi n)), the mean absolute deviation of normal bin counts.
double expected_total_variation(std::span<const double> p, std::size_t n);

/// Draws against an exact law.
double total_variation(std::span<const double> draws, const std::function<double(double)>& cdf,
                       const BinEdges& edges);
/// Draws against draws, of any two numbers.
double two_sample_total_variation(std::span<const double> a, std::span<const double> b,
                                  const BinEdges& edges);
double wasserstein(std::span<const double> a, std::span<const double> b);

}  // namespace tain
