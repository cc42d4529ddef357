#include "lda/engine/exchange/topic_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "tain/core/error.hpp"

namespace tain {
namespace {

/// Word-major rows to topics [first, first + count), topic-major, `stride` values from one topic to
/// the next.
void turn(const TopicSource& source, std::size_t first, std::size_t count, std::size_t stride,
          float* values, Threads* threads) {
  const std::size_t words = source.rows.rows();
  const auto some = [&](std::size_t task) {
    const std::size_t end = std::min(words, (task + 1) * block_words);
    for (std::size_t w = task * block_words; w < end; ++w) {
      const float* row = source.rows.row(w) + first;
      for (std::size_t i = 0; i < count; ++i) {
        values[i * stride + w] =
            source.factors.empty() ? row[i] : row[i] * source.factors[first + i];
      }
    }
  };
  const std::size_t tasks = (words + block_words - 1) / block_words;
  if (threads != nullptr) {
    threads->for_each(tasks, some);
    return;
  }
  for (std::size_t task = 0; task < tasks; ++task) {
    some(task);
  }
}

/// A word of a list, and what it is listed for.
struct Listed {
  float weight = -std::numeric_limits<float>::infinity();
  std::uint32_t word = 0;
};
bool listed_before(const Listed& a, const Listed& b) {
  return a.weight != b.weight ? a.weight > b.weight : a.word < b.word;
}

/// `count` places per topic, filled in order; words ascend, so that of equal ones the first stays.
std::vector<Listed> list_own(const TopicSource& source, std::uint32_t topics, std::size_t count) {
  std::vector<Listed> lists(topics * count);
  const std::uint64_t first = source.sharding == nullptr ? 0 : source.sharding->words().first;
  for (std::size_t w = 0; w < source.rows.rows(); ++w) {
    const float* row = source.rows.row(w);
    for (std::size_t k = 0; k < topics; ++k) {
      const std::span<Listed> list = std::span(lists).subspan(k * count, count);
      const float weight = source.factors.empty() ? row[k] : row[k] * source.factors[k];
      if (weight <= list.back().weight) {
        continue;
      }
      std::size_t place = count - 1;
      for (; place > 0 && weight > list[place - 1].weight; --place) {
        list[place] = list[place - 1];
      }
      list[place] = {weight, static_cast<std::uint32_t>(first + w)};
    }
  }
  return lists;
}

/// The lists of all ranks in one, those of a topic beside each other.
std::vector<Listed> merge(Comm& comm, const std::vector<Listed>& own, std::uint32_t topics,
                          std::size_t count) {
  const std::unique_ptr<Transfer> transfer = comm.transfer();
  transfer->gather(std::as_bytes(std::span(own)));
  transfer->wait();
  std::vector<Listed> merged(own.size()), candidates;
  for (std::size_t k = 0; k < topics; ++k) {
    candidates.clear();
    for (int rank = 0; rank < comm.ranks(); ++rank) {
      const auto* const theirs = reinterpret_cast<const Listed*>(transfer->from(rank).data());
      candidates.insert(candidates.end(), theirs + k * count, theirs + (k + 1) * count);
    }
    std::ranges::sort(candidates, listed_before);
    std::copy_n(candidates.begin(), count, merged.begin() + static_cast<std::ptrdiff_t>(k * count));
  }
  return merged;
}

}  // namespace

TopicGroups::TopicGroups(const TopicSource& source, std::uint32_t topics)
    : source_(source), topics_(topics) {
  if (source_.is_root()) {
    values_.resize(row_alignment * words());
  }
  if (!source_.here()) {
    own_.resize(row_alignment * source_.rows.rows());
    transfer_ = source_.sharding->comm().transfer();
  }
}

TopicGroups::~TopicGroups() = default;

std::size_t TopicGroups::topics_of(std::size_t group) const {
  return std::min(row_alignment, topics_ - first_topic(group));
}

std::span<float> TopicGroups::read(std::size_t group, Threads* threads) {
  if (source_.here()) {
    if (!source_.is_root()) {
      return {};
    }
    turn(source_, first_topic(group), topics_of(group), words(), values_.data(), threads);
  } else {
    turn(source_, first_topic(group), topics_of(group), source_.rows.rows(), own_.data(), threads);
    gather(group);
  }
  return std::span(values_).first(source_.is_root() ? topics_of(group) * words() : 0);
}

void TopicGroups::gather(std::size_t group) {
  const Sharding& sharding = *source_.sharding;
  const int ranks = sharding.comm().ranks();
  std::vector<std::span<const std::byte>> to(static_cast<std::size_t>(ranks));
  to[0] = std::as_bytes(std::span(own_).first(topics_of(group) * source_.rows.rows()));
  transfer_->exchange(to);
  transfer_->wait();
  for (int rank = 0; source_.is_root() && rank < ranks; ++rank) {
    const Range theirs = sharding.words_of(rank);
    const std::byte* const from = transfer_->from(rank).data();
    for (std::size_t i = 0; i < topics_of(group) && !theirs.empty(); ++i) {
      std::memcpy(values_.data() + i * words() + theirs.first,
                  from + i * theirs.size() * sizeof(float), theirs.size() * sizeof(float));
    }
  }
}

std::vector<double> topic_sums(std::span<const float> group, std::size_t words, std::size_t first) {
  std::vector<double> sums(words == 0 ? 0 : group.size() / words, 0.0);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    for (const float value : group.subspan(i * words, words)) {
      sums[i] += static_cast<double>(value);
    }
    if (!std::isfinite(sums[i]) || sums[i] <= 0) {
      fail(Fault::data, fmt::format("topic {}", first + i + 1),
           fmt::format("its weights sum to {}", sums[i]), "take a smaller step size");
    }
  }
  return sums;
}

std::vector<std::vector<std::uint32_t>> top_words(const TopicSource& source, std::uint32_t topics,
                                                  std::size_t count) {
  const std::size_t shown = std::min(count, source.words());
  std::vector<std::vector<std::uint32_t>> words(topics);
  if (shown == 0) {
    return words;
  }
  std::vector<Listed> lists = list_own(source, topics, shown);
  if (!source.here()) {
    lists = merge(source.sharding->comm(), lists, topics, shown);
  }
  for (std::size_t k = 0; k < topics; ++k) {
    for (const Listed& listed : std::span(lists).subspan(k * shown, shown)) {
      words[k].push_back(listed.word);
    }
  }
  return words;
}

}  // namespace tain
