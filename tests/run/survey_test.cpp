#include "run/survey.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <numbers>

namespace tain {
namespace {

/// W = -log of a mixture of round Gaussians.
struct Mixture {
  std::vector<std::vector<double>> means;
  std::vector<double> sds, masses;

  std::string name() const { return "mixture"; }
  std::size_t dim() const { return means.front().size(); }
  void evaluate(ConstBlock x, std::span<double> value, Block grad, Workspace&) const {
    for (std::size_t l = 0; l < x.lanes(); ++l) {
      std::vector<double> log_part;
      for (std::size_t k = 0; k < means.size(); ++k) {
        double square = 0;
        for (std::size_t i = 0; i < dim(); ++i) {
          const double z = (x.at(i, l) - means[k][i]) / sds[k];
          square += z * z;
        }
        log_part.push_back(std::log(masses[k]) - double(dim()) * std::log(sds[k]) - square / 2);
      }
      const double most = std::ranges::max(log_part);
      double sum = 0;
      for (double& part : log_part) {
        sum += part = std::exp(part - most);
      }
      value[l] = -most - std::log(sum);
      for (std::size_t i = 0; i < dim(); ++i) {
        grad.at(i, l) = 0;
        for (std::size_t k = 0; k < means.size(); ++k) {
          grad.at(i, l) += log_part[k] / sum * (x.at(i, l) - means[k][i]) / (sds[k] * sds[k]);
        }
      }
    }
  }
};

std::vector<double> first_axis(std::size_t dim, double at) {
  std::vector<double> point(dim);
  point[0] = at;
  return point;
}

Mixture two(std::size_t dim, double distance, double second_mass, double second_sd = 1) {
  return {{first_axis(dim, 0), first_axis(dim, distance)},
          {1, second_sd},
          {1 - second_mass, second_mass}};
}

Survey look_at(const AnyPotential& W, std::uint64_t seed = 1) {
  Workspace ws;
  return survey(W, std::vector<double>(W.dim()), 4096, NoiseField(seed), ws);
}

TEST(Survey, FindsTwoModesAndTheirShares) {
  for (const std::size_t dim : {1, 2, 5, 10, 30}) {
    for (const double distance : {8.0, 50.0, 1000.0}) {
      for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const Survey found = look_at(two(dim, distance, 0.1), seed);
        ASSERT_EQ(found.modes.size(), 2) << dim << " dimensions, distance " << distance;
        ASSERT_TRUE(found.masses_known);
        const std::size_t second = found.modes[0].y[0] > distance / 2 ? 0 : 1;
        EXPECT_NEAR(*found.share(found.modes[second]), 0.1, 0.01);
        EXPECT_NEAR(found.modes[second].y[0], distance, 0.1);
        EXPECT_FALSE(found.entries[0].empty() || found.entries[1].empty());
        EXPECT_EQ(found.mode_of(first_axis(dim, distance + 1)), second);
      }
    }
  }
}

TEST(Survey, FindsANarrowModeOfAPlane) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    EXPECT_EQ(look_at(two(2, 10, 0.5, 0.1), seed).modes.size(), 2) << seed;
  }
}

TEST(Survey, TakesModesThatChainsStepBetweenForOne) {
  EXPECT_EQ(look_at(two(2, 3, 0.5)).modes.size(), 1);
}

struct Ring {
  std::string name() const { return "ring"; }
  std::size_t dim() const { return 2; }
  void evaluate(ConstBlock x, std::span<double> value, Block grad, Workspace&) const {
    for (std::size_t l = 0; l < x.lanes(); ++l) {
      const double r = std::hypot(x.at(0, l), x.at(1, l)), z = (r - 5) / 0.1;
      value[l] = z * z / 2;
      grad.at(0, l) = z / 0.1 * x.at(0, l) / r;
      grad.at(1, l) = z / 0.1 * x.at(1, l) / r;
    }
  }
};

TEST(Survey, SeesThatARingIsOneMode) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Workspace ws;
    EXPECT_EQ(survey(Ring(), {1, 0}, 4096, NoiseField(seed), ws).modes.size(), 1) << seed;
  }
}

