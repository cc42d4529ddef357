// The judge of the judge: is a run right, whatever its verdict says?
//
// Definition: of every coordinate the mean, the sd and the 5 % and 95 % quantiles are compared with
//   its Law. A run is
//     wrong  if one of them is off by more than 5 % of the sd AND by more than Monte Carlo errors
//            explain (or a value is not finite, or there is no Law);
//     unclear  if it is not wrong, but chains like these would do no better than halfway inside
//            the verdict's gates: an effective sample size below 2 * 400, or an autocorrelation time
//            tau for which R-hat, which tends to sqrt(1 + (tau - 1) / n) with n draws in half a
//            chain, is above 1.005. A verdict that rejects such a run raises no false alarm;
//     right  otherwise.
// Monte Carlo errors share nothing with the library's. Each number is the mean of a function of x:
//   x, (x - mean)^2, and 1 where x is below the true quantile. It must be off by more than
//   - z times the error of independent draws under the Law: where all chains miss the same part,
//     their own draws show an error that is far too small;
//   - t times what the draws show, the larger of two: the sd of the means of 64 batches, into which
//     the chains are cut, over 8; and that of the chains, where there are 4 or more, since batches
//     shorter than the autocorrelation show too little, and chains that disagree do not.
//   Effective sample sizes are the Law's variance over the square of the error by batches, and no
//   more than there are draws.
// Laws: z, of a normal, and t, of Student's with 63 degrees of freedom, are such that right draws of
//   `comparisons` numbers are all called right in 999 of 1,000 suites (Bonferroni). Tests draw 1,000
//   runs with autocorrelation from normal, arcsine, lognormal and t_5 laws.
#pragma once

#include <string>

#include "cases.hpp"

namespace tain::verdicts {

enum class Outcome { right, wrong, unclear };

struct Judgement {
  Outcome outcome = Outcome::right;
  std::string worst = {};  ///< "mean of x[1] is 3.2, not 0 (3.2 sd, 41 errors)"
};

/// Numbers that are compared in one run of a case.
std::size_t comparisons_of(const Case& one);
/// `comparisons`: in the whole suite that the run belongs to.
Judgement judge_draws(const Case& one, const Draws& draws, double comparisons);

}  // namespace tain::verdicts
