// Counts of topics by word as bytes between ranks.
//
// Definition: numbers are written in groups of seven bits, low ones first, the eighth telling that
//   more follow. Words ascend; each is its distance from the one before (the first: from 0), how
//   many of its topics change, and these: topics ascend too, each is four times its distance from
//   the one before plus 0 for a change of +1, 1 for -1, 2 or 3 for more of either sign, whose size
//   follows.
// Laws: what is written is what is read.
// Cost: a change of one is a byte where the topic is less than 32 from the one before, else two up
//   to 4,096; a word is two to four bytes. A token that goes from one topic to another is two
//   changes, fewer where tokens of a word cancel out.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tain/core/error.hpp"

namespace tain {

/// Bytes that grow, and whose memory is used again.
class ByteBuffer {
 public:
  void clear() { size_ = 0; }
  std::span<const std::byte> bytes() const { return std::span(bytes_).first(size_); }
  std::size_t size() const { return size_; }
  /// Room for so many more bytes.
  std::byte* room(std::size_t bytes) {
    if (bytes_.size() < size_ + bytes) {
      bytes_.resize(2 * bytes_.size() + bytes);
    }
    return bytes_.data() + size_;
  }
  void end(const std::byte* end) { size_ = static_cast<std::size_t>(end - bytes_.data()); }
  /// Appends values as they are in memory.
  template <class Value>
  void append(std::span<const Value> values) {
    std::byte* const place = room(values.size_bytes());
    std::copy_n(std::as_bytes(values).data(), values.size_bytes(), place);
    size_ += values.size_bytes();
  }

 private:
  std::vector<std::byte> bytes_;
  std::size_t size_ = 0;
};

inline constexpr std::size_t most_number_bytes = 10;

inline std::byte* write_number(std::byte* place, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7) {
    *place++ = static_cast<std::byte>(number | 0x80);
  }
  *place++ = static_cast<std::byte>(number);
  return place;
}

/// Reads what others wrote, from front to back.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes)
      : place_(bytes.data()), end_(bytes.data() + bytes.size()) {}
  bool at_end() const { return place_ == end_; }
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      TAIN_EXPECTS(place_ < end_ && shift < 64, "whole numbers to the end");
      const auto byte = static_cast<std::uint64_t>(*place_++);
      value |= (byte & 0x7F) << shift;
      if (byte < 0x80) {
        return value;
      }
    }
  }
  /// The next bytes, as they are.
  const std::byte* take(std::size_t bytes) {
    TAIN_EXPECTS(bytes <= static_cast<std::size_t>(end_ - place_), "as many bytes as were written");
    const std::byte* const taken = place_;
    place_ += bytes;
    return taken;
  }

 private:
  const std::byte* place_;
  const std::byte* end_;
};

class CountWriter {
 public:
  explicit CountWriter(ByteBuffer& out) : out_(out) {}
  /// The next word, and how many of its topics change.
  void word(std::uint32_t word, std::size_t changes) {
    std::byte* place = out_.room(2 * most_number_bytes + changes * 2 * most_number_bytes);
    place = write_number(place, word - last_word_);
    place_ = write_number(place, changes);
    last_word_ = word;
    last_topic_ = 0;
    out_.end(place_);
  }
  /// The next topic of the word; by != 0.
  void change(std::uint32_t topic, std::int64_t by) {
    const std::uint64_t distance = topic - last_topic_;
    const std::uint64_t size =
        by < 0 ? -static_cast<std::uint64_t>(by) : static_cast<std::uint64_t>(by);
    place_ = write_number(place_, distance * 4 + (size == 1 ? 0 : 2) + (by < 0 ? 1 : 0));
    if (size != 1) {
      place_ = write_number(place_, size);
    }
    last_topic_ = topic;
    out_.end(place_);
  }

 private:
  ByteBuffer& out_;
  std::byte* place_ = nullptr;
  std::uint32_t last_word_ = 0, last_topic_ = 0;
};

/// Calls begin(word), then change(topic, by) for each of its topics.
template <class Begin, class Change>
void read_counts(std::span<const std::byte> bytes, const Begin& begin, const Change& change) {
  ByteReader reader(bytes);
  for (std::uint64_t word = 0; !reader.at_end();) {
    word += reader.number();
    begin(static_cast<std::uint32_t>(word));
    std::uint64_t topic = 0;
    for (std::uint64_t left = reader.number(); left > 0; --left) {
      const std::uint64_t number = reader.number();
      topic += number / 4;
      const std::uint64_t size = number & 2 ? reader.number() : 1;
      change(static_cast<std::uint32_t>(topic),
             number & 1 ? -static_cast<std::int64_t>(size) : static_cast<std::int64_t>(size));
    }
  }
}

}  // namespace tain