/// Neal's: v ~ N(0, 3^2), x_i ~ N(0, e^v); its lowest point is at v = -40, where nothing is.
struct Funnel {
  std::string name() const { return "funnel"; }
  std::size_t dim() const { return 10; }
  void evaluate(ConstBlock x, std::span<double> value, Block grad, Workspace&) const {
    for (std::size_t l = 0; l < x.lanes(); ++l) {
      const double v = x.at(0, l), e = std::exp(-v);
      double square = 0;
      for (std::size_t i = 1; i < dim(); ++i) {
        square += x.at(i, l) * x.at(i, l);
        grad.at(i, l) = x.at(i, l) * e;
      }
      value[l] = v * v / 18 + 4.5 * v + square * e / 2;
      grad.at(0, l) = v / 9 + 4.5 - square * e / 2;
    }
  }
};

TEST(Survey, KeepsAwayFromABottomWithoutMass) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Survey found = look_at(Funnel(), seed);
    for (const Mode& mode : found.modes) {
      EXPECT_GT(mode.y[0], -15) << seed;
    }
    for (const std::vector<Well>& wells : found.entries) {
      for (const Well& entry : wells) {
        EXPECT_GT(entry.y[0], -15) << seed;
      }
    }
  }
}

TEST(Survey, NeedsNoUnit) {
  for (const double unit : {1e-6, 1e-3, 3e4}) {
    Mixture far = two(3, 20 * unit, 0.3, unit);
    far.sds[0] = unit;
    far.means[0][1] = far.means[1][1] = 7 * unit;
    const Survey found = look_at(far);
    ASSERT_EQ(found.modes.size(), 2) << unit;
    EXPECT_NEAR(*found.share(found.modes[0]), 0.7, 0.02) << unit;
    EXPECT_NEAR(found.modes[0].width[1] / unit, 1, 0.1);
  }
}

TEST(Descent, GoesDownToTheLowestPointOfACorrelatedWell) {
  // Hessian with eigenvalues 1 and 10^6, turned by 45 degrees.
  struct Valley {
    std::string name() const { return "valley"; }
    std::size_t dim() const { return 2; }
    void evaluate(ConstBlock x, std::span<double> value, Block grad, Workspace&) const {
      for (std::size_t l = 0; l < x.lanes(); ++l) {
        const double a = (x.at(0, l) - 3 + x.at(1, l)) / std::numbers::sqrt2;
        const double b = (x.at(0, l) - 3 - x.at(1, l)) / std::numbers::sqrt2;
        value[l] = a * a / 2 + 1e6 * b * b / 2;
        grad.at(0, l) = (a + 1e6 * b) / std::numbers::sqrt2;
        grad.at(1, l) = (a - 1e6 * b) / std::numbers::sqrt2;
      }
    }
  };
  Workspace ws;
  const std::vector<std::vector<double>> starts{{100, -40}, {-1e4, 3}, {3, 0}};
  for (const Descent& descent : descend(Valley(), starts, ws)) {
    EXPECT_TRUE(descent.settled);
    EXPECT_LT(descent.value, 1e-6);
    EXPECT_NEAR(descent.end[0], 3, 1e-2);
  }
}

TEST(Descent, StaysWhereItCannotStart) {
  struct Nowhere {
    std::string name() const { return "nowhere"; }
    std::size_t dim() const { return 1; }
    void evaluate(ConstBlock, std::span<double> value, Block grad, Workspace&) const {
      std::ranges::fill(value, std::numeric_limits<double>::infinity());
      std::ranges::fill(grad.flat(), 0.0);
    }
  };
  Workspace ws;
  const std::vector<std::vector<double>> starts{{1.0}};
  EXPECT_EQ(descend(Nowhere(), starts, ws)[0].end, starts[0]);
  EXPECT_TRUE(survey(Nowhere(), {0}, 4096, NoiseField(1), ws).modes.empty());
}

}  // namespace
}  // namespace tain
