#include "tain/targets/check_gradient.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <vector>

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

/// A target of one's own from a function of a point.
template <class Function>
AnyPotential of(std::size_t d, Function function) {
  struct Point {
    std::size_t d;
    Function function;
    std::size_t dim() const { return d; }
    double value_and_grad(std::span<const double> x, std::span<double> g) const {
      return function(x, g);
    }
  };
  return PointTarget<Point>("own", {d, std::move(function)});
}

TEST(CheckGradient, PassesRightGradients) {
  const DirichletPosterior stiff({1e7, 10, 10, 0}, {0.1, 0.1, 0.1, 0.1});
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (const SimplexMap& simplex : {SimplexMap::symmetric(4), SimplexMap::with_reference(4, 0)}) {
      const GradientCheck check = check_gradient(simplex, stiff, seed);
      EXPECT_TRUE(check.passed) << check.explanation;
      EXPECT_EQ(check.points, 16u);
    }
    const GradientCheck check =
        check_gradient(BoxMap({-1, 0, -INFINITY}, {1, INFINITY, INFINITY}),
                       Gaussian::diagonal({0, 3, 1}, std::vector<double>{0.01, 1, 100}), seed);
    EXPECT_TRUE(check.passed) << check.explanation;
  }
}

TEST(CheckGradient, FindsTheWrongCoordinate) {
  const AnyPotential target(PointTarget("spoilt", Spoilt{.d = 5, .at = 3, .missing = 0.1}));
  const GradientCheck check = check_gradient(BoxMap::identity(5), target, 1);
  EXPECT_FALSE(check.passed);
  EXPECT_EQ(check.coordinate, 3u);
  EXPECT_NEAR(check.numeric - check.analytic, 0.1, 1e-6);
  EXPECT_EQ(check.point.size(), 5u);
  EXPECT_NE(check.explanation.find("coordinate 4 is "), std::string::npos) << check.explanation;
}

TEST(CheckGradient, FindsTheWrongCoordinateAlongDirections) {
  EXPECT_TRUE(
      check_gradient(BoxMap::identity(300), PointTarget("right", Spoilt{.d = 300}), 2).passed);
  const GradientCheck check = check_gradient(
      BoxMap::identity(300), PointTarget("wrong", Spoilt{.d = 300, .at = 250, .missing = 1}), 2);
  EXPECT_FALSE(check.passed);
  EXPECT_FALSE(check.along_direction);
  EXPECT_EQ(check.coordinate, 250u) << check.explanation;
  EXPECT_NEAR(check.numeric - check.analytic, 1, 1e-6);
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

TEST(CheckGradient, MovesPointsOutsideTheSupportTowardsTheCentre) {
  const GradientCheck some =
      check_gradient(BoxMap::identity(2), PointTarget("half", Spoilt{.d = 2, .edge = 1e-3}), 4);
  EXPECT_TRUE(some.passed) << some.explanation;
  EXPECT_EQ(some.points, 16u);
  const GradientCheck none =
      check_gradient(BoxMap::identity(2), PointTarget("nowhere", Spoilt{.d = 2, .edge = -1e9}), 4);
  EXPECT_FALSE(none.passed || none.refuses());
  EXPECT_NE(none.explanation.find("+inf at every point"), std::string::npos);
  // Around a point of the support there is something to see.
  const std::vector<double> around{-1e9 - 50, 0};
  EXPECT_EQ(check_gradient(BoxMap::identity(2), PointTarget("far", Spoilt{.d = 2, .edge = -1e9}), 4,
                           around)
                .points,
            16u);
}

TEST(CheckGradient, NotANumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto bad = [=](double above) {
    return of(1, [=](std::span<const double> x, std::span<double> g) {
      g[0] = x[0];
      return x[0] > above ? nan : 0.5 * x[0] * x[0];
    });
  };
  const GradientCheck some = check_gradient(BoxMap::identity(1), bad(1), 5);
  EXPECT_TRUE(some.passed);
  EXPECT_GT(some.not_numbers, 0u);
  EXPECT_NE(some.explanation.find("not a number at"), std::string::npos) << some.explanation;
  const GradientCheck all = check_gradient(BoxMap::identity(1), bad(-INFINITY), 5);
  EXPECT_TRUE(!all.passed && all.refuses()) << all.explanation;
  EXPECT_TRUE(fails([&] { check_gradient(BoxMap::identity(2), bad(1), 5); }, Fault::config,
                    "has dimension 1"));
}

TEST(CheckGradient, OneOddPointIsNoMistakeUnlessThereIsNoOther) {
  // Wrong beyond 20 only.
  const auto far = of(1, [](std::span<const double> x, std::span<double> g) {
    g[0] = x[0] > 20 ? -x[0] : x[0];
    return 0.5 * x[0] * x[0];
  });
  bool one = false, more = false;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const GradientCheck check = check_gradient(BoxMap::identity(1), far, seed);
    EXPECT_EQ(check.passed, check.differing < 2) << seed;
    one = one || check.differing == 1;
    more = more || check.differing == 2;
  }
  EXPECT_TRUE(one && more);
}

