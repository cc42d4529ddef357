// The laws of MirrorMap (maps/mirror_map.hpp) as checks that any map, also a user's, can be put
// through:
//
//   EXPECT_TRUE(map_laws::inverse(map, y));        // law 1, and so on
//
// Every check takes points y in the dual, one per lane, and answers with the worst deviation when
// it fails. Derivatives come from five-point differences of step h: their error is at most
//   (h^4 / 30) max |f^(5)|  +  3 epsilon max |f| / (2 h)
// With h = epsilon^(1/5) both terms are epsilon^(4/5) = 3e-13 times the size of f and its fifth
// derivative. `difference_tolerance` allows 256 times that: |tanh^(5)| <= 16, softmax and its
// logarithms less, which leaves a factor 16 for functions computed with a few ULP of error.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "maps/product.hpp"
#include "maps/simplex.hpp"
#include "tain/maps/mirror_map.hpp"

namespace tain::map_laws {

inline constexpr double epsilon = std::numeric_limits<double>::epsilon();
inline const double difference_step = std::pow(epsilon, 0.2);
inline const double difference_tolerance = 256 * std::pow(epsilon, 0.8);

// ---- points -------------------------------------------------------------------------------------

/// `lanes` points with coordinates uniform in [-size, size], the same for the same seed.
inline BlockStorage points(std::size_t rows, double size, std::uint64_t seed,
                           std::size_t lanes = lane_group) {
  std::mt19937_64 engine(seed);
  BlockStorage block(rows, lanes);
  for (double& value : block.view().flat()) {
    value = size * (std::ldexp(static_cast<double>(engine() >> 11), -52) - 1.0);
  }
  return block;
}

inline std::vector<double> column(ConstBlock block, std::size_t lane) {
  std::vector<double> values(block.rows());
  for (std::size_t i = 0; i < block.rows(); ++i) {
    values[i] = block.at(i, lane);
  }
  return values;
}

inline BlockStorage to_primal(const AnyMap& map, ConstBlock y) {
  Workspace ws;
  BlockStorage x(map.primal_dim(), y.lanes());
  map.to_primal(y, x.view(), ws);
  return x;
}

/// log det and its gradient.
struct LogDet {
  std::vector<double> value;
  BlockStorage slope;
};
inline LogDet log_det(const AnyMap& map, ConstBlock y) {
  Workspace ws;
  const BlockStorage x = to_primal(map, y);
  LogDet result{std::vector<double>(y.lanes()), BlockStorage(map.dual_dim(), y.lanes())};
  map.add_log_det(y, x.view(), result.value, result.slope.view(), ws);
  return result;
}

// ---- answers ------------------------------------------------------------------------------------

/// Keeps the worst of many comparisons.
class Worst {
 public:
  /// Records |got - wanted| against `allowed`; NaN is worse than anything.
  void compare(double got, double wanted, double allowed, const std::string& what) {
    const double error = std::abs(got - wanted);
    const double ratio = std::isnan(error) ? infinity : error == 0 ? 0 : error / allowed;
    if (ratio > ratio_) {
      ratio_ = ratio;
      what_ = what + ": " + std::to_string(got) + " instead of " + std::to_string(wanted) +
              ", off by " + std::to_string(ratio) + " times the tolerance";
    }
  }
  testing::AssertionResult answer(const AnyMap& map) const {
    return ratio_ <= 1 ? testing::AssertionSuccess()
                       : testing::AssertionFailure() << map.name() << ", " << what_;
  }
  double ratio() const { return ratio_; }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  double ratio_ = 0;
  std::string what_;
};

inline std::string place(const char* what, std::size_t row, std::size_t lane) {
  return std::string(what) + " row " + std::to_string(row) + " lane " + std::to_string(lane);
}

/// Rows of the chart (law 3): all, but one of each simplex; its reference if it has one (law 4).
inline std::vector<std::size_t> chart(const AnyMap& map) {
  std::vector<std::size_t> rows;
  if (const ProductMap* product = map.as<ProductMap>()) {
    std::size_t first = 0;
    for (const AnyMap& factor : product->factors()) {
      for (const std::size_t row : chart(factor)) {
        rows.push_back(first + row);
      }
      first += factor.primal_dim();
    }
    return rows;
  }
  std::size_t left_out = map.primal_dim();
  if (const SimplexMap* simplex = map.as<SimplexMap>()) {
    left_out = simplex->reference().value_or(map.primal_dim() - 1);
  }
  for (std::size_t row = 0; row < map.primal_dim(); ++row) {
    if (row != left_out) {
      rows.push_back(row);
    }
  }
  return rows;
}

/// d chart(x) / dy in one lane, column i of the transposed Jacobian from pull_back(e_i).
inline Eigen::MatrixXd chart_jacobian(const AnyMap& map, ConstBlock y, std::size_t lane) {
  Workspace ws;
  const BlockStorage x = to_primal(map, y);
  const std::vector<std::size_t> rows = chart(map);
  BlockStorage gx(map.primal_dim(), y.lanes()), gy(map.dual_dim(), y.lanes());
  Eigen::MatrixXd jacobian(rows.size(), map.dual_dim());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    gx.view().at(rows[i], lane) = 1;
    map.pull_back(y, x.view(), gx.view(), gy.view(), ws);
    gx.view().at(rows[i], lane) = 0;
    for (std::size_t j = 0; j < map.dual_dim(); ++j) {
      jacobian(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = gy.view().at(j, lane);
    }
  }
  return jacobian;
}

/// Derivative in y_j of a function of y with values in blocks, by five points.
inline BlockStorage difference(const std::function<BlockStorage(ConstBlock)>& f, ConstBlock y,
                               std::size_t j) {
  BlockStorage moved(y.rows(), y.lanes());
  BlockStorage result;
  for (const auto& [steps, weight] : {std::pair{-2, 1.0}, {-1, -8.0}, {1, 8.0}, {2, -1.0}}) {
    std::copy(y.flat().begin(), y.flat().end(), moved.view().flat().begin());
    for (std::size_t lane = 0; lane < y.lanes(); ++lane) {
      moved.view().at(j, lane) += steps * difference_step;
    }
    const BlockStorage value = f(moved.view());
    if (result.rows() == 0) {
      result = BlockStorage(value.rows(), value.lanes());
    }
    for (std::size_t i = 0; i < value.view().size(); ++i) {
      result.view().flat()[i] += weight * value.view().flat()[i] / (12 * difference_step);
    }
  }
  return result;
}

// ---- the laws -----------------------------------------------------------------------------------

/// Law 1: to_dual(to_primal(y)) = y. `allowed` is absolute: rounding of x, carried to y by the
/// inverse Jacobian; the caller knows how near the boundary its points are.
inline testing::AssertionResult inverse(const AnyMap& map, ConstBlock y, double allowed) {
  Workspace ws;
  const BlockStorage x = to_primal(map, y);
  BlockStorage back(map.dual_dim(), y.lanes()), again(map.primal_dim(), y.lanes());
  map.to_dual(x.view(), back.view(), ws);
  map.to_primal(back.view(), again.view(), ws);
  Worst worst;
  for (std::size_t lane = 0; lane < y.lanes(); ++lane) {
    for (std::size_t j = 0; j < y.rows(); ++j) {
      worst.compare(back.view().at(j, lane), y.at(j, lane), allowed, place("y", j, lane));
    }
    for (std::size_t i = 0; i < map.primal_dim(); ++i) {
      // x is 1-Lipschitz in y up to the size of the set, which x itself shows.
      const double size = std::max(1.0, std::abs(x.view().at(i, lane)));
      worst.compare(again.view().at(i, lane), x.view().at(i, lane), allowed * size,
                    place("x", i, lane));
    }
  }
  return worst.answer(map);
}

/// Law 2: pull_back is the transposed Jacobian. `size` bounds |x|, the radius of the set and the
/// fifth derivatives over 16.
inline testing::AssertionResult transposed_jacobian(const AnyMap& map, ConstBlock y,
                                                    double size = 1) {
  Workspace ws;
  const BlockStorage x = to_primal(map, y);
  const BlockStorage gx = points(map.primal_dim(), 1.0, 17, y.lanes());
  BlockStorage gy(map.dual_dim(), y.lanes());
  map.pull_back(y, x.view(), gx.view(), gy.view(), ws);
  Worst worst;
  for (std::size_t j = 0; j < map.dual_dim(); ++j) {
    const BlockStorage column =
        difference([&map](ConstBlock at) { return to_primal(map, at); }, y, j);
    for (std::size_t lane = 0; lane < y.lanes(); ++lane) {
      double sum = 0, total = 0;  // |gx_i| <= 1: errors of the rows add up
      for (std::size_t i = 0; i < map.primal_dim(); ++i) {
        sum += gx.view().at(i, lane) * column.view().at(i, lane);
        total += std::abs(gx.view().at(i, lane) * x.view().at(i, lane));
      }
      worst.compare(gy.view().at(j, lane), sum, difference_tolerance * std::max(size, total),
                    place("gy", j, lane));
    }
  }
  return worst.answer(map);
}

/// Law 3, first half: add_log_det adds -log |det d chart(x) / dy|. Computed from pull_back by LU:
/// an error of a few ULP in the Jacobian moves log det by at most dim epsilon times its condition.
inline testing::AssertionResult log_determinant(const AnyMap& map, ConstBlock y) {
  const LogDet claimed = log_det(map, y);
  Worst worst;
  for (std::size_t lane = 0; lane < y.lanes(); ++lane) {
    const Eigen::PartialPivLU<Eigen::MatrixXd> lu(chart_jacobian(map, y, lane));
    const double wanted = -lu.matrixLU().diagonal().array().abs().log().sum();
    const double dim = static_cast<double>(map.dual_dim());
    const double allowed = 16 * epsilon * dim * (1 / lu.rcond() + std::abs(wanted) + 1);
    worst.compare(claimed.value[lane], wanted, allowed, place("log det", 0, lane));
  }
  return worst.answer(map);
}

/// Law 3, second half: the gradient is the derivative of the value; both are added, not set.
inline testing::AssertionResult log_determinant_slope(const AnyMap& map, ConstBlock y,
                                                      double loss = 1) {
  Workspace ws;
  const LogDet claimed = log_det(map, y);
  const BlockStorage x = to_primal(map, y);
  std::vector<double> value(y.lanes(), 3.0);
  BlockStorage slope(map.dual_dim(), y.lanes());
  std::fill(slope.view().flat().begin(), slope.view().flat().end(), -5.0);
  map.add_log_det(y, x.view(), value, slope.view(), ws);
  const auto values = [&map](ConstBlock at) {
    const LogDet result = log_det(map, at);
    BlockStorage row(1, at.lanes());
    std::copy(result.value.begin(), result.value.end(), row.view().flat().begin());
    return row;
  };
  Worst worst;
  for (std::size_t lane = 0; lane < y.lanes(); ++lane) {
    worst.compare(value[lane] - 3.0, claimed.value[lane],
                  4 * epsilon * (3 + std::abs(claimed.value[lane])), place("sum", 0, lane));
  }
  for (std::size_t j = 0; j < map.dual_dim(); ++j) {
    const BlockStorage wanted = difference(values, y, j);
    for (std::size_t lane = 0; lane < y.lanes(); ++lane) {
      const double size = static_cast<double>(map.primal_dim()) + std::abs(claimed.value[lane]);
      const double got = claimed.slope.view().at(j, lane);
      worst.compare(got, wanted.view().at(0, lane), loss * difference_tolerance * size,
                    place("slope", j, lane));
      worst.compare(slope.view().at(j, lane) + 5.0, got, 4 * epsilon * (5 + std::abs(got)),
                    place("added slope", j, lane));
    }
  }
  return worst.answer(map);
}

/// Law 4: the chart's Jacobian is symmetric and positive semi-definite, up to rounding.
inline testing::AssertionResult symmetric_positive(const AnyMap& map, ConstBlock y) {
  Worst worst;
  for (std::size_t lane = 0; lane < y.lanes(); ++lane) {
    const Eigen::MatrixXd jacobian = chart_jacobian(map, y, lane);
    const double allowed =
        16 * epsilon * static_cast<double>(map.dual_dim()) * jacobian.cwiseAbs().maxCoeff();
    worst.compare((jacobian - jacobian.transpose()).cwiseAbs().maxCoeff(), 0, allowed,
                  place("asymmetry", 0, lane));
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> spectrum(jacobian, Eigen::EigenvaluesOnly);
    worst.compare(std::min(spectrum.eigenvalues().minCoeff(), 0.0), 0, allowed,
                  place("eigenvalue", 0, lane));
  }
  return worst.answer(map);
}

/// Law 5: x is finite and passes `in_closed_set`; log det and its gradient are finite.
inline testing::AssertionResult finite_far_out(
    const AnyMap& map, ConstBlock y,
    const std::function<bool(std::span<const double>)>& in_closed_set) {
  const BlockStorage x = to_primal(map, y);
  const LogDet claimed = log_det(map, y);
  const auto finite = [](double value) { return std::isfinite(value); };
  const auto failure = [&](const char* what, std::size_t lane) {
    return testing::AssertionFailure() << map.name() << ", lane " << lane << ": " << what;
  };
  for (std::size_t lane = 0; lane < y.lanes(); ++lane) {
    const std::vector<double> point = column(x.view(), lane);
    const std::vector<double> slope = column(claimed.slope.view(), lane);
    if (!std::all_of(point.begin(), point.end(), finite)) {
      return failure("x is not finite", lane);
    }
    if (!in_closed_set(point)) {
      return failure("x is outside", lane);
    }
    if (!finite(claimed.value[lane]) || !std::all_of(slope.begin(), slope.end(), finite)) {
      return failure("log det or its gradient is not finite", lane);
    }
  }
  return testing::AssertionSuccess();
}

/// Law 6, first half: to_primal leads inside, and the centre is inside.
inline testing::AssertionResult inside(const AnyMap& map, ConstBlock y) {
  const BlockStorage x = to_primal(map, y);
  for (std::size_t lane = 0; lane < y.lanes(); ++lane) {
    if (!map.contains(column(x.view(), lane))) {
      return testing::AssertionFailure() << map.name() << ": lane " << lane << " is outside";
    }
  }
  std::vector<double> centre(map.primal_dim());
  map.centre(centre);
  return map.contains(centre) ? testing::AssertionSuccess()
                              : testing::AssertionFailure() << map.name() << ": centre is outside";
}

/// Lanes are independent: each point alone in another block, at another lane, gives the same bits.
inline testing::AssertionResult independent_lanes(const AnyMap& map, ConstBlock y) {
  Workspace ws;
  const BlockStorage x = to_primal(map, y), gx = points(map.primal_dim(), 1.0, 23, y.lanes());
  const LogDet claimed = log_det(map, y);
  BlockStorage gy(map.dual_dim(), y.lanes()), dual(map.dual_dim(), y.lanes());
  map.pull_back(y, x.view(), gx.view(), gy.view(), ws);
  map.to_dual(x.view(), dual.view(), ws);
  for (std::size_t lane = 0; lane < y.lanes(); ++lane) {
    const std::size_t lanes = 2 * lane_group, there = (5 * lane + 3) % lanes;
    const auto move = [&](ConstBlock from) {
      BlockStorage to(from.rows(), lanes);
      for (std::size_t i = 0; i < from.rows(); ++i) {
        to.view().at(i, there) = from.at(i, lane);
      }
      return to;
    };
    const BlockStorage y2 = move(y), gx2 = move(gx.view());
    BlockStorage x2 = to_primal(map, y2.view());
    const LogDet claimed2 = log_det(map, y2.view());
    BlockStorage gy2(map.dual_dim(), lanes), dual2(map.dual_dim(), lanes);
    map.pull_back(y2.view(), x2.view(), gx2.view(), gy2.view(), ws);
    map.to_dual(x2.view(), dual2.view(), ws);
    if (column(x.view(), lane) != column(x2.view(), there) ||
        column(gy.view(), lane) != column(gy2.view(), there) ||
        column(dual.view(), lane) != column(dual2.view(), there) ||
        claimed.value[lane] != claimed2.value[there] ||
        column(claimed.slope.view(), lane) != column(claimed2.slope.view(), there)) {
      return testing::AssertionFailure() << map.name() << ": lane " << lane << " depends on others";
    }
  }
  return testing::AssertionSuccess();
}

}  // namespace tain::map_laws
