// Appendices B and D of the paper, line by line, each formula against another way to compute it.
#include <gtest/gtest.h>

#include <cmath>

#include "maps/ball.hpp"
#include "maps/box.hpp"
#include "maps/simplex.hpp"
#include "support/map_laws.hpp"

namespace tain::paper_test {
namespace {

using map_laws::column;
using map_laws::epsilon;

// B.1: h'' = 1/(1 - x^2), so W adds log cosh^2 y. The paper's middle line has the fraction upside
// down; its first and last lines agree with us.
TEST(PaperAppendixB, HypercubeMiddleLineIsInverted) {
  const BoxMap box({-1}, {1});
  const BlockStorage y = map_laws::points(1, 3, 1);
  const map_laws::LogDet log_det = map_laws::log_det(box, y.view());
  for (std::size_t lane = 0; lane < lane_group; ++lane) {
    const double v = y.view().at(0, lane);
    const double first = std::log(1 / (1 - std::tanh(v) * std::tanh(v)));
    const double middle = std::log(4 / (std::exp(2 * v) + 2 + std::exp(-2 * v)));
    const double last = std::log(0.5 * (1 + std::cosh(2 * v)));
    const double tolerance = 16 * epsilon * std::exp(6.0);  // 1 - tanh^2 cancels by e^(2 |v|)
    EXPECT_NEAR(first, log_det.value[lane], tolerance);
    EXPECT_NEAR(last, log_det.value[lane], tolerance);
    EXPECT_NEAR(middle, -log_det.value[lane], tolerance);
    EXPECT_GT(std::abs(log_det.value[lane]), 1e-3) << "too near 0 to tell signs apart";
  }
}

// B.2: the Hessian I/(1-r) + x x'/(r (1-r)^2) is the inverse of our Jacobian, its determinant is
// (1-r)^-(d+1), and W adds (d+1) log(1 + |y|).
TEST(PaperAppendixB, BallHessianAndDeterminant) {
  for (const std::size_t d : {1, 2, 7}) {
    const BallMap ball(std::vector<double>(d, 0.0), 1, BallForm::paper);
    const BlockStorage y = map_laws::points(d, 1, 2);
    const BlockStorage x = map_laws::to_primal(ball, y.view());
    const map_laws::LogDet log_det = map_laws::log_det(ball, y.view());
    for (std::size_t lane = 0; lane < lane_group; ++lane) {
      const std::vector<double> point = column(x.view(), lane), dual = column(y.view(), lane);
      const Eigen::Map<const Eigen::VectorXd> v(point.data(), static_cast<Eigen::Index>(d));
      const Eigen::Map<const Eigen::VectorXd> w(dual.data(), static_cast<Eigen::Index>(d));
      const double r = v.norm(), tolerance = 256 * epsilon / std::pow(1 - r, 2);
      const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(v.size(), v.size());
      const Eigen::MatrixXd hessian =
          identity / (1 - r) + v * v.transpose() / (r * (1 - r) * (1 - r));
      const Eigen::MatrixXd jacobian = map_laws::chart_jacobian(ball, y.view(), lane);
      EXPECT_LE((hessian * jacobian - identity).cwiseAbs().maxCoeff(), tolerance);
      EXPECT_NEAR(std::log(hessian.determinant()), log_det.value[lane], tolerance);
      EXPECT_NEAR(-static_cast<double>(d + 1) * std::log1p(-r), log_det.value[lane], tolerance);
      EXPECT_NEAR(static_cast<double>(d + 1) * std::log1p(w.norm()), log_det.value[lane],
                  tolerance);
      EXPECT_LE((v / (1 - r) - w).cwiseAbs().maxCoeff(), tolerance);  // grad h
    }
  }
}

// D: the Hessian diag(1/x_i) + 1/x_(d+1) is the inverse of our Jacobian, its log det is
// - sum log x_i, and Lemma 1's form of it is -sum y + (d+1) h*(y).
TEST(PaperAppendixD, SimplexHessianAndDeterminant) {
  for (const std::size_t d : {1, 2, 7}) {
    const SimplexMap simplex = SimplexMap::with_reference(d + 1, d);
    const BlockStorage y = map_laws::points(d, 2, 3);
    const BlockStorage x = map_laws::to_primal(simplex, y.view());
    const map_laws::LogDet log_det = map_laws::log_det(simplex, y.view());
    for (std::size_t lane = 0; lane < lane_group; ++lane) {
      const std::vector<double> point = column(x.view(), lane), dual = column(y.view(), lane);
      const auto n = static_cast<Eigen::Index>(d);
      const Eigen::Map<const Eigen::VectorXd> v(point.data(), n), w(dual.data(), n);
      Eigen::MatrixXd hessian = Eigen::MatrixXd::Constant(n, n, 1 / point[d]);
      hessian.diagonal() += v.cwiseInverse();
      const double tolerance = 64 * epsilon * hessian.maxCoeff() * static_cast<double>(d + 1);
      const Eigen::MatrixXd jacobian = map_laws::chart_jacobian(simplex, y.view(), lane);
      EXPECT_LE((hessian * jacobian - Eigen::MatrixXd::Identity(n, n)).cwiseAbs().maxCoeff(),
                tolerance);
      EXPECT_NEAR(std::log(hessian.determinant()), log_det.value[lane], tolerance);
      const double conjugate = std::log(1 + w.array().exp().sum());
      EXPECT_NEAR(-w.sum() + static_cast<double>(d + 1) * conjugate, log_det.value[lane],
                  tolerance);
    }
  }
}

// Both appendices call h 1-strongly convex: no eigenvalue of hess h* above 1.
TEST(PaperAppendices, MapsAreOneStronglyConvex) {
  const std::vector<AnyMap> maps{BoxMap({-1, -1, -1}, {1, 1, 1}),
                                 BallMap({0, 0, 0}, 1, BallForm::paper), BallMap({0, 0, 0}, 1),
                                 SimplexMap::with_reference(4, 3)};
  for (const AnyMap& map : maps) {
    const BlockStorage y = map_laws::points(3, 2, 4);
    for (std::size_t lane = 0; lane < lane_group; ++lane) {
      const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> spectrum(
          map_laws::chart_jacobian(map, y.view(), lane));
      EXPECT_LE(spectrum.eigenvalues().maxCoeff(), 1 + 4 * epsilon) << map.name();
    }
  }
}

}  // namespace
}  // namespace tain::paper_test
