#include "lda/engine/exchange/count_exchange.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <utility>

#include "lda/engine/exchange/topic_rows.hpp"
#include "lda/engine/kept_topics.hpp"

namespace tain {
namespace {

/// Documents or rows that are worth a part of their own.
constexpr std::size_t least_part = 32;
constexpr std::uint16_t none = KeptTopics::unknown;

/// Numbers whose bit is set, ascending. Clears the bits.
void list_bits(std::vector<std::uint64_t>& bits, std::vector<std::uint32_t>& numbers) {
  numbers.clear();
  for (std::size_t i = 0; i < bits.size(); ++i) {
    for (std::uint64_t left = bits[i]; left != 0; left &= left - 1) {
      const auto number =
          static_cast<std::uint32_t>(64 * i) + static_cast<std::uint32_t>(std::countr_zero(left));
      numbers.push_back(number);
    }
    bits[i] = 0;
  }
}

}  // namespace

// About half of the tokens change, at random: every token is written down, and overwritten by the
// next if it did not change, which no branch has to guess.
void CountEncoder::note(std::span<const ChangedDocument> documents) {
  std::size_t tokens = 0;
  for (const ChangedDocument& document : documents) {
    tokens += document.words.size();
  }
  changes_.resize(tokens + 1);
  std::size_t changed = 0;
  std::uint32_t most_word = 0;
  std::uint16_t most_topic = 0;
  for (const ChangedDocument& document : documents) {
    for (std::size_t i = 0; i < document.words.size(); ++i) {
      const std::uint16_t now = document.now[i];
      const std::uint16_t before = document.before.empty() ? none : document.before[i];
      changes_[changed] = {document.words[i], before, now};
      changed += before != now ? 1 : 0;
      most_word = std::max(most_word, document.words[i]);
      most_topic = std::max({most_topic, now, before == none ? now : before});
    }
  }
  changes_.resize(changed);
  seen_.resize(std::max<std::size_t>(seen_.size(), most_word / 64 + 1), 0);
  ends_.resize(64 * seen_.size(), 0);
  by_.resize(std::max<std::size_t>(by_.size(), std::size_t{most_topic} + 1), 0);
  marks_.resize(by_.size() / 64 + 1, 0);
  most_.resize(marks_.size() / 64 + 1, 0);
}

// By word, by counting: the different words of the changes, ascending, and their changes.
void CountEncoder::group() {
  for (const Change& change : changes_) {
    seen_[change.word / 64] |= std::uint64_t{1} << (change.word % 64);
    ++ends_[change.word];
  }
  list_bits(seen_, words_);
  begin_.resize(words_.size() + 1);
  std::uint32_t begin = 0;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    begin_[i] = begin;
    begin += std::exchange(ends_[words_[i]], begin);
  }
  begin_[words_.size()] = begin;
  grouped_.resize(changes_.size());
  for (const Change& change : changes_) {
    grouped_[ends_[change.word]++] = change;
  }
  for (const std::uint32_t word : words_) {
    ends_[word] = 0;
  }
}

// by_ and touched_ of one word. Bits put topics in order: sorting took a third of the encoding.
void CountEncoder::add_up(std::size_t begin, std::size_t end) {
  const auto change = [&](std::uint16_t topic, std::int32_t by) {
    by_[topic] += by;
    marks_[topic / 64] |= std::uint64_t{1} << (topic % 64);
    most_[topic / 4096] |= std::uint64_t{1} << (topic / 64 % 64);
  };
  for (std::size_t i = begin; i < end; ++i) {
    if (grouped_[i].before != none) {
      change(grouped_[i].before, -1);
    }
    change(grouped_[i].now, 1);
  }
  list_touched();
}

