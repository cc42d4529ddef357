// Philox4x32-10 for many chains at once. Included once per instruction set.
//
// A chain's 32-bit words sit in 64-bit lanes, where one multiplication gives both halves of the
// product; what is left in the upper halves never reaches a result. With c1 the only counter word
// that changes inside a block, rounds 1 and 2 and half of round 3 do not depend on it and are done
// once per group of chains: 7.5 of 10 rounds remain per index.
#if defined(TAIN_RANDOM_PHILOX_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TAIN_RANDOM_PHILOX_INL
#undef TAIN_RANDOM_PHILOX_INL
#else
#define TAIN_RANDOM_PHILOX_INL
#endif

#include <hwy/highway.h>

#include "random/philox.hpp"

HWY_BEFORE_NAMESPACE();
namespace tain::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Lower 32 bits of each 64-bit lane of a times m.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V multiply_words(D d, V a, std::uint64_t m) {
#if HWY_TARGET == HWY_SCALAR
  static_cast<void>(d);
  return V{(a.raw & 0xFFFFFFFFu) * m};
#else
  const hn::Repartition<std::uint32_t, D> d32;
  return hn::MulEven(hn::BitCast(d32, a), hn::BitCast(d32, hn::Set(d, m)));
#endif
}

// Upper halves to where lower halves are. A shuffle rather than a shift: it leaves the
// multiplier's port free.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V upper_words(D d, V product) {
#if HWY_TARGET == HWY_SCALAR
  static_cast<void>(d);
  return V{product.raw >> 32};
#else
  const hn::Repartition<std::uint32_t, D> d32;
  return hn::BitCast(d, hn::Shuffle2301(hn::BitCast(d32, product)));
#endif
}

template <class V>
struct FourWords {
  V w0, w1, w2, w3;
};

// The rounds that are left after the first `done`: by then the parts that lanes share have been
// worked out.
template <int done = 3, class D, class V = hn::Vec<D>>
HWY_INLINE FourWords<V> last_rounds(D d, const philox::Keys& keys, const FourWords<V>& words) {
  V c0 = words.w0, c1 = words.w1, c2 = words.w2, c3 = words.w3;
#pragma GCC unroll 9
  for (int r = done; r < philox::rounds; ++r) {
    const V product0 = multiply_words(d, c0, philox::multiplier0);
    const V product1 = multiply_words(d, c2, philox::multiplier1);
    c0 = hn::Xor3(upper_words(d, product1), c1, hn::Set(d, keys.k0[r]));
    c2 = hn::Xor3(upper_words(d, product0), c3, hn::Set(d, keys.k1[r]));
    c1 = product1;
    c3 = product0;
  }
  return {c0, c1, c2, c3};
}

// The words of chains at indices of their own, one of each per 64-bit lane; everything in the lower
// halves.
template <class D, class V = hn::Vec<D>>
HWY_INLINE FourWords<V> philox_words(D d, const philox::Keys& keys, const philox::StepWords& step,
                                     V chains, V indices) {
  const std::uint64_t product = philox::multiplier1 * step.c2;
  const V by_chain = multiply_words(d, chains, philox::multiplier0);
  return last_rounds<1>(
      d, keys,
      FourWords<V>{hn::Xor(indices, hn::Set(d, (product >> 32) ^ keys.k0[0])),
                   hn::Set(d, product & 0xFFFFFFFFu),
                   hn::Xor(upper_words(d, by_chain), hn::Set(d, step.c3 ^ keys.k1[0])), by_chain});
}

// A group of chains, one per 64-bit lane, ready for any index.
template <class D>
class PhiloxGroup {
 public:
  using V = hn::Vec<D>;

  HWY_INLINE PhiloxGroup(D d, const philox::Keys& keys, const philox::StepWords& step, V chains)
      : keys_(keys) {
    const std::uint64_t product = philox::multiplier1 * step.c2;
    first_c0_ = (product >> 32) ^ keys.k0[0];
    // Round 1.
    const V by_chain = multiply_words(d, chains, philox::multiplier0);
    const V c2 = hn::Xor(upper_words(d, by_chain), hn::Set(d, step.c3 ^ keys.k1[0]));
    second_c2_ = hn::Xor(by_chain, hn::Set(d, keys.k1[1]));
    // Round 2.
    const V by_c2 = multiply_words(d, c2, philox::multiplier1);
    const V c0 = hn::Xor(upper_words(d, by_c2), hn::Set(d, (product & 0xFFFFFFFFu) ^ keys.k0[1]));
    third_c0_ = hn::Xor(by_c2, hn::Set(d, keys.k0[2]));
    // Half of round 3.
    third_c3_ = multiply_words(d, c0, philox::multiplier0);
    third_c2_ = hn::Xor(upper_words(d, third_c3_), hn::Set(d, keys.k1[2]));
  }

  // Words of every chain of the group at this index, in the lower halves of the lanes.
  HWY_INLINE FourWords<V> at(D d, std::uint32_t index) const {
    const std::uint64_t scalar = philox::multiplier0 * (first_c0_ ^ index);
    const V by_c2 =
        multiply_words(d, hn::Xor(second_c2_, hn::Set(d, scalar >> 32)), philox::multiplier1);
    return last_rounds(d, keys_,
                       FourWords<V>{hn::Xor(upper_words(d, by_c2), third_c0_), by_c2,
                                    hn::Xor(third_c2_, hn::Set(d, scalar)), third_c3_});
  }

 private:
  const philox::Keys& keys_;
  std::uint64_t first_c0_;
  V second_c2_, third_c0_, third_c2_, third_c3_;
};

}  // namespace tain::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard per target
