// A law that no wrong map can break is no law: each flaw below must be seen by the check meant for
// it, and the flawless wrapper by none.
#include <cmath>
#include <vector>

#include "maps/ball.hpp"
#include "maps/box.hpp"
#include "maps/simplex.hpp"
#include "support/map_laws.hpp"

namespace tain::sabotage_test {
namespace {

enum class Flaw {
  none,
  log_det_sign,
  log_det_factor,
  log_det_without_slope,
  log_det_overwrites,
  pull_back_scaled,
  pull_back_transposed,
  to_dual_shifted,
  lanes_leak,
  outside,
  overflow,
};

/// A map with one flaw.
struct Sabotaged {
  AnyMap inner;
  Flaw flaw = Flaw::none;

  std::string name() const { return "sabotaged " + inner.name(); }
  std::size_t primal_dim() const { return inner.primal_dim(); }
  std::size_t dual_dim() const { return inner.dual_dim(); }

  void to_primal(ConstBlock y, Block x, Workspace& ws) const {
    inner.to_primal(y, x, ws);
    if (flaw == Flaw::outside) {
      x.at(0, 0) += 2;
    }
    if (flaw == Flaw::overflow && std::abs(y.at(0, 0)) > 700) {
      x.at(0, 0) = std::exp(std::abs(y.at(0, 0)));
    }
    if (flaw == Flaw::lanes_leak) {
      x.at(0, 1) = 0.5 * (x.at(0, 0) + x.at(0, 1));
    }
  }
  void to_dual(ConstBlock x, Block y, Workspace& ws) const {
    inner.to_dual(x, y, ws);
    if (flaw == Flaw::to_dual_shifted) {
      y.at(0, 0) += 1e-9;
    }
  }
  void pull_back(ConstBlock y, ConstBlock x, ConstBlock gx, Block gy, Workspace& ws) const {
    inner.pull_back(y, x, gx, gy, ws);
    if (flaw == Flaw::pull_back_scaled) {
      gy.at(0, 0) *= 1 + 1e-8;
    }
    if (flaw == Flaw::pull_back_transposed) {
      std::swap(gy.at(0, 0), gy.at(1, 0));
    }
  }
  void add_log_det(ConstBlock y, ConstBlock x, std::span<double> value, Block gy,
                   Workspace& ws) const {
    std::vector<double> part(value.size());
    BlockStorage slope(gy.rows(), gy.lanes());
    inner.add_log_det(y, x, part, slope.view(), ws);
    const double factor = flaw == Flaw::log_det_sign     ? -1.0
                          : flaw == Flaw::log_det_factor ? 0.5
                                                         : 1;
    for (std::size_t lane = 0; lane < value.size(); ++lane) {
      value[lane] = (flaw == Flaw::log_det_overwrites ? 0 : value[lane]) + factor * part[lane];
    }
    for (std::size_t i = 0; i < gy.size() && flaw != Flaw::log_det_without_slope; ++i) {
      gy.flat()[i] += factor * slope.view().flat()[i];
    }
  }
  bool contains(std::span<const double> x) const { return inner.contains(x); }
  void centre(std::span<double> x) const { inner.centre(x); }
};

class Sabotage : public testing::TestWithParam<AnyMap> {
 protected:
  AnyMap with(Flaw flaw) const { return Sabotaged{GetParam(), flaw}; }
  // The wrapper hides the simplex from map_laws::chart, so maps here have free coordinates only.
  BlockStorage y_ = map_laws::points(GetParam().dual_dim(), 1.5, 3);
  double inverse_tolerance_ = 1e3 * map_laws::epsilon;
};

TEST_P(Sabotage, NothingIsFoundWhereNothingIsWrong) {
  const AnyMap map = with(Flaw::none);
  EXPECT_TRUE(map_laws::inverse(map, y_.view(), inverse_tolerance_));
  EXPECT_TRUE(map_laws::transposed_jacobian(map, y_.view(), 4));
  EXPECT_TRUE(map_laws::log_determinant(map, y_.view()));
  EXPECT_TRUE(map_laws::log_determinant_slope(map, y_.view()));
  EXPECT_TRUE(map_laws::symmetric_positive(map, y_.view()));
  EXPECT_TRUE(map_laws::inside(map, y_.view()));
  EXPECT_TRUE(map_laws::independent_lanes(map, y_.view()));
}

TEST_P(Sabotage, InverseSeesAShift) {
  EXPECT_FALSE(map_laws::inverse(with(Flaw::to_dual_shifted), y_.view(), inverse_tolerance_));
}

TEST_P(Sabotage, JacobianSeesAFactorAndASwap) {
  EXPECT_FALSE(map_laws::transposed_jacobian(with(Flaw::pull_back_scaled), y_.view(), 4));
  EXPECT_FALSE(map_laws::transposed_jacobian(with(Flaw::pull_back_transposed), y_.view(), 4));
  EXPECT_FALSE(map_laws::symmetric_positive(with(Flaw::pull_back_transposed), y_.view()));
}

TEST_P(Sabotage, LogDetSeesSignAndFactor) {
  EXPECT_FALSE(map_laws::log_determinant(with(Flaw::log_det_sign), y_.view()));
  EXPECT_FALSE(map_laws::log_determinant(with(Flaw::log_det_factor), y_.view()));
}

TEST_P(Sabotage, LogDetSlopeSeesItsAbsenceAndOverwriting) {
  EXPECT_FALSE(map_laws::log_determinant_slope(with(Flaw::log_det_without_slope), y_.view()));
  EXPECT_FALSE(map_laws::log_determinant_slope(with(Flaw::log_det_overwrites), y_.view()));
}

TEST_P(Sabotage, LeaksBetweenLanesAreSeen) {
  EXPECT_FALSE(map_laws::independent_lanes(with(Flaw::lanes_leak), y_.view()));
}

TEST_P(Sabotage, PointsOutsideAreSeen) {
  EXPECT_FALSE(map_laws::inside(with(Flaw::outside), y_.view()));
}

TEST_P(Sabotage, OverflowFarOutIsSeen) {
  BlockStorage far(GetParam().dual_dim(), lane_group);
  far.view().at(0, 0) = 1e3;
  const auto anywhere = [](std::span<const double>) { return true; };
  EXPECT_TRUE(map_laws::finite_far_out(with(Flaw::none), far.view(), anywhere));
  EXPECT_FALSE(map_laws::finite_far_out(with(Flaw::overflow), far.view(), anywhere));
}

INSTANTIATE_TEST_SUITE_P(Maps, Sabotage,
                         testing::Values(AnyMap(BoxMap({-1, 0, 2}, {1, 2, 3})),
                                         AnyMap(BallMap({0, 0.5, 0}, 1))),
                         [](const auto& chosen) { return chosen.index == 0 ? "box" : "ball"; });

}  // namespace
}  // namespace tain::sabotage_test
