// Box-Muller in float: words (a, b) -> sqrt(-2 log u) (cos, sin)(2 pi v), u = (a + 1/2) 2^-32,
// v = (b + 1/2) 2^-32. Included once per instruction set.
//
// Polynomials are minimax fits (Remez exchange); the errors beside them are those of the fit.
#if defined(TAIN_RANDOM_BOX_MULLER_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TAIN_RANDOM_BOX_MULLER_INL
#undef TAIN_RANDOM_BOX_MULLER_INL
#else
#define TAIN_RANDOM_BOX_MULLER_INL
#endif

#include <hwy/highway.h>

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace tain::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// yes where the top bit of `bits` is set, else no. x86 blends floats by their top bit; Highway's
// scalar target compares with zero, which NaN and -0 would fool, hence integers there.
template <class D, class V = hn::Vec<D>, class VU = hn::Vec<hn::RebindToUnsigned<D>>>
HWY_INLINE V by_top_bit(D d, VU bits, V yes, V no) {
#if HWY_TARGET == HWY_SCALAR
  const hn::RebindToSigned<D> di;
  return hn::BitCast(
      d, hn::IfNegativeThenElse(hn::BitCast(di, bits), hn::BitCast(di, yes), hn::BitCast(di, no)));
#else
  return hn::IfNegativeThenElse(hn::BitCast(d, bits), yes, no);
#endif
}

// -2 log u. The word is read as signed: t = u for u < 1/2 and t = u - 1 above, so that the result
// keeps its relative precision where u is next to 1.
template <class D, class VU = hn::Vec<hn::RebindToUnsigned<D>>>
HWY_INLINE hn::Vec<D> minus_two_log(D d, VU word) {
  const hn::RebindToSigned<D> di;
  const auto i = hn::BitCast(di, word);
  const auto t = hn::MulAdd(hn::ConvertTo(d, i), hn::Set(d, 0x1p-32f), hn::Set(d, 0x1p-33f));
  const auto one = hn::Set(d, 1.0f);
  const auto u = hn::Add(t, hn::And(hn::BitCast(d, hn::ShiftRight<31>(i)), one));
  // u = 2^e (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)): exponent counted from the bits of
  // sqrt(1/2).
  const auto origin = hn::Set(di, 0x3F3504F3);
  const auto bits = hn::Sub(hn::BitCast(di, u), origin);
  const auto exponent = hn::ShiftRight<23>(bits);
  const auto e = hn::ConvertTo(d, exponent);
  const auto mantissa = hn::BitCast(d, hn::Add(hn::And(bits, hn::Set(di, 0x007FFFFF)), origin));
  // e = 0 happens only for u > 1/2, and there f = u - 1 = t has no rounding error to speak of;
  // e < 0 otherwise.
  const auto f = hn::IfNegativeThenElse(e, hn::Sub(mantissa, one), t);
  // -2 log(1 + f) = -2 f + f^2 p(f); relative error 3.0e-8.
  auto p = hn::Set(d, -0.174699768f);
  p = hn::MulAdd(p, f, hn::Set(d, 0.286152124f));
  p = hn::MulAdd(p, f, hn::Set(d, -0.298359126f));
  p = hn::MulAdd(p, f, hn::Set(d, 0.331409872f));
  p = hn::MulAdd(p, f, hn::Set(d, -0.399241447f));
  p = hn::MulAdd(p, f, hn::Set(d, 0.500035107f));
  p = hn::MulAdd(p, f, hn::Set(d, -0.666679025f));
  p = hn::MulAdd(p, f, hn::Set(d, 0.999999821f));
  const auto fraction = hn::MulAdd(hn::Mul(f, p), f, hn::Mul(f, hn::Set(d, -2.0f)));
  return hn::MulAdd(e, hn::Set(d, -1.38629436f), fraction);
}

template <class D, class VU = hn::Vec<hn::RebindToUnsigned<D>>>
HWY_INLINE hn::Vec<D> radius(D d, VU word) {
  return hn::Sqrt(minus_two_log(d, word));
}

template <class V>
struct Pair {
  V cosine, sine;
};

// (cos, sin)(2 pi v). In quarter turns the angle is q + y/2 with q an integer from the top bits
// (rounded to nearest) and y in [-1, 1) from the rest, exactly.
template <class D, class VU = hn::Vec<hn::RebindToUnsigned<D>>>
HWY_INLINE Pair<hn::Vec<D>> direction(D d, VU word) {
  const hn::RebindToUnsigned<D> du;
  const hn::RebindToSigned<D> di;
  const auto rest = hn::BitCast(di, hn::ShiftLeft<2>(word));
  const auto y = hn::MulAdd(hn::ConvertTo(d, rest), hn::Set(d, 0x1p-31f), hn::Set(d, 0x1p-30f));
  const auto z = hn::Mul(y, y);
  // sin(pi y / 4) = y s(y^2), relative error 3.2e-9; cos(pi y / 4) = c(y^2), 3.3e-8.
  auto s = hn::MulAdd(hn::Set(d, -3.5950452e-05f), z, hn::Set(d, 0.00249000103f));
  s = hn::MulAdd(s, z, hn::Set(d, -0.0807454363f));
  s = hn::MulAdd(s, z, hn::Set(d, 0.785398185f));
  const auto sine = hn::Mul(s, y);
  auto c = hn::MulAdd(hn::Set(d, -0.000318727834f), z, hn::Set(d, 0.0158496834f));
  c = hn::MulAdd(c, z, hn::Set(d, -0.308424175f));
  const auto cosine = hn::MulAdd(c, z, hn::Set(d, 0.99999994f));
  // Bits 31 and 30 of `quadrant` are q: an odd q swaps the two; signs are bit 31 for the sine,
  // bit 31 ^ bit 30 for the cosine.
  const auto quadrant = hn::Add(word, hn::Set(du, 1u << 29));
  const auto odd = hn::ShiftLeft<1>(quadrant);
  const auto sign = hn::Set(du, 1u << 31);
  const auto first = by_top_bit(d, odd, sine, cosine);
  const auto second = by_top_bit(d, odd, cosine, sine);
  const auto first_sign = hn::BitCast(d, hn::And(hn::Xor(quadrant, odd), sign));
  const auto second_sign = hn::BitCast(d, hn::And(quadrant, sign));
  return {hn::Xor(first, first_sign), hn::Xor(second, second_sign)};
}

}  // namespace tain::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard per target
