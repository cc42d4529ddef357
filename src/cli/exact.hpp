// Draws against exact moments: is the sampler right?
//
// Definition: for mean and variance of x_i, and of log x_i, where the target knows them:
//   z = (estimate - exact) / MCSE. The variance is the mean of the squared deviations from the
//   sample mean, and its MCSE that of this mean.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tain/draws/table.hpp"
#include "tain/maps/mirror_map.hpp"
#include "tain/targets/potential.hpp"

namespace tain::cli {

struct ExactRow {
  std::string name;  ///< e.g. "mean of x[3]", "variance of log x[1]"
  double exact = 0, estimate = 0, mcse = 0, z = 0;
};

/// One row per known moment; empty if the target knows none under this map.
std::vector<ExactRow> compare_exact(const DrawTable& table, std::uint64_t draws, const AnyMap& map,
                                    const TargetFacts& facts,
                                    const std::vector<std::string>& names);

/// Largest |z| first where rows are cut, and what chance alone would give.
std::string format_exact(std::vector<ExactRow> rows, std::size_t max_rows);
nlohmann::ordered_json exact_json(const std::vector<ExactRow>& rows);

}  // namespace tain::cli
