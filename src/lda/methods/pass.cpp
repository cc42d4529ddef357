#include "methods/pass.hpp"

#include <algorithm>

namespace tain {

BlockCounts::BlockCounts(const TopicPass& pass, std::size_t block)
    : first(block * block_words), count(std::min(block_words, pass.words - first)) {
  std::fill_n(rows, block_words, pass.no_counts);
  const auto& words = pass.batch.words;
  const auto begin = std::lower_bound(words.begin(), words.end(), first);
  for (auto word = begin; word != words.end() && *word < first + count; ++word) {
    rows[*word - first] =
        pass.batch.sums.view().row(static_cast<std::size_t>(word - words.begin()));
  }
}

}  // namespace tain
