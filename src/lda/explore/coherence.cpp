#include "lda/explore/coherence.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "tain/core/error.hpp"
#include "text/vocabulary.hpp"

namespace tain {
namespace {

/// A document meets a topic in a set of its words; there are few such sets.
using WordSet = std::uint32_t;
constexpr std::size_t all_sets = std::size_t{1} << judged_words;

/// Where a word stands among those of the topics.
struct Occurrence {
  std::uint32_t word, topic, position;
};

/// The places of all words, by word.
class Places {
 public:
  Places(std::span<const std::vector<std::uint32_t>> topics, std::uint32_t words)
      : first_(std::size_t{words} + 1, 0) {
    for (std::uint32_t topic = 0; topic < topics.size(); ++topic) {
      TAIN_EXPECTS(topics[topic].size() <= judged_words, "few words of each topic");
      for (std::uint32_t i = 0; i < topics[topic].size(); ++i) {
        if (topics[topic][i] != Vocabulary::none) {
          places_.push_back({topics[topic][i], topic, i});
        }
      }
    }
    std::ranges::stable_sort(places_, {}, &Occurrence::word);
    for (const Occurrence& place : places_) {
      ++first_[place.word + 1];
    }
    for (std::size_t w = 0; w < words; ++w) {
      first_[w + 1] += first_[w];
    }
  }
  std::span<const Occurrence> of(std::uint32_t word) const {
    return std::span(places_).subspan(first_[word], first_[word + 1] - first_[word]);
  }

 private:
  std::vector<Occurrence> places_;
  std::vector<std::uint32_t> first_;
};

/// How many documents contain which of a topic's words: all_sets counts per topic.
class SetCounts {
 public:
  explicit SetCounts(std::size_t topics) : counts_(topics * all_sets, 0), met_(topics, 0) {}

  void add(std::span<const std::uint32_t> ids, const Places& places) {
    for (const std::uint32_t id : ids) {
      for (const Occurrence& place : places.of(id)) {
        if (met_[place.topic] == 0) {
          topics_met_.push_back(place.topic);
        }
        met_[place.topic] |= WordSet{1} << place.position;
      }
    }
    for (const std::uint32_t topic : topics_met_) {
      ++counts_[topic * all_sets + met_[topic]];
      met_[topic] = 0;
    }
    topics_met_.clear();
  }
  void add(const SetCounts& other) {
    std::ranges::transform(counts_, other.counts_, counts_.begin(), std::plus<>());
  }
  /// Documents that contain all of these words of the topic.
  std::uint64_t documents(std::size_t topic, WordSet words) const {
    std::uint64_t sum = 0;
    for (WordSet set = words; set < all_sets; set = (set + 1) | words) {
      sum += counts_[topic * all_sets + set];
    }
    return sum;
  }

 private:
  std::vector<std::uint32_t> counts_;
  std::vector<WordSet> met_;
  std::vector<std::uint32_t> topics_met_;
};

double mean_over_pairs(const SetCounts& counts, std::size_t topic, std::size_t words,
                       std::uint64_t documents) {
  std::array<std::uint64_t, judged_words> single{};
  for (std::size_t i = 0; i < words; ++i) {
    single[i] = counts.documents(topic, WordSet{1} << i);
  }
  double sum = 0;
  for (std::size_t i = 0; i < words; ++i) {
    for (std::size_t j = i + 1; j < words; ++j) {
      const std::uint64_t both = counts.documents(topic, (WordSet{1} << i) | (WordSet{1} << j));
      sum += normalised_information(both, single[i], single[j], documents);
    }
  }
  return words < 2 ? 0 : sum / (0.5 * static_cast<double>(words * (words - 1)));
}

}  // namespace

double normalised_information(std::uint64_t both, std::uint64_t first, std::uint64_t second,
                              std::uint64_t documents) {
  if (both == 0) {
    return -1;
  }
  if (both == documents) {
    return 1;
  }
  const auto n = static_cast<double>(documents), joint = static_cast<double>(both);
  return std::log(joint / static_cast<double>(first) * (n / static_cast<double>(second))) /
         std::log(n / joint);
}

std::vector<double> coherence(const Corpus& corpus,
                              std::span<const std::vector<std::uint32_t>> topics,
                              Threads& threads) {
  const Places places(topics, corpus.words());
  const std::size_t parts = threads.count();
  std::vector<SetCounts> counts(parts, SetCounts(topics.size()));
  threads.for_each(parts, [&](std::size_t part) {
    const std::uint64_t end = corpus.documents() * (part + 1) / parts;
    for (std::uint64_t d = corpus.documents() * part / parts; d < end; ++d) {
      counts[part].add(corpus.document(d).ids, places);
    }
  });
  for (std::size_t part = 1; part < parts; ++part) {
    counts.front().add(counts[part]);
  }
  std::vector<double> values;
  for (std::size_t topic = 0; topic < topics.size(); ++topic) {
    values.push_back(
        mean_over_pairs(counts.front(), topic, topics[topic].size(), corpus.documents()));
  }
  return values;
}

}  // namespace tain
