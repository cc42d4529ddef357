// What the plots of one coordinate need, computed from all its draws and packed.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "diagnose/rank_plots.hpp"
#include "report/json_writer.hpp"
#include "report/run_page.hpp"

namespace tain::report {

/// Bands by length of chain: the same for every coordinate, and slow to find.
class RankBands {
 public:
  RankBands(std::size_t chains, std::size_t points) : chains_(chains), points_(points) {}
  const RankBand& of(std::size_t draws);

 private:
  std::size_t chains_, points_;
  std::mutex mutex_;
  std::map<std::size_t, RankBand> known_;
};

/// How values are packed as floats: relative to a centre, or as logarithms to base 10 where they
/// are positive and spread over more than two orders of magnitude.
struct Packing {
  bool logarithmic = false;
  double centre = 0;
  double operator()(double value) const;
};
Packing packing_of(std::span<const double> values);
void write_packing(JsonWriter& json, const Packing& packing);

/// Positions (chain * draws + draw) of the draws that pair plots show.
using Positions = std::vector<std::size_t>;

inline constexpr std::size_t ecdf_points = 40, histogram_bins = 40, rank_bins = 20;
inline constexpr std::size_t trace_chains = 8, ecdf_chains = 16, trace_buckets = 1000;

/// The JSON object of coordinate `index`.
std::string coordinate_json(const RunReport& report, std::size_t index, std::string_view reason,
                            const Positions& positions, RankBands& bands);

}  // namespace tain::report
