// The page about the topics of a model: what does not need JavaScript, and where the explorer goes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <numbers>

#include "lda/explore/explorer.hpp"
#include "report/text.hpp"
#include "sampling/json_text.hpp"
#include "sampling/verdict_json.hpp"
#include "tain/diagnose/summary.hpp"

namespace tain {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t lead_words = 5, table_words = 10;

/// What a manifest may tell; whatever is missing or of another type is left out.
class Record {
 public:
  explicit Record(const std::string& manifest) : json_(parse_json(manifest)) {}

  /// Value below these keys as people read it.
  std::optional<std::string> text(std::initializer_list<std::string_view> keys) const {
    const Json* found = find(keys);
    if (found == nullptr) {
      return std::nullopt;
    }
    if (found->is_string()) {
      return found->get<std::string>();
    }
    if (found->is_number_unsigned()) {
      return grouped(found->get<std::uint64_t>());
    }
    return found->is_number() ? std::optional(compact(found->get<double>(), 4)) : std::nullopt;
  }
  std::optional<double> number(std::initializer_list<std::string_view> keys) const {
    const Json* found = find(keys);
    return found != nullptr && found->is_number() ? std::optional(found->get<double>())
                                                  : std::nullopt;
  }
  std::optional<Verdict> verdict() const {
    return json_.is_object() ? verdict_in(json_) : std::nullopt;
  }
  const Json* find(std::initializer_list<std::string_view> keys) const {
    const Json* place = &json_;
    for (const std::string_view key : keys) {
      const auto next = place->is_object() ? place->find(key) : place->end();
      if (!place->is_object() || next == place->end()) {
        return nullptr;
      }
      place = &*next;
    }
    return place;
  }

