// Exact draws lack nothing; draws of a part of the law lack the rest, and how much is told.
#include "sampling/unvisited.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tain/tain.hpp"

namespace tain {
namespace {

using Part = Unvisited::Part;
constexpr std::size_t count = 4000;

/// N(0, 1) with weight `broad`, and N(0, 1/ratio^2) around the same centre.
struct Peak {
  double broad = 0.5, ratio = 10;

  double operator()(std::span<const double> x, std::span<double> gradient) const {
    const auto d = static_cast<double>(x.size());
    double square = 0;
    for (const double v : x) {
      square += v * v;
    }
    const double a = std::log(broad) - square / 2;
    const double b = std::log1p(-broad) + d * std::log(ratio) - square * ratio * ratio / 2;
    const double top = std::max(a, b), p = std::exp(a - top), q = std::exp(b - top);
    for (std::size_t i = 0; i < x.size(); ++i) {
      gradient[i] = x[i] * (p + q * ratio * ratio) / (p + q);
    }
    return -top - std::log(p + q);
  }
};

struct Function {
  std::size_t size;
  PointFunction V;

  std::string name() const { return "function"; }
  std::size_t dim() const { return size; }
  void evaluate(ConstBlock y, std::span<double> value, Block grad, Workspace&) const {
    std::vector<double> point(size), slope(size);
    for (std::size_t l = 0; l < y.lanes(); ++l) {
      for (std::size_t i = 0; i < size; ++i) {
        point[i] = y.at(i, l);
      }
      value[l] = V(point, slope);
      for (std::size_t i = 0; i < size; ++i) {
        grad.at(i, l) = slope[i];
      }
    }
  }
};

/// Draws of real numbers, where the dual is x itself.
struct Sample {
  std::vector<double> values;
  Draws draws;

  Sample(std::size_t dim, const std::function<void(std::span<double>)>& draw)
      : values(count * dim) {
    for (std::size_t k = 0; k < count; ++k) {
      draw(std::span(values).subspan(k * dim, dim));
    }
    draws = {.chains = 4, .draws = count / 4, .values = values, .dual_dim = dim, .dual = values};
    for (std::size_t i = 0; i < dim; ++i) {
      draws.names.push_back("x[" + std::to_string(i + 1) + "]");
    }
  }
};

class UnvisitedMass : public testing::Test {
 protected:
  std::mt19937_64 random{1};
  double normal(double sd = 1) { return std::normal_distribution<>(0, sd)(random); }
  double uniform() { return std::uniform_real_distribution<>()(random); }

