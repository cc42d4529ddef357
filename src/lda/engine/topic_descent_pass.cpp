#include "lda/engine/topic_descent_pass.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lda/engine/topic_descent_pass.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "lda/engine/methods/pass-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tain::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Entries of a document that are looked at together: shares and sums are then read once for all,
// and one entry's latency hides another's.
constexpr std::size_t together = 8;

// ratios[i] = count / sum_k shares_k row_k for `n` entries (1 or `together`), and sums += ratio
// row.
template <std::size_t n>
HWY_INLINE void visit(const descent::Document& document, std::size_t first, std::size_t length) {
  const hn::ScalableTag<float> d;
  using V = hn::Vec<decltype(d)>;
  const float* rows[n];
  V totals[n];
  for (std::size_t i = 0; i < n; ++i) {
    rows[i] = document.weights.row(document.entries[first + i].word);
    totals[i] = hn::Zero(d);
  }
  for (std::size_t k = 0; k < length; k += hn::Lanes(d)) {
    const V shares = hn::Load(d, document.shares + k);
    for (std::size_t i = 0; i < n; ++i) {
      totals[i] = hn::MulAdd(shares, hn::Load(d, rows[i] + k), totals[i]);
    }
  }
  V ratios[n];
  for (std::size_t i = 0; i < n; ++i) {
    const float total = hn::GetLane(hn::SumOfLanes(d, totals[i]));
    const float ratio = total > 0 ? document.entries[first + i].count / total : 0.0F;
    document.ratios[first + i] = ratio;
    ratios[i] = hn::Set(d, ratio);
  }
  for (std::size_t k = 0; k < length; k += hn::Lanes(d)) {
    V sum = hn::Load(d, document.sums + k);
    for (std::size_t i = 0; i < n; ++i) {
      sum = hn::MulAdd(ratios[i], hn::Load(d, rows[i] + k), sum);
    }
    hn::Store(sum, d, document.sums + k);
  }
}

// out += factor row
HWY_INLINE void add_row(float factor, const float* HWY_RESTRICT row, std::size_t length,
                        float* HWY_RESTRICT out) {
  const hn::ScalableTag<float> d;
  const auto f = hn::Set(d, factor);
  for (std::size_t k = 0; k < length; k += hn::Lanes(d)) {
    hn::Store(hn::MulAdd(f, hn::Load(d, row + k), hn::Load(d, out + k)), d, out + k);
  }
}

// shares_k = (max(n_k - discount, 0) + alpha_k) c_k with n_k = shares_k sums_k; sums = 0.
HWY_INLINE void weigh(const descent::Document& document, std::size_t length) {
  const hn::ScalableTag<float> d;
  const auto discount = hn::Set(d, document.discount);
  for (std::size_t k = 0; k < length; k += hn::Lanes(d)) {
    const auto n = hn::Mul(hn::Load(d, document.shares + k), hn::Load(d, document.sums + k));
    const auto m =
        hn::Add(hn::Max(hn::Sub(n, discount), hn::Zero(d)), hn::LoadU(d, document.alpha + k));
    hn::Store(hn::Mul(m, hn::LoadU(d, document.inverse_sums + k)), d, document.shares + k);
    hn::Store(hn::Zero(d), d, document.sums + k);
  }
}

void infer_document(const descent::Document& document) {
  const std::size_t length = document.weights.lanes();
  std::fill_n(document.shares, length, document.uniform);
  std::fill_n(document.sums, length, 1.0F);
  for (std::uint32_t round = 0; round < document.rounds; ++round) {
    weigh(document, length);
    std::size_t i = 0;
    for (; i + together <= document.entries.size(); i += together) {
      visit<together>(document, i, length);
    }
    for (; i < document.entries.size(); ++i) {
      visit<1>(document, i, length);
    }
  }
}

// theta' = theta (keep + gain sum_d ratio_dw shares_dk) + prior, since n_kw = theta_kw that sum.
void update_block(const descent::Block& block) {
  const hn::ScalableTag<float> d;
  const std::size_t length = block.weights.lanes();
  const auto keep = hn::Set(d, block.keep), gain = hn::Set(d, block.gain);
  std::fill_n(block.sums, length, 0.0);
  for (std::size_t word = block.first; word < block.end; ++word) {
    std::fill_n(block.scratch, length, 0.0F);
    for (std::uint32_t e = block.begin[word]; e < block.begin[word + 1]; ++e) {
      const descent::Occurrence& occurrence = block.occurrences[e];
      add_row(occurrence.ratio, block.shares.row(occurrence.document), length, block.scratch);
    }
    float* const row = block.weights.row(word);
    for (std::size_t k = 0; k < length; k += hn::Lanes(d)) {
      const auto factor = hn::MulAdd(gain, hn::Load(d, block.scratch + k), keep);
      hn::Store(hn::MulAdd(hn::Load(d, row + k), factor, hn::Load(d, block.prior + k)), d, row + k);
    }
  }
  for (std::size_t k = 0; k < length; k += hn::Lanes(d)) {
    DoubleSum<decltype(d)> sum;
    for (std::size_t word = block.first; word < block.end; ++word) {
      sum.add(hn::Load(d, block.weights.row(word) + k));
    }
    sum.store(block.sums + k);
  }
}

}  // namespace tain::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tain::descent {

HWY_EXPORT(infer_document);
HWY_EXPORT(update_block);

void infer(const Document& document) { HWY_DYNAMIC_DISPATCH(infer_document)(document); }
void update(const Block& block) { HWY_DYNAMIC_DISPATCH(update_block)(block); }

}  // namespace tain::descent
#endif  // HWY_ONCE
