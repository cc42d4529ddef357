#include "lda/engine/topic_descent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "lda/engine/document_order.hpp"
#include "lda/engine/exchange/descent_exchange.hpp"
#include "lda/engine/topic_descent_pass.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

constexpr double share_of_documents = 0.2;
constexpr std::uint64_t tokens_of_a_start = 400;
constexpr std::uint64_t most_documents_of_a_start = 64;
constexpr std::uint64_t most_documents_counted = 100'000;
constexpr std::size_t blocks_per_task = 4;

/// Different words of a document with their counts, appended.
void append_entries(const DocumentWords& words, std::vector<std::uint32_t>& sorted,
                    std::vector<descent::Entry>& entries) {
  if (!words.counts.empty()) {
    for (std::size_t i = 0; i < words.ids.size(); ++i) {
      entries.push_back({words.ids[i], static_cast<float>(words.counts[i])});
    }
    return;
  }
  sorted.assign(words.ids.begin(), words.ids.end());
  std::ranges::sort(sorted);
  for (std::size_t i = 0; i < sorted.size();) {
    std::size_t end = i + 1;
    while (end < sorted.size() && sorted[end] == sorted[i]) {
      ++end;
    }
    entries.push_back({sorted[i], static_cast<float>(end - i)});
    i = end;
  }
}

}  // namespace

struct TopicDescent::State {
  State(TopicWeights& weights, const DescentOptions& chosen, const Sharding& divided,
        TopicRows* borrowed)
      : topics(weights),
        options(chosen),
        sharding(divided),
        rows(borrowed),
        parameters(2, weights.row_length()) {}

  void gather(std::span<const DocumentWords> batch);
  void group();
  void infer(std::span<const DocumentWords> batch, Range piece, Threads& threads);
  void infer_and_share(const DescentBatch& batch, Threads& threads);
  void borrow(const DescentBatch& batch);
  std::optional<TopicFailure> update(double scale, double rate, Threads& threads);

  TopicWeights& topics;
  DescentOptions options;
  Sharding sharding;
  TopicRows* rows;
  FloatBlockStorage parameters;  // alpha, rate eta; padding 0
  std::vector<descent::Entry> entries;
  std::vector<std::uint32_t> ends{0};  // of every document's entries
  std::vector<std::uint32_t> sorted;
  // Entries by word, in the order of the batch:
  std::vector<std::uint32_t> begin;
  std::vector<descent::Occurrence> occurrences;
  std::vector<float> ratios;
  FloatBlockStorage shares, scratch;  // a row per document; per document or task
  std::vector<double> block_sums, sums;
  // Where there are several ranks:
  std::unique_ptr<DescentExchange> exchange;
  std::vector<descent::Entry> numbered;  // of a piece: words as rows
};

void TopicDescent::State::gather(std::span<const DocumentWords> batch) {
  entries.clear();
  ends.assign(1, 0);
  for (const DocumentWords& words : batch) {
    append_entries(words, sorted, entries);
    TAIN_EXPECTS(entries.size() < std::numeric_limits<std::uint32_t>::max(), "a batch of 2^32");
    ends.push_back(static_cast<std::uint32_t>(entries.size()));
  }
  ratios.resize(entries.size());
  if (shares.rows() < batch.size()) {
    shares = FloatBlockStorage(batch.size(), topics.row_length());
    scratch = FloatBlockStorage(batch.size(), topics.row_length());
  }
}

// Counting sort by word; within a word documents keep their order.
void TopicDescent::State::group() {
  begin.assign(std::size_t{topics.words()} + 2, 0);
  for (const descent::Entry& entry : entries) {
    ++begin[entry.word + 2];
  }
  for (std::size_t w = 2; w < begin.size(); ++w) {
    begin[w] += begin[w - 1];
  }
  occurrences.resize(entries.size());
  for (std::uint32_t d = 0; d + 1 < ends.size(); ++d) {
    for (std::uint32_t place = ends[d]; place < ends[d + 1]; ++place) {
      occurrences[begin[entries[place].word + 1]++] = {d, ratios[place]};
    }
  }
}

