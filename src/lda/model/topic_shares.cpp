#include "lda/model/topic_shares.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "lda/model/topic_words.hpp"
#include "sampling/json_text.hpp"

namespace tain {
namespace {

/// What training measured, if its manifest has a share for every topic.
std::optional<std::vector<double>> recorded_shares(std::string_view text, std::size_t topics) {
  using Json = nlohmann::ordered_json;
  const Json manifest = parse_json(text);
  std::vector<double> shares;
  double sum = 0;
  if (manifest.is_object() && manifest.contains("shares") && manifest["shares"].is_array()) {
    for (const Json& share : manifest["shares"]) {
      shares.push_back(share.is_number() ? share.get<double>() : -1);
      sum += shares.back();
    }
  }
  const bool sound = shares.size() == topics && std::abs(sum - 1) < 1e-6 &&
                     std::ranges::all_of(shares, [](double share) { return share >= 0; });
  return sound ? std::optional(std::move(shares)) : std::nullopt;
}

std::vector<double> mean_shares(const TopicDraws& draws) {
  std::vector<double> mean(draws.topics(), 0.0);
  for (std::uint64_t s = 0; s < draws.draws(); ++s) {
    for (std::uint32_t k = 0; k < draws.topics(); ++k) {
      mean[k] += draws.shares(s)[k] / static_cast<double>(draws.draws());
    }
  }
  return mean;
}

}  // namespace

TopicShares known_shares(const ModelData& model, const TopicDraws* draws) {
  return known_shares(model.facts(), model.manifest(), draws);
}

TopicShares known_shares(const ModelFacts& facts, std::string_view manifest,
                         const TopicDraws* draws) {
  if (draws != nullptr && !draws->shares(0).empty()) {
    return {ShareOf::tokens, mean_shares(*draws)};
  }
  if (std::optional<std::vector<double>> recorded = recorded_shares(manifest, facts.alpha.size())) {
    return {ShareOf::tokens, std::move(*recorded)};
  }
  return {ShareOf::prior, prior_shares(facts.alpha)};
}

}  // namespace tain
