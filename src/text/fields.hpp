// Fields of a line: numbers, words and the characters between them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "text/bag.hpp"
#include "text/lines.hpp"

namespace tain::text {

inline bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// Nothing but blanks.
inline bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t") == std::string_view::npos;
}

/// The first byte that is not part of UTF-8 or is NUL; npos if there is none.
std::size_t find_foreign(std::string_view line);

/// At most 40 bytes of `field`, quoted, with dots for what was cut off and for control characters.
std::string quoted(std::string_view field);

/// Walks one line from left to right; failures name the line.
class Fields {
 public:
  Fields(std::string_view line, const LineReader& lines)
      : at_(line.data()), end_(line.data() + line.size()), lines_(lines) {}

  /// Skips blanks; is something left?
  bool more() {
    while (at_ != end_ && is_blank(*at_)) {
      ++at_;
    }
    return at_ != end_;
  }

  /// The whole number in decimal digits that begins here.
  std::uint64_t number(std::string_view what) {
    constexpr std::uint64_t most = (~std::uint64_t{0} - 9) / 10;
    const char* const begin = at_;
    std::uint64_t value = 0;
    for (; at_ != end_; ++at_) {
      const unsigned digit = static_cast<unsigned char>(*at_) - unsigned{'0'};
      if (digit > 9) {
        break;
      }
      if (value > most) [[unlikely]] {
        at_ = begin;
        refuse(what, "is too large");
      }
      value = 10 * value + digit;
    }
    if (at_ == begin) [[unlikely]] {
      refuse(what, "is not a whole number");
    }
    return value;
  }

  /// The same, and a blank or the end of the line after it.
  std::uint64_t whole_number(std::string_view what) {
    const char* const begin = at_;
    const std::uint64_t value = number(what);
    if (!at_border()) [[unlikely]] {
      at_ = begin;
      refuse(what, "is not a whole number");
    }
    return value;
  }

  /// A count, up to the next blank: see bag.hpp for what may stand there.
  std::uint32_t count() {
    const char* const begin = at_;
    std::uint64_t value = 0;
    for (; at_ != end_ && at_ - begin < 10; ++at_) {
      const unsigned digit = static_cast<unsigned char>(*at_) - unsigned{'0'};
      if (digit > 9) {
        break;
      }
      value = 10 * value + digit;
    }
    if (at_ != begin && at_border() && value <= max_count) [[likely]] {
      return static_cast<std::uint32_t>(value);
    }
    at_ = begin;
    return unusual_count();
  }

  /// Takes `c` if it stands here.
  bool take(char c) {
    if (at_ == end_ || *at_ != c) {
      return false;
    }
    ++at_;
    return true;
  }

  /// What stands here up to the next blank; stays before it.
  std::string_view field() const;
  void skip(std::size_t bytes) { at_ += bytes; }

  /// Throws: `<file>:<line>: <problem>; <remedy>`.
  [[noreturn]] void refuse_line(std::string_view problem, std::string_view remedy) const;
  /// Throws: `<file>:<line>: <what> '<field>' <problem>`.
  [[noreturn]] void refuse(std::string_view what, std::string_view problem) const;

 private:
  bool at_border() const { return at_ == end_ || is_blank(*at_); }
  std::uint32_t unusual_count();

  const char* at_;
  const char* end_;
  const LineReader& lines_;
};

/// Lines that are documents: refuses blank lines that do not end the file.
class DocumentLines {
 public:
  DocumentLines(std::unique_ptr<ByteSource> source, std::string_view empty_document);

  /// The next line that is not blank.
  std::optional<std::string_view> next();
  const LineReader& lines() const { return lines_; }
  const ByteSource& source() const { return *source_; }

 private:
  std::unique_ptr<ByteSource> source_;
  LineReader lines_;
  std::string_view empty_document_;  ///< how the format writes a document with no words
};

/// Collects the words of one document.
class BagBuilder {
 public:
  BagBuilder(Bag& bag, const LineReader& lines) : bag_(bag), lines_(lines) { bag.clear(); }

  void add(std::uint32_t id, std::uint32_t count) {
    if (count == 0) {
      return;
    }
    if (!bag_.ids.empty() && id <= bag_.ids.back()) {
      sorted_ = false;
    }
    bag_.ids.push_back(id);
    bag_.counts.push_back(count);
    if (bag_.ids.size() >= room_) [[unlikely]] {
      make_room();
    }
  }

  /// Brings the bag into its form.
  void finish() {
    if (!sorted_) {
      merge();
    }
    if (bag_.ids.size() > max_bag_words) [[unlikely]] {
      refuse_size();
    }
  }

 private:
  void merge();
  void make_room();
  [[noreturn]] void refuse_size() const;

  Bag& bag_;
  const LineReader& lines_;
  bool sorted_ = true;
  std::size_t room_ = std::size_t{1} << 20;
};

/// The id of a word, which counts from 0, checked against the size of the vocabulary.
[[noreturn]] void refuse_id(const LineReader& lines, std::uint64_t id, std::uint32_t first_id,
                            std::uint32_t vocabulary_size);
inline std::uint32_t checked_id(const LineReader& lines, std::uint64_t written,
                                std::uint32_t first_id, std::uint32_t vocabulary_size) {
  // Below the first id, the difference wraps round and is out of range as well.
  const std::uint64_t id = written - first_id;
  if (id >= vocabulary_size) [[unlikely]] {
    refuse_id(lines, written, first_id, vocabulary_size);
  }
  return static_cast<std::uint32_t>(id);
}

}  // namespace tain::text
