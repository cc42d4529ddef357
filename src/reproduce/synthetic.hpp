// The paper's synthetic study (section 5.1, figure 1a, appendix figure 2a), repeated and extended.
//
// Definition: the law of a sampler after T steps is seen through `chains` independent chains that
//   all start at one point; its total variation to the exact marginal Beta(a_l, A - a_l) of a
//   coordinate is taken over bins (Marginal below). Deterministic gradients throughout.
// Error bars: of 1/2 sum |q_k - p_k| with q a histogram of independent chains (Histograms::error).
//   Even exact draws have a positive total variation, the noise floor: the sampler "exact".
// Laws: a curve is a function of (seed, its key): neither threads nor the other curves change it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/parallel.hpp"
#include "tain/reproduce/study.hpp"
#include "targets/dirichlet.hpp"

namespace tain {

struct SyntheticStudySettings {
  std::uint64_t seed = 1;
  std::uint64_t iterations = 10'000;
  std::uint32_t chains = 2'000'000;            ///< of the best three of mld and sgrld
  std::uint32_t grid_chains = 100'000;         ///< of the search for their step sizes
  std::uint32_t further_chains = 200'000;      ///< of the further samplers
  std::vector<double> mld_steps, sgrld_steps;  ///< the grid
  /// The paper's figures, respectively a minute's worth of them.
  static SyntheticStudySettings full();
  static SyntheticStudySettings quick();
};

/// Coordinates 1 and 8, each in two binnings.
inline constexpr std::size_t marginals_looked_at = 4;

/// How a coordinate is looked at: bins in x, as the study states them.
struct Marginal {
  std::size_t category;             ///< counted from 0
  std::string binning;              ///< "equal width" or "equal probability"
  std::vector<double> log_edges;    ///< inner edges, as log x; the outermost bins are unbounded
  std::vector<double> probability;  ///< exact, per bin
  double of_a_constant_zero;        ///< TV of a sampler that always returns x = 0
};

/// What a curve is of. Coordinates: "last" (the paper's), "first" (the dominant category as
/// reference), "stretched" (ours), or "" where the sampler has none.
struct CurveKey {
  std::string sampler, coordinates, start;
  double step_size = 0;
  std::uint32_t chains = 0;
  bool operator==(const CurveKey&) const = default;
};

struct CurvePoint {
  std::uint64_t iteration = 0;
  double seconds = 0;                   ///< of one core, for a million chains
  std::vector<double> distance, error;  ///< one per Marginal
};

struct Curve {
  CurveKey key;
  std::vector<CurvePoint> points;
};

struct StudyStart {
  std::string name, description;
  std::vector<double> x;
};

struct SyntheticStudy {
  SyntheticStudySettings plan;
  std::vector<Marginal> marginals;
  std::vector<StudyStart> starts;
  std::vector<Curve> grid;     ///< every step size tried, on grid_chains
  std::vector<Curve> best;     ///< three of mld and sgrld each, from starts[0], on `chains`
  std::vector<Curve> further;  ///< mld in our coordinates, sgrhmc, scir, mala, hmc
  std::vector<Curve> exact;    ///< noise floors: one point, for each number of chains in use
  double seconds = 0;          ///< wall clock of the whole study
  std::size_t threads = 0;
  std::string command;  ///< that repeats it
};

DirichletPosterior synthetic_posterior();
/// Puts marginals and starts, which are the same for all plans, into a study.
void prepare_synthetic(SyntheticStudy& study);

/// The curves of one sampler in one set of coordinates from one start, best first: ascending mean
/// of log TV over both coordinates, equal-width bins, iterations from a tenth of the last on.
std::vector<const Curve*> ranked(std::span<const Curve> curves, std::string_view sampler,
                                 std::string_view coordinates, std::string_view start);

/// Called after every finished curve, so that a study can be saved.
using StudyKeeper = std::function<void(const SyntheticStudy&)>;

/// Runs what `study` does not hold yet; false if the observer stopped it.
bool run_synthetic(SyntheticStudy& study, Threads& threads, const StudyWatch& observer,
                   const StudyKeeper& keeper);

}  // namespace tain
