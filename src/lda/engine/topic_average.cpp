#include "lda/engine/topic_average.hpp"

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
    : topics_(topics), words_(words), mean_(topics, 0) {}

void TopicAverage::add(const TopicWeights& topics, Threads& threads) {
  if (draws_ == 0) {
    mean_ = TopicWeights(topics_, words_);
  }
  ++draws_;
  const float share = 1 / static_cast<float>(draws_);
  const float* inverse = topics.inverse_sums().data();
  const std::size_t length = topics.row_length();
  for_each_word(topics, mean_.weights(), threads, [&](float* mean, const float* weights) {
    for (std::size_t k = 0; k < length; ++k) {
      mean[k] += (weights[k] * inverse[k] - mean[k]) * share;
    }
  });
}

const TopicWeights& TopicAverage::topics(Threads& threads, Comm& shards) {
  mean_.sum(threads, shards);
  return mean_;
}

void TopicAverage::archive(Archive& a) {
  archive_common(a);
  archive_words(a, {0, words_}, {0, words_});
}

void TopicAverage::archive_common(Archive& a) {
  a.field(draws_);
  if (a.reading()) {
    mean_ = TopicWeights(topics_, draws_ == 0 ? 0 : words_);
  }
}

void TopicAverage::archive_words(Archive& a, Range part, Range own) {
  if (draws_ == 0) {
    return;
  }
  const Range both = common(part, own);
  const std::uint64_t row = mean_.row_length() * sizeof(float);
  if (both.empty()) {
    if (a.reading()) {
      a.skip(part.size() * row);
    }
    return;
  }
  if (a.reading()) {
    a.skip((both.first - part.first) * row);
  }
  const FloatBlock rows = mean_.weights().slice(both.first - own.first, both.size());
  a.field(rows.flat());
  if (a.reading()) {
    a.require(std::ranges::all_of(rows.flat(), [](float p) { return p >= 0 && p <= 1.001F; }),
              "has a mean of topics that is none");
  }
  if (a.reading()) {
    a.skip((part.end - both.end) * row);
  }
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
