// Convergence diagnostics of one scalar quantity over several chains.
//
// Definitions: Vehtari, Gelman, Simpson, Carpenter, Buerkner 2021, as in R's posterior 1.4 (golden
// values
//   in tests/diagnose): chains split in halves (odd length: the middle draw is dropped),
//   rank-normalised with offset 3/8; R-hat is the larger of bulk and folded; bulk ESS on the
//   z-scores, tail ESS the smaller of those of the 5 % and 95 % quantile indicators; Geyer's
//   initial monotone sequence; ESS at most S log10 S.
// Numerics: a constant quantity, any non-finite value, or fewer than 4 draws per chain gives NaN,
// as posterior's NA. Cost: O(S log S) for the ranks and the FFT of the autocovariances.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tain {

/// Values of one quantity: chain-major, `draws` per chain.
struct Series {
  std::span<const double> values;
  std::size_t chains = 0;
  std::size_t draws = 0;
};

double rhat(const Series& s);
double ess_bulk(const Series& s);
double ess_tail(const Series& s);
double ess_mean(const Series& s);  ///< plain values, split chains
double ess_sd(
    const Series& s);  ///< posterior's: smaller of the ESS of x and of x^2 (see its ess_sd)
double ess_quantile(const Series& s, double p);
double mcse_mean(const Series& s);
double mcse_sd(const Series& s);
/// Quantile of all draws by linear interpolation (R type 7).
double quantile(const Series& s, double p);

}  // namespace tain