TEST(CheckGradient, KinksSayNothing) {
  std::vector<double> points;
  const auto flat = of(1, [&](std::span<const double> x, std::span<double> g) {
    points.push_back(x[0]);
    g[0] = 0;
    return 0.0;
  });
  check_gradient(BoxMap::identity(1), flat, 1);
  points.resize(16);  // the first that it looks at are those where it compares
  const auto kinked = of(1, [&](std::span<const double> x, std::span<double> g) {
    double value = 0;
    g[0] = 0;
    for (const double kink : points) {
      value += std::abs(x[0] - kink);
      g[0] += x[0] < kink ? -1 : 1;
    }
    return value;
  });
  const GradientCheck check = check_gradient(BoxMap::identity(1), kinked, 1);
  EXPECT_FALSE(check.refuses()) << check.explanation;
  EXPECT_EQ(check.points, 0u);
  EXPECT_TRUE(check_gradient(BoxMap::identity(1), kinked, 2).passed);
}

TEST(CheckGradient, WhatIsThrownFarOutIsPassedOver) {
  const auto thrower = [](double edge) {
    return of(2, [=](std::span<const double> x, std::span<double> g) {
      if (std::abs(x[0]) > edge) {
        throw std::range_error("too far");
      }
      g[0] = x[0];
      g[1] = x[1];
      return 0.5 * (x[0] * x[0] + x[1] * x[1]);
    });
  };
  EXPECT_TRUE(check_gradient(BoxMap::identity(2), thrower(3), 1).passed);
  EXPECT_THROW(check_gradient(BoxMap::identity(2), thrower(-1), 1), std::range_error);
  int calls = 0;  // what is no matter of the point is passed on at once
  const auto broken = of(1, [&](auto, auto) -> double {
    ++calls;
    throw std::runtime_error("broken");
  });
  EXPECT_THROW(check_gradient(BoxMap::identity(1), broken, 1), std::runtime_error);
  EXPECT_EQ(calls, 1);
}

// ---- targets that people write -------------------------------------------------------------------

struct Case {
  std::string what;
  AnyMap map;
  AnyPotential target;
};

double square(double x) { return x * x; }

/// V = sum of v(x_i), with its derivative.
AnyPotential separable(std::size_t d, std::function<double(double)> v,
                       std::function<double(double)> slope) {
  return of(d, [=](std::span<const double> x, std::span<double> g) {
    double value = 0;
    for (std::size_t i = 0; i < d; ++i) {
      value += v(x[i]);
      g[i] = slope(x[i]);
    }
    return value;
  });
}

/// V = f sum w_i x_i^2 / 2 with gradient h.
AnyPotential bowl(std::size_t d, std::function<void(std::span<const double>, std::span<double>)> h,
                  double sign = 1) {
  return of(d, [=](std::span<const double> x, std::span<double> g) {
    double value = 0;
    for (std::size_t i = 0; i < d; ++i) {
      value += 0.5 * double(i + 1) * x[i] * x[i];
    }
    h(x, g);
    return sign * value;
  });
}

