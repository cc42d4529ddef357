// Autocorrelation of a quantity along its chains.
//
// Definition: with u the values less the mean of their own chain, c(t) the mean over chains of
//   (1/n) sum_{i < n-t} u_i u_{i+t}, and r(t) = c(t) / c(0): the usual estimate, biased towards 0
//   by the factor (n - t)/n, whose variance stays bounded at long lags.
// Laws: r(0) = 1, |r(t)| <= 1; unchanged by shifts, positive factors, and reversing every chain.
// Numerics: NaN everywhere where a value is not finite, or no chain moves. Beyond 64 lags by FFT.
#pragma once

#include <cstddef>
#include <vector>

#include "diagnose/convergence.hpp"

namespace tain {

/// r(0), r(1), ..., r(lags), all chains together; lags < draws.
std::vector<double> autocorrelation(const Series& s, std::size_t lags);

/// What single chains say: quantiles over the chains that move, lag by lag; empty if none does.
struct AutocorrelationSpread {
  std::vector<double> low, high;
};
AutocorrelationSpread autocorrelation_spread(const Series& s, std::size_t lags, double low = 0.05,
                                             double high = 0.95);

}  // namespace tain
