// Special functions that neither the standard library nor Highway has.
//
// Numerics: relative error below 1e-13 for x in [1e-300, 1e300] away from zeros of the function, as
// tested against tables from mpmath and scipy; normal_cdf down to z = -37.5; chi_square_sf for
// k from 1 to 1e5 (below 1 the upper tail loses relative, not absolute precision).
#pragma once

namespace tain {

double digamma(double x);   ///< d/dx log Gamma(x), x > 0
double trigamma(double x);  ///< d2/dx2 log Gamma(x), x > 0
double normal_cdf(double z);
/// Inverse of normal_cdf for 0 < p < 1 (Wichura's AS 241 and one Newton step).
double normal_quantile(double p);
/// Survival function of chi-square with k degrees of freedom.
double chi_square_sf(double x, double k);
/// Distribution function of Beta(a, b) at e^log_x, log_x <= 0: in the logarithm, since laws with
/// tiny a live there. Relative error below 1e-13 (a + b) + 1e-13 for a + b up to 1e6.
double beta_cdf(double log_x, double a, double b);
/// log x with beta_cdf(log x, a, b) = p, 0 < p < 1, by bisection.
double beta_log_quantile(double p, double a, double b);

}  // namespace tain
