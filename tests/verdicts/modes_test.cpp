// Two normals in 1 to 10 dimensions, 5 to 50 sd apart, equal, 1:9 or 1:499 in mass, equally wide or
// 2:1 (up to 5 dimensions: in 10 W slopes towards the narrow one in one of 3,400 directions), on
// all of space or in a box: a run is right, or its verdict does not trust it. In 1 and 2 dimensions
// the verdict of a run that is wrong says that there is another mode.
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

// Numbers of all dimensions, for 24 runs of either width.
constexpr double comparisons = 4 * 18 * 24 * 2;

void look_at(std::size_t dim, double distance, double first, double width, bool in_box) {
  std::vector<Bump> bumps = two_bumps(dim, 0, distance, first);
  bumps[1].sd.assign(dim, width);
  const double low = in_box ? -20 : -100, high = in_box ? 70 : 150;
  const Case one{fmt::format("{} dims, {} sd, {}:{}, {} wide, {}", dim, distance, first, 1 - first,
                             width, in_box ? "box" : "unbounded"),
                 Class::hostile, in_box ? box(low, high, dim) : real(dim), mixture(bumps),
                 mixture_laws(bumps, low, high)};
  SCOPED_TRACE(one.name);
  const tain::Run run = sample(one.set, one.target);
  const Judgement judgement = judge_draws(one, run.draws(), comparisons);
  EXPECT_FALSE(run.verdict().trust && judgement.outcome == Outcome::wrong) << judgement.worst;
  EXPECT_TRUE(dim > 2 || judgement.outcome != Outcome::wrong || names_a_mode(run.verdict()))
      << run.verdict().headline;
}

TEST(TwoModes, AreFoundOrNotTrusted) {
  for (const std::size_t dim : {1, 2, 5, 10}) {
    for (const double distance : {5.0, 10.0, 20.0, 50.0}) {
      for (const double first : {0.5, 0.1, 0.002}) {
        for (const double width : {1.0, 0.5}) {
          for (const bool in_box : {false, true}) {
            if (dim <= 5 || width == 1) {
              look_at(dim, distance, first, width, in_box);
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace tain::verdicts
