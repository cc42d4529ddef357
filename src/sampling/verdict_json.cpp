#include "sampling/verdict_json.hpp"

#include "sampling/manifest_values.hpp"

namespace tain {

using Json = nlohmann::ordered_json;

Json verdict_json(const Verdict& verdict) {
  auto lines = Json::array();
  for (const VerdictLine& line : verdict.lines) {
    lines.push_back({{"passed", line.passed}, {"sentence", line.sentence}, {"note", line.note}});
  }
  return {{"trust", verdict.trust}, {"headline", verdict.headline}, {"lines", std::move(lines)}};
}

std::optional<Verdict> verdict_in(const Json& object) {
  const Json told = object.value("verdict", Json());
  if (!told.is_object()) {
    return std::nullopt;
  }
  Verdict verdict{.trust = told.value("trust", Json()) == true,
                  .lines = {},
                  .headline = text_in(told, "headline")};
  for (const Json& line : told.value("lines", Json::array())) {
    if (line.is_object()) {
      verdict.lines.push_back({line.value("passed", Json()) == true, text_in(line, "sentence"),
                               line.value("note", Json()) == true});
    }
  }
  return verdict;
}

}  // namespace tain
