// Elementary functions on vectors of doubles, written for throughput: no branch, no table, the same
// operations on every instruction set, so that AVX2 and AVX-512 give the same bits. Included once
// per instruction set (Highway's convention for -inl headers).
//
// Polynomials are minimax fits (Remez exchange, 60 digits) of the functions named beside them; the
// errors stated are those of the fit, relative to the function, before rounding.
#if defined(TAIN_CORE_VECTOR_MATH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TAIN_CORE_VECTOR_MATH_INL
#undef TAIN_CORE_VECTOR_MATH_INL
#else
#define TAIN_CORE_VECTOR_MATH_INL
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace tain::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using DoubleTag = hn::ScalableTag<double>;
using DoubleVector = hn::Vec<DoubleTag>;

// min(max(x, low), high) that lets NaN through. x86's min and max give their second operand when
// either is NaN; Highway leaves that open for its scalar target.
HWY_INLINE DoubleVector clamp_vector(DoubleVector x, double low, double high) {
  const DoubleTag d;
  const auto lower = hn::Set(d, low);
  const auto upper = hn::Set(d, high);
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
  return hn::Min(upper, hn::Max(lower, x));
#else
  const auto raised = hn::IfThenElse(hn::Lt(x, lower), lower, x);
  return hn::IfThenElse(hn::Gt(raised, upper), upper, raised);
#endif
}

// The larger one; `kept` where v is NaN.
HWY_INLINE DoubleVector larger(DoubleVector v, DoubleVector kept) {
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
  return hn::Max(v, kept);
#else
  return hn::IfThenElse(hn::Gt(v, kept), v, kept);
#endif
}

// Adding 1.5 2^52 rounds a double of modest size to an integer, which then sits in the low bits.
inline constexpr double rounder = 6755399441055744.0;

// log 2 in two parts. The high one has 32 significant bits, so that n * high is exact for
// |n| < 2^21 with or without FMA.
inline constexpr double log2_high = 0x1.62e42feep-1;
inline constexpr double log2_low = 0x1.a39ef35793c76p-33;

// x - n log 2
HWY_INLINE DoubleVector remainder(DoubleVector x, DoubleVector n) {
  const DoubleTag d;
  const auto r = hn::NegMulAdd(n, hn::Set(d, log2_high), x);
  return hn::NegMulAdd(n, hn::Set(d, log2_low), r);
}

// x = n log 2 + r with |r| <= log(2)/2.
struct Reduced {
  DoubleVector n;
  DoubleVector r;
};
HWY_INLINE Reduced reduce(DoubleVector x) {
  const DoubleTag d;
  const auto rounding = hn::Set(d, rounder);
  const auto n = hn::Sub(hn::MulAdd(x, hn::Set(d, 1.4426950408889634), rounding), rounding);
  return {n, remainder(x, n)};
}

// e^r - 1 for |r| <= log(2)/2 as r + r^2 q(r); fit error 3.7e-18.
HWY_INLINE DoubleVector expm1_reduced(DoubleVector r) {
  const DoubleTag d;
  auto q = hn::Set(d, 2.499995784190675e-08);
  q = hn::MulAdd(q, r, hn::Set(d, 2.7630378662027823e-07));
  q = hn::MulAdd(q, r, hn::Set(d, 2.755758736433754e-06));
  q = hn::MulAdd(q, r, hn::Set(d, 2.480149276262773e-05));
  q = hn::MulAdd(q, r, hn::Set(d, 0.0001984126950474295));
  q = hn::MulAdd(q, r, hn::Set(d, 0.0013888888943922881));
  q = hn::MulAdd(q, r, hn::Set(d, 0.008333333333495632));
  q = hn::MulAdd(q, r, hn::Set(d, 0.041666666666529184));
  q = hn::MulAdd(q, r, hn::Set(d, 0.1666666666666641));
  q = hn::MulAdd(q, r, hn::Set(d, 0.5000000000000011));
  return hn::MulAdd(hn::Mul(r, r), q, r);
}

