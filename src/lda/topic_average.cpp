#include "tain/lda/topic_average.hpp"

#include <algorithm>

namespace tain {
namespace {

/// Calls body(row of the mean, row of weights) for every word, block by block.
template <class Body>
void for_each_word(const TopicWeights& topics, FloatBlock mean, Threads& threads,
                   const Body& body) {
  const std::size_t words = topics.words();
  threads.for_each((words + block_words - 1) / block_words, [&](std::size_t block) {
    const std::size_t end = std::min(words, (block + 1) * block_words);
    for (std::size_t word = block * block_words; word < end; ++word) {
      body(mean.row(word), topics.weights().row(word));
    }
  });
}

}  // namespace

TopicAverage::TopicAverage(std::uint32_t topics, std::uint32_t words)
    : topics_(topics), words_(words) {}

void TopicAverage::add(const TopicWeights& topics, Threads& threads) {
  if (draws_ == 0) {
    mean_ = FloatBlockStorage(words_, padded_topics(topics_));
  }
  ++draws_;
  const float share = 1 / static_cast<float>(draws_);
  const float* inverse = topics.inverse_sums().data();
  const std::size_t length = topics.row_length();
  for_each_word(topics, mean_.view(), threads, [&](float* mean, const float* weights) {
    for (std::size_t k = 0; k < length; ++k) {
      mean[k] += (weights[k] * inverse[k] - mean[k]) * share;
    }
  });
}

void TopicAverage::archive(Archive& a) {
  a.field(draws_);
  if (a.reading()) {
    mean_ = draws_ == 0 ? FloatBlockStorage() : FloatBlockStorage(words_, padded_topics(topics_));
  }
  a.field(mean_.view().flat());
}

FloatBlockStorage topic_probabilities(const TopicWeights& topics, Threads& threads) {
  FloatBlockStorage phi(topics.words(), topics.row_length());
  const float* inverse = topics.inverse_sums().data();
  for_each_word(topics, phi.view(), threads, [&](float* row, const float* weights) {
    for (std::size_t k = 0; k < topics.row_length(); ++k) {
      row[k] = weights[k] * inverse[k];
    }
  });
  return phi;
}

}  // namespace tain
