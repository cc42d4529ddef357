// Vector arithmetic on every instruction set: accuracy against long double, extremes, reductions
// against sums written out, and equal bits on AVX2 and AVX-512.
#include "core/lanes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <numbers>
#include <vector>

#include "kernels/lane_steps.hpp"
#include "maps/stretch.hpp"
#include "support/isa.hpp"

namespace tain::lanes_test {
namespace {

class LanesOnEveryIsa : public testing::OnEveryIsa {};
INSTANTIATE_TEST_SUITE_P(Isa, LanesOnEveryIsa, ::testing::ValuesIn(supported_isas()),
                         testing::isa_label);

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

using Function = std::function<void(lanes::In, lanes::Out)>;
using Exact = std::function<long double(long double)>;

// Error in units of the last place of the exact value (of the smallest subnormal below 2^-1022).
double ulps(double got, long double exact) {
  if (static_cast<double>(exact) == got) {
    return 0.0;
  }
  if (!std::isfinite(got)) {
    return infinity;
  }
  int exponent = 0;
  std::frexp(exact, &exponent);
  const long double unit = std::ldexp(1.0L, std::max(exponent - 53, -1074));
  return static_cast<double>(std::abs(got - exact) / unit);
}

std::vector<double> grid(double low, double high, std::size_t size = std::size_t{1} << 17) {
  std::vector<double> x(size);
  for (std::size_t i = 0; i < size; ++i) {
    x[i] = low + (high - low) * (static_cast<double>(i) + 0.3713) / static_cast<double>(size);
  }
  return x;
}

std::vector<double> log_grid(double low, double high) {
  std::vector<double> x = grid(std::log(low), std::log(high));
  for (double& v : x) {
    v = std::exp(v);
  }
  return x;
}

double worst(const Function& f, const Exact& exact, const std::vector<double>& x) {
  std::vector<double> out(x.size());
  f(x, out);
  double result = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    result = std::max(result, ulps(out[i], exact(x[i])));
  }
  return result;
}

// f at one point, asked in every lane.
double at(const Function& f, double x) {
  const std::vector<double> in(lane_group, x);
  std::vector<double> out(lane_group);
  f(in, out);
  for (const double v : out) {
    EXPECT_EQ(std::memcmp(&v, out.data(), sizeof v), 0);
  }
  return out[0];
}

TEST_P(LanesOnEveryIsa, Exp) {
  const Exact exact = [](long double x) { return std::exp(x); };
  EXPECT_LT(worst(lanes::exp, exact, grid(-745.0, 709.7)), 1.1);
  EXPECT_LT(worst(lanes::exp, exact, grid(-1.0, 1.0)), 1.1);
  EXPECT_LT(worst(lanes::exp, exact, log_grid(1e-320, 1.0)), 1.1);
  EXPECT_EQ(at(lanes::exp, 0.0), 1.0);
  EXPECT_EQ(at(lanes::exp, -0.0), 1.0);
  for (const double x : {709.79, 1e3, 1e300, infinity}) {
    EXPECT_EQ(at(lanes::exp, x), infinity);
    EXPECT_EQ(at(lanes::exp, -x * 1.06), 0.0);
  }
  EXPECT_TRUE(std::isnan(at(lanes::exp, nan)));
}

TEST_P(LanesOnEveryIsa, Log) {
  const Exact exact = [](long double x) { return std::log(x); };
  EXPECT_LT(worst(lanes::log, exact, log_grid(1e-322, 1.7e308)), 1.0);
  EXPECT_LT(worst(lanes::log, exact, grid(0.4, 2.5)), 1.0);
  EXPECT_LT(worst(lanes::log, exact, grid(1.0 - 1e-6, 1.0 + 1e-6)), 1.0);
  EXPECT_EQ(at(lanes::log, 1.0), 0.0);
  EXPECT_EQ(at(lanes::log, 0.0), -infinity);
  EXPECT_EQ(at(lanes::log, -0.0), -infinity);
  EXPECT_EQ(at(lanes::log, infinity), infinity);
  for (const double x : {-5e-324, -1.0, -infinity, nan}) {
    EXPECT_TRUE(std::isnan(at(lanes::log, x))) << x;
  }
}

TEST_P(LanesOnEveryIsa, Tanh) {
  const Exact exact = [](long double x) { return std::tanh(x); };
  EXPECT_LT(worst(lanes::tanh, exact, grid(-25.0, 25.0)), 3.0);
  EXPECT_LT(worst(lanes::tanh, exact, grid(-1.0, 1.0)), 3.0);
  EXPECT_LT(worst(lanes::tanh, exact, log_grid(1e-320, 1.0)), 3.0);
  for (const double x : {22.0, 1e3, 1e300, infinity}) {
    EXPECT_EQ(at(lanes::tanh, x), 1.0);
    EXPECT_EQ(at(lanes::tanh, -x), -1.0);
  }
  EXPECT_TRUE(std::signbit(at(lanes::tanh, -0.0)));
  EXPECT_TRUE(std::isnan(at(lanes::tanh, nan)));
}

TEST_P(LanesOnEveryIsa, Softplus) {
  const Exact exact = [](long double x) {
    return x > 0.0L ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
  };
  EXPECT_LT(worst(lanes::softplus, exact, grid(-740.0, 1000.0)), 2.0);
  EXPECT_LT(worst(lanes::softplus, exact, grid(-3.0, 3.0)), 2.0);
  EXPECT_EQ(at(lanes::softplus, 1e3), 1e3);
  EXPECT_EQ(at(lanes::softplus, -1e3), 0.0);
  EXPECT_EQ(at(lanes::softplus, infinity), infinity);
  EXPECT_EQ(at(lanes::softplus, -infinity), 0.0);
  EXPECT_TRUE(std::isnan(at(lanes::softplus, nan)));
}

TEST_P(LanesOnEveryIsa, LogCosh) {
  for (const double x : grid(-800.0, 800.0, 4096)) {
    const long double magnitude = std::abs(x);
    const long double exact =
        magnitude + std::log1p(std::exp(-2.0L * magnitude)) - std::numbers::ln2_v<long double>;
    // Three roundings of numbers up to max(|x|, 1).
    const double bound = 0x1p-52 * std::max(1.0, std::abs(x));
    ASSERT_NEAR(at(lanes::log_cosh, x), static_cast<double>(exact), bound) << x;
  }
  EXPECT_NEAR(at(lanes::log_cosh, 0.0), 0.0, 0x1p-53);
  EXPECT_EQ(at(lanes::log_cosh, -infinity), infinity);
  EXPECT_TRUE(std::isnan(at(lanes::log_cosh, nan)));
}

TEST_P(LanesOnEveryIsa, SechSquared) {
  const Exact exact = [](long double x) { return 1.0L / (std::cosh(x) * std::cosh(x)); };
  EXPECT_LT(worst(lanes::sech_squared, exact, grid(-350.0, 350.0)), 5.0);
  EXPECT_LT(worst(lanes::sech_squared, exact, grid(-2.0, 2.0)), 5.0);
  EXPECT_EQ(at(lanes::sech_squared, 0.0), 1.0);
  EXPECT_EQ(at(lanes::sech_squared, -1e3), 0.0);
  EXPECT_EQ(at(lanes::sech_squared, infinity), 0.0);
  EXPECT_TRUE(std::isnan(at(lanes::sech_squared, nan)));
}

TEST_P(LanesOnEveryIsa, ArithmeticIsTheFormula) {
  const std::vector<double> a = grid(-3.0, 5.0, 32);
  const std::vector<double> b = grid(1.0, 2.0, 32);
  std::vector<double> out(32), sums(b), products(b), bounded(32), moved(32);
  lanes::multiply(a, b, out);
  std::vector<double> quotient(32), root(32);
  lanes::divide(a, b, quotient);
  lanes::sqrt(b, root);
  lanes::affine(a, 2.0, 0.5, moved);  // exact in binary
  lanes::add_scaled(0.5, a, sums);
  lanes::add_product(a, b, products);
  lanes::clamp(a, -1.0, 1.0, bounded);
  for (std::size_t i = 0; i < 32; ++i) {
    EXPECT_EQ(out[i], a[i] * b[i]);
    EXPECT_EQ(quotient[i], a[i] / b[i]);
    EXPECT_EQ(root[i], std::sqrt(b[i]));
    EXPECT_DOUBLE_EQ(moved[i], 2.0 * a[i] + 0.5);
    EXPECT_DOUBLE_EQ(sums[i], b[i] + 0.5 * a[i]);
    EXPECT_EQ(products[i],
              GetParam() == Isa::baseline ? b[i] + a[i] * b[i] : std::fma(a[i], b[i], b[i]));
    EXPECT_EQ(bounded[i], std::clamp(a[i], -1.0, 1.0));
  }
  EXPECT_TRUE(std::isnan(at([](auto x, auto y) { lanes::clamp(x, -1.0, 1.0, y); }, nan)));
}

BlockStorage filled(std::size_t rows, std::size_t lanes, double low, double high, double phase) {
  BlockStorage block(rows, lanes);
  for (std::size_t k = 0; k < rows * lanes; ++k) {
    const double unit = 0.5 + 0.5 * std::sin(phase + 1.7 * static_cast<double>(k * k % 1009));
    block.view().flat()[k] = low + (high - low) * unit;
  }
  return block;
}

TEST_P(LanesOnEveryIsa, ReductionsAreOneAscendingSumPerLane) {
  for (const std::size_t lanes : {8, 24, 64}) {
    for (const std::size_t rows : {0, 1, 2, 17}) {
      const BlockStorage a = filled(rows, lanes, -1.0, 1.0, 0.1);
      const BlockStorage b = filled(rows, lanes, -1.0, 1.0, 0.2);
      const std::vector<double> w = grid(0.0, 1.0, rows);
      std::vector<double> sum(lanes), dot(lanes), weighted(lanes), largest(lanes);
      lanes::sum(a.view(), sum);
      lanes::dot(a.view(), b.view(), dot);
      lanes::weighted_sum(w, a.view(), weighted);
      lanes::max(a.view(), largest);
      for (std::size_t l = 0; l < lanes; ++l) {
        double s = 0.0, p = 0.0, q = 0.0, m = -infinity;
        for (std::size_t i = 0; i < rows; ++i) {
          const double x = a.view().at(i, l);
          const double y = b.view().at(i, l);
          s += x;
          p = GetParam() == Isa::baseline ? p + x * y : std::fma(x, y, p);
          q = GetParam() == Isa::baseline ? q + w[i] * x : std::fma(w[i], x, q);
          m = std::max(m, x);
        }
        EXPECT_EQ(sum[l], s);
        EXPECT_EQ(dot[l], p);
        EXPECT_EQ(weighted[l], q);
        EXPECT_EQ(largest[l], m);
      }
    }
  }
}

TEST_P(LanesOnEveryIsa, FinitenessAndMaximumSeeNan) {
  BlockStorage x = filled(5, 8, -1.0, 1.0, 0.3);
  x.view().at(0, 1) = nan;
  x.view().at(4, 2) = infinity;
  x.view().at(2, 3) = -infinity;
  x.view().at(3, 4) = std::numeric_limits<double>::max();
  std::vector<double> finite(8), largest(8);
  lanes::all_finite(x.view(), finite);
  EXPECT_EQ(finite, (std::vector<double>{1, 0, 0, 0, 1, 1, 1, 1}));
  lanes::max(x.view(), largest);
  EXPECT_TRUE(std::isnan(largest[1]));
  EXPECT_EQ(largest[2], infinity);
}

TEST_P(LanesOnEveryIsa, SoftmaxAgainstLongDouble) {
  for (const auto& [rows, lanes, range] :
       {std::tuple{1, 8, 1.0}, {10, 64, 5.0}, {11, 40, 1e3}, {1000, 8, 30.0}}) {
    const auto n = static_cast<std::size_t>(rows);
    const auto m = static_cast<std::size_t>(lanes);
    const BlockStorage y = filled(n, m, -range, range, 0.4);
    BlockStorage x(n, m);
    std::vector<double> lse(m), alone(m);
    lanes::softmax(y.view(), x.view(), lse);
    lanes::log_sum_exp(y.view(), alone);
    EXPECT_EQ(lse, alone);
    for (std::size_t l = 0; l < m; ++l) {
      long double top = -infinity;
      for (std::size_t i = 0; i < n; ++i) {
        top = std::max<long double>(top, y.view().at(i, l));
      }
      long double sum = 0.0L;
      for (std::size_t i = 0; i < n; ++i) {
        sum += std::exp(y.view().at(i, l) - top);
      }
      const long double exact = top + std::log(sum);
      EXPECT_NEAR(lse[l], static_cast<double>(exact),
                  0x1p-53 * static_cast<double>(n + 4) + 0x1p-52 * std::abs(lse[l]));
      for (std::size_t i = 0; i < n; ++i) {
        // y - max rounds once, up to 2 range 2^-53 in the exponent; exp, sum, quotient the rest.
        const long double value = std::exp(y.view().at(i, l) - exact);
        const double bound = 0x1p-53 * (2.0 * range + static_cast<double>(n) + 5.0);
        if (value > 1e-300L) {
          EXPECT_LT(std::abs(static_cast<double>(x.view().at(i, l) / value) - 1.0), bound);
        } else {
          EXPECT_LT(x.view().at(i, l), 1.1e-300);
        }
      }
    }
  }
}

TEST_P(LanesOnEveryIsa, SoftmaxAtTheExtremes) {
  BlockStorage y(3, 8);
  const double columns[8][3] = {{1e300, 0, 0},     {-1e300, -1e300, -1e300},
                                {-infinity, 0, 0}, {-infinity, -infinity, -infinity},
                                {nan, 0, 0},       {0, 0, nan},
                                {0, -745, -1e4},   {710, 710, 710}};
  for (std::size_t l = 0; l < 8; ++l) {
    for (std::size_t i = 0; i < 3; ++i) {
      y.view().at(i, l) = columns[l][i];
    }
  }
  std::vector<double> lse(8);
  const Block x = y.view();
  lanes::softmax(y.view(), x, lse);
  EXPECT_EQ(lse[0], 1e300);
  EXPECT_EQ(x.at(0, 0), 1.0);
  EXPECT_EQ(x.at(1, 0), 0.0);
  EXPECT_EQ(lse[1], -1e300);
  EXPECT_NEAR(x.at(2, 1), 1.0 / 3.0, 1e-16);
  EXPECT_EQ(x.at(0, 2), 0.0);
  EXPECT_NEAR(lse[2], std::log(2.0), 1e-15);
  EXPECT_EQ(lse[3], -infinity);
  EXPECT_TRUE(std::isnan(lse[4]));
  EXPECT_TRUE(std::isnan(lse[5]));
  EXPECT_EQ(lse[6], 0.0);
  EXPECT_EQ(x.at(2, 6), 0.0);
  EXPECT_NEAR(lse[7], 710.0 + std::log(3.0), 1e-12);
}

TEST_P(LanesOnEveryIsa, RowsAndSelection) {
  const BlockStorage x = filled(3, 24, -1.0, 1.0, 0.5);
  const std::vector<double> per_row{2.0, 4.0, 8.0}, shift{1.0, 2.0, 3.0};
  const std::vector<double> per_lane = grid(-1.0, 1.0, 24);
  BlockStorage both = filled(3, 24, -1.0, 1.0, 0.5);
  BlockStorage only_shift = filled(3, 24, -1.0, 1.0, 0.5);
  BlockStorage added = filled(3, 24, -1.0, 1.0, 0.5);
  BlockStorage scaled = filled(3, 24, -1.0, 1.0, 0.5);
  BlockStorage chosen = filled(3, 24, 5.0, 6.0, 0.6);
  const BlockStorage before = filled(3, 24, 5.0, 6.0, 0.6);
  lanes::affine_rows(per_row, shift, both.view());
  lanes::affine_rows({}, shift, only_shift.view());
  lanes::add_to_rows(0.5, per_lane, added.view());
  lanes::multiply_rows(per_lane, scaled.view());
  std::vector<double> flags(24);
  flags[3] = 1.0;
  flags[20] = -2.0;
  lanes::select(flags, x.view(), chosen.view());
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t l = 0; l < 24; ++l) {
      const double v = x.view().at(i, l);
      EXPECT_EQ(both.view().at(i, l), per_row[i] * v + shift[i]);  // powers of two: exact products
      EXPECT_EQ(only_shift.view().at(i, l), v + shift[i]);
      EXPECT_EQ(added.view().at(i, l), 0.5 * per_lane[l] + v);
      EXPECT_EQ(scaled.view().at(i, l), v * per_lane[l]);
      EXPECT_EQ(chosen.view().at(i, l), flags[l] != 0.0 ? v : before.view().at(i, l));
    }
  }
}

