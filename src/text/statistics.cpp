#include "text/statistics.hpp"

#include <algorithm>

namespace tain {
namespace {

/// How many documents have which length: a table of the usual ones, a list of the others.
class LengthTally {
 public:
  void add(std::uint64_t length) {
    if (length < usual_.size()) {
      ++usual_[length];
    } else {
      others_.push_back(length);
    }
  }
  void add(const LengthTally& other) {
    for (std::size_t length = 0; length < usual_.size(); ++length) {
      usual_[length] += other.usual_[length];
    }
    others_.insert(others_.end(), other.others_.begin(), other.others_.end());
  }
  /// Calls take(length, documents) for every length there is, ascending.
  template <class Take>
  void for_lengths(const Take& take) {
    for (std::size_t length = 0; length < usual_.size(); ++length) {
      if (usual_[length] > 0) {
        take(length, usual_[length]);
      }
    }
    std::sort(others_.begin(), others_.end());
    for (const std::uint64_t length : others_) {
      take(length, std::uint64_t{1});
    }
  }

 private:
  std::vector<std::uint64_t> usual_ = std::vector<std::uint64_t>(65536);
  std::vector<std::uint64_t> others_;
};

/// What one thread finds in its documents.
struct StatisticsPart {
  explicit StatisticsPart(std::uint32_t words) : word_counts(words), last_document(words) {}

  void count(const DocumentWords& document, std::uint64_t number) {
    lengths.add(document.tokens());
    for (std::size_t i = 0; i < document.ids.size(); ++i) {
      const std::uint32_t id = document.ids[i];
      word_counts[id].occurrences += document.counts.empty() ? 1 : document.counts[i];
      if (last_document[id] != number) {
        last_document[id] = number;
        ++word_counts[id].documents;
      }
    }
  }

  std::vector<WordStatistics> word_counts;
  std::vector<std::uint64_t> last_document;  // by word, counted from 1
  LengthTally lengths;
};

/// The first bin that ends at `length` or later, going on from `bin`: 0, 1, 2-4, 5-9, 10-19, ...
void advance(LengthBin& bin, std::uint64_t& step, std::uint64_t length) {
  while (bin.longest < length) {
    // Bins begin at 1, 2 and 5 times a power of ten, `step`.
    const std::uint64_t begin = bin.longest + 1;
    const std::uint64_t lead = begin / step;
    const std::uint64_t next = (lead == 1 ? 2 : lead == 2 ? 5 : 10) * step;
    step = lead == 5 ? 10 * step : step;
    bin = {begin, next - 1, 0};
  }
}

std::vector<LengthBin> bins_of(LengthTally& lengths) {
  std::vector<LengthBin> bins;
  LengthBin bin;
  std::uint64_t step = 1;
  lengths.for_lengths([&](std::uint64_t length, std::uint64_t documents) {
    while (bin.longest < length) {
      if (!bins.empty()) {
        advance(bin, step, bin.longest + 1);  // bins between used ones are shown too
        bins.push_back(bin);
      } else {
        advance(bin, step, length);
      }
    }
    if (bins.empty()) {
      bins.push_back(bin);
    }
    bins.back().documents += documents;
  });
  return bins;
}

LengthQuantiles quantiles_of(LengthTally& lengths, std::uint64_t documents) {
  LengthQuantiles quantiles;
  std::uint64_t below = 0;
  lengths.for_lengths([&](std::uint64_t length, std::uint64_t count) {
    const std::uint64_t upto = below + count;
    // The first length that n documents do not exceed, n >= q D, in whole numbers: 4 n >= 4 q D.
    const auto reaches = [&](std::uint64_t quarters) {
      return 4 * below < quarters * documents && 4 * upto >= quarters * documents;
    };
    quantiles.least = below == 0 ? length : quantiles.least;
    quantiles.lower_quartile = reaches(1) ? length : quantiles.lower_quartile;
    quantiles.median = reaches(2) ? length : quantiles.median;
    quantiles.upper_quartile = reaches(3) ? length : quantiles.upper_quartile;
    quantiles.most = length;
    below = upto;
  });
  return quantiles;
}

void add_words(CorpusStatistics& sums, const std::vector<WordStatistics>& counts) {
  for (std::size_t id = 0; id < counts.size(); ++id) {
    sums.word_counts[id].occurrences += counts[id].occurrences;
    sums.word_counts[id].documents += counts[id].documents;
  }
}

}  // namespace

CorpusStatistics corpus_statistics(const Corpus& corpus, Threads& threads) {
  const std::uint64_t documents = corpus.documents();
  std::vector<StatisticsPart> parts(threads.count(), StatisticsPart(corpus.words()));
  threads.for_each(parts.size(), [&](std::size_t p) {
    const std::uint64_t end = documents * (p + 1) / parts.size();
    for (std::uint64_t d = documents * p / parts.size(); d < end; ++d) {
      parts[p].count(corpus.document(d), d + 1);
    }
  });
  CorpusStatistics sums;
  sums.documents = documents;
  sums.tokens = corpus.tokens();
  sums.words = corpus.words();
  sums.word_counts.resize(corpus.words());
  for (std::size_t p = 0; p < parts.size(); ++p) {
    add_words(sums, parts[p].word_counts);
    if (p > 0) {
      parts[0].lengths.add(parts[p].lengths);
    }
  }
  for (const WordStatistics& word : sums.word_counts) {
    sums.entries += word.documents;
    sums.unused_words += word.documents == 0 ? 1 : 0;
  }
  sums.lengths = bins_of(parts[0].lengths);
  sums.quantiles = quantiles_of(parts[0].lengths, documents);
  const bool some_empty = !sums.lengths.empty() && sums.lengths.front().longest == 0;
  sums.empty_documents = some_empty ? sums.lengths.front().documents : 0;
  sums.mean_length =
      documents == 0 ? 0 : static_cast<double>(sums.tokens) / static_cast<double>(documents);
  return sums;
}

}  // namespace tain
