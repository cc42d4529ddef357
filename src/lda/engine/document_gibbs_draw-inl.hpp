// One draw from unnormalised float probabilities. Included once per instruction set.
//
// Definition: probability p(b, l) sits in lane l of block b, 16 lanes each. With
//   s(b, l) = p(0, l) + ... + p(b, l) and P(l) a prefix sum of the last s(., l) over the lanes,
//   target t in [0, P(15)) selects the first lane with P(l) > t, and in it the first block with
//   s(b, l) > t - P(l - 1).
// Laws: a block with p = 0 is never selected: s does not rise there. Rounding may leave no lane or
//   no block above the target; then `nothing` is selected. All orders of adding are written out,
//   hence the same bits on every instruction set.
#if defined(TAIN_LDA_DOCUMENT_GIBBS_DRAW_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TAIN_LDA_DOCUMENT_GIBBS_DRAW_INL
#undef TAIN_LDA_DOCUMENT_GIBBS_DRAW_INL
#else
#define TAIN_LDA_DOCUMENT_GIBBS_DRAW_INL
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace tain::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

inline constexpr std::size_t block_lanes = 16;
inline constexpr std::size_t nothing = ~std::size_t{0};

using FloatTag = hn::ScalableTag<float>;
using FloatVector = hn::Vec<FloatTag>;
inline constexpr std::size_t width = HWY_LANES(float);
inline constexpr std::size_t parts = block_lanes / width;

// A block of 16 floats in as many vectors as it takes.
struct Lanes {
  FloatVector part[parts];

  static HWY_INLINE Lanes load(const float* from) {
    Lanes lanes;
    for (std::size_t i = 0; i < parts; ++i) {
      lanes.part[i] = hn::Load(FloatTag(), from + i * width);
    }
    return lanes;
  }
  // from[index[l]]
  static HWY_INLINE Lanes gather(const float* from, const std::int32_t* index) {
    Lanes lanes;
    const hn::RebindToSigned<FloatTag> di;
    for (std::size_t i = 0; i < parts; ++i) {
      lanes.part[i] = hn::GatherIndex(FloatTag(), from, hn::Load(di, index + i * width));
    }
    return lanes;
  }
  HWY_INLINE void store(float* to) const {
    for (std::size_t i = 0; i < parts; ++i) {
      hn::Store(part[i], FloatTag(), to + i * width);
    }
  }
};

HWY_INLINE Lanes operator*(const Lanes& a, const Lanes& b) {
  Lanes lanes;
  for (std::size_t i = 0; i < parts; ++i) {
    lanes.part[i] = hn::Mul(a.part[i], b.part[i]);
  }
  return lanes;
}

HWY_INLINE Lanes operator+(const Lanes& a, const Lanes& b) {
  Lanes lanes;
  for (std::size_t i = 0; i < parts; ++i) {
    lanes.part[i] = hn::Add(a.part[i], b.part[i]);
  }
  return lanes;
}

// Prefix sums over 16 lanes: within fours, x3 = (a3 + a2) + (a1 + a0), x2 = (a2 + a1) + a0; then
// the first four's last is added to the second, the third's to the fourth; then the lower eight's
// last to the upper eight.
class PrefixSum {
 public:
  HWY_INLINE PrefixSum() {
#if HWY_TARGET == HWY_AVX3
    alignas(64) static constexpr std::int32_t last_of_four[16] = {0, 0, 0, 0, 3,  3,  3,  3,
                                                                  8, 8, 8, 8, 11, 11, 11, 11};
    const FloatTag d;
    const hn::RebindToSigned<FloatTag> di;
    const auto lane = hn::Iota(di, 0);
    fours_ = hn::SetTableIndices(d, last_of_four);
    eights_ = hn::IndicesFromVec(d, hn::Set(di, 7));
    whole_ = hn::IndicesFromVec(d, hn::Set(di, 15));
    odd_fours_ = hn::RebindMask(d, hn::Ne(hn::And(lane, hn::Set(di, 4)), hn::Zero(di)));
    upper_ = hn::RebindMask(d, hn::Ne(hn::And(lane, hn::Set(di, 8)), hn::Zero(di)));
#endif
  }

