// From manifest.json and history.csv to the record of a model.
#include <limits>
#include <nlohmann/json.hpp>

#include "lda/model/history.hpp"
#include "lda/model/model_state.hpp"
#include "lda/model/topic_shares.hpp"
#include "sampling/json_text.hpp"
#include "sampling/manifest_values.hpp"
#include "sampling/verdict_json.hpp"

namespace tain {
namespace {

using Json = nlohmann::ordered_json;

/// JSON has no infinity.
std::optional<double> number_of(const Json& manifest, const char* key) {
  const Json value = manifest.value(key, Json());
  if (value.is_number()) {
    return value.get<double>();
  }
  return value == "inf" ? std::optional(std::numeric_limits<double>::infinity()) : std::nullopt;
}

}  // namespace

TrainRecord read_record(const ModelFacts& facts, const std::string& text,
                        std::string_view evaluations) {
  const Json parsed = parse_json(text);
  const Json manifest = parsed.is_object() ? parsed : Json::object();
  TrainRecord record;
  record.facts = facts;
  record.passes = number_of(manifest, "passes").value_or(1);
  record.seconds = number_of(manifest, "seconds").value_or(0);
  record.stop_reason = text_in(manifest, "stop_reason");
  if (const std::optional<History> history = History::parse(evaluations)) {
    record.history.assign(history->rows().begin(), history->rows().end());
  }
  if (const std::optional<double> perplexity = number_of(manifest, "perplexity_topics")) {
    record.perplexity = {*perplexity, number_of(manifest, "standard_error_topics").value_or(0)};
  }
  record.shares = known_shares(facts, text, nullptr).shares;
  record.verdict = verdict_in(manifest).value_or(
      Verdict{.trust = false, .lines = {}, .headline = "The model does not tell."});
  record.manifest = text;
  return record;
}

}  // namespace tain
