// Gammas against their definition, cell by cell, and what runs rely on.
#include "random/gamma.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "gamma_reference.hpp"
#include "support/isa.hpp"

namespace tain::gamma_test {
namespace {

using testing::CellReference;
using Mistake = CellReference::Mistake;

constexpr NoisePlace place{Purpose::topics, (std::uint64_t{5} << 32) + 9, 40, 20};
const NoiseField noise(11);
constexpr float common = 0.05F;
constexpr std::size_t rows = 150, lanes = 24;  // some tiles, and half vectors on AVX-512

class GammaCells : public testing::OnEveryIsa {};
INSTANTIATE_TEST_SUITE_P(Isa, GammaCells, ::testing::ValuesIn(supported_isas()),
                         testing::isa_label);

/// Common shapes, and others on all sides of 1/2 and 1.
FloatBlockStorage mixed_shapes() {
  FloatBlockStorage shapes(rows, lanes);
  constexpr float others[] = {0.02F, 0.2F, 0.45F, 0.5F, 0.7F, 1.0F, 1.05F, 2.5F, 30.0F, 1e4F, 1e7F};
  for (std::size_t i = 0; i < shapes.view().size(); ++i) {
    shapes.view().data()[i] = i * 7 % 3 == 0 ? common : others[i * 5 % std::size(others)];
  }
  return shapes;
}
/// From far below a jump to thousands of them.
FloatBlockStorage mixed_states() {
  FloatBlockStorage states(rows, lanes);
  for (std::size_t i = 0; i < states.view().size(); ++i) {
    states.view().data()[i] = std::pow(10.0F, float(i * 11 % 100) / 10 - 6);
  }
  return states;
}
/// A part of it, in another kind of number.
template <class T>
BasicBlockStorage<T> part_of(ConstFloatBlock whole, std::size_t row, std::size_t num_rows,
                             std::size_t lane, std::size_t num_lanes) {
  BasicBlockStorage<T> part(num_rows, num_lanes);
  for (std::size_t r = 0; r < num_rows; ++r) {
    std::copy_n(whole.row(row + r) + lane, num_lanes, part.view().row(r));
  }
  return part;
}

/// What is drawn of some cells, in logarithms.
struct Drawn {
  std::vector<double> draws, steps;          // of Gammas, if there is more than one lane
  std::vector<double> log_draws, log_steps;  // of log_gammas and log_step
};

Drawn drawn(std::size_t row = 0, std::size_t num_rows = rows, std::size_t lane = 0,
            std::size_t num_lanes = lanes) {
  const FloatBlockStorage shapes = mixed_shapes(), states = mixed_states();
  NoisePlace own = place;
  own.first_row += static_cast<std::uint32_t>(row);
  own.first_chain += static_cast<std::uint32_t>(lane);
  Drawn all;
  if (num_lanes > 1) {
    const auto A = part_of<float>(shapes.view(), row, num_rows, lane, num_lanes);
    auto theta = part_of<float>(states.view(), row, num_rows, lane, num_lanes);
    const auto logarithms = [&] {
      std::vector<double> logs(theta.view().size());
      std::ranges::transform(theta.view().flat(), logs.begin(),
                             [](float x) { return std::log(double{x}); });
      return logs;
    };
    Gammas(common).step(noise, own, A.view(), 0.3, theta.view(), theta.view());
    all.steps = logarithms();
    Gammas(common).draw(noise, own, A.view(), theta.view());
    all.draws = logarithms();
  }
  auto A = part_of<double>(shapes.view(), row, num_rows, lane, num_lanes);
  auto log_theta = part_of<double>(states.view(), row, num_rows, lane, num_lanes);
  std::ranges::transform(log_theta.view().flat(), log_theta.view().data(),
                         [](double theta) { return std::log(theta); });
  log_step(noise, own, A.view(), 0.3, log_theta.view());
  all.log_steps.assign(log_theta.view().flat().begin(), log_theta.view().flat().end());
  log_gammas(noise, own, A.view(), A.view());
  all.log_draws.assign(A.view().flat().begin(), A.view().flat().end());
  return all;
}

/// How many cells are not what the definition says. Rounding changes w by some 2^-24 of it, that is
/// the cube root of theta, or the logarithm by as much of log u over A; another trial would change
/// the logarithm by about 1 / sqrt(A).
template <class Definition>
std::size_t wrong_cells(const std::vector<double>& logs, double least, Mistake mistake,
                        const Definition& definition) {
  const FloatBlockStorage shapes = mixed_shapes(), states = mixed_states();
  std::size_t wrong = 0;
  for (std::uint32_t r = 0; r < rows; ++r) {
    for (std::uint32_t l = 0; l < lanes; ++l) {
      const double A = shapes.view().at(r, l);
      const CellReference cell(noise, place.purpose, place.step, place.first_chain + l,
                               place.first_row + r, mistake);
      const double exact = std::max(definition(cell, A, states.view().at(r, l)), std::log(least));
      const double own = logs[r * lanes + l];
      const bool right = std::abs(own - exact) <= 1e-5 / std::min(1.0, A) ||
                         (A >= 0.5 && std::abs(std::exp(own / 3) - std::exp(exact / 3)) <= 3e-6);
      wrong += right ? 0 : 1;
    }
  }
  return wrong;
}
std::size_t wrong_draws(const std::vector<double>& logs, double inverse, double least,
                        Mistake mistake = Mistake::none) {
  return wrong_cells(logs, least, mistake, [=](const CellReference& cell, double A, double) {
    return cell.log_draw(A, inverse);
  });
}
std::size_t wrong_steps(const std::vector<double>& logs, double inverse, double least,
                        Mistake mistake = Mistake::none) {
  return wrong_cells(logs, least, mistake, [=](const CellReference& cell, double A, double theta) {
    return cell.log_step(A, theta, 0.3, inverse);
  });
}

// A decision lies within rounding of its limit in one cell of a million: in none of these 3,600.
TEST_P(GammaCells, AreTheDefinitionUpToRounding) {
  const Drawn all = drawn();
  const double inverse = common, least = Gammas::least;
  EXPECT_EQ(wrong_draws(all.draws, inverse, least), 0U);
  EXPECT_EQ(wrong_steps(all.steps, inverse, least), 0U);
  EXPECT_EQ(wrong_draws(all.log_draws, 0, 0), 0U);
  EXPECT_EQ(wrong_steps(all.log_steps, 0, 0), 0U);
  constexpr auto mistake = Mistake::fresh_trial_for_the_uncertain;
  EXPECT_GT(wrong_draws(all.draws, inverse, least, mistake), 20U);
  EXPECT_GT(wrong_steps(all.log_steps, 0, 0, mistake), 20U);
}

// ---- what runs rely on

TEST_P(GammaCells, DoNotDependOnTheBlockTheyAreAskedForIn) {
  const Drawn whole = drawn();
  const auto expect_part = [&](std::size_t row, std::size_t num_rows, std::size_t lane,
                               std::size_t num_lanes) {
    const Drawn own = drawn(row, num_rows, lane, num_lanes);
    const auto expect_same = [&](const std::vector<double>& part, const std::vector<double>& all) {
      for (std::size_t i = 0; i < part.size(); ++i) {
        ASSERT_EQ(part[i], all[(row + i / num_lanes) * lanes + lane + i % num_lanes]);
      }
    };
    expect_same(own.draws, whole.draws);
    expect_same(own.steps, whole.steps);
    expect_same(own.log_draws, whole.log_draws);
    expect_same(own.log_steps, whole.log_steps);
  };
  expect_part(0, rows, 8, 8);
  expect_part(4, 1, 0, lanes);
  expect_part(8, 70, 16, 8);
  expect_part(100, 50, 0, 16);
  expect_part(3, 100, 5, 1);
}

TEST(Gammas, Avx2AndAvx512GiveTheSameBits) {
  if (supported_isas().back() != Isa::avx512) {
    GTEST_SKIP() << "needs AVX-512";
  }
  pin_isa(Isa::avx2);
  const Drawn narrow = drawn();
  pin_isa(Isa::avx512);
  const Drawn wide = drawn();
  EXPECT_EQ(narrow.draws, wide.draws);
  EXPECT_EQ(narrow.steps, wide.steps);
  EXPECT_EQ(narrow.log_draws, wide.log_draws);
  EXPECT_EQ(narrow.log_steps, wide.log_steps);
}

// What the header states of the inverse: sup |F(theta(u)) - u| <= 2e-7.
TEST_P(GammaCells, TheInverseIsThatOfTheDistributionFunction) {
  FloatBlockStorage shapes(256, 64), out(256, 64);
  for (const float a : {1e-6F, 1e-3F, 0.01F, 0.05F, 0.1F, 0.3F, 0.5F, 0.8F, 1.0F}) {
    std::ranges::fill(shapes.view().flat(), a);
    const Gammas gammas(a);
    double worst = 0, worst_of_another = 0;
    gammas.draw(noise, place, shapes.view(), out.view());
    for (std::uint32_t r = 0; r < 256; ++r) {
      for (std::uint32_t l = 0; l < 64; ++l) {
        const CellReference cell(noise, place.purpose, place.step, place.first_chain + l,
                                 place.first_row + r);
        const double u = cell.first_uniform(), log_theta = std::log(double(out.view().at(r, l)));
        const double F = testing::gamma_cdf(log_theta, double{a});
        worst = std::max(worst, out.view().at(r, l) > Gammas::least ? std::abs(F - u) : u - F);
        worst_of_another = std::max(
            worst_of_another, std::abs(testing::gamma_cdf(log_theta, 1.00001 * double{a}) - u));
      }
    }
    EXPECT_LT(worst, 2e-7) << a;
    EXPECT_GT(worst_of_another, a < 1e-3F ? 0 : 2e-7) << a;
  }
}

TEST_P(GammaCells, AreFiniteAtEveryShapeAndShowWhatIsNoNumber) {
  const double shapes[] = {5e-324, 1e-308, 1e-300, 1e-30, 1e-4, 0.3, 1, 1e7, 1e30, 1e38, 1e300};
  for (const double shape : shapes) {
    BlockStorage logs(40, 8);
    std::ranges::fill(logs.view().flat(), shape);
    log_gammas(noise, place, logs.view(), logs.view());
    for (const double y : logs.view().flat()) {
      ASSERT_TRUE(std::isfinite(y)) << shape;
    }
    BlockStorage same(40, 8);
    std::ranges::fill(same.view().flat(), shape);
    log_step(noise, place, same.view(), 0.5, logs.view());
    for (const double y : logs.view().flat()) {
      ASSERT_TRUE(std::isfinite(y)) << shape;
    }
    if (shape > 1e30) {
      continue;
    }
    FloatBlockStorage few(40, 8), theta(40, 8);
    std::ranges::fill(few.view().flat(), static_cast<float>(shape));
    const float eta = static_cast<float>(std::min(shape, 0.02));
    for (const float own : {eta, static_cast<float>(shape)}) {
      Gammas(own).draw(noise, place, few.view(), theta.view());
      for (int step = 0; step < 3; ++step) {
        for (const float x : theta.view().flat()) {
          ASSERT_TRUE(std::isfinite(x) && x >= Gammas::least) << shape;
        }
        Gammas(own).step(noise, place, few.view(), 0.5, theta.view(), theta.view());
      }
    }
  }
  const float nan = std::numeric_limits<float>::quiet_NaN();
  FloatBlockStorage few(1, 8), theta(1, 8);
  std::ranges::fill(few.view().flat(), 3.0F);
  few.view().at(0, 2) = nan;
  Gammas(0.1F).draw(noise, place, few.view(), theta.view());
  for (std::size_t l = 0; l < 8; ++l) {
    EXPECT_EQ(std::isnan(theta.view().at(0, l)), l == 2);
  }
  BlockStorage shape(1, 8), state(1, 8);
  std::ranges::fill(shape.view().flat(), 3.0);
  state.view().at(0, 5) = std::nan("");
  log_step(noise, place, shape.view(), 0.5, state.view());
  for (std::size_t l = 0; l < 8; ++l) {
    EXPECT_EQ(std::isnan(state.view().at(0, l)), l == 5);
  }
}

TEST(Gammas, OtherPositionsHaveOtherDraws) {
  const auto draws = [](const NoisePlace& at, std::uint64_t seed) {
    BlockStorage logs(8, 8);
    std::ranges::fill(logs.view().flat(), 2.0);
    log_gammas(NoiseField(seed), at, logs.view(), logs.view());
    return std::vector<double>(logs.view().flat().begin(), logs.view().flat().end());
  };
  const auto own = draws(place, 1);
  NoisePlace other = place;
  other.purpose = Purpose::proposal;
  EXPECT_NE(own, draws(other, 1));
  other = place;
  ++other.step;
  EXPECT_NE(own, draws(other, 1));
  EXPECT_NE(own, draws(place, 2));
  auto sorted = own;
  std::ranges::sort(sorted);
  EXPECT_EQ(std::ranges::adjacent_find(sorted), sorted.end());
}

}  // namespace
}  // namespace tain::gamma_test
