#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/corpus_job.hpp"
#include "cli/program.hpp"
#include "report/text.hpp"
#include "tain/text/corpus.hpp"

namespace tain::cli {
namespace {

using Json = nlohmann::ordered_json;

Json words_json(const std::vector<CorpusSummary::Word>& words) {
  Json list = Json::array();
  for (const auto& [word, occurrences, documents] : words) {
    list.push_back({{"word", word}, {"occurrences", occurrences}, {"documents", documents}});
  }
  return list;
}

Json summary_json(const CorpusSummary& summary, std::size_t top) {
  const auto& [least, lower_quartile, median, upper_quartile, most] = summary.quantiles;
  Json lengths = Json::array();
  for (const auto& [shortest, longest, documents] : summary.lengths) {
    lengths.push_back({{"shortest", shortest}, {"longest", longest}, {"documents", documents}});
  }
  return {{"corpus", summary.corpus},
          {"fingerprint", fmt::format("{:016x}", summary.fingerprint)},
          {"documents", summary.documents},
          {"empty_documents", summary.empty_documents},
          {"words", summary.words},
          {"unused_words", summary.unused_words},
          {"tokens", summary.tokens},
          {"order", summary.order == Order::text ? "text" : "none"},
          {"entries", summary.entries},
          {"mean_length", summary.mean_length},
          {"length_quantiles", {least, lower_quartile, median, upper_quartile, most}},
          {"most_frequent", words_json(summary.most_frequent(top))},
          {"least_frequent", words_json(summary.least_frequent(top))},
          {"lengths", std::move(lengths)}};
}

}  // namespace

int show_command(const Command& command, const RawOptions& raw) {
  const Options options(command, raw);
  const Corpus corpus = Corpus::open(required_argument(command, raw));
  const CorpusSummary summary = [&] {
    const ElapsedLine waiting(
        job_progress_mode(options),
        fmt::format("show  counting the words of {} documents", grouped(corpus.documents())));
    return corpus.summary(options.threads());
  }();
  const auto top = static_cast<std::size_t>(*options.count("top"));
  print(options.on("json") ? summary_json(summary, top).dump(2) + "\n" : summary.text(top));
  return 0;
}

}  // namespace tain::cli
