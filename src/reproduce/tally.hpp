// Histograms of many chains at several moments, and their distance to the exact law.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tain/reproduce/synthetic.hpp"

namespace tain {

/// `bins` bins of equal width between the 1/10,000 and the 9,999/10,000 quantile of the exact law
/// (the outermost unbounded), respectively of equal probability.
Marginal equal_width_marginal(const DirichletPosterior& posterior, std::size_t category,
                              std::size_t bins);
Marginal equal_probability_marginal(const DirichletPosterior& posterior, std::size_t category,
                                    std::size_t bins);

class Tally {
 public:
  static constexpr std::size_t groups = 20;
  Tally(std::span<const Marginal> marginals, std::size_t looks);

  /// Counts log x of some chains of a group; may be called from several threads at once.
  void add(std::size_t look, std::size_t marginal, std::size_t group, std::span<const float> log_x);
  double distance(std::size_t look, std::size_t marginal) const;
  /// Standard error of the distance: delete-one-group jackknife.
  double error(std::size_t look, std::size_t marginal) const;

 private:
  std::span<std::uint32_t> bins(std::size_t look, std::size_t marginal, std::size_t group);
  std::span<const std::uint32_t> bins(std::size_t look, std::size_t marginal,
                                      std::size_t group) const;
  /// Total variation with one group left out (`groups`: none).
  double distance_without(std::size_t look, std::size_t marginal, std::size_t left_out) const;

  struct Edges {
    std::vector<float> log_x;
    std::vector<double> probability;
    std::size_t first = 0;  // bin of this marginal in a group's row
  };
  std::vector<Edges> edges_;
  std::size_t width_ = 0;  // bins of all marginals
  std::vector<std::uint32_t> counts_;
};

}  // namespace tain