  /// The broad part with this probability.
  Sample peak_draws(std::size_t dim, double broad, double ratio) {
    return {dim, [&, broad, ratio](std::span<double> x) {
              const double sd = uniform() < broad ? 1 : 1 / ratio;
              for (double& v : x) {
                v = normal(sd);
              }
            }};
  }
  std::optional<Unvisited> look(std::size_t dim, PointFunction V, const Draws& draws) {
    const AnyPotential W = Function{dim, std::move(V)};
    Survey survey;
    survey.modes.emplace_back().y.resize(dim);
    return unvisited_mass(W, survey, draws, NoiseField(1));
  }
};

TEST_F(UnvisitedMass, ABroadBaseBelowAPeak) {
  for (const std::size_t dim : {1, 2, 5}) {
    const auto found = look(dim, Peak{0.1, 10}, peak_draws(dim, 0, 10).draws);
    ASSERT_TRUE(found) << dim;
    EXPECT_EQ(found->part, Part::outside);
    EXPECT_GT(found->mass, 0.05) << dim;
    EXPECT_LT(found->mass, 0.11) << dim;
    EXPECT_LT(found->draws, 0.02);
  }
}

TEST_F(UnvisitedMass, APeakOnABroadBase) {
  for (const std::size_t dim : {1, 2, 5}) {
    const auto found = look(dim, Peak{0.8, 50}, peak_draws(dim, 1, 50).draws);
    ASSERT_TRUE(found) << dim;
    EXPECT_EQ(found->part, Part::around);
    EXPECT_GT(found->mass, 0.1) << dim;
    EXPECT_LT(found->mass, 0.22) << dim;
    EXPECT_LT(found->draws, 0.1);
  }
}

/// Of log u / 0.1, exponential with the mean -10, whose end at 0 is a wall. A tenth of the mass,
/// that next to the wall, has no draws.
TEST_F(UnvisitedMass, AnEndThatStepsDoNotEnter) {
  const auto V = [](std::span<const double> y, std::span<double> gradient) {
    gradient[0] = y[0] > 0 ? 1e3 : -0.1;
    return y[0] > 0 ? 1e3 * y[0] : -0.1 * y[0];
  };
  const auto found = look(
      1, V, Sample(1, [&](std::span<double> y) { y[0] = std::log(0.9 * uniform()) / 0.1; }).draws);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->part, Part::beyond);
  EXPECT_NEAR(found->mass, 0.1, 0.02);
  EXPECT_LE(found->draws, 0.02);
  EXPECT_GT(found->to[0], found->from[0]);
}

/// Exact draws of laws of every shape: a peak, a banana, a ring, correlations, heavy tails, walls.
/// Of 600 looks none may find what lacks by three errors, the verdict's limit, of a thousand draws.
/// (Of 12,000 with other seeds 6 did.)
TEST_F(UnvisitedMass, NothingWhereDrawsAreExact) {
  const auto lacks = [](const std::optional<Unvisited>& found) {
    return found &&
           found->mass - found->draws > 3 * std::sqrt(found->mass * (1 - found->mass) / 1000);
  };
  int lacking = 0;
  for (int repeat = 0; repeat < 100; ++repeat) {
    const std::size_t dim = 1 + std::size_t(repeat) % 6;
    const double ratio = std::exp(3 * uniform()), broad = uniform();
    lacking += lacks(look(dim, Peak{broad, ratio}, peak_draws(dim, broad, ratio).draws)) ? 1 : 0;

    const double bend = 3 * uniform(), width = 0.1 + 0.9 * uniform();
    const auto banana = [=](std::span<const double> x, std::span<double> gradient) {
      const double r = (x[1] - bend * x[0] * x[0]) / (width * width);
      gradient[0] = x[0] - 2 * bend * x[0] * r;
      gradient[1] = r;
      return 0.5 * (x[0] * x[0] + width * width * r * r);
    };
    lacking += lacks(look(2, banana,
                          Sample(2,
                                 [&](std::span<double> x) {
                                   x[0] = normal();
                                   x[1] = bend * x[0] * x[0] + normal(width);
                                 })
                              .draws))
                   ? 1
                   : 0;

    const auto ring = [=](std::span<const double> x, std::span<double> gradient) {
      const double r = std::hypot(x[0], x[1]), slope = (r - 1) / (width * width);
      gradient[0] = slope * x[0] / r;
      gradient[1] = slope * x[1] / r;
      return (r - 1) * (r - 1) / (2 * width * width);
    };
    // r has the density r exp(-(r - 1)^2 / (2 width^2)): drawn by rejection.
    lacking += lacks(look(2, ring,
                          Sample(2,
                                 [&](std::span<double> x) {
                                   double r = 0;
                                   do {
                                     r = 1 + normal(width);
                                   } while (r <= 0 || uniform() > r / (1 + 6 * width));
                                   const double angle = 2 * M_PI * uniform();
                                   x[0] = r * std::cos(angle);
                                   x[1] = r * std::sin(angle);
                                 })
                              .draws))
                   ? 1
                   : 0;

    const double correlation = 1 - std::pow(10, -6 * uniform());
    const auto ridge = [=](std::span<const double> x, std::span<double> gradient) {
      const double scale = 1 / (1 - correlation * correlation);
      gradient[0] = scale * (x[0] - correlation * x[1]);
      gradient[1] = scale * (x[1] - correlation * x[0]);
      return 0.5 * (x[0] * gradient[0] + x[1] * gradient[1]);
    };
    lacking += lacks(look(2, ridge,
                          Sample(2,
                                 [&](std::span<double> x) {
                                   x[0] = normal();
                                   x[1] = correlation * x[0] +
                                          normal(std::sqrt(1 - correlation * correlation));
                                 })
                              .draws))
                   ? 1
                   : 0;

    const double degrees = 1 + 5 * uniform();
    const auto heavy = [=](std::span<const double> x, std::span<double> gradient) {
      double value = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        value += (degrees + 1) / 2 * std::log1p(x[i] * x[i] / degrees);
        gradient[i] = (degrees + 1) * x[i] / (degrees + x[i] * x[i]);
      }
      return value;
    };
    std::student_t_distribution<> t(degrees);
    lacking += lacks(look(dim, heavy,
                          Sample(dim,
                                 [&](std::span<double> x) {
                                   for (double& v : x) {
                                     v = t(random);
                                   }
                                 })
                              .draws))
                   ? 1
                   : 0;

    const double shape = std::exp(-4 * uniform());  // y = log of a Gamma(shape): e^y is its wall
    const auto wall = [=](std::span<const double> y, std::span<double> gradient) {
      gradient[0] = std::exp(y[0]) - shape;
      return std::exp(y[0]) - shape * y[0];
    };
    std::gamma_distribution<> gamma(shape + 1);
    lacking += lacks(look(1, wall,
                          Sample(1,
                                 [&](std::span<double> y) {
                                   y[0] = std::log(gamma(random)) + std::log(uniform()) / shape;
                                 })
                              .draws))
                   ? 1
                   : 0;
  }
  EXPECT_EQ(lacking, 0);
}

}  // namespace
}  // namespace tain
