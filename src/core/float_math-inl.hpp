// Elementary functions on vectors of floats. Included once per instruction set.
//
// Polynomials are minimax fits of the functions named beside them; the errors stated are those of
// the fits, relative to the function, before rounding.
#if defined(TAIN_CORE_FLOAT_MATH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TAIN_CORE_FLOAT_MATH_INL
#undef TAIN_CORE_FLOAT_MATH_INL
#else
#define TAIN_CORE_FLOAT_MATH_INL
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tain::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// e^x for x <= 0; below -87 the value at -87 (1.6e-38), so that logarithms of sums stay finite.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V exp_not_positive(D d, V x) {
  const hn::RebindToSigned<D> di;
  const auto clamped = hn::Max(x, hn::Set(d, -87.0f));
  // Adding 1.5 2^23 rounds to an integer, which then sits in the low bits.
  const auto rounder = hn::Set(d, 12582912.0f);
  const auto shifted = hn::MulAdd(clamped, hn::Set(d, 1.44269504f), rounder);
  const auto n = hn::Sub(shifted, rounder);
  // log 2 in two parts; the high one has 12 significant bits, so that n * high is exact.
  auto r = hn::NegMulAdd(n, hn::Set(d, 0.693359375f), clamped);
  r = hn::NegMulAdd(n, hn::Set(d, -2.12194440e-4f), r);
  // e^r for |r| <= log(2)/2, relative error 1.1e-7.
  auto p = hn::Set(d, 0.00831252523f);
  p = hn::MulAdd(p, r, hn::Set(d, 0.0418901145f));
  p = hn::MulAdd(p, r, hn::Set(d, 0.166671142f));
  p = hn::MulAdd(p, r, hn::Set(d, 0.499992311f));
  p = hn::MulAdd(hn::Mul(p, r), r, hn::Add(r, hn::Set(d, 1.0f)));
  const auto exponent = hn::ShiftLeft<23>(hn::BitCast(di, shifted));
  return hn::BitCast(d, hn::Add(hn::BitCast(di, p), exponent));
}

// log v for v > 0 and v - 1, which has the digits of v near 1. v = 2^e (1 + f) with 1 + f in
// [sqrt(1/2), sqrt(2)); where e = 0, f is v - 1 as it is given.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V log_of(D d, V v, V less_one) {
  const hn::RebindToSigned<D> di;
  const V one = hn::Set(d, 1.0F);
  const auto origin = hn::Set(di, 0x3F3504F3);
  const auto bits = hn::Sub(hn::BitCast(di, v), origin);
  const V e = hn::ConvertTo(d, hn::ShiftRight<23>(bits));
  const V mantissa = hn::BitCast(d, hn::Add(hn::And(bits, hn::Set(di, 0x007FFFFF)), origin));
  const V f = hn::IfThenElse(hn::Eq(e, hn::Zero(d)), less_one, hn::Sub(mantissa, one));
  // log(1 + f) = f - f^2 p(f); minimax, relative error 3.0e-8.
  V p = hn::Set(d, -0.087349884F);
  p = hn::MulAdd(p, f, hn::Set(d, 0.143076062F));
  p = hn::MulAdd(p, f, hn::Set(d, -0.149179563F));
  p = hn::MulAdd(p, f, hn::Set(d, 0.165704936F));
  p = hn::MulAdd(p, f, hn::Set(d, -0.1996207235F));
  p = hn::MulAdd(p, f, hn::Set(d, 0.2500175535F));
  p = hn::MulAdd(p, f, hn::Set(d, -0.3333395125F));
  p = hn::MulAdd(p, f, hn::Set(d, 0.4999999105F));
  return hn::MulAdd(e, hn::Set(d, 0.693147181F), hn::NegMulAdd(hn::Mul(f, p), f, f));
}

// log(1 + x) for x > -1.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V log_one_plus(D d, V x) {
  return log_of(d, hn::Add(x, hn::Set(d, 1.0F)), x);
}

}  // namespace tain::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard per target
