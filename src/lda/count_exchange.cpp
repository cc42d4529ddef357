#include "lda/count_exchange.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace tain {

void CountExchange::begin(std::size_t pieces) {
  // All ranks make the same transfers in the same order.
  while (pieces_.size() < pieces) {
    const auto buffers = static_cast<std::size_t>(
        division_.layout() == Layout::sharded ? division_.comm().ranks() : 1);
    pieces_.push_back({division_.comm().transfer(), std::vector<ByteBuffer>(buffers)});
  }
  sent_ = 0;
}

void CountExchange::note(std::span<const std::uint32_t> words,
                         std::span<const std::uint16_t> before, std::span<const std::uint16_t> now,
                         std::uint16_t none) {
  none_ = none;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::uint16_t was = before.empty() ? none : before[i];
    if (was != now[i]) {
      changes_.push_back({words[i], was, now[i]});
    }
  }
}

void CountExchange::list_seen(std::vector<std::uint32_t>& words) {
  words.clear();
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    for (std::uint64_t bits = seen_[i]; bits != 0; bits &= bits - 1) {
      const auto word =
          static_cast<std::uint32_t>(64 * i) + static_cast<std::uint32_t>(std::countr_zero(bits));
      index_[word] = static_cast<std::uint32_t>(words.size());
      words.push_back(word);
    }
    seen_[i] = 0;
  }
}

// By word, by counting: the different words of the changes, ascending, and their changes.
void CountExchange::group() {
  std::uint32_t most = 0;
  for (const Change& change : changes_) {
    most = std::max(most, change.word);
  }
  seen_.resize(std::max<std::size_t>(seen_.size(), most / 64 + 1), 0);
  index_.resize(64 * seen_.size());
  for (const Change& change : changes_) {
    seen_[change.word / 64] |= std::uint64_t{1} << (change.word % 64);
  }
  list_seen(words_);
  begin_.assign(words_.size() + 2, 0);
  for (const Change& change : changes_) {
    ++begin_[index_[change.word] + 2];
  }
  for (std::size_t i = 2; i < begin_.size(); ++i) {
    begin_[i] += begin_[i - 1];
  }
  grouped_.resize(changes_.size());
  for (const Change& change : changes_) {
    grouped_[begin_[index_[change.word] + 1]++] = change;
  }
}

// by_ and touched_ of one word; topics whose changes cancel out are left out.
void CountExchange::add_up_word(std::size_t begin, std::size_t end) {
  touched_.clear();
  const auto change = [&](std::uint16_t topic, std::int32_t by) {
    if (by_.size() <= topic) {
      by_.resize(std::size_t{topic} + 1, 0);
    }
    if (by_[topic] == 0) {
      touched_.push_back(topic);  // again, if it was back at zero
    }
    by_[topic] += by;
  };
  for (std::size_t i = begin; i < end; ++i) {
    if (grouped_[i].before != none_) {
      change(grouped_[i].before, -1);
    }
    change(grouped_[i].now, 1);
  }
  std::ranges::sort(touched_);
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
  std::erase_if(touched_, [&](std::uint16_t topic) { return by_[topic] == 0; });
}

CountExchange::Piece& CountExchange::next_piece(std::uint64_t tokens) {
  TAIN_EXPECTS(sent_ < pieces_.size(), "a piece of the batch");
  Piece& piece = pieces_[sent_++];
  for (ByteBuffer& buffer : piece.to) {
    buffer.clear();
    buffer.append(std::span<const std::uint64_t>(&tokens, 1));
  }
  return piece;
}

void CountExchange::start(Piece& piece) {
  piece.arrived = false;
  if (division_.layout() == Layout::replicated) {
    return piece.transfer->gather(piece.to.front().bytes());
  }
  spans_.clear();
  for (const ByteBuffer& buffer : piece.to) {
    spans_.push_back(buffer.bytes());
  }
  piece.transfer->exchange(spans_);
}

