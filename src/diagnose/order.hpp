// Sorting a quantity once, and everything its order tells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tain::diagnostics {

/// A value and the place it came from.
struct Placed {
  double value = 0;
  std::uint32_t place = 0;
};

/// Finite values in ascending order with their places, by radix sort: linear time, stable.
/// Keeps its memory from call to call.
class Sorter {
 public:
  std::span<const Placed> sort(std::span<const double> values);

 private:
  std::vector<Placed> items_, other_;
};

/// Normal scores of ranks among n values: z(r) = Phi^-1((r - 3/8) / (n + 1/4)).
class NormalScores {
 public:
  NormalScores() = default;
  explicit NormalScores(std::size_t n);
  std::size_t size() const { return whole_.size(); }
  /// r in [1, n]; halves occur with ties.
  double operator()(double rank) const;

 private:
  std::vector<double> whole_;  // z(1), z(2), …
};

/// scores[place] = z of the rank of each item among all items, ties sharing their mean rank.
/// scores.size() is at least 1 + the largest place; other places are left alone.
void rank_normalise(std::span<const Placed> ascending, const NormalScores& z,
                    std::span<double> scores);

}  // namespace tain::diagnostics