// 2^n for integral n in [-1022, 1023].
HWY_INLINE DoubleVector power_of_two(DoubleVector n) {
  const DoubleTag d;
  const hn::RebindToUnsigned<DoubleTag> du;
  const auto biased = hn::Add(n, hn::Set(d, rounder + 1023.0));
  return hn::BitCast(d, hn::ShiftLeft<52>(hn::BitCast(du, biased)));
}

// p 2^n, rounded once, for integral n in [-1080, 1030].
HWY_INLINE DoubleVector scale_by_power(DoubleVector p, DoubleVector n) {
#if HWY_TARGET == HWY_AVX3
  return DoubleVector{_mm512_scalef_pd(p.raw, n.raw)};
#else
  const DoubleTag d;
  const auto rounding = hn::Set(d, rounder);
  const auto half = hn::Sub(hn::MulAdd(n, hn::Set(d, 0.5), rounding), rounding);
  return hn::Mul(hn::Mul(p, power_of_two(half)), power_of_two(hn::Sub(n, half)));
#endif
}

HWY_INLINE DoubleVector exp_vector(DoubleVector x) {
  const DoubleTag d;
  // Beyond these bounds the result is 0 or infinity anyway, and n stays small.
  const auto [n, r] = reduce(clamp_vector(x, -746.0, 710.0));
  return scale_by_power(hn::Add(expm1_reduced(r), hn::Set(d, 1.0)), n);
}

// e^x for x <= 0, and 0 below -708 where it would be subnormal: what sums of exponentials need.
// Without clamp: whatever comes out below -708 (NaN for -infinity) is replaced. Rounding with the
// exponent's bias added leaves 2^n one shift away.
HWY_INLINE DoubleVector exp_of_negative(DoubleVector x) {
  const DoubleTag d;
  const hn::RebindToUnsigned<DoubleTag> du;
  const auto biased_rounder = hn::Set(d, rounder + 1023.0);
  const auto shifted = hn::MulAdd(x, hn::Set(d, 1.4426950408889634), biased_rounder);
  const auto r = remainder(x, hn::Sub(shifted, biased_rounder));
  const auto scale = hn::BitCast(d, hn::ShiftLeft<52>(hn::BitCast(du, shifted)));
  return hn::IfThenZeroElse(hn::Lt(x, hn::Set(d, -708.0)),
                            hn::MulAdd(scale, expm1_reduced(r), scale));
}

// log(1 + f) for f in [sqrt(1/2) - 1, sqrt(2) - 1], as high + low: with s = f / (2 + f),
//   log(1 + f) = 2 artanh s = f - (f^2/2 - s (f^2/2 + s^2 R(s^2)))
// fit error of R 1.3e-18. s may come from a division shared with others.
HWY_INLINE DoubleVector log1p_reduced(DoubleVector f, DoubleVector s, DoubleVector low) {
  const DoubleTag d;
  const auto z = hn::Mul(s, s);
  auto polynomial = hn::Set(d, 0.14799065399729042);
  polynomial = hn::MulAdd(polynomial, z, hn::Set(d, 0.1531375583253679));
  polynomial = hn::MulAdd(polynomial, z, hn::Set(d, 0.1818357516263721));
  polynomial = hn::MulAdd(polynomial, z, hn::Set(d, 0.22222198378532723));
  polynomial = hn::MulAdd(polynomial, z, hn::Set(d, 0.2857142874414075));
  polynomial = hn::MulAdd(polynomial, z, hn::Set(d, 0.39999999999407493));
  polynomial = hn::MulAdd(polynomial, z, hn::Set(d, 0.6666666666666735));
  const auto half_square = hn::Mul(hn::Mul(f, hn::Set(d, 0.5)), f);
  const auto correction = hn::MulAdd(s, hn::MulAdd(z, polynomial, half_square), low);
  return hn::Sub(f, hn::Sub(half_square, correction));
}
HWY_INLINE DoubleVector log1p_reduced(DoubleVector f, DoubleVector low) {
  const DoubleTag d;
  return log1p_reduced(f, hn::Div(f, hn::Add(f, hn::Set(d, 2.0))), low);
}

