// The judge of the judge: is a run right, whatever its verdict says?
//
// Definition: of every coordinate the mean, the sd and the 5 % and 95 % quantiles are compared with
//   its Law. A run is
//     wrong  if one of them is off by more than 5 % of the sd AND by more than `limit` of its Monte
//            Carlo errors (or a value is not finite, or there is no Law);
//     unclear  if it is not wrong, but one has an effective sample size below twice what the
//            verdict's gates ask for (400 in all, 50 per chain): too little to say that the run is
//            right, so that a verdict that rejects it raises no false alarm;
//     right  otherwise.
// Monte Carlo errors share nothing with the library's. Each number is the mean of a function of x:
//   x, (x - mean)^2, and 1 where x is below the true quantile. Its error is the largest of
//   - that of 64 batches, the chains cut into equal parts: the sd of batch means about the mean of
//     all over 8;
//   - that of the chains, where they are 4 or more: batches shorter than the autocorrelation show
//     too little, chains that disagree do not;
//   - that of independent draws under the Law: chains that all miss the same part have errors of
//     0. Of a square with the kurtosis of a normal at most, since the larger one of, say, a mode
//     with 1 % of the mass would excuse a run that has never been there.
//   Effective sample sizes are the Law's variance over the square of the first.
// Laws: `limit` from limit_of(n) is exceeded by right draws in 1 of 1,000 suites of n comparisons
//   together (Bonferroni; Student's t with 63 degrees of freedom). The judge's tests draw 2,000
//   runs with autocorrelation from normal, Beta(0.3, 0.3), lognormal and t_5 laws.
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
double limit_of(double comparisons);

Judgement judge_draws(const Case& one, const Draws& draws, double limit);

}  // namespace tain::verdicts
