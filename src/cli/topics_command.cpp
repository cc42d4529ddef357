#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/model_job.hpp"
#include "cli/program.hpp"
#include "cli/results.hpp"

namespace tain::cli {
namespace {

using Json = nlohmann::ordered_json;

/// Those asked for, in that order: people count from 1.
std::vector<std::uint32_t> chosen_topics(const Options& options, std::uint32_t count) {
  std::vector<std::uint32_t> topics;
  if (options.given("topic")) {
    const RawValue& value = options.value("topic");
    for (const std::string& part : value.parts) {
      const std::uint64_t number = parse_count(part, value);
      if (number < 1 || number > count) {
        fail(Fault::config, Field{"topic"}, fmt::format("there is no topic {}", number),
             fmt::format("give 1 to {}", count));
      }
      topics.push_back(static_cast<std::uint32_t>(number - 1));
    }
  }
  return topics;
}

Json optional_json(const std::optional<double>& number) { return number ? Json(*number) : Json(); }

Json table_json(const TopicTable& table) {
  const bool judged = table.mean_coherence.has_value();
  Json object{{"model", table.model},
              {"words", table.words},
              {"method", table.method},
              {"share_of", table.shares_of_prior ? "prior" : "tokens"},
              {"mean_coherence", optional_json(table.mean_coherence)},
              {"mean_exclusivity", table.mean_exclusivity},
              {"coherence_measure", "NPMI, whole documents, 10 most probable words"},
              {"coherence_corpus", judged ? Json(table.corpus) : Json()},
              {"topics", Json::array()}};
  for (const TopicTable::Line& line : table.lines) {
    Json words = Json::array();
    for (const auto& [word, probability, relevance] : line.words) {
      words.push_back({{"word", word}, {"probability", probability}, {"relevance", relevance}});
    }
    object["topics"].push_back({{"topic", line.topic + 1},
                                {"share", line.share},
                                {"coherence", optional_json(line.coherence)},
                                {"exclusivity", line.exclusivity},
                                {"words", std::move(words)}});
  }
  return object;
}

}  // namespace

int topics_command(const Command& command, const RawOptions& raw) {
  const Options options(command, raw);
  const Model model = Model::open(required_argument(command, raw));
  JobProgress progress("topics", options);
  const TopicTable table = model.table({.corpus = given_corpus(options),
                                        .topics = chosen_topics(options, model.topics()),
                                        .words = options.positive_count("words"),
                                        .lambda = *options.number("lambda"),
                                        .threads = options.threads(),
                                        .progress = progress.watch()});
  progress.clear();
  print(options.on("json") ? table_json(table).dump(2) + "\n" : table.text(terminal_style()));
  return 0;
}

}  // namespace tain::cli
