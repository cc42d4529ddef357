#include "maps/stretch.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "maps/stretch.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "core/vector_loops-inl.hpp"
#include "core/vector_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tain::HWY_NAMESPACE {

using lanes::Knees;
using lanes::Stretched;

// With t = k (c - v) and e = e^-|t|: softplus(t) = max(t, 0) + log(1 + e), slope = (1 + e + (s - 1)
// m) / (1 + e), m = 1 or e. Divisions are the bottleneck: one of the product of all denominators
// serves.
void stretch_row(std::size_t lanes, const double* y, const double* shift, double excess,
                 double sharpness, double knee, double* u, double* slope, double* inverse) {
  const DoubleTag d;
  const auto one = constant(1.0);
  const auto more = constant(excess), drop = constant(excess / sharpness);
  const auto rate = constant(sharpness), place = constant(sharpness * knee);
  for (std::size_t l = 0; l < lanes; l += width) {
    const auto v = hn::Sub(load(y + l), load(shift + l));
    const auto t = hn::NegMulAdd(rate, v, place);
    const auto below = hn::Lt(t, hn::Zero(d));
    const auto e = exp_of_negative(hn::Neg(hn::Abs(t)));
    const auto [f, high, low] = log1p_reduction(e);
    const auto denominator = hn::Add(f, constant(2.0));
    const auto under = hn::Add(e, one);
    const auto over = hn::MulAdd(more, hn::IfThenElse(below, e, one), under);
    const auto pair = hn::Mul(denominator, under);
    const auto reciprocal = hn::Div(one, hn::Mul(pair, over));
    const auto ratio = hn::Mul(f, hn::Mul(reciprocal, hn::Mul(under, over)));
    const auto tail = hn::Add(high, log1p_reduced(f, ratio, low));
    const auto softplus = hn::Add(hn::IfThenElse(below, hn::Zero(d), t), tail);
    store(hn::NegMulAdd(drop, softplus, v), u + l);
    store(hn::Mul(over, hn::Mul(reciprocal, hn::Mul(denominator, over))), slope + l);
    store(hn::Mul(under, hn::Mul(reciprocal, pair)), inverse + l);
  }
}

void stretch_block(ConstBlock y, In shift, const Knees& k, const Stretched& out) {
  for (std::size_t i = 0; i < y.rows(); ++i) {
    stretch_row(y.lanes(), y.row(i), shift.data(), k.slopes[i] - 1.0, k.sharpness, k.places[i],
                out.u.row(i), out.slope.row(i), out.inverse_slope.row(i));
  }
}

}  // namespace tain::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tain {

HWY_EXPORT(stretch_block);

void lanes::stretch(ConstBlock y, In shift, const Knees& knees, const Stretched& out) {
  TAIN_EXPECTS(knees.slopes.size() == y.rows() && knees.places.size() == y.rows(),
               "one of each per row");
  HWY_DYNAMIC_DISPATCH(stretch_block)(y, shift, knees, out);
}

}  // namespace tain
#endif  // HWY_ONCE
