#include "lda/engine/exchange/topic_rows.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "tain/core/error.hpp"

namespace tain {
namespace {

constexpr std::size_t lent_rows_per_task = 256;
/// Fewer documents than this are not cut further: the last ones of a piece are walked alone.
constexpr std::uint64_t documents_of_a_piece = 64;
constexpr std::size_t most_pieces_for_overlap = 4;

}  // namespace

TopicRows::TopicRows(const TopicWeights& own, const Sharding& sharding)
    : own_(own),
      sharding_(sharding),
      requests_(sharding.comm().transfer()),
      rows_(sharding.comm().transfer()),
      seen_((sharding.all_words() + 63) / 64, 0),
      index_(sharding.all_words(), 0),
      request_to_(static_cast<std::size_t>(sharding.comm().ranks())),
      asked_ends_(request_to_.size()),
      rows_to_(request_to_.size()),
      to_(request_to_.size()),
      table_(own.topics(), 1) {}

void TopicRows::begin() {
  listed_.clear();
  ends_.assign(1, 0);
  next_ = 0;
}

void TopicRows::want(std::span<const std::uint32_t> words) {
  for (const std::uint32_t word : words) {
    seen_[word / 64] |= std::uint64_t{1} << (word % 64);
  }
}

void TopicRows::end_piece() {
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    for (std::uint64_t bits = seen_[i]; bits != 0; bits &= bits - 1) {
      listed_.push_back(static_cast<std::uint32_t>(64 * i) +
                        static_cast<std::uint32_t>(std::countr_zero(bits)));
    }
    seen_[i] = 0;
  }
  ends_.push_back(listed_.size());
}

std::span<const std::uint32_t> TopicRows::listed(std::size_t piece) const {
  return std::span(listed_).subspan(ends_[piece], ends_[piece + 1] - ends_[piece]);
}

namespace {
/// Those of ascending words that lie in a range.
std::span<const std::uint32_t> within(std::span<const std::uint32_t> words, Range range) {
  const auto first = std::ranges::lower_bound(words, range.first);
  return {first, std::ranges::lower_bound(first, words.end(), range.end)};
}
}  // namespace

// To every other rank: how many of its words each piece needs, then these words.
void TopicRows::ask() {
  const std::size_t pieces = ends_.size() - 1;
  const int self = sharding_.comm().rank();
  for (int r = 0; r < sharding_.comm().ranks(); ++r) {
    std::vector<std::uint32_t>& request = request_to_[static_cast<std::size_t>(r)];
    request.clear();
    if (r != self) {
      request.resize(pieces);
      for (std::size_t p = 0; p < pieces; ++p) {
        const auto words = within(listed(p), sharding_.words_of(r));
        request[p] = static_cast<std::uint32_t>(words.size());
        request.insert(request.end(), words.begin(), words.end());
      }
    }
    to_[static_cast<std::size_t>(r)] = std::as_bytes(std::span(request));
  }
  requests_->exchange(to_);
  requests_->wait();
  for (int r = 0; r < sharding_.comm().ranks(); ++r) {
    const auto* const counts = reinterpret_cast<const std::uint32_t*>(requests_->from(r).data());
    std::vector<std::size_t>& ends = asked_ends_[static_cast<std::size_t>(r)];
    ends.assign(1, pieces);
    for (std::size_t p = 0; p < pieces && r != self; ++p) {
      ends.push_back(ends.back() + counts[p]);
    }
    TAIN_EXPECTS(r == self || ends.back() * 4 == requests_->from(r).size(), "as many as counted");
  }
  send(0);
}

std::span<const std::uint32_t> TopicRows::asked(int rank, std::size_t piece) const {
  const std::vector<std::size_t>& ends = asked_ends_[static_cast<std::size_t>(rank)];
  if (ends.size() == 1) {
    return {};
  }
  const auto* const words = reinterpret_cast<const std::uint32_t*>(requests_->from(rank).data());
  return {words + ends[piece], words + ends[piece + 1]};
}

void TopicRows::send(std::size_t piece) {
  const std::size_t topics = own_.topics();
  for (int r = 0; r < sharding_.comm().ranks(); ++r) {
    const std::span<const std::uint32_t> words = asked(r, piece);
    std::vector<float>& rows = rows_to_[static_cast<std::size_t>(r)];
    rows.resize(words.size() * topics);
    for (std::size_t i = 0; i < words.size(); ++i) {
      TAIN_EXPECTS(sharding_.words().contains(words[i]), "a word of this rank");
      std::copy_n(own_.weights().row(words[i] - sharding_.words().first), topics,
                  rows.data() + i * topics);
    }
    to_[static_cast<std::size_t>(r)] = std::as_bytes(std::span(rows));
  }
  rows_->exchange(to_);
}

void TopicRows::take(Threads& threads) {
  rows_->wait();
  words_ = listed(next_);
  const std::size_t topics = own_.topics();
  if (table_.words() < words_.size()) {
    table_ = TopicWeights(own_.topics(), static_cast<std::uint32_t>(words_.size()));
  }
  std::ranges::copy(own_.inverse_sums(), table_.inverse_sums().begin());
  const FloatBlock table = table_.weights();
  std::size_t row = 0;
  for (int r = 0; r < sharding_.comm().ranks(); ++r) {
    const Range range = sharding_.words_of(r);
    const std::span<const std::uint32_t> words = within(words_, range);
    const bool here = r == sharding_.comm().rank();
    const auto* const rows = reinterpret_cast<const float*>(rows_->from(r).data());
    threads.for_each(
        (words.size() + lent_rows_per_task - 1) / lent_rows_per_task, [&](std::size_t task) {
          const std::size_t end = std::min(words.size(), (task + 1) * lent_rows_per_task);
          for (std::size_t i = task * lent_rows_per_task; i < end; ++i) {
            const float* const from =
                here ? own_.weights().row(words[i] - range.first) : rows + i * topics;
            std::copy_n(from, topics, table.row(row + i));
            index_[words[i]] = static_cast<std::uint32_t>(row + i);
          }
        });
    row += words.size();
  }
  if (++next_ + 1 < ends_.size()) {
    send(next_);
  }
}

std::size_t pieces_of_a_batch(const Sharding& sharding, std::uint32_t topics,
                              std::uint64_t documents, double entries) {
  if (sharding.comm().alone()) {
    return 1;
  }
  const auto ranks = static_cast<std::uint64_t>(sharding.comm().ranks());
  const std::uint64_t own = (documents + ranks - 1) / ranks;
  const std::uint64_t overlapping =
      std::clamp<std::uint64_t>(own / documents_of_a_piece, 1, most_pieces_for_overlap);
  const double row = static_cast<double>(padded_topics(topics)) * sizeof(float);
  const auto budget = static_cast<double>(row_budget);
  if (sharding.whole() || row * sharding.all_words() <= budget) {
    return overlapping;
  }
  // As if all words were different.
  const double bytes = row * std::max(entries, 1.0) * static_cast<double>(own);
  const auto fitting = static_cast<std::uint64_t>(std::ceil(bytes / budget));
  return std::max(overlapping, std::min(fitting, std::max<std::uint64_t>(own, 1)));
}

}  // namespace tain
