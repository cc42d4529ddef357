// What is in a corpus, in numbers.
//
// Definition: a document's length is its number of tokens; documents with none count. The quantile
//   q of lengths is the smallest length that at least a share q of the documents does not exceed.
//   Bins of lengths are 0, 1, 2-4, 5-9, 10-19, 20-49, 50-99, ... (1-2-5).
// Laws: all are exact integers (the mean is their quotient), whatever the number of threads.
// Cost: one pass over the corpus; memory 20 bytes per word and thread, and 8 bytes per document
//   longer than 65535 tokens.
#pragma once

#include <cstdint>
#include <vector>

#include "core/parallel.hpp"
#include "tain/text/corpus.hpp"

namespace tain {

/// Documents with a length from `shortest` to `longest`.
struct LengthBin {
  std::uint64_t shortest = 0, longest = 0, documents = 0;
  bool operator==(const LengthBin&) const = default;
};

/// All 0 where there are no documents.
struct LengthQuantiles {
  std::uint64_t least = 0, lower_quartile = 0, median = 0, upper_quartile = 0, most = 0;
  bool operator==(const LengthQuantiles&) const = default;
};

struct WordStatistics {
  std::uint64_t occurrences = 0;
  std::uint64_t documents = 0;  ///< that it occurs in
  bool operator==(const WordStatistics&) const = default;
};

struct CorpusStatistics {
  std::uint64_t documents = 0, empty_documents = 0, tokens = 0;
  std::uint64_t entries = 0;  ///< pairs of document and word
  std::uint32_t words = 0, unused_words = 0;
  double mean_length = 0;
  LengthQuantiles quantiles;
  std::vector<LengthBin> lengths;           ///< from the bin of the least to that of the most
  std::vector<WordStatistics> word_counts;  ///< by id

  bool operator==(const CorpusStatistics&) const = default;
};

CorpusStatistics corpus_statistics(const Corpus& corpus, Threads& threads);

}  // namespace tain