// Topics whose changes cancel out are left out.
void CountEncoder::list_touched() {
  touched_.clear();
  for (std::size_t i = 0; i < most_.size(); ++i) {
    for (; most_[i] != 0; most_[i] &= most_[i] - 1) {
      const std::size_t word = 64 * i + static_cast<std::size_t>(std::countr_zero(most_[i]));
      for (std::uint64_t left = marks_[word]; left != 0; left &= left - 1) {
        const auto topic = static_cast<std::uint16_t>(
            64 * word + static_cast<std::size_t>(std::countr_zero(left)));
        if (by_[topic] != 0) {
          touched_.push_back(topic);
        }
      }
      marks_[word] = 0;
    }
  }
}

// write_word(writer, i) for every i of [first, end), with the writer of whoever gets word(i).
template <class Word, class Write>
void CountEncoder::write(std::span<const std::uint64_t> ends, std::size_t first, std::size_t end,
                         const Word& word, const Write& write_word) {
  to_.resize(ends.size());
  for (std::size_t r = 0; r < ends.size(); ++r) {
    to_[r].clear();
    CountWriter writer(to_[r]);
    for (; first < end && word(first) < ends[r]; ++first) {
      write_word(writer, first);
    }
  }
}

void CountEncoder::write_changes(std::span<const ChangedDocument> documents,
                                 std::span<const std::uint32_t> names,
                                 std::span<const std::uint64_t> ends) {
  note(documents);
  group();
  const auto word = [&](std::size_t i) { return names.empty() ? words_[i] : names[words_[i]]; };
  write(ends, 0, words_.size(), word, [&](CountWriter& writer, std::size_t i) {
    add_up(begin_[i], begin_[i + 1]);
    if (!touched_.empty()) {
      writer.word(word(i), touched_.size());
    }
    for (const std::uint16_t topic : touched_) {
      writer.change(topic, by_[topic]);
      by_[topic] = 0;
    }
  });
}

void CountEncoder::write_sums(const TopicCounts& counts, std::size_t first, std::size_t end,
                              std::span<const std::uint32_t> names,
                              std::span<const std::uint64_t> ends) {
  const BasicBlock<const std::uint32_t> sums = counts.sums.view();
  const auto word = [&](std::size_t i) {
    return names.empty() ? counts.words[i] : names[counts.words[i]];
  };
  write(ends, first, end, word, [&](CountWriter& writer, std::size_t i) {
    const std::span row(sums.row(i), sums.lanes());
    writer.word(word(i), row.size() - static_cast<std::size_t>(std::ranges::count(row, 0U)));
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (row[k] != 0) {
        writer.change(static_cast<std::uint32_t>(k), row[k]);
      }
    }
  });
}

CountExchange::CountExchange(const Sharding& sharding) : sharding_(sharding) {
  if (sharding.layout() == Layout::replicated) {
    ends_.push_back(sharding.all_words());
    return;
  }
  for (int r = 0; r < sharding.comm().ranks(); ++r) {
    ends_.push_back(sharding.words_of(r).end);
  }
}

void CountExchange::begin(std::size_t pieces) {
  // All ranks make the same transfers in the same order.
  while (pieces_.size() < pieces) {
    pieces_.push_back({sharding_.comm().transfer(), std::vector<ByteBuffer>(ends_.size())});
  }
  sent_ = 0;
}

void CountExchange::send_changes(std::span<const ChangedDocument> documents,
                                 std::span<const std::uint32_t> names, std::uint64_t tokens,
                                 Threads& threads) {
  const std::size_t parts =
      std::clamp<std::size_t>(documents.size() / least_part, 1, threads.count());
  encoders_.resize(std::max(encoders_.size(), parts));
  threads.for_each(parts, [&](std::size_t p) {
    const Range part = piece_of(documents.size(), p, parts);
    encoders_[p].write_changes(documents.subspan(part.first, part.size()), names, ends_);
  });
  send(parts, tokens);
}

void CountExchange::send_sums(const TopicCounts& counts, std::span<const std::uint32_t> names,
                              std::uint64_t tokens, Threads& threads) {
  const std::size_t rows = counts.words.size();
  const std::size_t parts = std::clamp<std::size_t>(rows / least_part, 1, threads.count());
  encoders_.resize(std::max(encoders_.size(), parts));
  threads.for_each(parts, [&](std::size_t p) {
    const Range part = piece_of(rows, p, parts);
    encoders_[p].write_sums(counts, part.first, part.end, names, ends_);
  });
  send(parts, tokens);
}