std::vector<Case> right_ones() {
  const auto real_line = [](std::size_t d) { return AnyMap(BoxMap::identity(d)); };
  const auto unit = [](std::size_t d) {
    return AnyMap(BoxMap(std::vector<double>(d, 0.0), std::vector<double>(d, 1.0)));
  };
  std::vector<Case> cases;
  const auto add = [&](std::string what, AnyMap map, AnyPotential target) {
    cases.push_back({std::move(what), std::move(map), std::move(target)});
  };
  for (const double scale : {1e-6, 1.0, 3e4}) {
    const auto scaled = [=](double x) { return x / scale; };
    const std::string at = fmt::format(" of scale {}", scale);
    add("normal" + at, real_line(5),
        separable(
            5, [=](double x) { return 0.5 * square(scaled(x)); },
            [=](double x) { return scaled(x) / scale; }));
    add("Cauchy" + at, real_line(5),
        separable(
            5, [=](double x) { return std::log1p(square(scaled(x))); },
            [=](double x) { return 2 * scaled(x) / scale / (1 + square(scaled(x))); }));
    add("Laplace" + at, real_line(5),
        separable(
            5, [=](double x) { return std::abs(scaled(x)); },
            [=](double x) {
              return (x < 0 ? -1 : x > 0 ? 1 : 0) / scale;
            }));
    add("box" + at, BoxMap({0}, {scale}),
        separable(
            1, [=](double x) { return 3 * std::sin(scaled(x)); },
            [=](double x) { return 3 * std::cos(scaled(x)) / scale; }));
  }
  add("V ~ 1e8", real_line(5),
      separable(
          5, [](double x) { return 1e8 + std::cosh(x / 20); },
          [](double x) { return std::sinh(x / 20) / 20; }));
  add("V ~ 1e8, cancelled", real_line(5),
      separable(5, [](double x) { return (1e8 + 0.5 * x * x) - 1e8; }, [](double x) { return x; }));
  add("V of many data", real_line(3),
      separable(
          3, [](double x) { return 5e7 * square(x - 3); }, [](double x) { return 1e8 * (x - 3); }));
  add("single precision", real_line(20),
      separable(
          20, [](double x) { return float(0.5F * float(x) * float(x)); },
          [](double x) { return float(x); }));
  add("single precision throughout", real_line(20), of(20, [](auto x, auto g) {
        float value = 100;
        for (std::size_t i = 0; i < x.size(); ++i) {
          const float t = float(x[i]) / float(i + 1);
          value += std::log1p(t * t);
          g[i] = 2 * t / (1 + t * t) / float(i + 1);
        }
        return double(value);
      }));
  const auto dirichlet = [](auto x, auto g) {
    double value = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      value += 0.9 * std::log(x[i]);
      g[i] = 0.9 / x[i];
    }
    return value;
  };
  for (const std::size_t n : {3u, 50u}) {
    add("Dirichlet(0.1)", SimplexMap::symmetric(n), of(n, dirichlet));
    add("Dirichlet(0.1)", SimplexMap::with_reference(n, 0), of(n, dirichlet));
  }
  add("Beta(0.3, 0.3)", unit(5),
      separable(
          5, [](double x) { return 0.7 * (std::log(x) + std::log(1 - x)); },
          [](double x) { return 0.7 * (1 / x - 1 / (1 - x)); }));
  add("funnel", real_line(10), of(10, [](auto x, auto g) {
        double value = x[0] * x[0] / 18 + 4.5 * x[0];
        g[0] = x[0] / 9 + 4.5;
        for (std::size_t i = 1; i < 10; ++i) {
          const double part = x[i] * x[i] * std::exp(-x[0]);
          value += 0.5 * part;
          g[0] -= 0.5 * part;
          g[i] = x[i] * std::exp(-x[0]);
        }
        return value;
      }));
  add("flat", real_line(4), of(4, [](auto, auto g) {
        std::ranges::fill(g, 0.0);
        return 17.0;
      }));
  add("stairs", real_line(3),
      separable(3, [](double x) { return std::floor(3 * x); }, [](double) { return 0.0; }));
  add("slopes with jumps", real_line(3),
      separable(
          3, [](double x) { return 0.5 * x * x + std::floor(3 * x); }, [](double x) { return x; }));
  add("hole", real_line(2), of(2, [](auto x, auto g) {
        const double r = x[0] * x[0] + x[1] * x[1];
        g[0] = x[0];
        g[1] = x[1];
        return r < 1 || (r > 25 && r < 36) ? INFINITY : 0.5 * r;
      }));
  add("wells", real_line(2),
      separable(
          2, [](double x) { return square(x * x - 9); },
          [](double x) { return 4 * x * (x * x - 9); }));
  add("normal in 400 coordinates", real_line(400), bowl(400, [](auto x, auto g) {
        for (std::size_t i = 0; i < x.size(); ++i) {
          g[i] = double(i + 1) * x[i];
        }
      }));
  return cases;
}

TEST(CheckGradient, RightGradientsPass) {
  for (const Case& c : right_ones()) {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
      for (const GradientEffort effort : {GradientEffort::full, GradientEffort::light}) {
        const GradientCheck check = check_gradient(c.map, c.target, seed, {}, effort);
        ASSERT_FALSE(check.refuses()) << c.what << ", seed " << seed << ": " << check.explanation;
        EXPECT_TRUE(check.passed) << c.what << ", seed " << seed << ": " << check.explanation;
      }
    }
  }
}

