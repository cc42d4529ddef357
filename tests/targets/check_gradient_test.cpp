#include "tain/targets/check_gradient.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "errors.hpp"
#include "maps/box.hpp"
#include "maps/simplex.hpp"
#include "targets/dirichlet.hpp"
#include "targets/gaussian.hpp"
#include "targets/target_kind.hpp"

namespace tain::check_gradient_test {
namespace {

using testing_support::fails;

/// A Gaussian whose gradient lacks `missing` in coordinate `at`; +inf beyond `edge` in x_0.
struct Spoilt {
  std::size_t d;
  std::size_t at = 0;
  double missing = 0;
  double edge = std::numeric_limits<double>::infinity();
  std::size_t dim() const { return d; }
  double value_and_grad(std::span<const double> x, std::span<double> grad) const {
    double value = 0;
    for (std::size_t i = 0; i < d; ++i) {
      value += 0.5 * x[i] * x[i];
      grad[i] = x[i] - (i == at ? missing : 0);
    }
    return x[0] > edge ? std::numeric_limits<double>::infinity() : value;
  }
};

TEST(CheckGradient, PassesRightGradients) {
  const DirichletPosterior stiff({1e7, 10, 10, 0}, {0.1, 0.1, 0.1, 0.1});
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (const SimplexMap& simplex : {SimplexMap::symmetric(4), SimplexMap::with_reference(4, 0)}) {
      const GradientCheck check = check_gradient(simplex, stiff, seed);
      EXPECT_TRUE(check.passed) << check.explanation;
      EXPECT_EQ(check.points, 8u);
    }
    const GradientCheck check =
        check_gradient(BoxMap({-1, 0, -INFINITY}, {1, INFINITY, INFINITY}),
                       Gaussian::diagonal({0, 3, 1}, std::vector<double>{0.01, 1, 100}), seed);
    EXPECT_TRUE(check.passed) << check.explanation;
  }
}

TEST(CheckGradient, FindsTheWrongCoordinate) {
  const AnyPotential target(PointTarget("spoilt", Spoilt{.d = 5, .at = 3, .missing = 1e-3}));
  const GradientCheck check = check_gradient(BoxMap::identity(5), target, 1);
  EXPECT_FALSE(check.passed);
  EXPECT_EQ(check.coordinate, 3u);
  EXPECT_NEAR(check.numeric - check.analytic, 1e-3, 1e-9);
  EXPECT_EQ(check.point.size(), 5u);
  EXPECT_NE(check.explanation.find("dual coordinate 4"), std::string::npos) << check.explanation;
}

TEST(CheckGradient, UsesDirectionsInHighDimension) {
  const GradientCheck right =
      check_gradient(BoxMap::identity(300), PointTarget("right", Spoilt{.d = 300}), 2);
  EXPECT_TRUE(right.passed && right.along_direction) << right.explanation;
  // Direction v meets the missing term as v_i: one of 800 is above 1, whatever the dimension.
  const GradientCheck wrong = check_gradient(
      BoxMap::identity(300), PointTarget("wrong", Spoilt{.d = 300, .at = 250, .missing = 0.1}), 2);
  EXPECT_FALSE(wrong.passed) << wrong.explanation;
}

TEST(CheckGradient, NormalPartOnTheSimplexDoesNotMatter) {
  /// V = sum x is constant on the simplex; its gradient may be given as 0.
  struct Constant {
    std::size_t dim() const { return 3; }
    double value_and_grad(std::span<const double> x, std::span<double> grad) const {
      std::fill(grad.begin(), grad.end(), 0.0);
      return x[0] + x[1] + x[2];
    }
  };
  EXPECT_TRUE(
      check_gradient(SimplexMap::symmetric(3), PointTarget("constant", Constant{}), 3).passed);
  EXPECT_FALSE(check_gradient(BoxMap::identity(3), PointTarget("constant", Constant{}), 3).passed);
}

TEST(CheckGradient, PassesOverPointsOutsideTheSupport) {
  const GradientCheck some =
      check_gradient(BoxMap::identity(2), PointTarget("half", Spoilt{.d = 2, .edge = 0.0}), 4);
  EXPECT_TRUE(some.passed) << some.explanation;
  EXPECT_GT(some.points, 0u);
  EXPECT_LT(some.points, 8u);
  const GradientCheck none =
      check_gradient(BoxMap::identity(2), PointTarget("nowhere", Spoilt{.d = 2, .edge = -1e9}), 4);
  EXPECT_FALSE(none.passed);
  EXPECT_NE(none.explanation.find("+inf at every point"), std::string::npos);
}

TEST(CheckGradient, NotANumberFails) {
  struct Bad {
    std::size_t dim() const { return 1; }
    double value_and_grad(std::span<const double>, std::span<double> grad) const {
      grad[0] = std::numeric_limits<double>::quiet_NaN();
      return 0;
    }
  };
  EXPECT_FALSE(check_gradient(BoxMap::identity(1), PointTarget("bad", Bad{}), 5).passed);
  EXPECT_TRUE(fails([] { check_gradient(BoxMap::identity(2), PointTarget("bad", Bad{}), 5); },
                    Fault::config, "has dimension 1"));
}

TEST(TargetTable, NamesAreDifferentAndExplained) {
  for (const TargetEntry& entry : target_table()) {
    EXPECT_FALSE(entry.name.empty() || entry.summary.empty());
    EXPECT_EQ(std::ranges::count(target_table(), entry.name, &TargetEntry::name), 1);
  }
}

}  // namespace
}  // namespace tain::check_gradient_test
