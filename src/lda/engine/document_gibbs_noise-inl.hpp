// Uniforms of the tokens of one document, in order: Philox with the index in the lanes, where
// philox-inl.hpp has the chains. Included once per instruction set.
#if defined(TAIN_LDA_DOCUMENT_GIBBS_NOISE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TAIN_LDA_DOCUMENT_GIBBS_NOISE_INL
#undef TAIN_LDA_DOCUMENT_GIBBS_NOISE_INL
#else
#define TAIN_LDA_DOCUMENT_GIBBS_NOISE_INL
#endif

#include "random/philox-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tain::HWY_NAMESPACE {

// A document in a visit, ready for any index. The counter is (chain, index, c2, c3): what does not
// depend on the index, half of each of the first three rounds, is done once and in scalars.
class DocumentNoise {
 public:
  using D = hn::ScalableTag<std::uint64_t>;
  using V = hn::Vec<D>;
  static constexpr std::size_t lanes = HWY_LANES(std::uint64_t);

  HWY_INLINE DocumentNoise(const philox::Keys& keys, const philox::StepWords& step,
                           std::uint32_t chain)
      : keys_(keys) {
    const std::uint64_t by_step = philox::multiplier1 * step.c2;
    const std::uint64_t by_chain = philox::multiplier0 * chain;
    first_c0_ = (by_step >> 32) ^ keys.k0[0];
    const std::uint64_t first_c2 = (by_chain >> 32) ^ step.c3 ^ keys.k1[0];
    second_c2_ = low(by_chain) ^ keys.k1[1];
    const std::uint64_t by_c2 = philox::multiplier1 * first_c2;
    const std::uint64_t second_c0 = (by_c2 >> 32) ^ low(by_step) ^ keys.k0[1];
    third_c0_ = low(by_c2) ^ keys.k0[2];
    const std::uint64_t by_c0 = philox::multiplier0 * second_c0;
    third_c2_ = (by_c0 >> 32) ^ keys.k1[2];
    third_c3_ = low(by_c0);
  }

  // Uniforms of the tokens 4 index, ..., 4 (index + lanes) - 1 of a sweep.
  HWY_INLINE void store(std::uint32_t index, float* out) const {
    const D d;
    const FourWords<V> words = at(hn::Add(hn::Set(d, std::uint64_t{index}), order()));
    const V a = pair(words.w0, words.w1), b = pair(words.w2, words.w3);
#if HWY_TARGET == HWY_SCALAR
    store_pair(a, out);
    store_pair(b, out + 2);
#else
    const hn::Repartition<float, D> df;
    hn::StoreU(uniforms(hn::InterleaveLower(d, a, b)), df, out);
    hn::StoreU(uniforms(hn::InterleaveUpper(d, a, b)), df, out + hn::Lanes(df));
#endif
  }

 private:
  static std::uint64_t low(std::uint64_t word) { return word & 0xFFFFFFFFu; }

  // Lane 2 i has index i, lane 2 i + 1 index i + lanes / 2: interleaving neighbours within 128 bits
  // then leaves the words of all tokens in order.
  static HWY_INLINE V order() {
    const D d;
    if constexpr (lanes == 1) {
      return hn::Zero(d);
    } else {
      const V lane = hn::Iota(d, 0);
      const V half = hn::Mul(hn::And(lane, hn::Set(d, 1)), hn::Set(d, lanes / 2));
      return hn::Add(hn::ShiftRight<1>(lane), half);
    }
  }

  HWY_INLINE FourWords<V> at(V index) const {
    const D d;
    const V by_index =
        multiply_words(d, hn::Xor(index, hn::Set(d, first_c0_)), philox::multiplier0);
    const V second_c2 = hn::Xor(upper_words(d, by_index), hn::Set(d, second_c2_));
    const V by_c2 = multiply_words(d, second_c2, philox::multiplier1);
    return last_rounds(
        d, keys_,
        FourWords<V>{hn::Xor(upper_words(d, by_c2), hn::Set(d, third_c0_)), by_c2,
                     hn::Xor(by_index, hn::Set(d, third_c2_)), hn::Set(d, third_c3_)});
  }

  static HWY_INLINE V pair(V first, V second) {
    const D d;
    return hn::Or(hn::And(first, hn::Set(d, 0xFFFFFFFFu)), hn::ShiftLeft<32>(second));
  }

  // (word / 2 + 1/2) 2^-31 without the last bit: in (0, 1), below 1 also after rounding to float.
#if HWY_TARGET == HWY_SCALAR
  static HWY_INLINE void store_pair(V words, float* out) {
    for (int i = 0; i < 2; ++i) {
      const auto word = static_cast<std::int32_t>(low(words.raw >> (32 * i)) >> 1);
      out[i] = HWY_MIN((static_cast<float>(word) + 0.5F) * 0x1p-31F, 1 - 0x1p-24F);
    }
  }
#else
  static HWY_INLINE hn::Vec<hn::Repartition<float, D> > uniforms(V words) {
    const hn::Repartition<float, D> df;
    const hn::RebindToUnsigned<decltype(df)> du;
    const hn::RebindToSigned<decltype(df)> di;
    const auto half = hn::BitCast(di, hn::ShiftRight<1>(hn::BitCast(du, words)));
    const auto centred = hn::Add(hn::ConvertTo(df, half), hn::Set(df, 0.5F));
    return hn::Min(hn::Mul(centred, hn::Set(df, 0x1p-31F)), hn::Set(df, 1 - 0x1p-24F));
  }
#endif

  const philox::Keys& keys_;
  std::uint64_t first_c0_, second_c2_, third_c0_, third_c2_, third_c3_;
};

}  // namespace tain::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard per target
