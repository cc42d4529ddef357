// Elementary functions on vectors of floats. Included once per instruction set.
//
// The polynomial is a minimax fit of the function named beside it; the error stated is that of the
// fit, relative to the function, before rounding.
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

}  // namespace tain::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard per target
