#include "maps/simplex.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "support/map_laws.hpp"
#include "tain/core/error.hpp"

namespace tain::simplex_test {
namespace {

using map_laws::column;
using map_laws::epsilon;
using testing::HasSubstr;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

TEST(SimplexMap, ReferenceCoordinatesAreLogRatios) {
  const SimplexMap map = SimplexMap::with_reference(3, 1);
  BlockStorage y(2, lane_group);
  y.view().at(0, 0) = std::log(0.2 / 0.3);
  y.view().at(1, 0) = std::log(0.5 / 0.3);
  const std::vector<double> x = column(map_laws::to_primal(map, y.view()).view(), 0);
  EXPECT_NEAR(x[0], 0.2, 4 * epsilon);
  EXPECT_NEAR(x[1], 0.3, 4 * epsilon);
  EXPECT_NEAR(x[2], 0.5, 4 * epsilon);
}

// The header's definition by the reflection Q, multiplied out.
TEST(SimplexMap, SymmetricCoordinatesAreTheReflectionOfTheLogarithms) {
  for (const std::size_t n : {2, 3, 11}) {
    const SimplexMap map = SimplexMap::symmetric(n);
    const BlockStorage y = map_laws::points(n - 1, 2, 1);
    const BlockStorage x = map_laws::to_primal(map, y.view());
    Eigen::VectorXd v = Eigen::VectorXd::Constant(n, -1 / std::sqrt(static_cast<double>(n)));
    v(n - 1) += 1;
    const Eigen::MatrixXd q = Eigen::MatrixXd::Identity(n, n) - 2 * v * v.transpose() / v.dot(v);
    const Eigen::VectorXd logarithms =
        Eigen::Map<const Eigen::VectorXd>(column(x.view(), 3).data(), n).array().log();
    const Eigen::VectorXd wanted = q * logarithms;
    for (std::size_t j = 0; j + 1 < n; ++j) {
      EXPECT_NEAR(y.view().at(j, 3), wanted(j), 64 * epsilon);
    }
  }
}

// Distances of zero-sum logits are distances of y.
TEST(SimplexMap, SymmetricCoordinatesAreAnIsometry) {
  const std::size_t n = 9;
  const SimplexMap map = SimplexMap::symmetric(n);
  const BlockStorage y = map_laws::points(n - 1, 2, 2);
  BlockStorage u(n, lane_group);
  map.logits(y.view(), u.view());
  const std::vector<double> logits = column(u.view(), 0), point = column(y.view(), 0);
  const double mean = std::accumulate(logits.begin(), logits.end(), 0.0) / static_cast<double>(n);
  double in_logits = 0, in_y = 0;
  for (const double value : logits) {
    in_logits += (value - mean) * (value - mean);
  }
  for (const double value : point) {
    in_y += value * value;
  }
  EXPECT_NEAR(in_logits, in_y, 64 * epsilon * in_y);
}

// Law 4 in the map's own geometry: Q' dx/dy = Q' (diag x - x x') Q is symmetric.
TEST(SimplexMap, SymmetricJacobianIsSymmetricAmongTheLogits) {
  const std::size_t n = 6;
  const SimplexMap map = SimplexMap::symmetric(n);
  const BlockStorage y = map_laws::points(n - 1, 2, 4);
  const BlockStorage x = map_laws::to_primal(map, y.view());
  Workspace ws;
  Eigen::MatrixXd rows(n - 1, n);  // (dx/dy)'
  for (std::size_t i = 0; i < n; ++i) {
    BlockStorage gx(n, lane_group), gy(n - 1, lane_group);
    gx.view().at(i, 0) = 1;
    map.pull_back(y.view(), x.view(), gx.view(), gy.view(), ws);
    for (std::size_t j = 0; j + 1 < n; ++j) {
      rows(j, i) = gy.view().at(j, 0);
    }
  }
  Eigen::MatrixXd own(n - 1, n - 1);
  for (std::size_t j = 0; j + 1 < n; ++j) {
    BlockStorage gu(n, lane_group), gy(n - 1, lane_group);
    for (std::size_t i = 0; i < n; ++i) {
      gu.view().at(i, 0) = rows(j, i);
    }
    map.logit_pull_back(gu.view(), gy.view());
    for (std::size_t k = 0; k + 1 < n; ++k) {
      own(k, j) = gy.view().at(k, 0);
    }
  }
  EXPECT_LE((own - own.transpose()).cwiseAbs().maxCoeff(), 16 * epsilon);
  EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(own).eigenvalues().minCoeff(), 0);
}

TEST(SimplexMap, LogitPullBackIsTheTransposeOfLogits) {
  for (const SimplexMap& map : {SimplexMap::symmetric(7), SimplexMap::with_reference(7, 2)}) {
    const BlockStorage y = map_laws::points(6, 1, 6), gu = map_laws::points(7, 1, 7);
    BlockStorage u(7, lane_group), gy(6, lane_group);
    map.logits(y.view(), u.view());
    map.logit_pull_back(gu.view(), gy.view());
    for (std::size_t lane = 0; lane < lane_group; ++lane) {
      double above = 0, below = 0;
      for (std::size_t i = 0; i < 7; ++i) {
        above += u.view().at(i, lane) * gu.view().at(i, lane);
      }
      for (std::size_t j = 0; j < 6; ++j) {
        below += y.view().at(j, lane) * gy.view().at(j, lane);
      }
      EXPECT_NEAR(above, below, 64 * epsilon);
    }
  }
}

// Both choices of coordinates describe one law: -sum log x, and the constant between them.
TEST(SimplexMap, LogDetIsMinusTheSumOfLogarithms) {
  const std::size_t n = 5;
  for (const SimplexMap& map : {SimplexMap::symmetric(n), SimplexMap::with_reference(n, 1)}) {
    const BlockStorage y = map_laws::points(n - 1, 3, 8);
    const BlockStorage x = map_laws::to_primal(map, y.view());
    double wanted = map.reference() ? 0.0 : -0.5 * std::log(5.0);
    for (const double value : column(x.view(), 2)) {
      wanted -= std::log(value);
    }
    EXPECT_NEAR(map_laws::log_det(map, y.view()).value[2], wanted, 64 * epsilon * wanted);
  }
}

TEST(SimplexMap, LogPrimalIsExactWhereXUnderflows) {
  const SimplexMap map = SimplexMap::with_reference(3, 2);
  BlockStorage y(2, lane_group), log_x(3, lane_group);
  y.view().at(0, 0) = -5000;
  Workspace ws;
  map.log_primal(y.view(), log_x.view(), ws);
  EXPECT_DOUBLE_EQ(log_x.view().at(0, 0), -5000 - std::log(2.0));
  EXPECT_EQ(map_laws::to_primal(map, y.view()).view().at(0, 0), 1e-290);
  EXPECT_DOUBLE_EQ(map_laws::log_det(map, y.view()).value[0], 5000 + 3 * std::log(2.0));
}

TEST(SimplexMap, MillionCategories) {
  const std::size_t n = 1'000'000;
  const double root = std::sqrt(static_cast<double>(n));
  for (const SimplexMap& map : {SimplexMap::symmetric(n), SimplexMap::with_reference(n, n / 2)}) {
    const BlockStorage y = map_laws::points(n - 1, 3, 11);
    const BlockStorage x = map_laws::to_primal(map, y.view());
    for (const std::size_t lane : {0, 7}) {
      const std::vector<double> point = column(x.view(), lane);
      EXPECT_TRUE(map.contains(point));
      // A million roundings of size epsilon x_i, at random signs; the bound is generous by 100.
      EXPECT_NEAR(std::accumulate(point.begin(), point.end(), 0.0), 1.0, 100 * root * epsilon);
    }
    const map_laws::LogDet log_det = map_laws::log_det(map, y.view());
    EXPECT_TRUE(std::isfinite(log_det.value[0]));
    const std::vector<double> slope = column(log_det.slope.view(), 0);
    EXPECT_TRUE(std::isfinite(std::accumulate(slope.begin(), slope.end(), 0.0)));
    BlockStorage back(n - 1, lane_group);
    Workspace ws;
    map.to_dual(x.view(), back.view(), ws);
    for (std::size_t j = 0; j < n - 1; j += 997) {
      // log x is about -14, known to an ULP; n of them are summed and divided by n.
      EXPECT_NEAR(back.view().at(j, 5), y.view().at(j, 5), 1e4 * epsilon);
    }
  }
}

TEST(SimplexMap, NaNStaysInItsLane) {
  for (const SimplexMap& map : {SimplexMap::symmetric(4), SimplexMap::with_reference(4, 0)}) {
    BlockStorage y(3, lane_group);
    y.view().at(1, 2) = not_a_number;
    const BlockStorage x = map_laws::to_primal(map, y.view());
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_TRUE(std::isnan(x.view().at(i, 2)));
      EXPECT_DOUBLE_EQ(x.view().at(i, 3), 0.25);
    }
    EXPECT_TRUE(std::isnan(map_laws::log_det(map, y.view()).value[2]));
  }
}

