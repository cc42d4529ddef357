#include "tain/maps/dense.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace tain::dense_test {
namespace {

TEST(Dense, FactorsSolvesAndGivesTheDeterminant) {
  std::vector<double> matrix{4, 2, 2, 5};  // det 16; L = (2 0; 1 2)
  ASSERT_TRUE(dense::cholesky(matrix, 2));
  EXPECT_DOUBLE_EQ(matrix[0], 2);
  EXPECT_DOUBLE_EQ(matrix[2], 1);
  EXPECT_DOUBLE_EQ(matrix[3], 2);
  EXPECT_DOUBLE_EQ(dense::log_det(matrix, 2), std::log(16.0));
  std::vector<double> b{8, 9};  // 4 x + 2 y = 8, 2 x + 5 y = 9
  dense::solve(matrix, 2, b);
  EXPECT_DOUBLE_EQ(b[0], 1.375);
  EXPECT_DOUBLE_EQ(b[1], 1.25);
}

TEST(Dense, RefusesIndefiniteAndNonFiniteMatrices) {
  const double not_a_number = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> indefinite{1, 2, 2, 1}, broken{1, 0, 0, not_a_number};
  EXPECT_FALSE(dense::cholesky(indefinite, 2));
  EXPECT_FALSE(dense::cholesky(broken, 2));
}

}  // namespace
}  // namespace tain::dense_test
