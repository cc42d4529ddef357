#include "text/document_counter.hpp"

#include <algorithm>

#include "tain/core/error.hpp"

namespace tain {

/// Leaves the different words in bag_.ids, in the order of the text, and their counts in counts_.
void DocumentCounter::count_tokens(const DocumentWords& document) {
  bag_.clear();
  for (const std::uint32_t id : document.ids) {
    TAIN_EXPECTS(id < counts_.size(), "a word of the vocabulary");
    if (counts_[id]++ == 0) {
      bag_.ids.push_back(id);
    }
  }
}

const Bag& DocumentCounter::count(const DocumentWords& document) {
  if (!document.counts.empty()) {
    bag_.ids.assign(document.ids.begin(), document.ids.end());
    bag_.counts.assign(document.counts.begin(), document.counts.end());
    return bag_;
  }
  count_tokens(document);
  std::sort(bag_.ids.begin(), bag_.ids.end());
  for (const std::uint32_t id : bag_.ids) {
    bag_.counts.push_back(counts_[id]);
    counts_[id] = 0;
  }
  return bag_;
}

std::size_t DocumentCounter::distinct(const DocumentWords& document) {
  if (!document.counts.empty()) {
    return document.ids.size();
  }
  count_tokens(document);
  for (const std::uint32_t id : bag_.ids) {
    counts_[id] = 0;
  }
  return bag_.ids.size();
}

}  // namespace tain
