#include "lda/engine/topics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tain/core/error.hpp"

namespace tain {

TopicWeights::TopicWeights(std::uint32_t topics, std::uint32_t words)
    : topics_(topics),
      weights_(words, padded_topics(topics)),
      inverse_sums_(padded_topics(topics), 0.0F) {}

void TopicWeights::sum(Threads& threads) {
  Alone alone;
  sum(threads, alone);
}

void TopicWeights::sum(Threads& threads, Comm& shards) {
  const std::size_t length = row_length();
  const std::size_t blocks = (words() + block_words - 1) / block_words;
  std::vector<double> partial(blocks * length, 0.0);
  const ConstFloatBlock rows = weights_.view();
  threads.for_each(blocks, [&](std::size_t block) {
    double* total = partial.data() + block * length;
    const std::size_t end = std::min<std::size_t>(words(), (block + 1) * block_words);
    for (std::size_t word = block * block_words; word < end; ++word) {
      for (std::size_t k = 0; k < length; ++k) {
        total[k] += static_cast<double>(rows.at(word, k));
      }
    }
  });
  std::vector<double> totals(length, 0.0);
  shards.ordered_reduce(std::as_writable_bytes(std::span(totals)), [&] {
    for (std::size_t block = 0; block < blocks; ++block) {
      for (std::size_t k = 0; k < length; ++k) {
        totals[k] += partial[block * length + k];
      }
    }
  });
  for (std::size_t k = 0; k < topics_; ++k) {
    const double total = totals[k];
    if (!std::isfinite(total) || total <= 0) {
      fail(Fault::data, fmt::format("topic {}", k + 1), fmt::format("its weights sum to {}", total),
           "take a smaller step size");
    }
    inverse_sums_[k] = static_cast<float>(1 / total);
  }
}

}  // namespace tain