std::vector<Case> wrong_ones() {
  std::vector<Case> cases;
  const auto slope = [](auto x, std::size_t i) { return double(i + 1) * x[i]; };
  for (const std::size_t d : {1u, 2u, 5u, 50u}) {
    const auto add = [&](std::string what, auto gradient, double sign = 1) {
      const auto all = [=](std::span<const double> x, std::span<double> g) {
        for (std::size_t i = 0; i < d; ++i) {
          g[i] = gradient(x, i);
        }
      };
      const AnyPotential target = bowl(d, all, sign);
      const std::vector<double> bound(d, 3.0), minus(d, -3.0);
      cases.push_back({what + " in space", BoxMap::identity(d), target});
      cases.push_back({what + " in a box", BoxMap(minus, bound), target});
    };
    add("5 % off", [=](auto x, auto i) { return 1.05 * slope(x, i); });
    add("-4x for 4x", [=](auto x, auto i) { return -slope(x, i); });
    add("log p with the gradient of V", slope, -1);
    add("one sign", [=](auto x, auto i) { return (i == d / 2 ? -1 : 1) * slope(x, i); });
    add("one coordinate left out", [=](auto x, auto i) { return i == d - 1 ? 0 : slope(x, i); });
    if (d > 1) {
      add("another order", [=](auto x, auto i) { return slope(x, d - 1 - i); });
    }
  }
  for (const double scale : {1e-6, 3e4}) {
    cases.push_back({fmt::format("-4x for 4x, scale {}", scale), BoxMap::identity(3),
                     separable(
                         3, [=](double x) { return 0.5 * square(x / scale); },
                         [=](double x) { return -x / scale / scale; })});
  }
  cases.push_back({"wrong beside jumps", BoxMap::identity(3),
                   separable(
                       3, [](double x) { return 0.5 * x * x + std::floor(3 * x); },
                       [](double x) { return 1.05 * x; })});
  cases.push_back(
      {"wrong on the simplex", SimplexMap::symmetric(5),
       separable(5, [](double x) { return -3 * std::log(x); }, [](double x) { return 3 / x; })});
  return cases;
}

TEST(CheckGradient, WrongGradientsAreRefused) {
  for (const Case& c : wrong_ones()) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      for (const GradientEffort effort : {GradientEffort::full, GradientEffort::light}) {
        const GradientCheck check = check_gradient(c.map, c.target, seed, {}, effort);
        EXPECT_TRUE(check.refuses()) << c.what << ", seed " << seed << ", dim " << c.target.dim();
        const bool opposite = c.what.starts_with("-4x") || c.what.starts_with("log p") ||
                              c.what == "wrong on the simplex";
        EXPECT_TRUE(!opposite || check.opposite) << c.what << ": " << check.explanation;
      }
    }
  }
}

// ---- sums ----------------------------------------------------------------------------------------

/// V = sum over N terms of (x - i)^2 / 2, with batches that are `scale` times as large.
struct Terms {
  std::uint64_t count;
  double scale = 1;
  std::string name() const { return "terms"; }
  std::size_t dim() const { return 1; }
  std::uint64_t terms() const { return count; }
  void evaluate(ConstBlock x, std::span<double> value, Block grad, Workspace&) const {
    for (std::size_t l = 0; l < x.lanes(); ++l) {
      value[l] = 0;
      grad.at(0, l) = 0;
      for (std::uint64_t i = 0; i < count; ++i) {
        value[l] += 0.5 * square(x.at(0, l) - double(i));
        grad.at(0, l) += x.at(0, l) - double(i);
      }
    }
  }
  void batch_gradient(ConstBlock x, const Batches& batches, Block grad, Workspace&) const {
    for (std::size_t l = 0; l < x.lanes(); ++l) {
      grad.at(0, l) = 0;
      for (const std::uint64_t i : batches.of(l)) {
        grad.at(0, l) += scale * double(count) / double(batches.size) * (x.at(0, l) - double(i));
      }
    }
  }
};

TEST(CheckGradient, TermsMustSumToTheWhole) {
  for (const std::uint64_t count : {1u, 7u, 16u, 100u, 40000u}) {
    const GradientCheck right = check_gradient(BoxMap::identity(1), Terms{count}, 1);
    EXPECT_TRUE(right.passed) << right.explanation;
    EXPECT_NE(right.explanation.find("terms sum to it"), std::string::npos);
    const GradientCheck wrong = check_gradient(BoxMap::identity(1), Terms{count, 1.05}, 1);
    EXPECT_TRUE(wrong.refuses()) << count;
    EXPECT_NE(wrong.explanation.find("do not sum to the whole"), std::string::npos);
  }
}

TEST(TargetTable, NamesAreDifferentAndExplained) {
  for (const TargetEntry& entry : target_table()) {
    EXPECT_FALSE(entry.name.empty() || entry.summary.empty());
    EXPECT_EQ(std::ranges::count(target_table(), entry.name, &TargetEntry::name), 1);
  }
}

}  // namespace
}  // namespace tain::check_gradient_test
