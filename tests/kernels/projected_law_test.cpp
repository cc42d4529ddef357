// plmc and myula against exact means on a box, a ball and a simplex. False-alarm rate of every
// assertion: 1e-8 (support/statistics.hpp).
//
// Both are off by c_1 sqrt(beta) + c_2 beta + ..., for their mass on the boundary is O(sqrt(beta)).
// No affordable step hides that, so it is used: with steps beta, beta/4, beta/16 the combination
//   (1/3, -2, 8/3)
// of the means has neither term, and must be exact; no single one is.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/lanes.hpp"
#include "kernels/baseline_ensemble.hpp"
#include "kernels/baselines/myula.hpp"
#include "kernels/baselines/plmc.hpp"
#include "maps/ball.hpp"
#include "maps/box.hpp"
#include "maps/simplex.hpp"
#include "support/projections.hpp"
#include "support/statistics.hpp"
#include "targets/dirichlet.hpp"
#include "targets/gaussian.hpp"
#include "targets/truncated_normal.hpp"
#include "targets/uniform.hpp"

namespace tain::projected_law_test {
namespace {

using testing::Ensemble;
using testing::TestKernel;
using Point = std::vector<double>;

constexpr std::size_t draws = 10'000;

struct Case {
  std::string name;
  AnyMap map;
  AnyPotential target;
  std::function<double(const Point&)> statistic;  // of the projected state
  double mean, sd;                                // exact, of the statistic
  double time;                                    // that forgets the centre of the set
};

Case box_case() {
  const Moments exact = truncated_normal_moments(0.3, 0.5, 0, 1);
  return {"box",
          BoxMap({0, -1}, {1, 2}),
          Gaussian::diagonal({0.3, 1.0}, std::vector{0.5, 1.0}),
          [](const Point& x) { return x[0]; },
          exact.mean,
          std::sqrt(exact.variance),
          0.6};
}
// Uniform in the unit ball: |x|^2 has mean 3/5, and |x|^4 3/7.
Case ball_case() {
  return {"ball",     BallMap({0, 0, 0}, 1),
          Uniform(3), [](const Point& x) { return x[0] * x[0] + x[1] * x[1] + x[2] * x[2]; },
          0.6,        std::sqrt(3.0 / 7 - 0.36),
          1.0};
}
// Uniform on the triangle: x^2 has mean 1/6, x^4 1/15.
Case simplex_case() {
  return {"simplex",  SimplexMap::symmetric(3),
          Uniform(3), [](const Point& x) { return x[0] * x[0]; },
          1.0 / 6,    std::sqrt(1.0 / 15 - 1.0 / 36),
          0.6};
}

using MakeKernel =
    std::function<std::shared_ptr<const Kernel>(const Projection&, const Projection&)>;
const MakeKernel plmc = [](const Projection& set, const Projection&) {
  return std::make_shared<Plmc>(set);
};
const MakeKernel myula = [](const Projection& set, const Projection& hull) {
  return std::make_shared<Myula>(set, hull, std::nullopt);
};

testing::Draws at_step(const Case& c, const MakeKernel& make, double beta) {
  const Projection set = *projection_onto(c.map);
  Point start(c.map.primal_dim());
  c.map.centre(start);
  const auto chains = std::make_shared<Ensemble>(
      make(set, *projection_onto_hull(c.map)), Extended(c.target, set),
      Ensemble::Run{start, {.step_size = beta}, static_cast<std::uint64_t>(c.time / beta)});
  const auto statistic = [=](std::span<const double> state) {
    BlockStorage block(state.size(), lane_group);
    for (std::size_t i = 0; i < state.size(); ++i) {
      std::fill_n(block.view().row(i), lane_group, state[i]);
    }
    Workspace ws;
    set(block.view(), block.view(), ws);
    Point x;
    for (std::size_t i = 0; i < state.size(); ++i) {
      x.push_back(block.view().at(i, 0));
    }
    return c.statistic(x);
  };
  return [=](std::uint64_t stream, std::size_t n) { return chains->of(statistic)(stream, n); };
}

// Independent runs: streams 10, 20, 30 above the test's own.
testing::Draws extrapolated(const Case& c, const MakeKernel& make, double beta) {
  const auto coarse = at_step(c, make, beta), middle = at_step(c, make, beta / 4),
             fine = at_step(c, make, beta / 16);
  return [=](std::uint64_t stream, std::size_t n) {
    Point value = coarse(stream + 10, n);
    const Point second = middle(stream + 20, n), third = fine(stream + 30, n);
    for (std::size_t k = 0; k < n; ++k) {
      value[k] = value[k] / 3 - 2 * second[k] + 8 * third[k] / 3;
    }
    return value;
  };
}
const double extrapolation_noise = std::sqrt(1.0 / 9 + 4 + 64.0 / 9);

void expect_tends_to_the_target(const Case& c, const MakeKernel& make) {
  const double beta = 0.016;
  EXPECT_TRUE(testing::detects_mean(at_step(c, make, beta), c.mean, c.sd, draws)) << c.name;
  testing::expect_mean(extrapolated(c, make, beta), c.mean, extrapolation_noise * c.sd, draws);
}

TEST(PlmcLaw, TendsToTheTargetLikeTheRootOfTheStep) {
  expect_tends_to_the_target(box_case(), plmc);
  expect_tends_to_the_target(ball_case(), plmc);
  expect_tends_to_the_target(simplex_case(), plmc);
}

TEST(MyulaLaw, TendsToTheTargetLikeTheRootOfTheStep) {
  expect_tends_to_the_target(box_case(), myula);
  expect_tends_to_the_target(ball_case(), myula);
  expect_tends_to_the_target(simplex_case(), myula);
}

// Noise sqrt(beta) for sqrt(2 beta) draws from e^-2V. On a set without a boundary that is all there
// is: the variance is half.
MakeKernel weak(bool project) {
  return [=](const Projection& set, const Projection&) {
    return std::make_shared<TestKernel>(
        [=](ConstBlock grad, ConstFloatBlock xi, double beta, ChainBlock& chains) {
          Workspace ws;
          const Block x = chains.y.view(), nearest = ws.block(x.rows(), x.lanes());
          set(x, nearest, ws);
          for (std::size_t k = 0; k < x.size(); ++k) {
            const double pull = project ? 0.0 : 0.5 * (x.data()[k] - nearest.data()[k]);
            x.data()[k] += -beta * grad.data()[k] - pull + std::sqrt(beta) * double(xi.data()[k]);
          }
          if (project) {
            set(x, x, ws);
          }
        });
  };
}

TEST(ProjectedLaw, WeakNoiseIsDetected) {
  Case narrow = box_case();
  narrow.target = Gaussian::diagonal({0.3, 1.0}, std::vector{0.25, 1.0});
  const Moments exact = truncated_normal_moments(0.3, 0.25, 0, 1);
  narrow.mean = exact.mean;
  narrow.sd = std::sqrt(exact.variance);
  narrow.time = 0.3;
  testing::expect_mean(extrapolated(narrow, plmc, 0.004), narrow.mean,
                       extrapolation_noise * narrow.sd, draws);
  for (const bool project : {true, false}) {
    EXPECT_TRUE(testing::detects_mean(extrapolated(narrow, weak(project), 0.004), narrow.mean,
                                      extrapolation_noise * narrow.sd, draws));
  }
}

// One step by hand: lambda given, x outside on the left of [0, 1]^2, Gaussian target.
TEST(Myula, AStepIsTheFormula) {
  const BoxMap box({0, 0}, {1, 1});
  const AnyPotential V = Gaussian::diagonal({0.5, 0.5}, std::vector{2.0, 2.0});
  const Projection set = *projection_onto(box);
  const double beta = 0.01, lambda = 0.07;
  const Myula kernel(set, *projection_onto_hull(box), lambda);
  const Point start{-0.3, 0.4};
  Workspace ws;
  ChainBlock chains(3, 8, 2);
  for (std::size_t i = 0; i < 2; ++i) {
    std::fill_n(chains.y.view().row(i), 8, start[i]);
  }
  evaluate(V, chains, ws);
  StepInfo info(8);
  const NoiseField noise(5);
  kernel.advance(V, noise, 7, {.step_size = beta}, chains, info, ws);
  FloatBlockStorage xi(2, 8);
  noise.normals(Purpose::proposal, 7, 3, xi.view());
  for (std::size_t i = 0; i < 2; ++i) {
    const double nearest = std::clamp(start[i], 0.0, 1.0), slope = (start[i] - 0.5) / 4;
    for (std::size_t l = 0; l < 8; ++l) {
      const double expected = (1 - beta / lambda) * start[i] - beta * slope +
                              beta / lambda * nearest +
                              std::sqrt(2 * beta) * double(xi.view().at(i, l));
      EXPECT_NEAR(chains.y.view().at(i, l), expected, 1e-15);
    }
  }
}

TEST(Myula, StaysInTheAffineSpaceOfASimplex) {
  const AnyMap map = SimplexMap::symmetric(3);
  const Projection set = *projection_onto(map);
  const Myula kernel(set, *projection_onto_hull(map), std::nullopt);
  const AnyPotential V = Extended(DirichletPosterior({2, 1, 0}, {1.2, 1.2, 1.2}), set);
  Workspace ws;
  ChainBlock chains(0, 64, 3);
  std::ranges::fill(chains.y.view().flat(), 1.0 / 3);
  evaluate(V, chains, ws);
  StepInfo info(64);
  bool left = false;
  for (std::uint64_t t = 0; t < 400; ++t) {
    kernel.advance(V, NoiseField(2), t, {.step_size = 0.01}, chains, info, ws);
    for (std::size_t l = 0; l < 64; ++l) {
      const Block x = chains.y.view();
      EXPECT_NEAR(x.at(0, l) + x.at(1, l) + x.at(2, l), 1.0, 1e-12);
      EXPECT_EQ(info.divergent[l], 0.0);
      left = left || x.at(2, l) < 0;
    }
  }
  EXPECT_TRUE(left);  // outside V is +inf, and the gradient came from the nearest point
}

TEST(Extended, TakesTheNearestPointWhereTheTargetIsNotFinite) {
  struct Half {  // finite for x > 0 only
    std::size_t dim() const { return 1; }
    double value_and_grad(std::span<const double> x, std::span<double> grad) const {
      grad[0] = x[0] < 0.25 ? std::nan("") : 2 * x[0];
      return x[0] * x[0];
    }
  };
  const Projection set = *projection_onto(BoxMap({0.25}, {1.0}));
  const Extended V(PointTarget("half", Half{}), set);
  BlockStorage x(1, 8), grad(1, 8);
  std::ranges::fill(x.view().flat(), 2.0);
  x.view().at(0, 3) = -5;
  Point value(8);
  Workspace ws;
  V.evaluate(x.view(), value, grad.view(), ws);
  EXPECT_EQ(value[0], 4.0);  // outside, but finite: its own value
  EXPECT_EQ(grad.view().at(0, 0), 4.0);
  EXPECT_EQ(value[3], 0.0625);
  EXPECT_EQ(grad.view().at(0, 3), 0.5);
}

}  // namespace
}  // namespace tain::projected_law_test
