// How often the verdict lies: every case is sampled by every kernel, with few and many chains and
// many seeds, through the public call, and each verdict is held against the judge's.
//
// Definition: false trust: trusted and wrong. False alarm: a good case, right, not trusted.
//   Refused: sample() threw an Error, which is not trusted, and not right. Fooled: wrong, but
//   R-hat < 1.01 and bulk and tail ESS >= 400 in every coordinate, so that these alone would trust.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cases.hpp"
#include "judge.hpp"

namespace tain::verdicts {

struct Length {
  std::uint32_t chains = 4;
  std::uint64_t warmup = 1000, draws = 1000;
};

struct SuitePlan {
  std::vector<std::string> kernels{"hmc", "mala"};
  std::vector<Length> lengths{{4, 1000, 1000}, {64, 500, 500}};
  std::uint64_t first_seed = 1, seeds = 20;
  std::size_t threads = 0;  ///< runs at the same time; 0: all cores
};

struct Row {
  std::string name;
  Class kind = Class::good;
  int runs = 0, right = 0, unclear = 0, wrong = 0, refused = 0;
  int trusted = 0, false_trust = 0, false_alarms = 0, fooled = 0;
  std::map<std::string, int> first_failed = {};  ///< the first line of the verdict that failed
  std::vector<std::string> lies = {};  ///< "hmc, 4 chains, seed 3: the mean of x[1] is off by ..."
};

std::vector<Row> run_suite(const std::vector<Case>& cases, const SuitePlan& plan);

/// False alarms over all good cases that right verdicts with a rate of 2 % exceed once in 1e6
/// suites.
int alarm_bound(int right_runs);

/// The table as Markdown.
std::string table_of(const std::vector<Row>& rows);

}  // namespace tain::verdicts
