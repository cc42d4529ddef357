#include "lda/engine/methods/exact.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lda/engine/methods/exact.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "lda/engine/methods/pass-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tain::HWY_NAMESPACE {

// The cells of a block of words and of some topics, together in memory.
struct Strip {
  std::size_t first, lanes;  // topics
  alignas(64) float shapes[block_words * row_alignment];
  alignas(64) float states[block_words * row_alignment];  // of steps: what they start from
  alignas(64) float drawn[block_words * row_alignment];

  FloatBlock block(float* cells, std::size_t words) const { return {cells, words, lanes}; }
};

// A of every cell and, of steps, its weight.
template <bool steps>
HWY_INLINE void fill(const TopicPass& pass, const BlockCounts& counts, Strip& strip) {
  for_lane_vectors(strip.lanes, [&](auto d, std::size_t lane) HWY_ATTR {
    const hn::RebindToSigned<decltype(d)> di;
    const auto each = hn::Set(d, pass.count_scale), eta = hn::Set(d, pass.eta);
    const std::size_t topic = strip.first + lane;
    for (std::size_t word = 0; word < counts.count; ++word) {
      float* const weights = pass.weights + (counts.first + word) * pass.length + topic;
      const auto* const row = reinterpret_cast<const std::int32_t*>(counts.rows[word] + topic);
      const auto n = hn::ConvertTo(d, hn::LoadU(di, row));
      const std::size_t place = word * strip.lanes + lane;
      hn::StoreU(hn::MulAdd(n, each, eta), d, strip.shapes + place);
      if constexpr (steps) {
        hn::StoreU(hn::LoadU(d, weights), d, strip.states + place);
      }
      // Rows are too long a stride for the processor to guess.
      hwy::Prefetch(weights + row_alignment);
      hwy::Prefetch(row + row_alignment);
    }
  });
}

// New weights, and their sums: NaN where a state was.
template <bool steps>
HWY_INLINE void keep(const TopicPass& pass, const BlockCounts& counts, std::size_t block,
                     const Strip& strip) {
  for_lane_vectors(strip.lanes, [&](auto d, std::size_t lane) HWY_ATTR {
    const Lane<decltype(d)> cells(d, pass, strip.first + lane);
    DoubleSum<decltype(d)> sum;
    for (std::size_t word = 0; word < counts.count; ++word) {
      const std::size_t place = word * strip.lanes + lane;
      const auto theta = hn::LoadU(d, strip.drawn + place);
      cells.store(theta, pass.weights, counts.first + word);
      const auto seen = steps ? unless_broken(d, theta, hn::LoadU(d, strip.states + place)) : theta;
      sum.add(hn::IfThenElseZero(cells.live, seen));
    }
    sum.store(pass.block_sums + block * pass.length + strip.first + lane);
  });
}

template <bool steps>
HWY_INLINE void run_block(const TopicPass& pass, const Gammas& gammas, std::size_t block) {
  const BlockCounts counts(pass, block);
  Strip strip;
  for (strip.first = 0; strip.first < pass.length; strip.first += row_alignment) {
    // Of the last topics only the lane groups that have some.
    const std::size_t left = strip.first < pass.topics ? pass.topics - strip.first : 0;
    strip.lanes = std::min(row_alignment, padded_lanes(left));
    const NoisePlace place{Purpose::topics, pass.step, static_cast<std::uint32_t>(strip.first),
                           static_cast<std::uint32_t>(pass.first_word + counts.first)};
    fill<steps>(pass, counts, strip);
    const FloatBlock shapes = strip.block(strip.shapes, counts.count),
                     drawn = strip.block(strip.drawn, counts.count);
    if constexpr (steps) {
      gammas.step(pass.noise, place, shapes, pass.step_size,
                  strip.block(strip.states, counts.count), drawn);
    } else {
      gammas.draw(pass.noise, place, shapes, drawn);
    }
    keep<steps>(pass, counts, block, strip);
    double* const sums = pass.block_sums + block * pass.length + strip.first;
    std::fill(sums + strip.lanes, sums + row_alignment, 0.0);
  }
}
void draws_block(const TopicPass& pass, const Gammas& gammas, std::size_t block) {
  run_block<false>(pass, gammas, block);
}
void steps_block(const TopicPass& pass, const Gammas& gammas, std::size_t block) {
  run_block<true>(pass, gammas, block);
}

}  // namespace tain::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tain {

HWY_EXPORT(draws_block);
HWY_EXPORT(steps_block);

namespace exact {
void run_draws(const TopicPass& pass, const Gammas& gammas, std::size_t block) {
  HWY_DYNAMIC_DISPATCH(draws_block)(pass, gammas, block);
}
void run_steps(const TopicPass& pass, const Gammas& gammas, std::size_t block) {
  HWY_DYNAMIC_DISPATCH(steps_block)(pass, gammas, block);
}
}  // namespace exact

}  // namespace tain
#endif  // HWY_ONCE
