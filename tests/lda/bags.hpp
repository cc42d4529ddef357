// Documents as bags of words in arrays, as a matrix has them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tain/text/corpus.hpp"

namespace tain::test {

class Bags {
 public:
  explicit Bags(std::vector<std::string> vocabulary) : vocabulary_(std::move(vocabulary)) {}
  /// All documents of a corpus.
  explicit Bags(const Corpus& corpus)
      : vocabulary_(corpus.vocabulary().begin(), corpus.vocabulary().end()) {
    std::vector<std::uint32_t> counts(vocabulary_.size());
    for (std::uint64_t d = 0; d < corpus.documents(); ++d) {
      const DocumentWords words = corpus.document(d);
      for (std::size_t i = 0; i < words.ids.size(); ++i) {
        counts[words.ids[i]] += words.counts.empty() ? 1 : words.counts[i];
      }
      add(counts);
      counts.assign(counts.size(), 0);
    }
  }

  /// A document with counts[w] of every word w.
  void add(std::span<const std::uint32_t> counts) {
    for (std::uint32_t w = 0; w < counts.size(); ++w) {
      if (counts[w] > 0) {
        ids_.push_back(w);
        counts_.push_back(counts[w]);
      }
    }
    offsets_.push_back(ids_.size());
  }

  std::uint64_t documents() const { return offsets_.size() - 1; }
  std::uint32_t words() const { return static_cast<std::uint32_t>(vocabulary_.size()); }
  Corpus corpus() const { return Corpus::over({ids_, counts_, offsets_, vocabulary_}); }
  /// Calls act with a corpus of the documents [begin, end).
  template <class Act>
  void cut(std::uint64_t begin, std::uint64_t end, const Act& act) const {
    const std::uint64_t first = offsets_[begin], size = offsets_[end] - first;
    std::vector<std::uint64_t> offsets(offsets_.begin() + static_cast<std::ptrdiff_t>(begin),
                                       offsets_.begin() + static_cast<std::ptrdiff_t>(end) + 1);
    for (std::uint64_t& offset : offsets) {
      offset -= first;
    }
    act(Corpus::over({std::span(ids_).subspan(first, size), std::span(counts_).subspan(first, size),
                      offsets, vocabulary_}));
  }

  std::span<const std::uint32_t> ids() const { return ids_; }
  std::span<const std::uint32_t> counts() const { return counts_; }
  std::span<const std::uint64_t> offsets() const { return offsets_; }

 private:
  std::vector<std::uint32_t> ids_, counts_;
  std::vector<std::uint64_t> offsets_{0};
  std::vector<std::string> vocabulary_;
};

}  // namespace tain::test
