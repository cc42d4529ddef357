// Everything that a page about the topics of a model shows: what is in them, how large and how sure
// they are, and where they stand to each other.
//
// Definition: topics have the numbers of the rows of topics.npy, from 1, wherever they are named.
//   Shares are, in this order of preference,
//     - the mean over the draws of N_k / N, where training kept the topics of documents;
//     - the part of the topic in the tokens of the corpus (corpus_topics.hpp);
//     - what training measured at its end on its held-out documents;
//     - that of the prior, alpha_k / sum alpha.
//   Their 5 % and 95 % quantiles are over the draws, from five draws on (linear between order
//   statistics). Where draws do not know their shares and there is a corpus, each draw's topics are
//   inferred on up to `shares_documents` of its documents, spread evenly; the quantiles of these
//   shares, divided by their mean, times the share are those of the share. Probabilities of words
//   have their quantiles over the draws too.
// Laws: the same for any number of threads.
// Cost: one inference over at most `documents` documents, and over `shares_documents` per draw; the
//   map's (topic_map.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "lda/explore/corpus_topics.hpp"
#include "lda/explore/topic_map.hpp"
#include "lda/model/history.hpp"
#include "lda/model/model_data.hpp"
#include "lda/model/topic_draws.hpp"
#include "lda/model/topic_shares.hpp"
#include "report/page.hpp"
#include "tain/core/progress.hpp"

namespace tain {

struct Interval {
  double low = 0, high = 0;
};

struct ExplorerTopic {
  double share = 0;
  std::optional<Interval> share_interval = {};
  std::optional<double> coherence = {};
  double exclusivity = 0;
  struct Word {
    std::uint32_t word = 0;  ///< among the words of the page
    double probability = 0;
    std::optional<Interval> interval = {};
  };
  std::vector<Word> words;  ///< by falling probability
  std::vector<TopicDocument> documents;
};

struct ExplorerWord {
  std::string text;
  double probability = 0;                                ///< p(w)
  std::vector<std::pair<std::uint32_t, double>> topics;  ///< from 0, p(topic | word), falling
};

struct Explorer {
  std::string name, method;
  std::uint64_t seed = 0, documents = 0, vocabulary = 0, draws = 0;
  std::optional<std::uint64_t> tokens = {};
  ShareOf share_of = ShareOf::prior;
  std::vector<ExplorerTopic> topics;
  std::vector<ExplorerWord> words;  ///< those in some list, then the most frequent
  TopicMap map;
  std::optional<History> history = {};
  struct Documents {
    std::string name;
    std::uint64_t documents = 0, tokens = 0;
    std::optional<std::uint64_t> sampled = {};  ///< documents looked at, if not all
  };
  std::optional<Documents> corpus = {};
  std::string manifest;  ///< of the model
};

struct ExplorerPlan {
  std::uint64_t documents = 200'000, shares_documents = 5'000;
  std::size_t relevant_words = 30, page_words = 20'000, best_documents = 10;
  TopicMapPlan map = {};
};

struct ExplorerRequest {
  const ModelData& model;
  const Corpus* corpus = nullptr;
  const TopicDraws* draws = nullptr;
  ExplorerPlan plan = {};
};

/// None if `progress` stopped it. Throws Error (data) if the corpus has no word that the model
/// knows, (config) for too many topics.
std::optional<Explorer> explore(const ExplorerRequest& request, Threads& threads,
                                const WorkWatch& progress);

/// Data of the widget "topics" (web/src/topics.ts says what is where); numbers have 4 significant
/// digits, places 3 decimals.
std::string explorer_json(const Explorer& explorer);

/// Verdict, explorer, table of all topics, training, how it was made.
Chapter topics_chapter(Explorer explorer);

}  // namespace tain
