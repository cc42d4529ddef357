// Normals of as many chains as a float vector has lanes, in registers: what NoiseField::normals
// stores, for code that uses them at once. Included once per instruction set.
#if defined(TAIN_RANDOM_NORMALS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TAIN_RANDOM_NORMALS_INL
#undef TAIN_RANDOM_NORMALS_INL
#else
#define TAIN_RANDOM_NORMALS_INL
#endif

#include <hwy/highway.h>

#include "random/box_muller-inl.hpp"
#include "random/philox-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tain::HWY_NAMESPACE {

// Words of as many lanes as a float vector has, as Philox takes and gives them: in the lower halves
// of 64-bit lanes, even lanes in one vector and odd lanes in another, which interleave for free.
template <class D>
struct WordHalves {
  using D32 = hn::RebindToUnsigned<D>;
#if HWY_TARGET == HWY_SCALAR
  using D64 = hn::Rebind<std::uint64_t, D>;
#else
  using D64 = hn::Repartition<std::uint64_t, D>;
#endif
  using V = hn::Vec<D32>;
  using V64 = hn::Vec<D64>;

#if HWY_TARGET == HWY_SCALAR
  static HWY_INLINE V64 even(V words) { return V64{words.raw}; }
  static HWY_INLINE V joined(V64 even, V64) { return V{static_cast<std::uint32_t>(even.raw)}; }
#else
  static HWY_INLINE V64 even(V words) { return hn::BitCast(D64(), words); }
  static HWY_INLINE V64 odd(V words) { return hn::ShiftRight<32>(hn::BitCast(D64(), words)); }
  static HWY_INLINE V joined(V64 even, V64 odd) {
    const D32 d32;
    return hn::OddEven(hn::Shuffle2301(hn::BitCast(d32, odd)), hn::BitCast(d32, even));
  }
#endif
  static HWY_INLINE FourWords<V> joined(const FourWords<V64>& a, const FourWords<V64>& b) {
    return {joined(a.w0, b.w0), joined(a.w1, b.w1), joined(a.w2, b.w2), joined(a.w3, b.w3)};
  }
};

// The words of as many chains as a float vector has lanes.
template <class D>
class WordSource {
 public:
  using Halves = WordHalves<D>;
  using D64 = typename Halves::D64;
  using V = typename Halves::V;

  HWY_INLINE WordSource(const philox::Keys& keys, const philox::StepWords& step,
                        std::uint32_t chain)
      : even_(D64(), keys, step, chains(chain)), odd_(D64(), keys, step, chains(chain + 1)) {}

  HWY_INLINE FourWords<V> at(std::uint32_t index) const {
    const auto even = even_.at(D64(), index);
#if HWY_TARGET == HWY_SCALAR
    return Halves::joined(even, even);
#else
    return Halves::joined(even, odd_.at(D64(), index));
#endif
  }

 private:
  using V64 = hn::Vec<D64>;

  // chain, chain + 2, chain + 4, ...
  static HWY_INLINE V64 chains(std::uint32_t chain) {
    const D64 d;
    const auto lane = hn::Iota(d, 0);
    return hn::Add(hn::Add(lane, lane), hn::Set(d, chain));
  }

  PhiloxGroup<D64> even_;
  PhiloxGroup<D64> odd_;
};

// Normals 4 i to 4 i + 3 from the words of index i.
template <class D, class V>
HWY_INLINE FourWords<hn::Vec<D>> four_normals(D d, const FourWords<V>& words) {
  const auto r0 = radius(d, words.w0);
  const auto direction0 = direction(d, words.w1);
  const auto r1 = radius(d, words.w2);
  const auto direction1 = direction(d, words.w3);
  return {hn::Mul(r0, direction0.cosine), hn::Mul(r0, direction0.sine),
          hn::Mul(r1, direction1.cosine), hn::Mul(r1, direction1.sine)};
}

// Calls body(tag, lane) for as many lanes at a time as a float vector has; on AVX-512 a last lane
// group is half a vector.
template <class F>
HWY_INLINE void for_lane_vectors(std::size_t lanes, F body) {
  constexpr std::size_t width = HWY_LANES(float);
  std::size_t lane = 0;
  for (; lane + width <= lanes; lane += width) {
    body(hn::ScalableTag<float>(), lane);
  }
#if HWY_TARGET == HWY_AVX3
  if (lane < lanes) {
    body(hn::Half<hn::ScalableTag<float>>(), lane);
  }
#endif
}

}  // namespace tain::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard per target
