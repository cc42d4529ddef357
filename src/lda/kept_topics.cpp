#include "tain/lda/kept_topics.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>

#include "tain/core/error.hpp"

namespace tain {

std::span<const std::uint32_t> document_tokens(const DocumentWords& words,
                                               std::vector<std::uint32_t>& expanded) {
  if (words.counts.empty()) {
    return words.ids;
  }
  expanded.clear();
  for (std::size_t i = 0; i < words.ids.size(); ++i) {
    expanded.insert(expanded.end(), words.counts[i], words.ids[i]);
  }
  return expanded;
}

KeptTopics::KeptTopics(const Corpus& corpus, std::span<const std::uint32_t> documents,
                       std::uint32_t topics)
    : corpus_(corpus), documents_(documents), begin_(documents.size() + 1) {
  for (std::size_t i = 0; i < documents.size(); ++i) {
    begin_[i + 1] = begin_[i] + corpus.document(documents[i]).tokens();
  }
  topics_.assign(begin_.back() + 1, unknown);  // one more: an empty document may come last
  counts_.words.resize(corpus.words());
  std::iota(counts_.words.begin(), counts_.words.end(), 0U);
  counts_.sums = BasicBlockStorage<std::uint32_t>(corpus.words(), padded_topics(topics));
  counts_.kept = 1;
}

void KeptTopics::replace(std::size_t index, std::span<const std::uint32_t> words,
                         std::span<const std::uint16_t> topics) {
  TAIN_EXPECTS(words.size() == of(index).size() && topics.size() == words.size(),
               "a topic for every token");
  std::uint16_t* const own = topics_.data() + begin_[index];
  const BasicBlock<std::uint32_t> sums = counts_.sums.view();
  const auto change = [&](std::uint32_t word, std::uint16_t topic, std::uint32_t by) {
    std::atomic_ref(sums.at(word, topic)).fetch_add(by, std::memory_order_relaxed);
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (own[i] == topics[i]) {
      continue;
    }
    if (own[i] != unknown) {
      change(words[i], own[i], ~std::uint32_t{0});  // - 1
    }
    change(words[i], topics[i], 1);
    own[i] = topics[i];
  }
}

void KeptTopics::archive(Archive& a, Threads& threads) {
  a.field(known_);
  a.field(std::span(topics_));
  if (!a.reading()) {
    return;
  }
  const BasicBlock<std::uint32_t> sums = counts_.sums.view();
  std::ranges::fill(sums.flat(), 0U);
  constexpr std::size_t documents_per_task = 256;
  threads.for_each(
      (documents_.size() + documents_per_task - 1) / documents_per_task, [&](std::size_t task) {
        std::vector<std::uint32_t> expanded;
        const std::size_t end = std::min(documents_.size(), (task + 1) * documents_per_task);
        for (std::size_t d = task * documents_per_task; d < end; ++d) {
          const auto words = document_tokens(corpus_.document(documents_[d]), expanded);
          for (std::size_t i = 0; i < words.size(); ++i) {
            const std::uint16_t topic = of(d)[i];
            if (topic == unknown) {
              continue;
            }
            // A checkpoint's checksum holds, so this is a matter of other options.
            TAIN_EXPECTS(topic < sums.lanes(), "a topic of the model");
            std::atomic_ref(sums.at(words[i], topic)).fetch_add(1, std::memory_order_relaxed);
          }
        }
      });
}

std::uint64_t kept_topics_bytes(std::uint64_t documents, std::uint64_t tokens, std::uint32_t topics,
                                std::uint32_t words) {
  return 8 * (documents + 1) + 2 * tokens +
         sizeof(std::uint32_t) * (padded_topics(topics) + 1) * std::uint64_t{words};
}

}  // namespace tain