TEST_P(LanesOnEveryIsa, StepsAreTheirFormulas) {
  const double beta = 0.3;
  const BlockStorage y = filled(3, 24, -2.0, 2.0, 0.7);
  const BlockStorage grad = filled(3, 24, -2.0, 2.0, 0.8);
  FloatBlockStorage xi(3, 24);
  for (std::size_t k = 0; k < 72; ++k) {
    xi.view().flat()[k] = static_cast<float>(std::cos(static_cast<double>(k)));
  }
  for (const std::vector<double>& scale :
       {std::vector<double>{}, std::vector<double>{0.5, 1.0, 3.0}}) {
    BlockStorage out(3, 24), p = filled(3, 24, -1.0, 1.0, 0.9), q = filled(3, 24, -1.0, 1.0, 0.9);
    const BlockStorage old = filled(3, 24, -1.0, 1.0, 0.9);
    BlockStorage wide(3, 24);
    std::vector<double> energy(24);
    lanes::langevin(y.view(), grad.view(), xi.view(), beta, scale, out.view());
    lanes::kick(grad.view(), 0.1, scale, p.view());
    lanes::drift(grad.view(), 0.1, scale, q.view());
    lanes::widen(xi.view(), wide.view());
    // From `out` the noise that led there from y is xi itself when the gradient is that of y.
    lanes::langevin_reverse(out.view(), y.view(), grad.view(), beta, scale, energy);
    for (std::size_t l = 0; l < 24; ++l) {
      double half_norm = 0.0;
      for (std::size_t i = 0; i < 3; ++i) {
        const double s = scale.empty() ? 1.0 : scale[i];
        const double g = grad.view().at(i, l);
        const double noise = xi.view().at(i, l);
        EXPECT_NEAR(out.view().at(i, l),
                    y.view().at(i, l) - beta * s * s * g + std::sqrt(2.0 * beta) * s * noise,
                    1e-14);
        EXPECT_NEAR(p.view().at(i, l), old.view().at(i, l) - 0.1 * s * g, 1e-15);
        EXPECT_NEAR(q.view().at(i, l), old.view().at(i, l) + 0.1 * s * g, 1e-15);
        EXPECT_EQ(wide.view().at(i, l), noise);
        half_norm += 0.5 * noise * noise;
      }
      EXPECT_NEAR(energy[l], half_norm, 1e-13);
    }
  }
}

