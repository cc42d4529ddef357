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

// The words of as many chains as a float vector has lanes. Even chains go through one Philox
// group, odd chains through another: their words then interleave into lane order for free.
template <class D>
class WordSource {
 public:
  using D32 = hn::RebindToUnsigned<D>;
#if HWY_TARGET == HWY_SCALAR
  using D64 = hn::Rebind<std::uint64_t, D>;
#else
  using D64 = hn::Repartition<std::uint64_t, D>;
#endif
  using V = hn::Vec<D32>;

  HWY_INLINE WordSource(const philox::Keys& keys, const philox::StepWords& step,
                        std::uint32_t chain)
      : even_(D64(), keys, step, chains(chain)), odd_(D64(), keys, step, chains(chain + 1)) {}

  HWY_INLINE FourWords<V> at(std::uint32_t index) const {
    const auto a = even_.at(D64(), index);
#if HWY_TARGET == HWY_SCALAR
    return {V{low(a.w0)}, V{low(a.w1)}, V{low(a.w2)}, V{low(a.w3)}};
#else
    const auto b = odd_.at(D64(), index);
    return {interleave(a.w0, b.w0), interleave(a.w1, b.w1), interleave(a.w2, b.w2),
            interleave(a.w3, b.w3)};
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
#if HWY_TARGET == HWY_SCALAR
  static HWY_INLINE std::uint32_t low(V64 v) { return static_cast<std::uint32_t>(v.raw); }
#else
  static HWY_INLINE V interleave(V64 even, V64 odd) {
    const D32 d32;
    return hn::OddEven(hn::Shuffle2301(hn::BitCast(d32, odd)), hn::BitCast(d32, even));
  }
#endif

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