void TopicDescent::State::infer(std::span<const DocumentWords> batch, Range piece,
                                Threads& threads) {
  const TopicWeights& fixed = rows != nullptr ? rows->table() : topics;
  const std::vector<descent::Entry>& found = rows != nullptr ? numbered : entries;
  const std::size_t before = rows != nullptr ? ends[piece.first] : 0;
  threads.for_each(piece.size(), [&](std::size_t i) {
    const std::size_t d = piece.first + i;
    const std::size_t first = ends[d], count = ends[d + 1] - ends[d];
    descent::infer(
        {.weights = fixed.weights(),
         .alpha = parameters.view().row(0),
         .inverse_sums = fixed.inverse_sums().data(),
         .uniform = static_cast<float>(static_cast<double>(batch[d].tokens()) / topics.topics()),
         .discount = static_cast<float>(options.discount),
         .rounds = options.rounds,
         .entries = std::span(found).subspan(first - before, count),
         .ratios = std::span(ratios).subspan(first, count),
         .shares = shares.view().row(d),
         .sums = scratch.view().row(d)});
  });
}

std::optional<TopicFailure> TopicDescent::State::update(double scale, double rate,
                                                        Threads& threads) {
  const std::size_t length = topics.row_length(), words = topics.words();
  const std::size_t blocks = (words + block_words - 1) / block_words;
  block_sums.resize(blocks * length);
  std::fill_n(parameters.view().row(1), topics.topics(), static_cast<float>(rate * options.eta));
  const std::size_t tasks = (blocks + blocks_per_task - 1) / blocks_per_task;
  if (scratch.rows() < tasks) {
    scratch = FloatBlockStorage(tasks, length);
  }
  threads.for_each(tasks, [&](std::size_t task) {
    for (std::size_t b = task * blocks_per_task; b < std::min(blocks, (task + 1) * blocks_per_task);
         ++b) {
      descent::update({.weights = topics.weights(),
                       .first = b * block_words,
                       .end = std::min(words, (b + 1) * block_words),
                       .begin = begin.data(),
                       .occurrences = occurrences.data(),
                       .shares = shares.view(),
                       .keep = static_cast<float>(1 - rate),
                       .gain = static_cast<float>(rate * scale),
                       .prior = parameters.view().row(1),
                       .scratch = scratch.view().row(task),
                       .sums = block_sums.data() + b * length});
    }
  });
  sums.assign(length, 0.0);
  sharding.shards().ordered_reduce(std::as_writable_bytes(std::span(sums)), [&] {
    for (std::size_t b = 0; b < blocks; ++b) {
      for (std::size_t k = 0; k < length; ++k) {
        sums[k] += block_sums[b * length + k];
      }
    }
  });
  for (std::size_t k = 0; k < topics.topics(); ++k) {
    const double total = sums[k];
    const auto inverse = static_cast<float>(1 / total);
    if (!(total > 0) || !std::isnormal(inverse)) {
      return TopicFailure{static_cast<std::uint32_t>(k), total};
    }
    topics.inverse_sums()[k] = inverse;
  }
  return std::nullopt;
}

// Asks for the rows that the documents of every piece need.
void TopicDescent::State::borrow(const DescentBatch& batch) {
  rows->begin();
  for (std::size_t p = 0; p < batch.pieces; ++p) {
    const Range piece = piece_of(batch.documents.size(), p, batch.pieces);
    for (std::uint64_t d = piece.first; d < piece.end; ++d) {
      rows->want(batch.documents[d].ids);
    }
    rows->end_piece();
  }
  rows->ask();
}

void TopicDescent::State::infer_and_share(const DescentBatch& batch, Threads& threads) {
  if (!exchange) {
    exchange = std::make_unique<DescentExchange>(sharding, topics.topics());
  }
  gather(batch.documents);
  exchange->begin(batch.pieces, {parameters.view().row(0), topics.inverse_sums().data()});
  if (rows != nullptr) {
    borrow(batch);
  }
  for (std::size_t p = 0; p < batch.pieces; ++p) {
    const Range piece = piece_of(batch.documents.size(), p, batch.pieces);
    if (rows != nullptr) {
      rows->take(threads);
      numbered.assign(entries.begin() + ends[piece.first], entries.begin() + ends[piece.end]);
      for (descent::Entry& entry : numbered) {
        entry.word = rows->row(entry.word);
      }
    }
    infer(batch.documents, piece, threads);
    for (std::uint64_t d = piece.first; d < piece.end; ++d) {
      const std::size_t first = ends[d], count = ends[d + 1] - first;
      exchange->add(batch.turns[d], std::span(entries).subspan(first, count),
                    std::span(ratios).subspan(first, count), shares.view().row(d));
    }
    exchange->send();
  }
  if (shares.rows() < batch.size) {
    shares = FloatBlockStorage(batch.size, topics.row_length());
    scratch = FloatBlockStorage(batch.size, topics.row_length());
  }
  exchange->receive(batch.size, {entries, ends, ratios, shares.view()});
}