// u is a difference: its error is that of its two parts, 2 ULP each with t = k (c - v) rounded
// first.
TEST_P(LanesOnEveryIsa, Stretch) {
  const std::vector<double> slopes{1.0, 1.5, 20.0, 1e6}, places{0.25, -3.0, 0.0, 7.5};
  const double k = 2.0;
  for (const double reach : {4.0, 400.0}) {
    const BlockStorage y = filled(4, 1024, -reach, reach, 1.0);
    const std::vector<double> shift(1024, 0.125);
    BlockStorage u(4, 1024), slope(4, 1024), inverse(4, 1024);
    lanes::stretch(y.view(), shift, {slopes, places, k}, {u.view(), slope.view(), inverse.view()});
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t l = 0; l < 1024; ++l) {
        const long double v = y.view().at(i, l) - shift[l], t = k * (places[i] - v);
        const long double e = std::exp(-std::abs(t)), more = slopes[i] - 1.0L;
        const long double fall = more / k * (std::max(t, 0.0L) + std::log1p(e));
        const long double exact_slope = 1 + more * (t < 0 ? e : 1.0L) / (1 + e);
        const double unit = 0x1p-52 * static_cast<double>(1 + std::abs(v) + fall);
        // Rounding t by half an ULP moves q = (slope - 1) / more by that, relatively.
        const double moved = 0x1p-53 * static_cast<double>(std::abs(t));
        EXPECT_NEAR(u.view().at(i, l), static_cast<double>(v - fall), 4 * unit);
        EXPECT_NEAR(slope.view().at(i, l) / static_cast<double>(exact_slope), 1.0,
                    5 * 0x1p-52 + 2 * moved);
        EXPECT_NEAR(inverse.view().at(i, l) * static_cast<double>(exact_slope), 1.0,
                    5 * 0x1p-52 + 2 * moved);
      }
    }
  }
  BlockStorage y(1, 8), u(1, 8), slope(1, 8), inverse(1, 8);
  y.view().at(0, 1) = nan;
  y.view().at(0, 2) = -1e6;
  const std::vector<double> shift(8, 0.0), steep{1e290}, place{0.0};
  lanes::stretch(y.view(), shift, {steep, place, k}, {u.view(), slope.view(), inverse.view()});
  EXPECT_TRUE(std::isnan(u.view().at(0, 1)) && std::isnan(slope.view().at(0, 1)));
  EXPECT_NEAR(u.view().at(0, 2) / -1e296, 1.0, 1e-15);
  EXPECT_NEAR(inverse.view().at(0, 2) * 1e290, 1.0, 1e-15);
}

