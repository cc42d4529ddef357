// Explorer data as JSON, written piece by piece: a hundred thousand numbers of 4 digits are half as
// long as nlohmann's doubles.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "lda/explore/explorer.hpp"

namespace tain {
namespace {

std::string quoted(const std::string& text) {
  using Json = nlohmann::ordered_json;
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// 4 significant digits; JSON has no infinity.
std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{:.4g}", value) : "null";
}

template <class T, class Text>
std::string or_null(const std::optional<T>& value, const Text& text) {
  return value ? text(*value) : std::string("null");
}

std::string count_or_null(const std::optional<std::uint64_t>& value) {
  return or_null(value, [](std::uint64_t n) { return fmt::format("{}", n); });
}

/// 3 decimals, and no "-0".
std::string place(double value) {
  const std::string text = fmt::format("{:.3f}", value);
  return text == "-0.000" ? "0.000" : text;
}

/// [a,b,c] of what `text` makes of each element.
template <class List, class Text>
std::string array(const List& list, const Text& text) {
  std::string out = "[";
  for (const auto& element : list) {
    out += out.size() == 1 ? "" : ",";
    out += text(element);
  }
  return out + "]";
}

std::string low_high(const std::optional<Interval>& interval, std::string_view before,
                     std::string_view between) {
  return fmt::format("{}{}{}{}", before,
                     or_null(interval, [](const Interval& i) { return number(i.low); }), between,
                     or_null(interval, [](const Interval& i) { return number(i.high); }));
}

std::string word_json(const ExplorerTopic::Word& word) {
  return fmt::format("[{},{}{}]", word.word, number(word.probability),
                     low_high(word.interval, ",", ","));
}

std::string document_json(const TopicDocument& document) {
  return fmt::format("[{},{},{}]", quoted(document.title), number(document.share), document.tokens);
}

std::string topic_json(const Explorer& explorer, std::size_t k) {
  const ExplorerTopic& topic = explorer.topics[k];
  return fmt::format(
      "{{\"number\":{},\"share\":{}{},\"coherence\":{},\"exclusivity\":{},\"x\":{},\"y\":{},"
      "\"words\":{},\"documents\":{},\"similar\":{}}}",
      k + 1, number(topic.share), low_high(topic.share_interval, ",\"low\":", ",\"high\":"),
      or_null(topic.coherence, number), number(topic.exclusivity), place(explorer.map.places[k][0]),
      place(explorer.map.places[k][1]), array(topic.words, word_json),
      array(topic.documents, document_json),
      array(explorer.map.nearest[k],
            [](std::uint32_t other) { return fmt::format("{}", other + 1); }));
}

std::string word_topics_json(const ExplorerWord& word) {
  return array(word.topics, [](const auto& entry) {
    return fmt::format("{},{}", entry.first + 1, number(entry.second));
  });
}

std::string history_json(const History& history) {
  const auto column = [&](const auto& value) {
    return array(history.rows(), [&](const Evaluation& row) { return value(row); });
  };
  return fmt::format(
      "{{\"documents\":{},\"perplexity\":{},\"error\":{},\"average\":{},\"averageError\":{}}}",
      column([](const Evaluation& row) { return fmt::format("{}", row.documents); }),
      column([](const Evaluation& row) { return number(row.single.value); }),
      column([](const Evaluation& row) { return number(row.single.standard_error); }),
      column([](const Evaluation& row) { return number(row.average.value); }),
      column([](const Evaluation& row) { return number(row.average.standard_error); }));
}

std::string corpus_json(const Explorer::Documents& corpus) {
  return fmt::format("{{\"name\":{},\"documents\":{},\"tokens\":{},\"sampled\":{}}}",
                     quoted(corpus.name), corpus.documents, corpus.tokens,
                     count_or_null(corpus.sampled));
}

std::string model_json(const Explorer& explorer) {
  return fmt::format(
      "{{\"name\":{},\"method\":{},\"topics\":{},\"words\":{},\"documents\":{},\"tokens\":{},"
      "\"draws\":{},\"seed\":{}}}",
      quoted(explorer.name), quoted(explorer.method), explorer.topics.size(), explorer.vocabulary,
      explorer.documents, count_or_null(explorer.tokens), explorer.draws, explorer.seed);
}

}  // namespace

std::string explorer_json(const Explorer& explorer) {
  std::string topics;
  for (std::size_t k = 0; k < explorer.topics.size(); ++k) {
    topics += (k == 0 ? "" : ",\n") + topic_json(explorer, k);
  }
  std::string out = fmt::format("{{\"model\":{},\n\"shareOf\":\"{}\",\n\"topics\":[\n{}],\n",
                                model_json(explorer),
                                explorer.share_of == ShareOf::tokens ? "tokens" : "prior", topics);
  out += "\"words\":";
  out += array(explorer.words, [](const ExplorerWord& word) { return quoted(word.text); });
  out += ",\n\"p\":";
  out += array(explorer.words, [](const ExplorerWord& word) { return number(word.probability); });
  out += ",\n\"wordTopics\":";
  out += array(explorer.words, word_topics_json);
  out += fmt::format(
      ",\n\"wordsLeftOut\":{},\n\"map\":{{\"measure\":\"Jensen-Shannon\",\"explained\":[{},{}]}},\n"
      "\"history\":{},\n\"corpus\":{}}}",
      explorer.vocabulary - explorer.words.size(), number(explorer.map.explained[0]),
      number(explorer.map.explained[1]), or_null(explorer.history, history_json),
      or_null(explorer.corpus, corpus_json));
  return out;
}

}  // namespace tain
