// Small models for tests.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "lda/model/model_data.hpp"
#include "support/folder.hpp"

namespace tain::test {

/// Topics by rows, as people write them.
using Rows = std::vector<std::vector<double>>;

inline FloatBlockStorage word_major(const Rows& topics) {
  FloatBlockStorage block(topics.front().size(), padded_topics(topics.size()));
  for (std::size_t k = 0; k < topics.size(); ++k) {
    for (std::size_t w = 0; w < topics[k].size(); ++w) {
      block.view().at(w, k) = static_cast<float>(topics[k][w]);
    }
  }
  return block;
}

inline std::vector<std::string> words(std::size_t count) {
  std::vector<std::string> list;
  for (std::size_t w = 0; w < count; ++w) {
    list.push_back("w" + std::to_string(w));
  }
  return list;
}

inline ModelFacts some_facts(std::size_t topics) {
  ModelFacts facts;
  facts.method = "smld-root";
  facts.seed = 7;
  facts.eta = 0.01;
  facts.alpha.assign(topics, 0.1F);
  facts.corpus_fingerprint = 0xFEDC'BA98'7654'3210;
  facts.corpus_documents = 20;
  facts.held_out = 5;
  facts.steps = 100;
  facts.documents_seen = 5000;
  facts.draws_kept = 50;
  facts.corpus_folder = "/somewhere/corpus";
  facts.corpus_manifest = R"({"tokenizer":{"rule":"ascii"}})";
  return facts;
}

/// Writes a model of these topics (rows need not sum to 1) and opens it.
inline ModelData model_of(const std::filesystem::path& folder, const Rows& topics,
                          const ModelFacts& facts, const std::vector<std::string>& vocabulary) {
  std::filesystem::create_directories(folder);
  const FloatBlockStorage cells = word_major(topics);
  write_model(folder, {.facts = facts,
                       .vocabulary = vocabulary,
                       .topics = cells.view(),
                       .last_draw = cells.view(),
                       .details = R"({"options":{"batch":50},"stopped":"steps"})",
                       .history = "step,docs,seconds,perplexity,perplexity_average\n",
                       .card = "# A model\n"});
  return ModelData::open(folder);
}

inline ModelData model_of(const std::filesystem::path& folder, const Rows& topics) {
  return model_of(folder, topics, some_facts(topics.size()), words(topics.front().size()));
}

}  // namespace tain::test
