#include "lda/engine/exchange/descent_exchange.hpp"

#include <algorithm>
#include <cstring>

namespace tain {

DescentExchange::DescentExchange(const Sharding& sharding, std::uint32_t topics)
    : sharding_(sharding), topics_(topics), prior_(topics) {}

void DescentExchange::begin(std::size_t pieces, Prior prior) {
  while (pieces_.size() < pieces) {
    const auto buffers = static_cast<std::size_t>(
        sharding_.layout() == Layout::sharded ? sharding_.comm().ranks() : 1);
    pieces_.push_back({sharding_.comm().transfer(), std::vector<ByteBuffer>(buffers)});
  }
  for (std::size_t k = 0; k < topics_; ++k) {
    prior_[k] = prior.alpha[k] * prior.inverse_sums[k];
  }
  used_ = pieces;
  sent_ = 0;
  last_turn_ = 0;
  for (ByteBuffer& buffer : pieces_.front().to) {
    buffer.clear();
  }
}

void DescentExchange::add(std::uint64_t turn, std::span<const descent::Entry> entries,
                          std::span<const float> ratios, const float* shares) {
  others_.clear();
  their_shares_.clear();
  for (std::uint32_t k = 0; k < topics_; ++k) {
    if (shares[k] != prior_[k]) {
      others_.push_back(k);
      their_shares_.push_back(shares[k]);
    }
  }
  std::size_t first = 0;
  std::vector<ByteBuffer>& to = pieces_[sent_].to;
  for (std::size_t r = 0; r < to.size(); ++r) {
    const Range words =
        to.size() == 1 ? Range{0, sharding_.all_words()} : sharding_.words_of(static_cast<int>(r));
    std::size_t end = first;
    while (end < entries.size() && entries[end].word < words.end) {
      ++end;
    }
    std::byte* place = to[r].room((2 + end - first) * most_number_bytes);
    place = write_number(place, turn - last_turn_);
    place = write_number(place, end - first);
    std::uint64_t last = words.first;
    for (std::size_t i = first; i < end; ++i) {
      place = write_number(place, entries[i].word - last);
      last = entries[i].word;
    }
    to[r].end(place);
    if (end > first) {
      to[r].append(ratios.subspan(first, end - first));
      write_shares(to[r]);
    }
    first = end;
  }
  last_turn_ = turn;
}

void DescentExchange::write_shares(ByteBuffer& out) {
  std::byte* place = out.room((1 + others_.size()) * most_number_bytes);
  place = write_number(place, others_.size());
  std::uint32_t last = 0;
  for (const std::uint32_t topic : others_) {
    place = write_number(place, topic - last);
    last = topic;
  }
  out.end(place);
  out.append(std::span<const float>(their_shares_));
}

void DescentExchange::send() {
  Piece& piece = pieces_[sent_++];
  if (sharding_.layout() == Layout::replicated) {
    piece.transfer->gather(piece.to.front().bytes());
  } else {
    spans_.clear();
    for (const ByteBuffer& buffer : piece.to) {
      spans_.push_back(buffer.bytes());
    }
    piece.transfer->exchange(spans_);
  }
  for (std::size_t p = 0; p < sent_; ++p) {
    pieces_[p].transfer->advance();
  }
  if (sent_ < used_) {
    for (ByteBuffer& buffer : pieces_[sent_].to) {
      buffer.clear();
    }
  }
}

void DescentExchange::read_document(ByteReader& reader, std::size_t document,
                                    const Batch& batch) const {
  const std::size_t words = reader.number();
  std::uint64_t row = 0;
  for (std::size_t i = 0; i < words; ++i) {
    row += reader.number();
    TAIN_EXPECTS(row < sharding_.words().size(), "a word of this rank");
    batch.entries.push_back({static_cast<std::uint32_t>(row), 0});
  }
  if (words == 0) {
    return;
  }
  const std::size_t before = batch.ratios.size();
  batch.ratios.resize(before + words);
  std::memcpy(batch.ratios.data() + before, reader.take(words * sizeof(float)),
              words * sizeof(float));
  float* const shares = batch.shares.row(document);
  std::ranges::copy(prior_, shares);
  std::fill(shares + topics_, shares + batch.shares.lanes(), 0.0F);
  const std::size_t others = reader.number();
  ByteReader topics = reader;  // their numbers first, then their shares
  for (std::size_t i = 0; i < others; ++i) {
    reader.number();
  }
  const std::byte* value = reader.take(others * sizeof(float));
  for (std::uint64_t i = 0, topic = 0; i < others; ++i, value += sizeof(float)) {
    topic += topics.number();
    TAIN_EXPECTS(topic < topics_, "a topic of the model");
    std::memcpy(shares + topic, value, sizeof(float));
  }
}

// Notes whose turn it is when the next document of a rank is due; none if that was the last.
void DescentExchange::find_next(int rank) {
  RatioSpan& place = places_[static_cast<std::size_t>(rank)];
  while (place.reader.at_end()) {
    if (++place.piece == used_) {
      return;
    }
    place.reader = ByteReader(pieces_[place.piece].transfer->from(rank));
  }
  place.turn += place.reader.number();
  TAIN_EXPECTS(place.turn < ranks_.size(), "a document of the batch");
  ranks_[place.turn] = rank;
}

void DescentExchange::receive(std::uint64_t documents, const Batch& batch) {
  for (std::size_t p = 0; p < used_; ++p) {
    pieces_[p].transfer->wait();
  }
  batch.entries.clear();
  batch.ratios.clear();
  batch.ends.assign(1, 0);
  places_.clear();
  ranks_.assign(documents, -1);
  for (int r = 0; r < sharding_.comm().ranks(); ++r) {
    places_.push_back({0, ByteReader(pieces_.front().transfer->from(r)), 0});
    find_next(r);
  }
  for (std::size_t d = 0; d < documents; ++d) {
    TAIN_EXPECTS(ranks_[d] >= 0, "a rank that has the document");
    read_document(places_[static_cast<std::size_t>(ranks_[d])].reader, d, batch);
    TAIN_EXPECTS(batch.entries.size() < std::uint64_t{1} << 32, "a batch of 2^32");
    batch.ends.push_back(static_cast<std::uint32_t>(batch.entries.size()));
    find_next(ranks_[d]);
  }
}

}  // namespace tain
