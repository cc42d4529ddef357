#include "lda/engine/exchange/distributed_gibbs.hpp"

#include <algorithm>
#include <atomic>
#include <optional>

#include "lda/engine/exchange/topic_rows.hpp"

namespace tain {
namespace {

using Words = std::span<const std::uint32_t>;

/// Words as rows of the table.
Words renumbered(Words words, const TopicRows& rows, std::vector<std::uint32_t>& to) {
  to.resize(words.size());
  std::ranges::transform(words, to.begin(), [&](std::uint32_t word) { return rows.row(word); });
  return to;
}

double mean_size(std::span<const Words> documents, std::span<const Words> others) {
  std::size_t total = 0;
  for (const Words words : documents) {
    total += words.size();
  }
  for (const Words words : others) {
    total += words.size();
  }
  return static_cast<double>(total) /
         static_cast<double>(std::max<std::size_t>(1, documents.size()));
}

}  // namespace

void gibbs_over_ranks(const ShardedTopics& topics, const NoiseField& noise,
                      std::span<const Words> documents, std::span<const Words> others,
                      const GibbsPlan& plan, std::uint64_t visit, Threads& threads,
                      const std::function<void(const SharedDocument&)>& see) {
  const Sharding& sharding = topics.sharding;
  const auto part = static_cast<std::size_t>(sharding.comm().rank());
  const Range own =
      piece_of(documents.size(), part, static_cast<std::size_t>(sharding.comm().ranks()));
  const auto other = [&](std::size_t d) { return others.empty() ? Words() : others[d]; };
  std::optional<TopicRows> rows;
  std::size_t pieces = 1;
  if (!sharding.whole()) {
    pieces = pieces_of_a_batch(sharding, topics.own.topics(), documents.size(),
                               mean_size(documents, others));
    rows.emplace(topics.own, sharding);
    rows->begin();
    for (std::size_t p = 0; p < pieces; ++p) {
      const Range piece = piece_of(own.size(), p, pieces);
      for (std::size_t d = own.first + piece.first; d < own.first + piece.end; ++d) {
        rows->want(documents[d]);
        rows->want(other(d));
      }
      rows->end_piece();
    }
    rows->ask();
  }
  const TopicWeights& table = rows ? rows->table() : topics.own;
  DocumentGibbs gibbs(table, topics.alpha, noise);
  std::vector<GibbsDocument> batch;
  std::vector<std::vector<std::uint32_t>> texts, asked;
  for (std::size_t p = 0; p < pieces; ++p) {
    const Range piece = piece_of(own.size(), p, pieces);
    if (rows) {
      rows->take(threads);
    }
    batch.clear();
    texts.resize(piece.size());
    asked.resize(piece.size());
    for (std::size_t i = 0; i < piece.size(); ++i) {
      const std::size_t d = own.first + piece.first + i;
      batch.push_back({.number = static_cast<std::uint32_t>(d),
                       .words = rows ? renumbered(documents[d], *rows, texts[i]) : documents[d]});
    }
    BasicBlockStorage<std::uint32_t> assigned(batch.size(), table.row_length());
    gibbs.run(batch, plan, visit, threads, {.counts = nullptr, .documents = assigned.view()});
    threads.for_each(batch.size(), [&](std::size_t i) {
      const std::size_t d = own.first + piece.first + i;
      see({.document = d,
           .assigned = {assigned.view().row(i), table.topics()},
           .topics = table,
           .others = rows ? renumbered(other(d), *rows, asked[i]) : other(d)});
    });
  }
}

std::vector<std::uint64_t> tokens_by_topic(const Sharding& sharding, const TopicWeights& own,
                                           std::span<const float> alpha, const NoiseField& noise,
                                           std::span<const Words> documents, const GibbsPlan& plan,
                                           std::uint64_t visit, Threads& threads) {
  std::vector<std::uint64_t> totals(own.topics(), 0);
  gibbs_over_ranks({own, sharding, alpha}, noise, documents, {}, plan, visit, threads,
                   [&](const SharedDocument& seen) {
                     for (std::size_t k = 0; k < totals.size(); ++k) {
                       if (seen.assigned[k] != 0) {
                         std::atomic_ref(totals[k]).fetch_add(seen.assigned[k],
                                                              std::memory_order_relaxed);
                       }
                     }
                   });
  sharding.comm().sum(totals);
  return totals;
}

}  // namespace tain