// Tokens, how many parts, how long each; then the parts.
void CountExchange::send(std::size_t parts, std::uint64_t tokens) {
  TAIN_EXPECTS(sent_ < pieces_.size(), "a piece of the batch");
  Piece& piece = pieces_[sent_++];
  spans_.clear();
  for (std::size_t r = 0; r < ends_.size(); ++r) {
    ByteBuffer& out = piece.to[r];
    out.clear();
    std::byte* place = out.room((2 + parts) * most_number_bytes);
    place = write_number(write_number(place, tokens), parts);
    for (std::size_t p = 0; p < parts; ++p) {
      place = write_number(place, encoders_[p].to()[r].size());
    }
    out.end(place);
    for (std::size_t p = 0; p < parts; ++p) {
      out.append(encoders_[p].to()[r].bytes());
    }
    spans_.push_back(out.bytes());
  }
  if (sharding_.layout() == Layout::replicated) {
    piece.transfer->gather(spans_.front());
  } else {
    piece.transfer->exchange(spans_);
  }
  advance();
}

void CountExchange::advance() {
  for (std::size_t p = 0; p < sent_; ++p) {
    pieces_[p].transfer->advance();
  }
}

std::uint64_t CountExchange::receive() {
  std::uint64_t tokens = 0;
  lists_.clear();
  for (std::size_t p = 0; p < sent_; ++p) {
    pieces_[p].transfer->wait();
    for (int r = 0; r < sharding_.comm().ranks(); ++r) {
      ByteReader reader(pieces_[p].transfer->from(r));
      tokens += reader.number();
      const std::size_t parts = reader.number();
      ByteReader sizes = reader;  // all of them come before the parts
      for (std::size_t i = 0; i < parts; ++i) {
        reader.number();
      }
      for (std::size_t i = 0; i < parts; ++i) {
        const std::size_t size = sizes.number();
        lists_.emplace_back(reader.take(size), size);
      }
      TAIN_EXPECTS(reader.at_end(), "as much as was sent");
    }
  }
  return tokens;
}

// Twice over the bytes: which words there are, then their counts.
void CountExchange::add_up(TopicCounts& counts, std::size_t row_length, Threads& threads) {
  seen_.resize((sharding_.all_words() + 63) / 64, 0);
  threads.for_each(lists_.size(), [&](std::size_t i) {
    read_counts(
        lists_[i],
        [&](std::uint32_t word) {
          std::atomic_ref(seen_[word / 64])
              .fetch_or(std::uint64_t{1} << (word % 64), std::memory_order_relaxed);
        },
        [](std::uint32_t, std::int64_t) {});
  });
  list_bits(seen_, counts.words);
  index_.resize(64 * seen_.size());
  for (std::size_t i = 0; i < counts.words.size(); ++i) {
    index_[counts.words[i]] = static_cast<std::uint32_t>(i);
  }
  const std::size_t rows = counts.words.size();
  if (counts.sums.rows() < rows || counts.sums.lanes() != row_length) {
    counts.sums = BasicBlockStorage<std::uint32_t>(rows + rows / 4, row_length);
  }
  const BasicBlock<std::uint32_t> sums = counts.sums.view();
  std::ranges::fill(sums.slice(0, rows).flat(), 0U);
  threads.for_each(lists_.size(), [&](std::size_t i) {
    std::uint32_t* row = nullptr;
    read_counts(
        lists_[i], [&](std::uint32_t word) { row = sums.row(index_[word]); },
        [&](std::uint32_t topic, std::int64_t by) {
          TAIN_EXPECTS(topic < row_length, "a topic of the model");
          std::atomic_ref(row[topic])
              .fetch_add(static_cast<std::uint32_t>(by), std::memory_order_relaxed);
        });
  });
}

}  // namespace tain
