#include "maps/affine.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "maps/ball.hpp"
#include "maps/box.hpp"
#include "support/map_laws.hpp"
#include "tain/core/error.hpp"

namespace tain::affine_test {
namespace {

using map_laws::epsilon;
using testing::HasSubstr;

TEST(AffineMap, EllipseFromTheUnitDisc) {
  const AffineMap ellipse(BallMap({0, 0}, 1), {3, 0, 0, 0.5}, {10, -1});
  EXPECT_TRUE(ellipse.contains(std::vector<double>{12.9, -1}));
  EXPECT_FALSE(ellipse.contains(std::vector<double>{13.1, -1}));
  EXPECT_FALSE(ellipse.contains(std::vector<double>{10, -1.6}));
  EXPECT_FALSE(ellipse.contains(std::vector<double>{10}));
  std::vector<double> centre(2);
  ellipse.centre(centre);
  EXPECT_THAT(centre, testing::ElementsAre(10, -1));
}

// A dense rotation-like matrix: the laws, and log det differs from the inner one by log |det A|.
TEST(AffineMap, DenseMatrixKeepsTheLaws) {
  const AnyMap inner = BoxMap({0, -1, 2}, {1, 1, std::numeric_limits<double>::infinity()});
  const AffineMap image(inner, {2, 1, 0, -1, 3, 1, 0.5, 0, 1}, {1, 2, 3});
  const BlockStorage y = map_laws::points(3, 1.5, 1);
  EXPECT_TRUE(map_laws::inverse(image, y.view(), 1e3 * epsilon));
  EXPECT_TRUE(map_laws::transposed_jacobian(image, y.view(), 32));
  EXPECT_TRUE(map_laws::log_determinant(image, y.view()));
  EXPECT_TRUE(map_laws::log_determinant_slope(image, y.view()));
  const double determinant = 2 * 3 - 1 * (-1 - 0.5);  // by the first row
  EXPECT_NEAR(map_laws::log_det(image, y.view()).value[0],
              map_laws::log_det(inner, y.view()).value[0] - std::log(determinant), 64 * epsilon);
}

void expect_refused(const AnyMap& inner, std::vector<double> matrix, std::vector<double> shift,
                    const char* part) {
  try {
    const AffineMap image(inner, std::move(matrix), std::move(shift));
    FAIL() << "accepted " << part;
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::config);
    EXPECT_THAT(error.what(), HasSubstr(part));
  }
}

TEST(AffineMap, RefusesWhatCannotBeInverted) {
  const AnyMap box = BoxMap({0, 0}, {1, 1});
  const double not_a_number = std::numeric_limits<double>::quiet_NaN();
  expect_refused(box, {1, 2, 2, 4}, {0, 0}, "singular");
  expect_refused(box, {0, 0, 0, 0}, {0, 0}, "singular");
  expect_refused(box, {1, 0, 0, not_a_number}, {0, 0}, "not finite");
  expect_refused(box, {1, 0, 0, 1}, {0, not_a_number}, "shift: coordinate 2");
  expect_refused(box, {1, 0, 0}, {0, 0}, "3 matrix entries");
  expect_refused(box, {1, 0, 0, 1}, {0}, "1 shifts");
  expect_refused(SimplexMap::symmetric(2), {1, 0, 0, 1}, {0, 0}, "only 1 are free");
}

TEST(AffineMap, IsNamedAfterItsInnerMap) {
  EXPECT_EQ(AffineMap(BoxMap({0}, {1}), {2}, {0}).name(), "affine(box(1))");
}

}  // namespace
}  // namespace tain::affine_test
