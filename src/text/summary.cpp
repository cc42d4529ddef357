// What is in a corpus: Corpus::summary.
//
// Laws: the same whatever the number of threads.
// Cost: one pass over the corpus; memory 20 bytes per word and thread, 8 bytes per document longer
//   than 65535 tokens, and the words that occur.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "core/display.hpp"
#include "core/parallel.hpp"
#include "core/sizes.hpp"
#include "tain/text/corpus.hpp"

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
struct SummaryPart {
  explicit SummaryPart(std::uint32_t words)
      : occurrences(words), documents(words), last_document(words) {}

  void count(const DocumentWords& document, std::uint64_t number) {
    lengths.add(document.tokens());
    for (std::size_t i = 0; i < document.ids.size(); ++i) {
      const std::uint32_t id = document.ids[i];
      occurrences[id] += document.counts.empty() ? 1 : document.counts[i];
      if (last_document[id] != number) {
        last_document[id] = number;
        ++documents[id];
      }
    }
  }

  void add(const SummaryPart& other) {
    for (std::size_t id = 0; id < occurrences.size(); ++id) {
      occurrences[id] += other.occurrences[id];
      documents[id] += other.documents[id];
    }
    lengths.add(other.lengths);
  }

  std::vector<std::uint64_t> occurrences, documents;  // by word
  std::vector<std::uint64_t> last_document;           // by word, counted from 1
  LengthTally lengths;
};

/// The first bin that ends at `length` or later, going on from `bin`: 0, 1, 2-4, 5-9, 10-19, ...
void advance(CorpusSummary::LengthBin& bin, std::uint64_t& step, std::uint64_t length) {
  while (bin.longest < length) {
    // Bins begin at 1, 2 and 5 times a power of ten, `step`.
    const std::uint64_t begin = bin.longest + 1;
    const std::uint64_t lead = begin / step;
    const std::uint64_t next = (lead == 1 ? 2 : lead == 2 ? 5 : 10) * step;
    step = lead == 5 ? 10 * step : step;
    bin = {begin, next - 1, 0};
  }
}