template <class Word, class Write>
void CountExchange::write_by_owner(Piece& piece, std::size_t count, const Word& word,
                                   const Write& write) {
  std::size_t i = 0;
  for (std::size_t r = 0; r < piece.to.size(); ++r) {
    const std::uint64_t end =
        piece.to.size() == 1 ? division_.all_words() : division_.words_of(static_cast<int>(r)).end;
    CountWriter writer(piece.to[r]);
    for (; i < count && word(i) < end; ++i) {
      write(writer, i);
    }
  }
}

void CountExchange::send_changes(std::span<const std::uint32_t> names, std::uint64_t tokens) {
  Piece& piece = next_piece(tokens);
  group();
  const auto word = [&](std::size_t i) { return names.empty() ? words_[i] : names[words_[i]]; };
  write_by_owner(piece, words_.size(), word, [&](CountWriter& writer, std::size_t i) {
    add_up_word(begin_[i], begin_[i + 1]);
    if (!touched_.empty()) {
      writer.word(word(i), touched_.size());
    }
    for (const std::uint16_t topic : touched_) {
      writer.change(topic, by_[topic]);
      by_[topic] = 0;
    }
  });
  changes_.clear();
  start(piece);
}

void CountExchange::send_sums(const TopicCounts& counts, std::span<const std::uint32_t> names,
                              std::uint64_t tokens) {
  Piece& piece = next_piece(tokens);
  const BasicBlock<const std::uint32_t> sums = counts.sums.view();
  const auto word = [&](std::size_t i) {
    return names.empty() ? counts.words[i] : names[counts.words[i]];
  };
  write_by_owner(piece, counts.words.size(), word, [&](CountWriter& writer, std::size_t i) {
    const std::span row(sums.row(i), sums.lanes());
    writer.word(word(i), row.size() - static_cast<std::size_t>(std::ranges::count(row, 0U)));
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (row[k] != 0) {
        writer.change(static_cast<std::uint32_t>(k), row[k]);
      }
    }
  });
  start(piece);
}

void CountExchange::advance() {
  for (std::size_t p = 0; p < sent_; ++p) {
    pieces_[p].arrived = pieces_[p].arrived || pieces_[p].transfer->advance();
  }
}

// Twice over the bytes: which words there are, then their counts.
std::uint64_t CountExchange::add_up(TopicCounts& counts, std::size_t pieces,
                                    std::size_t row_length) {
  seen_.resize(std::max<std::size_t>(seen_.size(), (division_.all_words() + 63) / 64), 0);
  index_.resize(64 * seen_.size());
  std::uint64_t tokens = 0;
  for (std::size_t p = 0; p < pieces; ++p) {
    tokens += receive(
        p, [&](std::uint32_t word) { seen_[word / 64] |= std::uint64_t{1} << (word % 64); },
        [](std::uint32_t, std::int64_t) {});
  }
  list_seen(counts.words);
  if (counts.sums.rows() < counts.words.size() || counts.sums.lanes() != row_length) {
    counts.sums =
        BasicBlockStorage<std::uint32_t>(counts.words.size() + counts.words.size() / 4, row_length);
  }
  const BasicBlock<std::uint32_t> sums = counts.sums.view();
  std::ranges::fill(sums.slice(0, counts.words.size()).flat(), 0U);
  for (std::size_t p = 0; p < pieces; ++p) {
    std::uint32_t* row = nullptr;
    receive(
        p, [&](std::uint32_t word) { row = sums.row(index_[word]); },
        [&](std::uint32_t topic, std::int64_t by) {
          TAIN_EXPECTS(topic < row_length, "a topic of the model");
          row[topic] += static_cast<std::uint32_t>(by);
        });
  }
  return tokens;
}

std::span<const std::byte> CountExchange::counts_from(std::size_t piece, int rank,
                                                      std::uint64_t& tokens) {
  Piece& from = pieces_[piece];
  if (!from.arrived) {
    from.transfer->wait();
    from.arrived = true;
  }
  const std::span<const std::byte> bytes = from.transfer->from(rank);
  std::uint64_t drawn = 0;
  TAIN_EXPECTS(bytes.size() >= sizeof drawn, "tokens before counts");
  std::memcpy(&drawn, bytes.data(), sizeof drawn);
  tokens += drawn;
  return bytes.subspan(sizeof drawn);
}

}  // namespace tain
