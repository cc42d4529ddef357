#include "random/noise.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "random/noise.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "random/normals-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tain::HWY_NAMESPACE {

// All rows of the lanes [lane, lane + Lanes(d)).
template <class D>
HWY_INLINE void normals_of_lanes(D d, const philox::Keys& keys, const philox::StepWords& step,
                                 std::uint32_t chain, std::uint32_t index, float* HWY_RESTRICT out,
                                 std::size_t rows, std::size_t stride) {
  const WordSource<D> source(keys, step, chain);
  // The words of the next rows are asked for before these are transformed: two independent chains
  // of operations for the processor to interleave.
  auto next = source.at(index);
  for (std::size_t row = 0; row < rows; row += 4) {
    const auto words = next;
    if (row + 4 < rows) {
      next = source.at(++index);
    }
    const auto normals = four_normals(d, words);
    float* const place = out + row * stride;
    hn::StoreU(normals.w0, d, place);
    if (row + 1 < rows) {
      hn::StoreU(normals.w1, d, place + stride);
    }
    if (row + 2 < rows) {
      hn::StoreU(normals.w2, d, place + 2 * stride);
    }
    if (row + 3 < rows) {
      hn::StoreU(normals.w3, d, place + 3 * stride);
    }
  }
}

void fill_normals(std::uint64_t seed, philox::StepWords step, std::uint32_t first_chain,
                  std::uint32_t first_index, FloatBlock out) {
  const philox::Keys keys(seed);
  for_lane_vectors(out.lanes(), [&](auto d, std::size_t lane) {
    normals_of_lanes(d, keys, step, first_chain + static_cast<std::uint32_t>(lane), first_index,
                     out.data() + lane, out.rows(), out.lanes());
  });
}

void fill_words(std::uint64_t seed, philox::StepWords step, std::uint32_t first_chain,
                std::uint32_t index, std::size_t chains, std::uint32_t* out) {
  const philox::Keys keys(seed);
  for_lane_vectors(chains, [&](auto d, std::size_t lane) {
    const hn::RebindToUnsigned<decltype(d)> du;
    const WordSource<decltype(d)> source(keys, step,
                                         first_chain + static_cast<std::uint32_t>(lane));
    const auto words = source.at(index);
    hn::StoreU(words.w0, du, out + lane);
    hn::StoreU(words.w1, du, out + chains + lane);
    hn::StoreU(words.w2, du, out + 2 * chains + lane);
    hn::StoreU(words.w3, du, out + 3 * chains + lane);
  });
}

void fill_uniforms(std::uint64_t seed, philox::StepWords step, std::uint32_t first_chain,
                   std::span<double> out) {
  const philox::Keys keys(seed);
  const hn::ScalableTag<std::uint64_t> du;
  const hn::ScalableTag<double> d;
  for (std::size_t lane = 0; lane < out.size(); lane += HWY_LANES(double)) {
    const auto chains =
        hn::Add(hn::Iota(du, 0), hn::Set(du, first_chain + static_cast<std::uint32_t>(lane)));
    const auto words = PhiloxGroup<decltype(du)>(du, keys, step, chains).at(du, 0);
    // A word in the low bits of 2^52 is the double 2^52 + word: no conversion, no rounding.
    const auto low = hn::And(words.w0, hn::Set(du, std::uint64_t{0xFFFFFFFF}));
    const auto shifted = hn::BitCast(d, hn::Or(low, hn::BitCast(du, hn::Set(d, 0x1p52))));
    const auto centred = hn::Add(hn::Sub(shifted, hn::Set(d, 0x1p52)), hn::Set(d, 0.5));
    hn::StoreU(hn::Mul(centred, hn::Set(d, 0x1p-32)), d, out.data() + lane);
  }
}

}  // namespace tain::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <Random123/philox.h>

#include "tain/core/error.hpp"

namespace tain {

HWY_EXPORT(fill_normals);
HWY_EXPORT(fill_words);
HWY_EXPORT(fill_uniforms);

void NoiseField::normals(Purpose purpose, std::uint64_t step, std::uint32_t first_chain,
                         FloatBlock out) const {
  normals(purpose, step, first_chain, 0, out);
}

void NoiseField::normals(Purpose purpose, std::uint64_t step, std::uint32_t first_chain,
                         std::uint64_t first_row, FloatBlock out) const {
  TAIN_EXPECTS(out.lanes() % lane_group == 0, "blocks hold whole lane groups");
  TAIN_EXPECTS(first_row % 4 == 0, "normals come in fours");
  HWY_DYNAMIC_DISPATCH(fill_normals)
  (seed_, philox::StepWords(purpose, step), first_chain, static_cast<std::uint32_t>(first_row / 4),
   out);
}

void NoiseField::uniforms(Purpose purpose, std::uint64_t step, std::uint32_t first_chain,
                          std::span<double> out) const {
  TAIN_EXPECTS(out.size() % lane_group == 0, "spans hold whole lane groups");
  HWY_DYNAMIC_DISPATCH(fill_uniforms)
  (seed_, philox::StepWords(purpose, step), first_chain, out);
}

void philox::words_of_chains(const NoiseField& field, Purpose purpose, std::uint64_t step,
                             std::uint32_t first_chain, std::uint32_t index, std::size_t chains,
                             std::uint32_t* out) {
  HWY_DYNAMIC_DISPATCH(fill_words)
  (field.seed(), StepWords(purpose, step), first_chain, index, chains, out);
}

std::array<std::uint32_t, 4> NoiseField::words(Purpose purpose, std::uint64_t step,
                                               std::uint32_t chain, std::uint32_t index) const {
  const philox::StepWords shared(purpose, step);
  const r123::Philox4x32::ctr_type counter{{chain, index, shared.c2, shared.c3}};
  const r123::Philox4x32::key_type key{
      {static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32)}};
  const auto words = r123::Philox4x32()(counter, key);
  return {words[0], words[1], words[2], words[3]};
}

}  // namespace tain
#endif  // HWY_ONCE
