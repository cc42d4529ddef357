#include "run/adaptation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tain/core/error.hpp"

namespace tain::adaptation_test {
namespace {

TEST(DualAveraging, FindsTheStepOfAKnownAcceptanceCurve) {
  // acceptance(step) = exp(-step): the step with acceptance 0.8 is -log 0.8.
  DualAveraging adaptation;
  adaptation.restart(1.0);
  double step = 1.0;
  for (int k = 0; k < 2000; ++k) {
    step = adaptation.update(std::exp(-step), 0.8);
  }
  // The average of weights t^-0.75 still holds 2000^-0.75 = 0.3 % of each early excursion.
  EXPECT_NEAR(std::exp(-adaptation.average()), 0.8, 0.005);
}

void add(ChainMoments& moments, const std::vector<ChainBlock>& blocks) {
  std::vector<double> turn(moments.turn_size());
  std::uint64_t chains = 0;
  moments.open(blocks.front(), turn);
  moments.pass(blocks, turn);
  for (const ChainBlock& block : blocks) {
    chains += block.chains;
  }
  moments.close(turn, chains);
}

TEST(ChainMoments, AgreesWithTheTextbookWhateverTheBlocks) {
  const std::size_t chains = 21, dim = 3;
  const auto value = [](std::size_t i, std::size_t c, int k) {
    return 1e6 + std::sin(double(7 * i + 3 * c + 11 * std::size_t(k)));
  };
  const auto fill = [&](ChainBlock& block, int k) {
    for (std::size_t i = 0; i < dim; ++i) {
      for (std::size_t l = 0; l < block.chains; ++l) {
        block.y.view().at(i, l) = value(i, block.first_chain + l, k);
      }
    }
  };
  ChainMoments whole(dim), cut(dim);
  for (int k = 0; k < 5; ++k) {
    std::vector<ChainBlock> one, three;
    one.emplace_back(0, chains, dim);
    three.emplace_back(0, 8, dim);
    three.emplace_back(8, 8, dim);
    three.emplace_back(16, 5, dim);
    for (ChainBlock& b : one) {
      fill(b, k);
    }
    for (ChainBlock& b : three) {
      fill(b, k);
    }
    add(whole, one);
    add(cut, three);
  }
  EXPECT_EQ(whole.mean(), cut.mean());
  EXPECT_EQ(whole.variance(), cut.variance());
  for (std::size_t i = 0; i < dim; ++i) {
    long double sum = 0, squares = 0;
    for (std::size_t c = 0; c < chains; ++c) {
      for (int k = 0; k < 5; ++k) {
        sum += value(i, c, k);
      }
    }
    const long double mean = sum / (5 * chains);
    for (std::size_t c = 0; c < chains; ++c) {
      for (int k = 0; k < 5; ++k) {
        squares += (value(i, c, k) - mean) * (value(i, c, k) - mean);
      }
    }
    EXPECT_NEAR(whole.mean()[i], double(mean), 1e-8);
    EXPECT_NEAR(whole.variance()[i], double(squares / (5 * chains)), 1e-9);
  }
}

TEST(LengthAscent, ClimbsToTheMaximum) {
  // Criterion -(log tau - log 3)^2: slope in log tau is -2 (log tau - log 3).
  LengthAscent ascent;
  ascent.restart(0.1);
  double length = 0.1;
  for (int k = 0; k < 1000; ++k) {
    length = ascent.update(-2 * (std::log(length) - std::log(3.0)), 1e-3, 1e3);
  }
  EXPECT_NEAR(std::log(ascent.average()), std::log(3.0), 0.1);
}

// A step size that halves every thousand steps, seen through any number of them.
TEST(StepSizeHistory, IsBoundedAndCoversTheSteps) {
  for (const std::uint64_t steps : {1, 255, 256, 257, 1000, 100000}) {
    StepSizeHistory history;
    for (std::uint64_t t = 0; t < steps; ++t) {
      history.add(t, std::exp2(-double(t) / 1000), double(t) / double(steps));
    }
    const std::size_t points = history.step.size();
    EXPECT_LT(points, StepSizeHistory::most);
    EXPECT_GE(points, std::min<std::uint64_t>(steps, StepSizeHistory::most / 2));
    const double stride = points > 1 ? history.step[1] - history.step[0] : 1;
    for (std::size_t k = 0; k < points; ++k) {
      // Means over the steps from last - stride + 1 to last, of an exponential and of a line.
      const double last = history.step[k], middle = last - (stride - 1) / 2;
      EXPECT_EQ(last, (double(k) + 1) * stride - 1);
      EXPECT_NEAR(history.step_size[k] / std::exp2(-middle / 1000), 1, 1e-9);
      EXPECT_NEAR(history.acceptance[k], middle / double(steps), 1e-12);
    }
    EXPECT_LT(double(steps) - 1 - history.step.back(), stride);
  }
}

TEST(StepSizeHistory, SurvivesAnArchiveAndRefusesContradictions) {
  StepSizeHistory history;
  for (std::uint64_t t = 0; t < 700; ++t) {
    history.add(t, 0.1 + 1e-4 * double(t), 0.8);
  }
  Archive out;
  history.archive(out);
  StepSizeHistory copy;
  Archive in(out.finish(), "copy");
  copy.archive(in);
  for (std::uint64_t t = 700; t < 900; ++t) {
    history.add(t, 0.2, 0.7);
    copy.add(t, 0.2, 0.7);
  }
  EXPECT_EQ(copy.step, history.step);
  EXPECT_EQ(copy.step_size, history.step_size);
  EXPECT_EQ(copy.acceptance, history.acceptance);

  history.acceptance.pop_back();
  Archive broken;
  history.archive(broken);
  Archive read(broken.finish(), "broken");
  EXPECT_THROW(copy.archive(read), Error);
}

TEST(WarmupSchedule, WindowsTileTheirPart) {
  for (const std::uint64_t total : {0u, 1u, 10u, 20u, 50u, 100u, 300u, 1000u, 12345u}) {
    const WarmupSchedule schedule(total);
    std::uint64_t closed = 0;
    for (std::uint64_t t = 0; t < total; ++t) {
      if (schedule.closes_window(t)) {
        EXPECT_TRUE(schedule.in_windows(t));
        ++closed;
      }
    }
    EXPECT_EQ(closed, schedule.ends.size());
    if (total >= 20) {
      ASSERT_FALSE(schedule.ends.empty());
      EXPECT_EQ(schedule.ends.back() + 1, schedule.last);
    }
    EXPECT_LE(schedule.last, total);
  }
}

TEST(Scales, AreStandardDeviationsDrawnALittleTogether) {
  ChainMoments moments(2);
  std::vector<ChainBlock> blocks;
  blocks.emplace_back(0, 8, 2);
  for (int k = 0; k < 1000; ++k) {
    for (std::size_t l = 0; l < 8; ++l) {
      const double sign = (k + int(l)) % 2 == 0 ? 1 : -1;
      blocks[0].y.view().at(0, l) = 1e-4 * sign;
      blocks[0].y.view().at(1, l) = 1e4 * sign;
    }
    add(moments, blocks);
  }
  const std::vector<double> scale = scales_from(moments);
  EXPECT_NEAR(scale[0] / 1e-4, 1, 0.01);
  EXPECT_NEAR(scale[1] / 1e4, 1, 0.01);
}

TEST(Adaptation, SurvivesAnArchive) {
  DualAveraging before;
  before.restart(0.3);
  before.update(0.5, 0.8);
  Archive out;
  before.archive(out);
  Archive in(out.finish(), "memory");
  DualAveraging after;
  after.archive(in);
  in.expect_end();
  EXPECT_EQ(before.update(0.7, 0.8), after.update(0.7, 0.8));
}

}  // namespace
}  // namespace tain::adaptation_test