TEST(SimplexMap, ContainsNeitherTheBoundaryNorOtherSums) {
  const SimplexMap map = SimplexMap::symmetric(2);
  EXPECT_TRUE(map.contains(std::vector<double>{0.25, 0.75}));
  EXPECT_FALSE(map.contains(std::vector<double>{0.0, 1.0}));
  EXPECT_FALSE(map.contains(std::vector<double>{-0.25, 1.25}));
  EXPECT_FALSE(map.contains(std::vector<double>{0.25, 0.76}));
  EXPECT_FALSE(map.contains(std::vector<double>{not_a_number, 0.5}));
  EXPECT_FALSE(map.contains(std::vector<double>{0.25, 0.25, 0.5}));
}

// h(x) + h*(y) = <x, y> at y = grad h(x), and >= elsewhere, with h of (3.4) and h* of Lemma 1.
TEST(SimplexMap, FenchelYoung) {
  const std::size_t n = 6;
  const SimplexMap map = SimplexMap::with_reference(n, n - 1);
  const BlockStorage y = map_laws::points(n - 1, 3, 12), x = map_laws::to_primal(map, y.view());
  for (std::size_t at = 0; at < lane_group; ++at) {
    for (std::size_t lane = 0; lane < lane_group; ++lane) {
      double h = 0, sum = 1, product = 0;
      for (const double value : column(x.view(), at)) {
        h += value * std::log(value);
      }
      for (std::size_t j = 0; j + 1 < n; ++j) {
        sum += std::exp(y.view().at(j, lane));
        product += x.view().at(j, at) * y.view().at(j, lane);
      }
      const double gap = h + std::log(sum) - product;
      if (at == lane) {
        EXPECT_NEAR(gap, 0, 64 * epsilon);
      } else {
        EXPECT_GT(gap, 0);
      }
    }
  }
}

TEST(SimplexMap, Names) {
  EXPECT_EQ(SimplexMap::symmetric(11).name(), "simplex(11, symmetric)");
  EXPECT_EQ(SimplexMap::with_reference(11, 10).name(), "simplex(11, reference 11)");
}

TEST(SimplexMap, RefusesWhatIsNoSimplex) {
  EXPECT_THROW(SimplexMap::symmetric(1), Error);
  try {
    SimplexMap::with_reference(3, 3);
    FAIL() << "category 4 of 3 was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::config);
    EXPECT_THAT(error.what(), HasSubstr("category 4 of 3"));
  }
}

}  // namespace
}  // namespace tain::simplex_test
