#include "lda/model/topic_words.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tain/core/error.hpp"

namespace tain {

std::vector<double> prior_shares(std::span<const float> alpha) {
  const double sum = std::accumulate(alpha.begin(), alpha.end(), 0.0);
  std::vector<double> shares;
  for (const float a : alpha) {
    shares.push_back(static_cast<double>(a) / sum);
  }
  return shares;
}

namespace {

bool ranked_before(const RankedWord& a, const RankedWord& b) {
  return a.relevance != b.relevance       ? a.relevance > b.relevance
         : a.probability != b.probability ? a.probability > b.probability
                                          : a.word < b.word;
}

}  // namespace

TopicWords::TopicWords(const TopicWeights& topics, std::span<const double> shares)
    : topics_(topics), marginal_(topics.words(), 0.0), totals_(topics.words(), 0.0) {
  TAIN_EXPECTS(shares.size() == topics.topics(), "a share for every topic");
  for (std::uint32_t w = 0; w < topics.words(); ++w) {
    for (std::uint32_t k = 0; k < topics.topics(); ++k) {
      const double p = phi(w, k);
      marginal_[w] += shares[k] * p;
      totals_[w] += p;
    }
  }
}

double TopicWords::phi(std::uint32_t word, std::uint32_t topic) const {
  return static_cast<double>(topics_.weights().at(word, topic)) *
         static_cast<double>(topics_.inverse_sums()[topic]);
}

std::vector<RankedWord> TopicWords::ranked(std::uint32_t topic, std::size_t count,
                                           double lambda) const {
  std::vector<RankedWord> words;
  for (std::uint32_t w = 0; w < topics_.words(); ++w) {
    const double p = phi(w, topic);
    if (p > 0) {
      // With a share of 0 a topic's own words may have no marginal: their lift has no bound.
      const double lift = lambda < 1 ? std::log(p / marginal_[w]) : 0;
      words.push_back({w, p, lambda * std::log(p) + (1 - lambda) * lift});
    }
  }
  count = std::min(count, words.size());
  std::ranges::partial_sort(words, words.begin() + static_cast<std::ptrdiff_t>(count),
                            ranked_before);
  words.resize(count);
  return words;
}

std::vector<std::uint32_t> TopicWords::judged(std::uint32_t topic) const {
  // As ranked() with lambda = 1 orders them, without its logarithms.
  std::vector<RankedWord> words;
  for (std::uint32_t w = 0; w < topics_.words(); ++w) {
    if (const double p = phi(w, topic); p > 0) {
      words.push_back({w, p, 0});
    }
  }
  const std::size_t count = std::min(judged_words, words.size());
  std::ranges::partial_sort(words, words.begin() + static_cast<std::ptrdiff_t>(count),
                            ranked_before);
  std::vector<std::uint32_t> numbers;
  for (std::size_t i = 0; i < count; ++i) {
    numbers.push_back(words[i].word);
  }
  return numbers;
}

std::vector<std::uint32_t> TopicWords::relevant(std::uint32_t topic, std::size_t count) const {
  struct Logarithms {
    double probability, lift;
  };
  constexpr int parts = 10;
  std::vector<RankedWord> words;
  std::vector<Logarithms> logarithms(topics_.words());
  for (std::uint32_t w = 0; w < topics_.words(); ++w) {
    if (const double p = phi(w, topic); p > 0) {
      words.push_back({w, p, 0});
      logarithms[w] = {std::log(p), std::log(p / marginal_[w])};
    }
  }
  const auto first = static_cast<std::ptrdiff_t>(std::min(count, words.size()));
  std::vector<RankedWord> chosen;
  for (int part = 0; part <= parts; ++part) {
    const double lambda = static_cast<double>(part) / parts;
    for (RankedWord& word : words) {
      const Logarithms& logs = logarithms[word.word];
      // An infinite lift must not meet the factor 0.
      word.relevance = lambda * logs.probability + (part < parts ? (1 - lambda) * logs.lift : 0);
    }
    std::ranges::nth_element(words, words.begin() + first, ranked_before);
    chosen.insert(chosen.end(), words.begin(), words.begin() + first);
  }
  for (RankedWord& word : chosen) {
    word.relevance = 0;
  }
  std::ranges::sort(chosen, ranked_before);
  std::vector<std::uint32_t> numbers;
  for (const RankedWord& word : chosen) {
    if (numbers.empty() || numbers.back() != word.word) {
      numbers.push_back(word.word);
    }
  }
  return numbers;
}

double TopicWords::exclusivity(std::uint32_t topic) const {
  double sum = 0;
  const std::vector<std::uint32_t> words = judged(topic);
  for (const std::uint32_t word : words) {
    sum += phi(word, topic) / totals_[word];
  }
  return sum / static_cast<double>(words.size());
}

}  // namespace tain
