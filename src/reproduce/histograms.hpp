// Histograms of many chains at several moments, and their distance to the exact law.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "reproduce/synthetic.hpp"

namespace tain {

/// `bins` bins of equal width between the 1/10,000 and the 9,999/10,000 quantile of the exact law
/// (the outermost unbounded), respectively of equal probability.
Marginal equal_width_marginal(const DirichletPosterior& posterior, std::size_t category,
                              std::size_t bins);
Marginal equal_probability_marginal(const DirichletPosterior& posterior, std::size_t category,
                                    std::size_t bins);

class Histograms {
 public:
  Histograms(std::span<const Marginal> marginals, std::size_t looks);

  /// Counts log x of some chains; may be called from several threads at once.
  void add(std::size_t look, std::size_t marginal, std::span<const float> log_x);
  double distance(std::size_t look, std::size_t marginal) const;
  /// Standard deviation of the distance over sets of chains. With q_k = p_k + d_k + s_k Z_k the
  /// terms |q_k - p_k| are folded normals: their variances add up, and their covariances are those
  /// of q_k and q_l times the slopes erf(d_k / (s_k sqrt 2)) of the folds. d_k is estimated
  /// without the square of its noise.
  double error(std::size_t look, std::size_t marginal) const;

 private:
  struct Edges {
    std::vector<float> log_x;
    std::vector<double> probability;
    std::size_t first = 0;  // bin of this marginal in a look's row
  };
  std::span<const std::uint32_t> bins(std::size_t look, std::size_t marginal) const;
  std::vector<double> shares(std::size_t look, std::size_t marginal, double& total) const;

  std::vector<Edges> edges_;
  std::size_t width_ = 0;  // bins of all marginals
  std::vector<std::uint32_t> counts_;
};

}  // namespace tain
