#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "cli/model_job.hpp"
#include "cli/program.hpp"
#include "cli/results.hpp"
#include "cli/terminal.hpp"
#include "core/display.hpp"
#include "lda/explore/corpus_topics.hpp"
#include "lda/model/topic_shares.hpp"
#include "lda/model/topic_words.hpp"
#include "report/text.hpp"

namespace tain::cli {
namespace {

using Json = nlohmann::ordered_json;

struct TopicLine {
  std::uint32_t topic;
  double share, coherence, exclusivity;
  std::vector<RankedWord> words;
};

/// What stands above the table.
struct TopicTable {
  std::optional<Corpus> corpus;  ///< that coherence is of
  bool shares_of_corpus = false;
  ShareOf share_of = ShareOf::prior;
  double mean_coherence = 0, mean_exclusivity = 0;  ///< over all topics
  std::vector<TopicLine> topics;                    ///< those asked for
};

/// Those asked for, from 0, in that order; all if none is.
std::vector<std::uint32_t> chosen_topics(const Options& options, const Model& model) {
  const std::uint32_t count = model.topics().topics();
  std::vector<std::uint32_t> topics;
  if (!options.given("topic")) {
    topics.resize(count);
    std::iota(topics.begin(), topics.end(), 0U);
    return topics;
  }
  const RawValue& value = options.value("topic");
  for (const std::string& part : value.parts) {
    const std::uint64_t number = parse_count(part, value);
    if (number < 1 || number > count) {
      reject(value, fmt::format("there is no topic {}", number),
             fmt::format("give 1 to {}", count));
    }
    topics.push_back(static_cast<std::uint32_t>(number - 1));
  }
  return topics;
}

double lambda_of(const Options& options) {
  const double lambda = *options.number("lambda");
  if (lambda < 0 || lambda > 1) {
    reject(options.value("lambda"), "is a weight from 0 to 1",
           "give 1 for the most probable words, 0.6 for more special ones");
  }
  return lambda;
}

/// Shares of the tokens of a corpus; none if a signal stopped it.
std::optional<TopicShares> token_shares(const Model& model, const Corpus& corpus, Threads& threads,
                                        const Options& options) {
  JobProgress progress("topics", JobProgress::Unit::documents, options);
  std::optional<CorpusTopics> found =
      infer_corpus_topics(model, corpus, {}, threads,
                          [&](const InferenceProgress& now) { return show(progress, now); });
  return found ? std::optional(TopicShares{ShareOf::tokens, std::move(found->shares)})
               : std::nullopt;
}

/// What the model itself knows.
TopicShares trained_shares(const Model& model) {
  const std::optional<TopicDraws> draws = TopicDraws::open(model.folder());
  return known_shares(model, draws ? &*draws : nullptr);
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

void judge(const Model& model, const Options& options, const std::vector<double>& shares,
           Threads& threads, TopicTable& found) {
  const TopicWords words(model.topics(), shares);
  const std::vector<double> coherent =
      found.corpus ? model_coherence(model, *found.corpus, words, threads) : std::vector<double>();
  std::vector<double> exclusive;
  for (std::uint32_t k = 0; k < model.topics().topics(); ++k) {
    exclusive.push_back(words.exclusivity(k));
  }
  found.mean_coherence = coherent.empty() ? 0 : mean(coherent);
  found.mean_exclusivity = mean(exclusive);
  for (const std::uint32_t k : chosen_topics(options, model)) {
    found.topics.push_back({k, shares[k], coherent.empty() ? 0 : coherent[k], exclusive[k],
                            words.ranked(k, options.positive_count("words"), lambda_of(options))});
  }
}

/// Words with their weights, in lines of the terminal's width.
std::string word_lines(const TopicLine& line, const Model& model, std::size_t indent) {
  constexpr std::size_t number = 9;  // a blank, a weight such as 1.2e-05, a comma
  const std::size_t width = terminal_columns();
  const std::size_t room = width - indent - number;
  std::string text;
  std::size_t used = indent;
  for (std::size_t i = 0; i < line.words.size(); ++i) {
    const std::string cell =
        fmt::format("{} {:.2g}", cut_to_width(model.vocabulary()[line.words[i].word], room),
                    line.words[i].probability);
    const std::size_t cell_width = display_width(cell);
    if (i > 0 && used + 3 + cell_width > width) {
      text += fmt::format(",\n{:{}}", "", indent);
      used = indent;
    } else if (i > 0) {
      text += ", ";
      used += 2;
    }
    text += cell;
    used += cell_width;
  }
  return text;
}

std::string head_text(const Model& model, const TopicTable& found) {
  const ModelFacts& facts = model.facts();
  std::string text =
      fmt::format("model        {}: {} topics of {} words, {}\n", model.folder().string(),
                  grouped(model.topics().topics()), grouped(model.topics().words()), facts.method);
  if (found.corpus) {
    text += fmt::format(
        "coherence    {:.3f} on average: NPMI of {} words over the {} documents of {}\n",
        found.mean_coherence, judged_words, grouped(found.corpus->documents()),
        found.corpus->folder().string());
  } else {
    text += fmt::format(
        "coherence    not known: the documents trained on are not in {} any more; "
        "give --corpus DIR\n",
        facts.corpus_folder);
  }
  return text + fmt::format("exclusivity  {:.3f} on average\nshare        {}\n\n",
                            found.mean_exclusivity,
                            found.shares_of_corpus ? "of the corpus's tokens"
                            : found.share_of == ShareOf::tokens
                                ? "of the tokens trained on"
                                : "of the prior; give --corpus DIR for tokens");
}

std::string report_text(const Model& model, const TopicTable& found) {
  // Words stand beside the figures where there is room for both, else below them.
  constexpr std::size_t figures = 40, below = 7;
  const bool beside = terminal_columns() >= 100;
  std::string text = head_text(model, found);
  text += terminal_style().painted(
              fmt::format("topic    share  coherence  exclusivity{}", beside ? "  words" : ""),
              Paint::strong) +
          "\n";
  for (const TopicLine& line : found.topics) {
    const std::string coherence =
        fmt::format("{:>9}", found.corpus ? fmt::format("{:.3f}", line.coherence) : "-");
    text += fmt::format("{:>5} {:>6.2f} %  {}  {:>11.3f}{}{}\n", line.topic + 1, 100 * line.share,
                        found.corpus && line.coherence < 0
                            ? terminal_style().painted(coherence, Paint::bad)
                            : coherence,
                        line.exclusivity, beside ? "  " : fmt::format("\n{:{}}", "", below),
                        word_lines(line, model, beside ? figures : below));
  }
  return text;
}

Json words_json(const TopicLine& line, const Model& model) {
  Json list = Json::array();
  for (const RankedWord& word : line.words) {
    list.push_back({{"word", model.vocabulary()[word.word]},
                    {"probability", word.probability},
                    {"relevance", word.relevance}});
  }
  return list;
}

Json report_json(const Model& model, const TopicTable& found) {
  Json object{{"model", model.folder().string()},
              {"words", model.topics().words()},
              {"method", model.facts().method},
              {"share_of", found.share_of == ShareOf::tokens ? "tokens" : "prior"},
              {"mean_coherence", found.corpus ? Json(found.mean_coherence) : Json()},
              {"mean_exclusivity", found.mean_exclusivity},
              {"coherence_measure", "NPMI, whole documents, 10 most probable words"},
              {"coherence_corpus", found.corpus ? Json(found.corpus->folder().string()) : Json()},
              {"topics", Json::array()}};
  for (const TopicLine& line : found.topics) {
    object["topics"].push_back({{"topic", line.topic + 1},
                                {"share", line.share},
                                {"coherence", found.corpus ? Json(line.coherence) : Json()},
                                {"exclusivity", line.exclusivity},
                                {"words", words_json(line, model)}});
  }
  return object;
}

}  // namespace

int topics_command(const Command& command, const RawOptions& raw) {
  const Options options(command, raw);
  const Model model = Model::open(required_argument(command, raw));
  chosen_topics(options, model);
  lambda_of(options);
  Threads threads(*options.count("threads"));
  TopicTable found;
  found.corpus = reference_corpus(options, model);
  found.shares_of_corpus = options.given("corpus");
  const std::optional<TopicShares> shares =
      found.shares_of_corpus ? token_shares(model, *found.corpus, threads, options)
                             : trained_shares(model);
  if (!shares) {
    return static_cast<int>(Fault::interrupted);
  }
  {
    const ElapsedLine waiting(job_progress_mode(options),
                              "topics  counting words that occur together");
    found.share_of = shares->of;
    judge(model, options, shares->shares, threads, found);
  }
  print(options.on("json") ? report_json(model, found).dump(2) + "\n" : report_text(model, found));
  return 0;
}

}  // namespace tain::cli