HWY_INLINE DoubleVector log_vector(DoubleVector x) {
  const DoubleTag d;
  const hn::RebindToUnsigned<DoubleTag> du;
  const double infinity = std::numeric_limits<double>::infinity();
  const auto subnormal = hn::Lt(x, hn::Set(d, 0x1p-1022));
  const auto normal = hn::IfThenElse(subnormal, hn::Mul(x, hn::Set(d, 0x1p54)), x);
  // Subtracting the bits of sqrt(1/2) puts the exponent's step there, so that the mantissa comes
  // out in [sqrt(1/2), sqrt(2)).
  const auto origin = hn::Set(du, std::uint64_t{0x3FE6A09E667F3BCD});
  const auto bits = hn::Sub(hn::BitCast(du, normal), origin);
  const auto exponent_bits = hn::ShiftRight<52>(hn::Add(bits, hn::Set(du, std::uint64_t{1} << 62)));
  const auto mantissa =
      hn::BitCast(d, hn::Add(hn::And(bits, hn::Set(du, (std::uint64_t{1} << 52) - 1)), origin));
  // A small non-negative integer to double: into the low bits of 2^52.
  const auto as_double = hn::BitCast(d, hn::Or(exponent_bits, hn::BitCast(du, hn::Set(d, 0x1p52))));
  const auto bias =
      hn::IfThenElse(subnormal, hn::Set(d, 0x1p52 + 1024.0 + 54.0), hn::Set(d, 0x1p52 + 1024.0));
  const auto e = hn::Sub(as_double, bias);
  const auto f = hn::Sub(mantissa, hn::Set(d, 1.0));
  const auto fraction = log1p_reduced(f, hn::Mul(e, hn::Set(d, log2_low)));
  auto result = hn::MulAdd(e, hn::Set(d, log2_high), fraction);
  result = hn::IfThenElse(hn::Eq(x, hn::Zero(d)), hn::Set(d, -infinity), result);
  // NaN, infinity and negatives: x + (negative ? NaN : 0).
  const auto not_a_number = hn::Set(d, std::numeric_limits<double>::quiet_NaN());
  result = hn::IfThenElse(hn::Lt(x, hn::Zero(d)), not_a_number, result);
  return hn::IfThenElse(hn::Lt(x, hn::Set(d, infinity)), result, x);
}

// 1 + x for x in [0, 1] as e^(high + low) (1 + f), f in the range of log1p_reduced.
struct Reduced1p {
  DoubleVector f, high, low;
};
HWY_INLINE Reduced1p log1p_reduction(DoubleVector x) {
  const DoubleTag d;
  const auto upper = hn::Gt(x, hn::Set(d, 0.41421356237309503));
  // 1 + x = 2 (1 + (x - 1) / 2): no rounding in either branch.
  const auto f = hn::IfThenElse(upper, hn::Mul(hn::Sub(x, hn::Set(d, 1.0)), hn::Set(d, 0.5)), x);
  return {f, hn::IfThenElseZero(upper, hn::Set(d, log2_high)),
          hn::IfThenElseZero(upper, hn::Set(d, log2_low))};
}

// log(1 + x) for x in [0, 1].
HWY_INLINE DoubleVector log1p_vector(DoubleVector x) {
  const auto [f, high, low] = log1p_reduction(x);
  return hn::Add(high, log1p_reduced(f, low));
}

// e^x - 1 for |x| <= 700: 2^n (e^r - 1) + (2^n - 1), where 2^n - 1 does not cancel the rest.
HWY_INLINE DoubleVector expm1_vector(DoubleVector x) {
  const DoubleTag d;
  const auto [n, r] = reduce(x);
  const auto scale = power_of_two(n);
  return hn::MulAdd(scale, expm1_reduced(r), hn::Sub(scale, hn::Set(d, 1.0)));
}

HWY_INLINE DoubleVector tanh_vector(DoubleVector x) {
  const DoubleTag d;
  // Beyond 22 the result is 1 to the last bit.
  const auto twice = clamp_vector(hn::Mul(hn::Abs(x), hn::Set(d, 2.0)), 0.0, 44.0);
  const auto e = expm1_vector(twice);
  return hn::CopySign(hn::Div(e, hn::Add(e, hn::Set(d, 2.0))), x);
}

}  // namespace tain::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard per target
