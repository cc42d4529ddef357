// What the chains of one quantity look like one by one, and whether they belong together.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tain::diagnostics {

/// Of scores that are standard normal over all draws. Early is the first quarter of a chain, late
/// its last half.
struct ChainMoments {
  std::size_t late_draws = 0;
  std::vector<double> mean, variance, early, late, late_variance;

  bool empty() const { return mean.empty(); }
  void clear();
};

/// Do the chains remember where they began? Ordered by their early means and cut into groups of
/// neighbours: sqrt(1 + B/W), with B the variance of the groups' late means and W that within a
/// group, between its chains and within them (Margossian et al. 2024, whose groups share a start).
/// Chains that have forgotten, each with v the variance of its late mean, leave about
/// B = v * groups / chains: it falls with the number of chains, however short they are.
inline constexpr std::size_t fewest_for_nested = 32, nested_groups = 8;
double nested_rhat(const ChainMoments& moments);

/// Late less early mean over all chains, and how probable a larger one is where nothing drifts:
/// chains are independent, so their differences tell their own error.
struct Drift {
  double effect = 0, p = 1;
};
Drift drift(const ChainMoments& moments);

/// Values far from the others': median and median absolute deviation over chains, z compared with
/// Student's t of 0.37 (chains - 1) degrees of freedom, as the deviation tells no more than so many
/// (its efficiency). Calls none far where more than half of the values are one, or where the scale
/// is above `widest`: there the law of the values is too far from normal.
struct FarChain {
  std::size_t chain = 0;
  double distance = 0, p = 1;
};
inline constexpr std::size_t fewest_for_far = 16;
std::vector<FarChain> far_chains(std::span<const double> values, double level, double widest);

/// P(|t| > z) of Student's t.
double student_p(double z, double degrees);

}  // namespace tain::diagnostics
