// Small models and batches for the tests of document Gibbs.
#pragma once

#include <cstdint>
#include <vector>

#include "lda/engine/document_gibbs.hpp"
#include "support/gammas.hpp"

namespace tain::testing {

struct SmallModel {
  TopicWeights topics;
  std::vector<float> alpha;
};

/// Gamma weights and alphas, all different.
inline SmallModel small_model(std::uint32_t topics, std::uint32_t words, double shape,
                              std::uint64_t seed) {
  SmallModel model{TopicWeights(topics, words), {}};
  Stream stream(NoiseField(seed), Purpose::first_topics, 0, 0);
  GammaSource gamma(NoiseField(seed), Purpose::first_topics, 0, 0);
  for (std::uint32_t k = 0; k < topics; ++k) {
    model.alpha.push_back(static_cast<float>(0.2 + stream.uniform()));
    for (std::uint32_t w = 0; w < words; ++w) {
      model.topics.weights().at(w, k) = static_cast<float>(gamma(shape));
    }
  }
  Threads one(1);
  model.topics.sum(one);
  return model;
}

/// Documents that own their words and topics.
struct Texts {
  std::vector<std::vector<std::uint32_t>> words;
  std::vector<std::vector<std::uint16_t>> topics;

  /// Documents first, first + 1, ... of the noise; their last topics go to `topics`.
  std::vector<GibbsDocument> fill(std::uint32_t first = 0) {
    topics.resize(words.size());
    std::vector<GibbsDocument> documents;
    for (std::size_t d = 0; d < words.size(); ++d) {
      topics[d].resize(words[d].size());
      documents.push_back(
          {.number = first + static_cast<std::uint32_t>(d), .words = words[d], .last = topics[d]});
    }
    return documents;
  }
  /// The same, starting from `topics`.
  std::vector<GibbsDocument> go_on(std::uint32_t first = 0) {
    std::vector<GibbsDocument> documents = fill(first);
    for (std::size_t d = 0; d < words.size(); ++d) {
      documents[d].start = topics[d];
    }
    return documents;
  }
};

/// Documents of 0 to most tokens.
inline Texts random_texts(std::size_t documents, std::size_t most, std::uint32_t words,
                          std::uint64_t seed) {
  Texts texts;
  Stream stream(NoiseField(seed), Purpose::start, 0, 0);
  for (std::size_t d = 0; d < documents; ++d) {
    texts.words.emplace_back(stream.word() % (most + 1));
    for (std::uint32_t& word : texts.words.back()) {
      word = stream.word() % words;
    }
  }
  return texts;
}

}  // namespace tain::testing
