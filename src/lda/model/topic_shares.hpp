// How much of what is written each topic has, as far as a model itself tells.
//
// Definition: in this order of preference
//   - the mean over the draws of N_k / N, where training kept the topics of documents;
//   - what training measured at its end on its held-out documents;
//   - that of the prior, alpha_k / sum alpha.
#pragma once

#include <string_view>
#include <vector>

#include "lda/model/model_data.hpp"
#include "lda/model/topic_draws.hpp"

namespace tain {

enum class ShareOf { tokens, prior };

struct TopicShares {
  ShareOf of = ShareOf::prior;
  std::vector<double> shares;  ///< one per topic, summing to 1
};

/// `draws`: of the same model, or none.
TopicShares known_shares(const ModelData& model, const TopicDraws* draws);
TopicShares known_shares(const ModelFacts& facts, std::string_view manifest,
                         const TopicDraws* draws);

}  // namespace tain
