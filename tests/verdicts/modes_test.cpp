// Two normals in 1 to 10 dimensions, 5 to 50 sd apart, equal or 1:9 in mass, on all of space or in
// a box: a run is right, or its verdict does not trust it. In 1 and 2 dimensions the verdict of a
// run that is not right says that there is another mode.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "judge.hpp"

namespace tain::verdicts {
namespace {

bool names_a_mode(const Verdict& verdict) {
  return std::ranges::any_of(verdict.lines, [](const VerdictLine& line) {
    return !line.passed && line.sentence.find("mode") != std::string::npos;
  });
}

TEST(TwoModes, AreFoundOrNotTrusted) {
  constexpr double comparisons = 4 * 18 * 16;  // numbers of all dimensions, for 16 runs each
  for (const std::size_t dim : {1, 2, 5, 10}) {
    for (const double distance : {5.0, 10.0, 20.0, 50.0}) {
      for (const double first : {0.5, 0.1}) {
        for (const bool in_box : {false, true}) {
          const std::vector<Bump> bumps = two_bumps(dim, 0, distance, first);
          const double low = in_box ? -20 : -100, high = in_box ? 70 : 150;
          const Case one{fmt::format("{} dims, {} sd, {}:{}, {}", dim, distance, first, 1 - first,
                                     in_box ? "box" : "unbounded"),
                         Class::hostile, in_box ? box(low, high, dim) : real(dim), mixture(bumps),
                         mixture_laws(bumps, low, high)};
          SCOPED_TRACE(one.name);
          const tain::Run run = sample(one.set, one.target);
          const Judgement judgement = judge_draws(one, run.draws(), comparisons);
          EXPECT_FALSE(run.verdict().trust && judgement.outcome == Outcome::wrong)
              << judgement.worst;
          EXPECT_TRUE(dim > 2 || judgement.outcome == Outcome::right || names_a_mode(run.verdict()))
              << run.verdict().headline;
        }
      }
    }
  }
}

}  // namespace
}  // namespace tain::verdicts
