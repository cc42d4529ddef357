#include "lda/explore/corpus_topics.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lda/explore/coherence.hpp"
#include "tain/core/error.hpp"
#include "text/document_names.hpp"
#include "text/vocabulary.hpp"

namespace tain {
namespace {

/// Larger shares first, then lower numbers.
bool larger_share(const TopicDocument& a, const TopicDocument& b) {
  return a.share != b.share ? a.share > b.share : a.document < b.document;
}

/// Keeps the best, sorted; documents come by ascending numbers.
void offer(std::vector<TopicDocument>& best, std::size_t most, TopicDocument&& candidate) {
  if (best.size() == most && !larger_share(candidate, best.back())) {
    return;
  }
  best.insert(std::ranges::upper_bound(best, candidate, larger_share), std::move(candidate));
  if (best.size() > most) {
    best.pop_back();
  }
}

std::string title_of(const DocumentNames& names, std::uint64_t document) {
  if (names.any()) {
    for (const std::string_view text : {names.title(document), names.name(document)}) {
      if (!text.empty()) {
        return std::string(text);
      }
    }
  }
  return fmt::format("document {}", document + 1);
}

}  // namespace

std::optional<CorpusTopics> infer_corpus_topics(const ModelData& model, const Corpus& corpus,
                                                const CorpusTopicsPlan& look, Threads& threads,
                                                const WorkWatch& progress) {
  const std::size_t topics = model.topics().topics();
  const std::uint64_t count = std::min(look.documents, corpus.documents());
  CorpusTopics found{std::vector<double>(topics, 0.0),
                     std::vector<std::vector<TopicDocument>>(topics), count};
  const auto add = [&](const InferredDocument& document) {
    const std::uint64_t d = spread_document(document.number - 1, count, corpus.documents());
    for (std::size_t k = 0; k < topics; ++k) {
      found.shares[k] += document.counts[k];
      if (look.best > 0 && document.tokens > 0) {
        offer(found.documents[k], look.best,
              {d, {}, static_cast<double>(document.topics[k]), document.tokens});
      }
    }
  };
  const std::optional<InferenceReport> report =
      infer_topics(model, *read_corpus(corpus, model, count),
                   {.sweeps = look.sweeps, .seed = model.facts().seed}, threads,
                   {.result = add, .progress = progress});
  if (!report) {
    return std::nullopt;
  }
  if (report->tokens == 0) {
    fail(Fault::data, corpus.name(), "has no word that the model knows",
         "give a corpus of the same language");
  }
  for (double& share : found.shares) {
    share /= static_cast<double>(report->tokens);
  }
  const DocumentNames names = DocumentNames::open(corpus);
  for (std::vector<TopicDocument>& documents : found.documents) {
    for (TopicDocument& document : documents) {
      document.title = title_of(names, document.document);
    }
  }
  return found;
}

std::vector<double> model_coherence(const ModelData& model, const Corpus& corpus,
                                    const TopicWords& words, Threads& threads) {
  Vocabulary known;
  for (const std::string& word : corpus.vocabulary()) {
    known.add(word);
  }
  std::vector<std::vector<std::uint32_t>> judged;
  for (std::uint32_t k = 0; k < model.topics().topics(); ++k) {
    judged.push_back(words.judged(k));
    std::ranges::transform(judged.back(), judged.back().begin(), [&](std::uint32_t word) {
      return known.find(model.vocabulary()[word]);
    });
  }
  return coherence(corpus, judged, threads);
}

}  // namespace tain
