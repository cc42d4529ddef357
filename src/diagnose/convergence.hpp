// Convergence diagnostics of one scalar quantity over several chains.
//
// Definitions: Vehtari, Gelman, Simpson, Carpenter, Buerkner 2021, as in R's posterior 1.4.0
//   (golden values in tests/diagnose): chains split in halves (odd length: the middle draw is
//   dropped), rank-normalised with offset 3/8; R-hat is the larger of bulk and folded; bulk ESS on
//   the z-scores, tail ESS the smaller of those of the 5 % and 95 % quantile indicators; Geyer's
//   initial monotone sequence; ESS at most S log10 S.
// Laws: a power of two times the values changes no R-hat and no ESS, to the last bit.
// Numerics: NaN, as posterior's NA, where the quantity is constant, a value is not finite, or
//   draws per chain are fewer than 4 (R-hat) or 6 (ESS, MCSE). Constant means a spread below 2^-52
//   of the largest value; posterior's 2^-52 is absolute, so that it gives up on quantities below
//   1e-16, which on the simplex are everyday. Agrees with posterior to 1e-10.
// Cost: O(S log S); one sort, and an FFT only where more than 64 lags count.
#pragma once

#include <cstddef>
#include <span>

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
double ess_sd(const Series& s);    ///< of |x - mean|, as posterior's ess_sd
double ess_quantile(const Series& s, double p);
double mcse_mean(const Series& s);
double mcse_sd(const Series& s);  ///< from the ESS of (x - mean)^2, as posterior's
/// Quantile of all draws by linear interpolation (R type 7).
double quantile(const Series& s, double p);

}  // namespace tain