TopicDescent::TopicDescent(TopicWeights& topics, const DescentOptions& options)
    : TopicDescent(topics, options, Sharding(topics.words()), nullptr) {}

TopicDescent::TopicDescent(TopicWeights& topics, const DescentOptions& options,
                           const Sharding& sharding, TopicRows* rows)
    : state_(std::make_unique<State>(topics, options, sharding, rows)) {
  TAIN_EXPECTS(options.eta > 0 && options.rounds > 0 && options.discount >= 0,
               "options of a descent in range");
}
TopicDescent::~TopicDescent() = default;

std::optional<TopicFailure> TopicDescent::step(const DescentBatch& batch,
                                               std::span<const float> alpha, double scale,
                                               double rate, Threads& threads) {
  TAIN_EXPECTS(rate > 0 && rate <= 1 && scale > 0, "rate and scale in range");
  std::ranges::copy(alpha, state_->parameters.view().row(0));
  if (state_->sharding.comm().alone()) {
    state_->gather(batch.documents);
    state_->infer(batch.documents, {0, batch.documents.size()}, threads);
  } else {
    state_->infer_and_share(batch, threads);
  }
  state_->group();
  return state_->update(scale, rate, threads);
}

namespace {

/// Adds up the tokens of a document by word, of the words of a range.
std::uint64_t add_tokens(const DocumentWords& words, Range range,
                         std::vector<std::uint64_t>& counts) {
  for (std::size_t i = 0; i < words.ids.size(); ++i) {
    if (range.contains(words.ids[i])) {
      counts[words.ids[i] - range.first] += words.counts.empty() ? 1 : words.counts[i];
    }
  }
  return words.tokens();
}

}  // namespace

void topics_from_documents(const Corpus& corpus, const TrainingDocuments& documents, double eta,
                           const NoiseField& noise, Threads& threads, TopicWeights& topics) {
  topics_from_documents(corpus, documents, eta, noise, Sharding(corpus.words()), threads, topics);
}

void topics_from_documents(const Corpus& corpus, const TrainingDocuments& documents, double eta,
                           const NoiseField& noise, const Sharding& sharding, Threads& threads,
                           TopicWeights& topics) {
  TAIN_EXPECTS(documents.size() > 0, "documents to start from");
  // Passes that training never gets to, and others than that of the documents held out.
  const std::uint64_t n = documents.size();
  const DocumentOrder order(noise, n);
  std::uint64_t next = ~std::uint64_t{0} / n / 2 * n;

  Comm& ranks = sharding.comm();
  const Range places = documents.part(corpus, ranks.rank(), ranks.ranks()),
              words = sharding.words();
  std::vector<std::uint64_t> all(std::size_t{corpus.words()} + 1, 0), own(words.size());
  const std::uint64_t counted = std::min(n, most_documents_counted);
  for (std::uint64_t i = 0; i < counted; ++i) {
    const std::uint64_t place = order.at(next++);
    if (places.contains(place)) {
      all.back() += add_tokens(corpus.document(documents[place]), {0, corpus.words()}, all);
    }
  }
  ranks.sum(all);
  next += n - counted;  // the next pass
  const auto tokens = static_cast<double>(all.back());
  const double mass =
      tokens * static_cast<double>(n) / static_cast<double>(counted) / topics.topics();
  const double per_token = tokens > 0 ? (1 - share_of_documents) * mass / tokens : 0;
  for (std::size_t k = 0; k < topics.topics(); ++k) {
    std::ranges::fill(own, std::uint64_t{0});
    std::uint64_t seen = 0;
    for (std::uint64_t i = 0; i < most_documents_of_a_start && seen < tokens_of_a_start; ++i) {
      seen += add_tokens(corpus.document(documents[order.at(next++)]), words, own);
    }
    const double per_own = seen > 0 ? share_of_documents * mass / static_cast<double>(seen) : 0;
    for (std::size_t w = 0; w < own.size(); ++w) {
      topics.weights().at(w, k) =
          static_cast<float>(eta + per_own * static_cast<double>(own[w]) +
                             per_token * static_cast<double>(all[words.first + w]));
    }
  }
  topics.sum(threads, sharding.shards());
}

}  // namespace tain
