#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "cli/corpus_job.hpp"
#include "cli/program.hpp"
#include "cli/terminal.hpp"
#include "core/display.hpp"
#include "report/text.hpp"
#include "text/statistics.hpp"

namespace tain::cli {
namespace {

using Json = nlohmann::ordered_json;

/// Words that occur, most frequent first; ties by number.
std::vector<std::uint32_t> by_frequency(const CorpusStatistics& statistics) {
  std::vector<std::uint32_t> ids(statistics.words);
  std::iota(ids.begin(), ids.end(), 0U);
  std::erase_if(ids, [&](std::uint32_t id) { return statistics.word_counts[id].occurrences == 0; });
  std::ranges::stable_sort(ids, std::greater(), [&](std::uint32_t id) {
    return statistics.word_counts[id].occurrences;
  });
  return ids;
}

/// The first and the last `top` of them, the latter from the least frequent on.
struct Extremes {
  std::vector<std::uint32_t> most, least;
};
Extremes extremes(const CorpusStatistics& statistics, std::size_t top) {
  const std::vector<std::uint32_t> ids = by_frequency(statistics);
  const auto count = static_cast<std::ptrdiff_t>(std::min(top, ids.size()));
  return {{ids.begin(), ids.begin() + count}, {ids.rbegin(), ids.rbegin() + count}};
}

std::string word_table(std::string_view title, const Corpus& corpus,
                       const CorpusStatistics& statistics, const std::vector<std::uint32_t>& ids) {
  constexpr std::size_t column = 28;
  std::string text =
      fmt::format("\n{:<{}}{:>14}{:>14}\n", title, column, "occurrences", "documents");
  for (const std::uint32_t id : ids) {
    const std::string& word = corpus.word(id);
    const std::size_t width = display_width(word);
    text += fmt::format("  {}{}{:>14}{:>14}\n", word,
                        std::string(width + 2 < column ? column - width - 2 : 1, ' '),
                        grouped(statistics.word_counts[id].occurrences),
                        grouped(statistics.word_counts[id].documents));
  }
  return text;
}

std::string length_histogram(const CorpusStatistics& statistics) {
  constexpr std::size_t longest_bar = 40;
  std::uint64_t most = 1;
  for (const LengthBin& bin : statistics.lengths) {
    most = std::max(most, bin.documents);
  }
  std::string text = "\nTokens per document\n";
  for (const LengthBin& bin : statistics.lengths) {
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

std::string corpus_text(const Corpus& corpus, const CorpusStatistics& statistics, std::size_t top) {
  const LengthQuantiles& length = statistics.quantiles;
  const Extremes shown = extremes(statistics, top);
  std::string text = fmt::format(
      "corpus       {}\nfingerprint  {:016x}\ndocuments    {} ({} empty)\n"
      "words        {} ({} never occur)\ntokens       {}, {}\nentries      {}\n"
      "length       mean {:.1f}, least {}, quartiles {} {} {}, most {}\n",
      corpus.folder().string(), corpus.fingerprint(), grouped(statistics.documents),
      grouped(statistics.empty_documents), grouped(statistics.words),
      grouped(statistics.unused_words), grouped(statistics.tokens),
      corpus.order() == Order::text ? "in text order" : "without order",
      grouped(statistics.entries), statistics.mean_length, grouped(length.least),
      grouped(length.lower_quartile), grouped(length.median), grouped(length.upper_quartile),
      grouped(length.most));
  if (top > 0) {
    text += word_table("Most frequent", corpus, statistics, shown.most);
    text += word_table("Least frequent", corpus, statistics, shown.least);
  }
  return text + length_histogram(statistics);
}

Json words_json(const Corpus& corpus, const CorpusStatistics& statistics,
                const std::vector<std::uint32_t>& ids) {
  Json list = Json::array();
  for (const std::uint32_t id : ids) {
    list.push_back({{"word", corpus.word(id)},
                    {"occurrences", statistics.word_counts[id].occurrences},
                    {"documents", statistics.word_counts[id].documents}});
  }
  return list;
}

Json corpus_json(const Corpus& corpus, const CorpusStatistics& statistics, std::size_t top) {
  const LengthQuantiles& length = statistics.quantiles;
  const Extremes shown = extremes(statistics, top);
  Json lengths = Json::array();
  for (const LengthBin& bin : statistics.lengths) {
    lengths.push_back(
        {{"shortest", bin.shortest}, {"longest", bin.longest}, {"documents", bin.documents}});
  }
  return {
      {"corpus", corpus.folder().string()},
      {"fingerprint", fmt::format("{:016x}", corpus.fingerprint())},
      {"documents", statistics.documents},
      {"empty_documents", statistics.empty_documents},
      {"words", statistics.words},
      {"unused_words", statistics.unused_words},
      {"tokens", statistics.tokens},
      {"order", corpus.order() == Order::text ? "text" : "none"},
      {"entries", statistics.entries},
      {"mean_length", statistics.mean_length},
      {"length_quantiles",
       {length.least, length.lower_quartile, length.median, length.upper_quartile, length.most}},
      {"most_frequent", words_json(corpus, statistics, shown.most)},
      {"least_frequent", words_json(corpus, statistics, shown.least)},
      {"lengths", std::move(lengths)}};
}

}  // namespace

int show_command(const Command& command, const RawOptions& raw) {
  const Options options(command, raw);
  const Corpus corpus = Corpus::open(required_argument(command, raw));
  Threads threads(options.threads());
  const CorpusStatistics statistics = [&] {
    const ElapsedLine waiting(
        job_progress_mode(options),
        fmt::format("show  counting the words of {} documents", grouped(corpus.documents())));
    return corpus_statistics(corpus, threads);
  }();
  const auto top = static_cast<std::size_t>(*options.count("top"));
  print(options.on("json") ? corpus_json(corpus, statistics, top).dump(2) + "\n"
                           : corpus_text(corpus, statistics, top));
  return 0;
}

}  // namespace tain::cli