 private:
  Json json_;
};

std::string first_words(const Explorer& explorer, std::size_t topic, std::size_t count) {
  std::string text;
  const std::vector<ExplorerTopic::Word>& words = explorer.topics[topic].words;
  for (std::size_t i = 0; i < std::min(count, words.size()); ++i) {
    text += (i == 0 ? "" : ", ") + explorer.words[words[i].word].text;
  }
  return text;
}

/// No line ends before the sign.
std::string percent(double share) { return compact(100 * share) + "\u00a0%"; }

std::string_view of_what(const Explorer& explorer) {
  return explorer.share_of == ShareOf::tokens ? "of the tokens" : "of the prior";
}

std::string lead_of(const Explorer& explorer) {
  const std::size_t count = explorer.topics.size();
  const auto largest = static_cast<std::size_t>(
      std::ranges::max_element(explorer.topics, {}, &ExplorerTopic::share) -
      explorer.topics.begin());
  const std::optional<Verdict> verdict = Record(explorer.manifest).verdict();
  std::string text =
      fmt::format("{} {} found in {} documents{} with a vocabulary of {} words. ", grouped(count),
                  count == 1 ? "topic" : "topics", grouped(explorer.documents),
                  explorer.tokens ? fmt::format(" of {} tokens", grouped(*explorer.tokens)) : "",
                  grouped(explorer.vocabulary));
  text += verdict ? verdict->headline + " " : "";
  if (count > 1) {
    text += fmt::format("The largest topic, number {}, has {} {}: ", largest + 1,
                        percent(explorer.topics[largest].share), of_what(explorer));
  } else {
    text += "Its most probable words: ";
  }
  return text + first_words(explorer, largest, lead_words) + ".";
}

void add_verdict(const Record& record, Page& page) {
  page.section("Can these topics be trusted?");
  const std::optional<Verdict> verdict = record.verdict();
  if (!verdict) {
    page.paragraph("Nothing is known: the manifest of the model has no verdict of its training.");
    return;
  }
  page.paragraph(verdict->headline);
  Table table{"What was looked at when the training ended", {{"Finding"}, {"Verdict"}}, {}};
  for (const VerdictLine& line : verdict->lines) {
    table.rows.push_back({line.sentence, line.note     ? Badge{Mark::mixed, "not judged"}
                                         : line.passed ? Badge{Mark::good, "passed"}
                                                       : Badge{Mark::bad, "not met"}});
  }
  page.table(table);
}

std::string draws_text(const Explorer& explorer) {
  if (explorer.draws == 0) {
    return "The model has no draws of its topics (it was told to keep none, its training ended "
           "before the first, or their file was removed), so nothing here has an interval.";
  }
  if (explorer.draws < 5) {
    return fmt::format(
        "The model has {} of its topics, too few for intervals.",
        explorer.draws == 1 ? std::string("one draw") : fmt::format("{} draws", explorer.draws));
  }
  return fmt::format(
      "Intervals are from the 5 % to the 95 % quantile over {} draws of the topics from their "
      "posterior distribution: how sure the sampler is, given the documents, the number of topics "
      "and the priors.",
      explorer.draws);
}

std::string map_text(const Explorer& explorer) {
  std::string text = fmt::format(
      "On the map topics are near that share their words: classical scaling of the square roots of "
      "Jensen-Shannon divergences. Its two axes explain {} and {} of the squared distances; "
      "similar "
      "topics are those with the smallest distances, not the nearest on the map.",
      percent(explorer.map.explained[0]), percent(explorer.map.explained[1]));
  if (explorer.map.merged > 0) {
    text += fmt::format(
        " Rare words were merged for it by the topic they are most probable in, at most {} of a "
        "topic: no divergence is too small by more than {}.",
        percent(explorer.map.merged), compact(explorer.map.merged * std::numbers::ln2));
  }
  return text;
}

std::string documents_text(const Explorer& explorer) {
  if (!explorer.corpus) {
    return "Without its corpus the page names no documents and measures no coherence.";
  }
  return fmt::format(
      "Documents of a topic are those of {} with the largest posterior mean of its part in them, "
      "(n_dk + α_k) / (n_d + Σα), which keeps documents of a few words back{}.",
      explorer.corpus->name,
      explorer.corpus->sampled
          ? fmt::format("; {} of {} documents, spread evenly, were looked at",
                        grouped(*explorer.corpus->sampled), grouped(explorer.corpus->documents))
          : "");
}

void add_explorer(const Explorer& explorer, Page& page) {
  page.section("Topics");
  page.widget("topics",
              fmt::format("Explorer of {} topics: map, words, documents", explorer.topics.size()),
              explorer_json(explorer));
  std::vector<std::string> notes{draws_text(explorer), documents_text(explorer)};
  if (explorer.topics.size() > 2) {  // the places of two are their distance, of one nothing
    notes.insert(notes.begin() + 1, map_text(explorer));
  }
  page.list(notes);
}

void add_table(const Explorer& explorer, Page& page) {
  page.section("All topics as a table", Page::Depth::some);
  Table table{
      fmt::format("Topics, numbered as the rows of topics.npy; shares {}", of_what(explorer)),
      {{"Topic", Align::right},
       {"Share", Align::right},
       {"5 % to 95 %", Align::right},
       {"Coherence", Align::right},
       {"Exclusivity", Align::right},
       {"Words"}},
      {}};
  for (std::size_t k = 0; k < explorer.topics.size(); ++k) {
    const ExplorerTopic& topic = explorer.topics[k];
    table.rows.push_back(
        {fmt::format("{}", k + 1), fmt::format("{:.2f} %", 100 * topic.share),
         topic.share_interval ? fmt::format("{:.2f} to {:.2f} %", 100 * topic.share_interval->low,
                                            100 * topic.share_interval->high)
                              : std::string("–"),
         topic.coherence ? fmt::format("{:.3f}", *topic.coherence) : std::string("–"),
         fmt::format("{:.3f}", topic.exclusivity), first_words(explorer, k, table_words)});
  }
  page.table(table);
  page.paragraph(
      "Coherence: mean normalised pointwise mutual information of the ten most probable words over "
      "whole documents, from -1 (never together) over 0 (independent) to 1 (always together). "
      "Exclusivity: mean over these words of the topic's part in all topics' probability of the "
      "word; 1 if no other topic has them.");
}

void add_training(const Explorer& explorer, Page& page) {
  page.section("Training", Page::Depth::some);
  if (!explorer.history || explorer.history->rows().empty()) {
    page.paragraph(explorer.history ? "No held-out tokens: perplexity was not measured."
                                    : "The file history.csv of the model is missing or damaged.");
    return;
  }
  PlotLine single{.label = "topics at the time", .spread = Spread::band};
  PlotLine average{.label = "predictions averaged", .colour = 1, .spread = Spread::band};
  for (const Evaluation& row : explorer.history->rows()) {
    for (auto& [line, perplexity] :
         {std::pair<PlotLine&, const Perplexity&>(single, row.single),
          std::pair<PlotLine&, const Perplexity&>(average, row.average)}) {
      line.x.push_back(static_cast<double>(row.documents));
      line.y.push_back(perplexity.value);
      line.error.push_back(perplexity.standard_error);
    }
  }
  Figure figure;
  figure.title = "Held-out perplexity";
  figure.subtitle = "bands: one standard error over documents";
  figure.x.label = "documents seen";
  figure.y.label = "perplexity";
  figure.series = {std::move(single), std::move(average)};
  page.figures({{std::move(figure),
                 "Of every held-out document each tenth token is predicted from the others; "
                 "perplexity is exp(-mean log p), lower is better."}});
}

std::string alpha_text(const Record& record) {
  const Json* alpha = record.find({"alpha"});
  double low = std::numeric_limits<double>::infinity(), high = 0;
  if (alpha != nullptr) {
    for (const Json& value : *alpha) {
      const double a = value.is_number() ? value.get<double>() : 0;
      low = std::min(low, a);
      high = std::max(high, a);
    }
  }
  return low == high ? compact(low, 4)
                     : fmt::format("{} to {}, learned", compact(low, 4), compact(high, 4));
}

void add_making(const Explorer& explorer, const Record& record, Page& page) {
  page.section("How it was made");
  std::vector<std::pair<std::string, std::string>> facts{
      {"Model", fmt::format("{}: latent Dirichlet allocation, topics sampled by {}", explorer.name,
                            explorer.method)},
      {"Prior", fmt::format("α = {} per topic, η = {} per word", alpha_text(record),
                            record.text({"eta"}).value_or("?"))},
      {"Seed", fmt::format("{}", explorer.seed)}};
  const auto add = [&](std::string_view term, const std::optional<std::string>& value,
                       std::string_view after = "") {
    if (value) {
      facts.emplace_back(std::string(term), *value + std::string(after));
    }
  };
  add("Corpus", record.text({"corpus", "folder"}),
      fmt::format(", fingerprint {}", record.text({"corpus", "fingerprint"}).value_or("?")));
  add("Held out", record.text({"corpus", "held_out"}), " documents, never trained on");
  add("Passes", record.text({"passes"}), " over the documents");
  add("Draws in topics.npy", record.text({"draws_kept"}), ", of which it is the mean");
  add("Draws in draws.npy", grouped(explorer.draws));
  if (const std::optional<double> seconds = record.number({"seconds"})) {
    add("Time", duration(*seconds));
  }
  add("Instruction set", record.text({"isa"}));
  add("Program", record.text({"tain"}), fmt::format(", {}", record.text({"ended"}).value_or("")));
  page.definitions(facts);
  if (const std::optional<std::string> command = record.text({"command"})) {
    page.paragraph("The command to train it again, to the same bits on the same instruction set:");
    page.command(*command);
  }
  page.paragraph(
      "To cite: the model by its seed and the fingerprint of its corpus; the program as Tain, a "
      "sampler for distributions on constrained sets; the method as Ya-Ping Hsieh, Ali Kavis, Paul "
      "Rolland and Volkan Cevher, Mirrored Langevin Dynamics, Advances in Neural Information "
      "Processing Systems 31, 2018. Relevance of words: Carson Sievert and Kenneth Shirley, "
      "LDAvis: "
      "A method for visualizing and interpreting topics, 2014.");
}

}  // namespace

Chapter topics_chapter(Explorer explorer) {
  std::string title =
      fmt::format("Topics of {}", explorer.corpus ? explorer.corpus->name : explorer.name);
  std::string lead = lead_of(explorer);
  const auto shown = std::make_shared<const Explorer>(std::move(explorer));
  return {std::move(title), std::move(lead), [shown](Page& page) {
            const Record record(shown->manifest);
            add_verdict(record, page);
            add_explorer(*shown, page);
            add_table(*shown, page);
            add_training(*shown, page);
            add_making(*shown, record, page);
          }};
}

}  // namespace tain