  HWY_INLINE Lanes of(const Lanes& values) const {
    const FloatTag d;
    Lanes x = values;
#if HWY_TARGET == HWY_SCALAR
    for (std::size_t i = 0; i < block_lanes; i += 4) {
      const float a0 = x.part[i].raw, a1 = x.part[i + 1].raw, a2 = x.part[i + 2].raw;
      x.part[i + 1].raw = a1 + a0;
      x.part[i + 3].raw = (x.part[i + 3].raw + a2) + x.part[i + 1].raw;
      x.part[i + 2].raw = (a2 + a1) + a0;
    }
    for (std::size_t i = 0; i < 4; ++i) {
      x.part[4 + i].raw += x.part[3].raw;
      x.part[12 + i].raw += x.part[11].raw;
    }
    for (std::size_t i = 8; i < block_lanes; ++i) {
      x.part[i].raw += x.part[7].raw;
    }
    static_cast<void>(d);
#else
    for (FloatVector& part : x.part) {
      part = hn::Add(part, hn::ShiftLeftLanes<1>(d, part));
      part = hn::Add(part, hn::ShiftLeftLanes<2>(d, part));
    }
#if HWY_TARGET == HWY_AVX3
    FloatVector& v = x.part[0];
    v = hn::IfThenElse(odd_fours_, hn::Add(v, hn::TableLookupLanes(v, fours_)), v);
    v = hn::IfThenElse(upper_, hn::Add(v, hn::TableLookupLanes(v, eights_)), v);
#else
    for (FloatVector& part : x.part) {
      part = hn::Add(part, hn::ConcatLowerLower(d, hn::Broadcast<3>(part), hn::Zero(d)));
    }
    x.part[1] = hn::Add(x.part[1], hn::Broadcast<3>(hn::ConcatUpperUpper(d, x.part[0], x.part[0])));
#endif
#endif
    return x;
  }

  // The last lane.
  HWY_INLINE float total(const Lanes& sums) const {
#if HWY_TARGET == HWY_AVX3
    return hn::GetLane(hn::TableLookupLanes(sums.part[0], whole_));
#elif HWY_TARGET == HWY_SCALAR
    return sums.part[block_lanes - 1].raw;
#else
    const FloatTag d;
    return hn::GetLane(hn::Broadcast<3>(hn::ConcatUpperUpper(d, sums.part[1], sums.part[1])));
#endif
  }

 private:
#if HWY_TARGET == HWY_AVX3
  hn::Indices512<float> fours_, eights_, whole_;
  hn::Mask<FloatTag> odd_fours_, upper_;
#endif
};

// Bit l: sums(l) > target.
HWY_INLINE std::uint32_t lanes_above(const Lanes& sums, float target) {
  const FloatTag d;
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < parts; ++i) {
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, hn::Gt(sums.part[i], hn::Set(d, target)), bytes);
    std::uint16_t word;
    std::memcpy(&word, bytes, sizeof(word));
    bits |= std::uint32_t{word} << (i * width);
  }
  return bits;
}

// Sums of the products block by block, stored to partial; returns the last. product(b) is block b.
// `Blocks` unrolls the loop; 0: `blocks` is known at run time only.
template <std::size_t Blocks, class Product>
HWY_INLINE Lanes add_blocks(std::size_t blocks, float* partial, Product product) {
  Lanes sum = product(0);
  sum.store(partial);
  if constexpr (Blocks != 0) {
#pragma GCC unroll 8
    for (std::size_t b = 1; b < Blocks; ++b) {
      sum = sum + product(b);
      sum.store(partial + b * block_lanes);
    }
  } else {
    for (std::size_t b = 1; b < blocks; ++b) {
      sum = sum + product(b);
      sum.store(partial + b * block_lanes);
    }
  }
  return sum;
}

// First block of a column of partial sums that is above `rest`, by halving without branches; the
// last one is.
template <std::size_t Blocks>
HWY_INLINE std::size_t first_above(const float* column, std::size_t blocks, float rest) {
  std::size_t first = 0;
#pragma GCC unroll 4
  for (std::size_t left = Blocks != 0 ? Blocks : blocks; left > 1; left -= left / 2) {
    const std::size_t half = left / 2;
    first += column[(first + half - 1) * block_lanes] <= rest ? half : 0;
  }
  return first;
}

// prefix[l] = P(l - 1), partial[16 b + l] = s(b, l), bits of the lanes above the target.
template <std::size_t Blocks>
HWY_INLINE std::size_t select(std::uint32_t above, const float* prefix, const float* partial,
                              std::size_t blocks, float target) {
  const auto lane = static_cast<std::size_t>(__builtin_ctz(above | 0x8000u));
  const float rest = target - prefix[lane];
  const float* const column = partial + lane;
  const bool found = above != 0;
  if (HWY_UNLIKELY(!found || !(column[(blocks - 1) * block_lanes] > rest))) {
    return nothing;
  }
  return first_above<Blocks>(column, blocks, rest) * block_lanes + lane;
}

}  // namespace tain::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard per target
