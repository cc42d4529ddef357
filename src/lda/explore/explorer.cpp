#include "lda/explore/explorer.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/file.hpp"
#include "sampling/json_text.hpp"

namespace tain {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Fewer draws have no tails.
constexpr std::uint64_t fewest_for_quantiles = 5;
constexpr double least_topic_of_word = 0.01;
constexpr std::size_t most_topics_of_word = 20;

/// Linear between order statistics.
double quantile(const std::vector<double>& sorted, double p) {
  const double place = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

/// None for too few values.
std::optional<Interval> interval_of(std::vector<double> values) {
  if (values.size() < fewest_for_quantiles) {
    return std::nullopt;
  }
  std::ranges::sort(values);
  return Interval{quantile(values, 0.05), quantile(values, 0.95)};
}

std::string folder_name(const fs::path& folder) {
  std::error_code error;
  const fs::path whole = fs::absolute(folder, error).lexically_normal();
  return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

WorkWatch in_phase(std::string_view phase, const WorkWatch& progress) {
  return [=](WorkProgress now) {
    now.phase = phase;
    return progress(now);
  };
}

/// Tokens that the model was trained on, as far as its manifest tells.
std::optional<std::uint64_t> trained_tokens(const ModelData& model) {
  const Json manifest = parse_json(model.facts().corpus_manifest);
  if (!manifest.is_object() || !manifest.contains("tokens") ||
      !manifest["tokens"].is_number_unsigned()) {
    return std::nullopt;
  }
  return manifest["tokens"].get<std::uint64_t>();
}

/// Topics of one draw, word-major.
TopicWeights weights_of(const TopicDraws& draws, std::uint64_t draw, Threads& threads) {
  TopicWeights topics(draws.topics(), draws.words());
  for (std::uint32_t k = 0; k < draws.topics(); ++k) {
    const std::span<const float> row = draws.topic(draw, k);
    for (std::size_t w = 0; w < row.size(); ++w) {
      topics.weights().at(w, k) = row[w];
    }
  }
  topics.sum(threads);
  return topics;
}

/// shares[k]: one value per draw.
using SharesByTopic = std::vector<std::vector<double>>;

SharesByTopic stored_shares(const TopicDraws& draws) {
  SharesByTopic shares(draws.topics());
  for (std::uint64_t s = 0; s < draws.draws(); ++s) {
    for (std::uint32_t k = 0; k < draws.topics(); ++k) {
      shares[k].push_back(draws.shares(s)[k]);
    }
  }
  return shares;
}

/// None if it was stopped.
std::optional<SharesByTopic> inferred_shares(const ExplorerRequest& request, Threads& threads,
                                             const WorkWatch& progress) {
  const TopicDraws& draws = *request.draws;
  const std::uint64_t documents =
      std::min(request.plan.shares_documents, request.corpus->documents());
  SharesByTopic shares(draws.topics());
  for (std::uint64_t s = 0; s < draws.draws(); ++s) {
    std::vector<double> counts(draws.topics(), 0.0);
    const auto report = infer_topics(
        weights_of(draws, s, threads), request.model.facts().alpha,
        *read_corpus(*request.corpus, request.model, documents),
        {.sweeps = CorpusTopicsPlan().sweeps, .seed = request.model.facts().seed}, threads,
        {.result =
             [&](const InferredDocument& document) {
               std::ranges::transform(counts, document.counts, counts.begin(), std::plus<>());
             },
         .progress =
             [&](const WorkProgress& now) {
               const std::uint64_t done = s * documents + now.done;
               return progress({"looking at draws", done, done, draws.draws() * documents});
             }});
    if (!report) {
      return std::nullopt;
    }
    const double all = std::max<double>(1, static_cast<double>(report->tokens));
    for (std::uint32_t k = 0; k < draws.topics(); ++k) {
      shares[k].push_back(counts[k] / all);
    }
  }
  return shares;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// The spread over draws on some documents, around the share in all of them.
void take_draw_spread(SharesByTopic shares, Explorer& explorer) {
  for (std::size_t k = 0; k < shares.size(); ++k) {
    const double middle = mean(shares[k]);
    if (middle > 0) {
      for (double& share : shares[k]) {
        share *= explorer.topics[k].share / middle;
      }
      explorer.topics[k].share_interval = interval_of(shares[k]);
    }
  }
}

/// False if it was stopped.
bool add_corpus(const ExplorerRequest& request, Threads& threads, const WorkWatch& progress,
                Explorer& explorer) {
  const Corpus& corpus = *request.corpus;
  std::optional<CorpusTopics> found = infer_corpus_topics(
      request.model, corpus,
      {.documents = request.plan.documents, .best = request.plan.best_documents}, threads,
      in_phase("looking at documents", progress));
  if (!found) {
    return false;
  }
  for (std::size_t k = 0; k < explorer.topics.size(); ++k) {
    explorer.topics[k].share = found->shares[k];
    explorer.topics[k].documents = std::move(found->documents[k]);
  }
  explorer.share_of = ShareOf::tokens;
  explorer.corpus = {
      corpus.folder().empty() ? corpus.name() : folder_name(corpus.folder()), corpus.documents(),
      corpus.tokens(),
      found->looked_at < corpus.documents() ? std::optional(found->looked_at) : std::nullopt};
  if (corpus.fingerprint() == request.model.facts().corpus_fingerprint) {
    explorer.tokens = corpus.tokens();
  }
  return true;
}

/// False if it was stopped.
bool add_shares(const ExplorerRequest& request, Threads& threads, const WorkWatch& progress,
                Explorer& explorer) {
  const auto take = [&](const TopicShares& known) {
    explorer.share_of = known.of;
    for (std::size_t k = 0; k < known.shares.size(); ++k) {
      explorer.topics[k].share = known.shares[k];
    }
  };
  const TopicShares known = known_shares(request.model, request.draws);
  take(known);
  if (request.corpus != nullptr && !add_corpus(request, threads, progress, explorer)) {
    return false;
  }
  if (request.draws == nullptr) {
    return true;
  }
  if (!request.draws->shares(0).empty()) {
    take(known);  // the corpus has given its own
    const SharesByTopic shares = stored_shares(*request.draws);
    for (std::size_t k = 0; k < shares.size(); ++k) {
      explorer.topics[k].share_interval = interval_of(shares[k]);
    }
  } else if (request.corpus != nullptr && request.draws->draws() >= fewest_for_quantiles) {
    std::optional<SharesByTopic> spread = inferred_shares(request, threads, progress);
    if (!spread) {
      return false;
    }
    take_draw_spread(std::move(*spread), explorer);
  }
  return true;
}

std::optional<Interval> word_interval(const TopicDraws* draws, std::uint32_t topic,
                                      std::uint32_t word) {
  if (draws == nullptr || draws->draws() < fewest_for_quantiles) {
    return std::nullopt;
  }
  std::vector<double> values;
  for (std::uint64_t s = 0; s < draws->draws(); ++s) {
    values.push_back(static_cast<double>(draws->topic(s, topic)[word]));
  }
  return interval_of(std::move(values));
}

std::vector<std::pair<std::uint32_t, double>> topics_of_word(std::uint32_t word,
                                                             const TopicWords& words,
                                                             const Explorer& explorer) {
  std::vector<std::pair<std::uint32_t, double>> topics;
  const double all = words.probability(word);
  for (std::uint32_t k = 0; k < explorer.topics.size() && all > 0; ++k) {
    const double share = explorer.topics[k].share * words.phi(word, k) / all;
    if (share >= least_topic_of_word) {
      topics.emplace_back(k, share);
    }
  }
  std::ranges::stable_sort(topics, std::greater<>(),
                           [](const auto& entry) { return entry.second; });
  topics.resize(std::min(topics.size(), most_topics_of_word));
  return topics;
}

/// Words of topics, still by their numbers in the model.
void add_topic_words(const ExplorerRequest& request, const TopicWords& words, Threads& threads,
                     Explorer& explorer) {
  threads.for_each(explorer.topics.size(), [&](std::size_t index) {
    const auto k = static_cast<std::uint32_t>(index);
    ExplorerTopic& topic = explorer.topics[k];
    topic.exclusivity = words.exclusivity(k);
    for (const std::uint32_t word : words.relevant(k, request.plan.relevant_words)) {
      topic.words.push_back({word, words.phi(word, k), word_interval(request.draws, k, word)});
    }
  });
}

/// The words of the page, by falling p(w); then topics' words are numbered by them.
void add_page_words(const ExplorerRequest& request, const TopicWords& words, Threads& threads,
                    Explorer& explorer) {
  constexpr std::uint32_t none = ~std::uint32_t{0};
  const std::uint32_t count = request.model.topics().words();
  std::vector<bool> listed(count, false);
  for (const ExplorerTopic& topic : explorer.topics) {
    for (const ExplorerTopic::Word& word : topic.words) {
      listed[word.word] = true;
    }
  }
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
    return listed[a] != listed[b] ? bool{listed[a]} : words.probability(a) > words.probability(b);
  });
  const auto in_lists = static_cast<std::size_t>(std::ranges::count(listed, true));
  order.resize(std::min<std::size_t>(count, std::max(in_lists, request.plan.page_words)));
  std::vector<std::uint32_t> place(count, none);
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
  }
  explorer.words.resize(order.size());
  threads.for_each(order.size(), [&](std::size_t i) {
    explorer.words[i] = {request.model.vocabulary()[order[i]], words.probability(order[i]),
                         topics_of_word(order[i], words, explorer)};
  });
  for (ExplorerTopic& topic : explorer.topics) {
    for (ExplorerTopic::Word& word : topic.words) {
      word.word = place[word.word];
    }
  }
}

}  // namespace