// Everything at once, as bytes.
std::vector<double> fingerprint() {
  std::vector<double> all;
  const auto keep = [&](std::span<const double> part) {
    all.insert(all.end(), part.begin(), part.end());
  };
  std::vector<double> x = grid(-800.0, 800.0, 20'000);
  const std::vector<double> small = grid(-3.0, 3.0, 20'000);
  x.insert(x.end(), small.begin(), small.end());
  for (const Function& f :
       {Function(lanes::exp), Function(lanes::log), Function(lanes::tanh),
        Function(lanes::softplus), Function(lanes::log_cosh), Function(lanes::sech_squared)}) {
    std::vector<double> out(x.size());
    f(x, out);
    for (double& v : out) {
      v = std::isnan(v) ? 0.25 : v;  // the sign of a NaN is nobody's promise
    }
    keep(out);
  }
  const BlockStorage y = filled(37, 40, -30.0, 30.0, 1.0);
  const BlockStorage grad = filled(37, 40, -1.0, 1.0, 1.1);
  BlockStorage out(37, 40);
  std::vector<double> lse(40);
  lanes::softmax(y.view(), out.view(), lse);
  keep(out.view().flat());
  keep(lse);
  lanes::dot(y.view(), grad.view(), lse);
  keep(lse);
  BlockStorage slope(37, 40), inverse(37, 40);
  const std::vector<double> slopes = grid(1.0, 200.0, 37), places = grid(-5.0, 5.0, 37);
  lanes::stretch(y.view(), lse, {slopes, places, 2.0}, {out.view(), slope.view(), inverse.view()});
  keep(out.view().flat());
  keep(slope.view().flat());
  keep(inverse.view().flat());
  const std::vector<double> scale = grid(0.5, 1.5, 37);
  lanes::langevin_reverse(y.view(), out.view(), grad.view(), 0.37, scale, lse);
  keep(lse);
  FloatBlockStorage xi(37, 40);
  std::fill(xi.view().flat().begin(), xi.view().flat().end(), 0.7f);
  lanes::langevin(y.view(), grad.view(), xi.view(), 0.37, scale, out.view());
  keep(out.view().flat());
  return all;
}

TEST(Lanes, Avx2AndAvx512AgreeBitForBit) {
  if (supported_isas().size() < 3) {
    GTEST_SKIP() << "this machine has no AVX-512";
  }
  pin_isa(Isa::avx2);
  const auto narrow = fingerprint();
  pin_isa(Isa::avx512);
  const auto wide = fingerprint();
  ASSERT_EQ(narrow.size(), wide.size());
  EXPECT_EQ(std::memcmp(narrow.data(), wide.data(), narrow.size() * sizeof(double)), 0);
}

}  // namespace
}  // namespace tain::lanes_test
