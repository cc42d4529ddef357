// From manifest.json and history.csv to the record of a model.
#include <limits>
#include <nlohmann/json.hpp>

#include "lda/model/history.hpp"
#include "lda/model/model_state.hpp"
#include "lda/model/topic_shares.hpp"

namespace tain {
namespace {

using Json = nlohmann::json;

/// JSON has no infinity.
std::optional<double> number_of(const Json& manifest, const char* key) {
  const Json value = manifest.value(key, Json());
  if (value.is_number()) {
    return value.get<double>();
  }
  return value == "inf" ? std::optional(std::numeric_limits<double>::infinity()) : std::nullopt;
}

std::string text_of(const Json& object, const char* key) {
  const Json value = object.value(key, Json());
  return value.is_string() ? value.get<std::string>() : std::string();
}

Verdict verdict_of(const Json& manifest) {
  const Json told = manifest.value("verdict", Json());
  if (!told.is_object()) {
    return {.trust = false, .lines = {}, .headline = "The model does not tell."};
  }
  Verdict verdict{.trust = told.value("trust", Json()) == true,
                  .lines = {},
                  .headline = text_of(told, "headline")};
  for (const Json& line : told.value("lines", Json::array())) {
    if (line.is_object()) {
      verdict.lines.push_back({line.value("passed", Json()) == true, text_of(line, "sentence"),
                               line.value("note", Json()) == true});
    }
  }
  return verdict;
}

}  // namespace

TrainRecord read_record(const ModelFacts& facts, const std::string& text,
                        std::string_view evaluations) {
  const Json parsed = Json::parse(text, nullptr, false);
  const Json manifest = parsed.is_object() ? parsed : Json::object();
  TrainRecord record;
  record.facts = facts;
  record.passes = number_of(manifest, "passes").value_or(1);
  record.seconds = number_of(manifest, "seconds").value_or(0);
  record.stop_reason = text_of(manifest, "stop_reason");
  if (const std::optional<History> history = History::parse(evaluations)) {
    record.history.assign(history->rows().begin(), history->rows().end());
  }
  if (const std::optional<double> perplexity = number_of(manifest, "perplexity_topics")) {
    record.perplexity = {*perplexity, number_of(manifest, "standard_error_topics").value_or(0)};
  }
  record.shares = known_shares(facts, text, nullptr).shares;
  record.verdict = verdict_of(manifest);
  record.manifest = text;
  return record;
}

}  // namespace tain