std::vector<CorpusSummary::LengthBin> bins_of(LengthTally& lengths) {
  std::vector<CorpusSummary::LengthBin> bins;
  CorpusSummary::LengthBin bin;
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

CorpusSummary::LengthQuantiles quantiles_of(LengthTally& lengths, std::uint64_t documents) {
  CorpusSummary::LengthQuantiles quantiles;
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

/// Most frequent first; ties by number.
std::vector<CorpusSummary::Word> words_by_frequency(const SummaryPart& found,
                                                    std::span<const std::string> vocabulary) {
  std::vector<std::uint32_t> ids;
  for (std::uint32_t id = 0; id < vocabulary.size(); ++id) {
    if (found.occurrences[id] > 0) {
      ids.push_back(id);
    }
  }
  std::ranges::stable_sort(ids, std::greater(),
                           [&](std::uint32_t id) { return found.occurrences[id]; });
  std::vector<CorpusSummary::Word> words;
  words.reserve(ids.size());
  for (const std::uint32_t id : ids) {
    words.push_back({vocabulary[id], found.occurrences[id], found.documents[id]});
  }
  return words;
}

std::string word_table(std::string_view title, const std::vector<CorpusSummary::Word>& words) {
  constexpr std::size_t column = 28;
  std::string text =
      fmt::format("\n{:<{}}{:>14}{:>14}\n", title, column, "occurrences", "documents");
  for (const auto& [word, occurrences, documents] : words) {
    const std::size_t width = display_width(word);
    text += fmt::format("  {}{}{:>14}{:>14}\n", word,
                        std::string(width + 2 < column ? column - width - 2 : 1, ' '),
                        grouped(occurrences), grouped(documents));
  }
  return text;
}

std::string length_histogram(const CorpusSummary& summary) {
  constexpr std::size_t longest_bar = 40;
  std::uint64_t most = 1;
  for (const CorpusSummary::LengthBin& bin : summary.lengths) {
    most = std::max(most, bin.documents);
  }
  std::string text = "\nTokens per document\n";
  for (const CorpusSummary::LengthBin& bin : summary.lengths) {
    const std::string range =
        bin.shortest == bin.longest
            ? grouped(bin.shortest)
            : fmt::format("{}-{}", grouped(bin.shortest), grouped(bin.longest));
    const auto bar = static_cast<std::size_t>(static_cast<double>(longest_bar) *
                                                  static_cast<double>(bin.documents) /
                                                  static_cast<double>(most) +
                                              0.5);
    text += fmt::format("  {:>21}{:>14}{}{}\n", range, grouped(bin.documents),
                        bin.documents > 0 ? "  " : "",
                        std::string(bin.documents > 0 ? std::max<std::size_t>(bar, 1) : 0, '#'));
  }
  return text;
}

}  // namespace

std::vector<CorpusSummary::Word> CorpusSummary::most_frequent(std::size_t count) const {
  const auto shown = static_cast<std::ptrdiff_t>(std::min(count, frequencies.size()));
  return {frequencies.begin(), frequencies.begin() + shown};
}

std::vector<CorpusSummary::Word> CorpusSummary::least_frequent(std::size_t count) const {
  const auto shown = static_cast<std::ptrdiff_t>(std::min(count, frequencies.size()));
  return {frequencies.rbegin(), frequencies.rbegin() + shown};
}

std::string CorpusSummary::text(std::size_t listed) const {
  std::string text = fmt::format(
      "corpus       {}\nfingerprint  {:016x}\ndocuments    {} ({} empty)\n"
      "words        {} ({} never occur)\ntokens       {}, {}\nentries      {}\n"
      "length       mean {:.1f}, least {}, quartiles {} {} {}, most {}\n",
      corpus, fingerprint, grouped(documents), grouped(empty_documents), grouped(words),
      grouped(unused_words), grouped(tokens),
      order == Order::text ? "in text order" : "without order", grouped(entries), mean_length,
      grouped(quantiles.least), grouped(quantiles.lower_quartile), grouped(quantiles.median),
      grouped(quantiles.upper_quartile), grouped(quantiles.most));
  if (listed > 0) {
    text += word_table("Most frequent", most_frequent(listed));
    text += word_table("Least frequent", least_frequent(listed));
  }
  return text + length_histogram(*this);
}

CorpusSummary Corpus::summary(std::size_t thread_count) const {
  Threads threads(thread_count);
  std::vector<SummaryPart> parts(threads.count(), SummaryPart(words()));
  threads.for_each(parts.size(), [&](std::size_t p) {
    const std::uint64_t end = documents() * (p + 1) / parts.size();
    for (std::uint64_t d = documents() * p / parts.size(); d < end; ++d) {
      parts[p].count(document(d), d + 1);
    }
  });
  require_whole();
  SummaryPart& found = parts.front();
  for (std::size_t p = 1; p < parts.size(); ++p) {
    found.add(parts[p]);
  }
  CorpusSummary summary{
      .corpus = name(),
      .fingerprint = fingerprint(),
      .order = order(),
      .documents = documents(),
      .tokens = tokens(),
      .entries = std::accumulate(found.documents.begin(), found.documents.end(), std::uint64_t{0}),
      .words = words(),
      .quantiles = quantiles_of(found.lengths, documents()),
      .lengths = bins_of(found.lengths),
      .frequencies = words_by_frequency(found, vocabulary())};
  summary.unused_words = words() - static_cast<std::uint32_t>(summary.frequencies.size());
  const bool some_empty = !summary.lengths.empty() && summary.lengths.front().longest == 0;
  summary.empty_documents = some_empty ? summary.lengths.front().documents : 0;
  summary.mean_length =
      documents() == 0 ? 0 : static_cast<double>(tokens()) / static_cast<double>(documents());
  return summary;
}

}  // namespace tain
