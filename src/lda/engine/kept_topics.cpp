#include "lda/engine/kept_topics.hpp"

#include <algorithm>
#include <numeric>

namespace tain {

std::span<const std::uint32_t> document_tokens(const DocumentWords& words,
                                               std::vector<std::uint32_t>& expanded) {
  if (words.counts.empty()) {
    return words.ids;
  }
  expanded.resize(words.tokens());
  std::uint32_t* place = expanded.data();
  for (std::size_t i = 0; i < words.ids.size(); ++i) {
    for (std::uint32_t left = words.counts[i]; left > 0; --left) {
      *place++ = words.ids[i];
    }
  }
  return expanded;
}

KeptTopics::KeptTopics(const Corpus& corpus, const TrainingDocuments& documents, Range places,
                       std::uint32_t topics, Range words)
    : corpus_(corpus),
      documents_(documents),
      places_(places),
      words_(words),
      topics_of_model_(topics),
      begin_(places.size() + 1) {
  for (std::uint64_t i = 0; i < places.size(); ++i) {
    begin_[i + 1] = begin_[i] + corpus.document(documents[places.first + i]).tokens();
  }
  topics_.assign(begin_.back(), unknown);
  counts_.words.resize(words.size());
  std::iota(counts_.words.begin(), counts_.words.end(), static_cast<std::uint32_t>(words.first));
  counts_.sums = BasicBlockStorage<std::uint32_t>(words.size(), padded_topics(topics));
  counts_.kept = 1;
}

void KeptTopics::replace(std::uint64_t place, std::span<const std::uint32_t> words,
                         std::span<const std::uint16_t> topics) {
  TAIN_EXPECTS(words.size() == of(place).size() && topics.size() == words.size(),
               "a topic for every token");
  std::uint16_t* const own = topics_.data() + begin_[place - places_.first];
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (own[i] == topics[i]) {
      continue;
    }
    if (own[i] != unknown) {
      add_together(words[i], own[i], -1);
    }
    add_together(words[i], topics[i], 1);
    own[i] = topics[i];
  }
}

void KeptTopics::set(std::uint64_t place, std::span<const std::uint16_t> topics) {
  TAIN_EXPECTS(topics.size() == of(place).size(), "a topic for every token");
  std::ranges::copy(topics, topics_.data() + begin_[place - places_.first]);
}

void KeptTopics::forget_counts() { std::ranges::fill(counts_.sums.view().flat(), 0U); }

void KeptTopics::recount(Threads& threads) {
  forget_counts();
  constexpr std::uint64_t documents_per_task = 256;
  const std::uint64_t tasks = (places_.size() + documents_per_task - 1) / documents_per_task;
  threads.for_each(tasks, [&](std::size_t task) {
    std::vector<std::uint32_t> expanded;
    const std::uint64_t first = places_.first + task * documents_per_task;
    for (std::uint64_t p = first; p < std::min(places_.end, first + documents_per_task); ++p) {
      const auto words = document_tokens(corpus_.document(documents_[p]), expanded);
      for (std::size_t i = 0; i < words.size(); ++i) {
        if (of(p)[i] != unknown) {
          add_together(words[i], of(p)[i], 1);
        }
      }
    }
  });
}

void KeptTopics::archive(Archive& a, Range part) {
  TAIN_EXPECTS(a.reading() || part == places_, "a rank writes its own topics");
  const auto pass_over = [&](Range others) {
    std::uint64_t tokens = 0;
    for (std::uint64_t p = others.first; p < others.end; ++p) {
      tokens += corpus_.document(documents_[p]).tokens();
    }
    a.skip(tokens * sizeof(std::uint16_t));
  };
  const Range own = common(part, places_);
  if (own.empty()) {
    return pass_over(part);
  }
  pass_over({part.first, own.first});
  const std::uint64_t begin = begin_[own.first - places_.first];
  a.field(std::span(topics_).subspan(begin, begin_[own.end - places_.first] - begin));
  for (std::uint64_t p = own.first; a.reading() && p < own.end; ++p) {
    const bool known = is_known(p);
    a.require(
        std::ranges::all_of(
            of(p), [&](std::uint16_t k) { return known ? k < topics_of_model_ : k == unknown; }),
        "gives words topics that there are not");
  }
  pass_over({own.end, part.end});
}

std::uint64_t kept_topics_bytes(std::uint64_t documents, std::uint64_t tokens, std::uint32_t topics,
                                std::uint32_t words) {
  return 8 * (documents + 1) + 2 * tokens +
         sizeof(std::uint32_t) * (padded_topics(topics) + 1) * std::uint64_t{words};
}

}  // namespace tain
