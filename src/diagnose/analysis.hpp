// One quantity, analysed: loads a series, sorts it once and answers every question of
// convergence.hpp from that. Keeps its memory from one quantity to the next.
//
// Numerics: values are multiplied by the power of two that brings the largest to [1, 2), which is
//   exact; so the squares of tiny probabilities do not vanish. "Constant" means a spread below
//   2^-52 of that: for quantities above 1 the same as posterior's absolute 2^-52, which would call
//   every coordinate below 1e-16 constant.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "diagnose/autocovariance.hpp"
#include "diagnose/chain_moments.hpp"
#include "diagnose/convergence.hpp"
#include "diagnose/order.hpp"

namespace tain::diagnostics {

class Analysis {
 public:
  void load(const Series& s);

  bool finite() const { return finite_; }
  bool constant() const { return constant_; }
  double mean() const;
  double sd() const;
  double quantile(double p);

  double rhat();
  /// What single chains look like on the scales of R-hat, once it was asked for: normal scores of
  /// the values, and of their distances from the median. Empty where R-hat is not defined.
  const ChainMoments& bulk_moments() const { return bulk_; }
  const ChainMoments& folded_moments() const { return folded_moments_; }
  double ess_bulk();
  double ess_tail();
  double ess_mean();
  double ess_sd();
  double ess_quantile(double p);
  double mcse_mean();
  double mcse_sd();
  /// The heavier tail's Pareto k (tail.hpp).
  double pareto_k();
  /// The lesser mean of `weights`, one per value, over the lowest and over the highest `share` of
  /// the values.
  double lesser_end(std::span<const double> weights, double share);

 private:
  bool usable() const { return finite_ && !constant_; }
  std::span<const double> split(std::span<const double> series, std::size_t segment) const;
  void sort();
  double scaled_quantile(double p);
  void fold();
  void normalise(std::span<const Placed> ascending);
  bool is_constant(std::span<const double> series) const;
  double basic_rhat(std::span<const double> series);
  void gather(ChainMoments& moments, std::span<const double> series) const;
  double basic_ess(std::span<const double> series);
  double ess_from_lags(double mean_variance, double variance_plus);

  std::size_t chains_ = 0, draws_ = 0, half_ = 0;
  int scale_exponent_ = 0;  // values_ = 2^scale_exponent_ series
  double mean_ = 0, sd_ = 0;
  bool finite_ = false, constant_ = false, sorted_ = false;
  std::vector<double> values_;   // chain-major
  std::vector<double> derived_;  // scores, indicators, deviations: same layout
  std::vector<double> centred_;  // split chains one after another
  std::vector<double> correlations_;
  std::vector<double> segment_means_, segment_variances_;
  ChainMoments bulk_, folded_moments_;
  std::vector<double> tail_;
  std::vector<Placed> folded_, kept_;
  std::span<const Placed> ascending_;
  Sorter sorter_;
  NormalScores scores_;
  Autocovariance autocovariance_;
};

}  // namespace tain::diagnostics
