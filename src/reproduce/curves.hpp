// One curve: many chains of one sampler from one point, looked at on the way.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "reproduce/simplex_ensemble.hpp"
#include "reproduce/synthetic.hpp"
#include "run/walk.hpp"

namespace tain {

/// What all curves of a study share.
struct CurveContext {
  const DirichletPosterior& posterior;
  std::span<const Marginal> marginals;
  std::uint64_t seed;
  Threads& threads;
  /// Told the share of a curve's chains that are done.
  std::function<Next(double)> on_share;
};

/// Iterations about evenly spaced in their logarithm, twenty to a decade: 1, 2, 3, ..., last.
std::vector<std::uint64_t> looks_up_to(std::uint64_t last);

/// None if stopped. Chains are placed at `start`.
std::optional<Curve> ensemble_curve(const CurveContext& context, const SimplexEnsemble& ensemble,
                                    const CurveKey& key, std::span<const double> start,
                                    std::span<const std::uint64_t> looks);
/// The same through a kernel of `tain sample`; start is a point of the mirror map's dual.
std::optional<Curve> walk_curve(const CurveContext& context, const Walk& walk, const Tuning& tuning,
                                const CurveKey& key, std::span<const double> dual_start,
                                std::span<const std::uint64_t> looks);
/// Independent exact draws: what no sampler can beat.
std::optional<Curve> exact_curve(const CurveContext& context, const CurveKey& key);

}  // namespace tain
