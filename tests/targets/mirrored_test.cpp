#include "targets/mirrored.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "errors.hpp"
#include "maps/ball.hpp"
#include "maps/box.hpp"
#include "maps/product.hpp"
#include "maps/simplex.hpp"
#include "points.hpp"
#include "support/potential_laws.hpp"
#include "targets/dirichlet.hpp"
#include "targets/gaussian.hpp"
#include "targets/uniform.hpp"

namespace tain::mirrored_test {
namespace {

using testing_support::evaluate;
using testing_support::fails;
using testing_support::gradient_is_derivative;
using testing_support::keeps_potential_laws;
using testing_support::lanes_are_independent;
using testing_support::normal_points;

Gaussian gaussian() {
  return Gaussian::with_covariance({0.5, -0.2, 0.1}, std::vector<double>{1, 0.5, 0.1,  //
                                                                         0.5, 2, 0.3,  //
                                                                         0.1, 0.3, 0.5});
}

TEST(Mirrored, GenericDualKeepsTheLaws) {
  const double inf = std::numeric_limits<double>::infinity();
  const auto y3 = normal_points(3, 16, 1, 0, 1), y2 = normal_points(2, 16, 2, 0, 1);
  EXPECT_TRUE(keeps_potential_laws(mirrored(BoxMap::identity(3), gaussian()), y3.view()));
  EXPECT_TRUE(keeps_potential_laws(mirrored(BoxMap::orthant(3), gaussian()), y3.view()));
  EXPECT_TRUE(
      keeps_potential_laws(mirrored(BoxMap({-1, -1, 0}, {1, inf, 3}), gaussian()), y3.view()));
  EXPECT_TRUE(keeps_potential_laws(mirrored(BallMap({0, 0.5, 0}, 2), gaussian()), y3.view()));
  EXPECT_TRUE(keeps_potential_laws(
      mirrored(ProductMap({BoxMap::orthant(1), SimplexMap::with_reference(2, 0)}), gaussian()),
      y2.view()));
  EXPECT_TRUE(keeps_potential_laws(mirrored(SimplexMap::symmetric(3), gaussian()), y2.view()));
  EXPECT_TRUE(
      keeps_potential_laws(mirrored(SimplexMap::with_reference(3, 1), gaussian()), y2.view()));
}

TEST(Mirrored, UniformOnAnIntervalIsLogCosh) {
  const AnyPotential W = mirrored(BoxMap({-1}, {1}), Uniform(1));
  const auto y = normal_points(1, 16, 3, 0, 2);
  const auto result = evaluate(W, y.view());
  for (std::size_t l = 0; l < 16; ++l) {
    const double expected = 2 * std::log(std::cosh(y.view().at(0, l)));
    EXPECT_NEAR(result.value[l], expected, 1e-13 * (1 + expected));
    EXPECT_NEAR(result.grad.view().at(0, l), 2 * std::tanh(y.view().at(0, l)), 1e-14);
  }
}

TEST(Mirrored, NamesSayBoth) {
  EXPECT_EQ(mirrored(BoxMap::identity(3), gaussian()).name(),
            "gaussian(3) on " + BoxMap::identity(3).name());
}

TEST(Mirrored, RefusesWhatDoesNotFit) {
  EXPECT_TRUE(fails([] { mirrored(BoxMap::identity(2), gaussian()); }, Fault::config,
                    "has dimension 3 but the map"));
  EXPECT_TRUE(fails([] { mirrored(BoxMap::identity(3), gaussian(), DualForm::closed); },
                    Fault::config, "has no closed dual"));
}

/// A potential spoilt on purpose: the laws must see it.
struct Spoilt {
  AnyPotential inner;
  double sign = 1;       // of the first coordinate's gradient
  double missing = 0;    // taken off the last coordinate's gradient
  bool leaking = false;  // value depends on a neighbouring lane
  std::string name() const { return "spoilt"; }
  std::size_t dim() const { return inner.dim(); }
  void evaluate(ConstBlock x, std::span<double> value, Block grad, Workspace& ws) const {
    inner.evaluate(x, value, grad, ws);
    for (std::size_t l = 0; l < x.lanes(); ++l) {
      grad.at(0, l) *= sign;
      grad.at(dim() - 1, l) -= missing;
    }
    if (leaking) {
      value[0] += 1e-12 * x.at(0, 1);
    }
  }
};

TEST(PotentialLaws, SeeSaboteurs) {
  const auto x = normal_points(3, 16, 4, 0, 1);
  EXPECT_TRUE(keeps_potential_laws(Spoilt{gaussian()}, x.view()));
  EXPECT_FALSE(gradient_is_derivative(Spoilt{.inner = gaussian(), .sign = -1}, x.view()));
  EXPECT_FALSE(gradient_is_derivative(Spoilt{.inner = gaussian(), .missing = 1e-5}, x.view()));
  EXPECT_FALSE(lanes_are_independent(Spoilt{.inner = gaussian(), .leaking = true}, x.view()));
}

}  // namespace
}  // namespace tain::mirrored_test
