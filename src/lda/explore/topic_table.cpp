// The topics of a model as a table: Model::table.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/display.hpp"
#include "core/file.hpp"
#include "core/sizes.hpp"
#include "lda/explore/corpus_topics.hpp"
#include "lda/model/model_state.hpp"
#include "lda/model/topic_shares.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

TopicShares shares_of(const Model::State& model, const TopicTablePlan& plan, Threads& threads) {
  if (!plan.corpus) {
    return known_shares(model.data(), model.draws());
  }
  std::optional<CorpusTopics> found =
      infer_corpus_topics(model.data(), *plan.corpus, {}, threads, watch_or_go_on(plan.progress));
  if (!found) {
    fail(Fault::interrupted, "stopped", "the topics of the documents are not known");
  }
  return {ShareOf::tokens, std::move(found->shares)};
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Words with their weights, in lines of this width.
std::string word_lines(const std::vector<TopicWord>& words, std::size_t indent, std::size_t width) {
  constexpr std::size_t number = 9;  // a blank, a weight such as 1.2e-05, a comma
  const std::size_t room = width - indent - number;
  std::string text;
  std::size_t used = indent;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string cell =
        fmt::format("{} {:.2g}", cut_to_width(words[i].word, room), words[i].probability);
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

std::string head_text(const TopicTable& table) {
  std::string text = fmt::format("model        {}: {} topics of {} words, {}\n", table.model,
                                 grouped(table.topics), grouped(table.words), table.method);
  text +=
      table.mean_coherence
          ? fmt::format(
                "coherence    {:.3f} on average: NPMI of {} words over the {} "
                "documents of {}\n",
                *table.mean_coherence, judged_words, grouped(table.corpus_documents), table.corpus)
          : fmt::format(
                "coherence    not known: the documents trained on are not in {} any "
                "more; give their corpus\n",
                table.corpus);
  return text + fmt::format("exclusivity  {:.3f} on average\nshare        {}\n\n",
                            table.mean_exclusivity,
                            table.shares_of_corpus  ? "of the corpus's tokens"
                            : table.shares_of_prior ? "of the prior; give a corpus for tokens"
                                                    : "of the tokens trained on");
}

}  // namespace

TopicTable Model::table(const TopicTablePlan& plan) const {
  std::vector<std::uint32_t> chosen = plan.topics;
  if (chosen.empty()) {
    chosen.resize(topics());
    std::iota(chosen.begin(), chosen.end(), 0U);
  }
  for (const std::uint32_t topic : chosen) {
    require_topic(topic, topics());
  }
  require_lambda(plan.lambda);
  const ModelData& model = state_->data();
  Threads threads(plan.threads);
  const std::optional<Corpus> corpus = plan.corpus ? plan.corpus : recorded_corpus(model);
  const TopicShares shares = shares_of(*state_, plan, threads);
  const TopicWords words(model.topics(), shares.shares);
  const std::vector<double> coherent =
      corpus ? model_coherence(model, *corpus, words, threads) : std::vector<double>();
  std::vector<double> exclusive;
  for (std::uint32_t k = 0; k < topics(); ++k) {
    exclusive.push_back(words.exclusivity(k));
  }
  TopicTable table{
      .model = folder().empty() ? "in memory" : folder().string(),
      .method = model.facts().method,
      .corpus = corpus ? corpus->name() : model.facts().corpus_folder,
      .corpus_documents = corpus ? corpus->documents() : 0,
      .topics = topics(),
      .words = model.topics().words(),
      .shares_of_corpus = plan.corpus.has_value(),
      .shares_of_prior = shares.of == ShareOf::prior,
      .mean_coherence = coherent.empty() ? std::nullopt : std::optional(mean(coherent)),
      .mean_exclusivity = mean(exclusive)};
  for (const std::uint32_t k : chosen) {
    table.lines.push_back(
        {.topic = k,
         .share = shares.shares[k],
         .coherence = coherent.empty() ? std::nullopt : std::optional(coherent[k]),
         .exclusivity = exclusive[k],
         .words = named_words(words, k, plan.words, plan.lambda, state_->vocabulary)});
  }
  return table;
}

std::string TopicTable::text(const TextStyle& style) const {
  // Words stand beside the figures where there is room for both, else below them.
  constexpr std::size_t figures = 40, below = 7;
  const bool beside = style.columns >= 100;
  std::string text = head_text(*this);
  text += style.painted(
              fmt::format("topic    share  coherence  exclusivity{}", beside ? "  words" : ""),
              Paint::strong) +
          "\n";
  for (const Line& line : lines) {
    const std::string coherent =
        fmt::format("{:>9}", line.coherence ? fmt::format("{:.3f}", *line.coherence) : "-");
    text += fmt::format(
        "{:>5} {:>6.2f} %  {}  {:>11.3f}{}{}\n", line.topic + 1, 100 * line.share,
        line.coherence && *line.coherence < 0 ? style.painted(coherent, Paint::bad) : coherent,
        line.exclusivity, beside ? "  " : fmt::format("\n{:{}}", "", below),
        word_lines(line.words, beside ? figures : below, style.columns));
  }
  return text;
}

}  // namespace tain
