#include "lda/engine/methods/pass.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lda/engine/methods/pass.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tain::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void add_rows(BasicBlock<const std::uint32_t> counts, std::size_t first, std::size_t end,
              std::uint64_t* HWY_RESTRICT columns) {
  const hn::ScalableTag<std::uint64_t> d;
  const hn::Rebind<std::uint32_t, decltype(d)> narrow;
  for (std::size_t i = first; i < end; ++i) {
    const std::uint32_t* HWY_RESTRICT row = counts.row(i);
    for (std::size_t k = 0; k < counts.lanes(); k += hn::Lanes(d)) {
      const auto n = hn::PromoteTo(d, hn::LoadU(narrow, row + k));
      hn::StoreU(hn::Add(hn::LoadU(d, columns + k), n), d, columns + k);
    }
  }
}

}  // namespace tain::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>

namespace tain {

HWY_EXPORT(add_rows);

void add_counts(BasicBlock<const std::uint32_t> counts, std::size_t first, std::size_t end,
                std::uint64_t* columns) {
  HWY_DYNAMIC_DISPATCH(add_rows)(counts, first, end, columns);
}

BlockCounts::BlockCounts(const TopicPass& pass, std::size_t block)
    : first(block * block_words), count(std::min(block_words, pass.words - first)) {
  std::fill_n(rows, block_words, pass.no_counts);
  const auto& words = pass.batch.words;
  const std::size_t number = pass.first_word + first;
  const auto begin = std::lower_bound(words.begin(), words.end(), number);
  for (auto word = begin; word != words.end() && *word < number + count; ++word) {
    rows[*word - number] =
        pass.batch.sums.view().row(static_cast<std::size_t>(word - words.begin()));
  }
}

}  // namespace tain
#endif  // HWY_ONCE