std::optional<Explorer> explore(const ExplorerRequest& request, Threads& threads,
                                const WorkWatch& progress) {
  const ModelData& model = request.model;
  Explorer explorer;
  explorer.name = model.folder().empty() ? "topics" : folder_name(model.folder());
  explorer.method = model.facts().method;
  explorer.seed = model.facts().seed;
  explorer.documents = model.facts().corpus_documents;
  explorer.vocabulary = model.topics().words();
  explorer.draws = request.draws == nullptr ? 0 : request.draws->draws();
  explorer.tokens = trained_tokens(model);
  explorer.manifest = model.manifest();
  explorer.history = History::parse(model.history());
  explorer.topics.resize(model.topics().topics());
  if (!add_shares(request, threads, progress, explorer)) {
    return std::nullopt;
  }
  std::vector<double> shares;
  for (const ExplorerTopic& topic : explorer.topics) {
    shares.push_back(topic.share);
  }
  const TopicWords words(model.topics(), shares);
  if (request.corpus != nullptr) {
    const std::vector<double> coherent = model_coherence(model, *request.corpus, words, threads);
    for (std::size_t k = 0; k < coherent.size(); ++k) {
      explorer.topics[k].coherence = coherent[k];
    }
  }
  add_topic_words(request, words, threads, explorer);
  add_page_words(request, words, threads, explorer);
  explorer.map = map_topics(model.topics(), threads, request.plan.map);
  return explorer;
}

}  // namespace tain
