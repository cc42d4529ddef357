#include "text/fields.hpp"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "tain/core/error.hpp"

namespace tain::text {
namespace {

/// Position from `i` on of the first block of eight bytes that holds NUL or more than ASCII, or of
/// the last bytes.
std::size_t skip_ascii(std::string_view line, std::size_t i) {
  constexpr std::uint64_t ones = 0x0101010101010101, highs = 0x8080808080808080;
  for (std::uint64_t block = 0; i + sizeof block <= line.size(); i += sizeof block) {
    std::memcpy(&block, line.data() + i, sizeof block);
    // Subtracting 1 from a byte that is 0 sets its highest bit.
    if (((block | (block - ones)) & highs) != 0) {
      break;
    }
  }
  return i;
}

}  // namespace

std::size_t find_foreign(std::string_view line) {
  for (std::size_t i = skip_ascii(line, 0); i < line.size(); i = skip_ascii(line, i)) {
    const auto byte = static_cast<unsigned char>(line[i]);
    if (byte == 0) {
      return i;
    }
    if (byte < 0x80) {
      ++i;
      continue;
    }
    utf8proc_int32_t point = 0;
    const auto length = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(line.data() + i),
                                         static_cast<utf8proc_ssize_t>(line.size() - i), &point);
    if (length < 0) {
      return i;
    }
    i += static_cast<std::size_t>(length);
  }
  return std::string_view::npos;
}

std::string quoted(std::string_view field) {
  constexpr std::size_t most = 40;
  std::string shown(field.substr(0, most));
  // Not to cut a character of several bytes in two.
  while (field.size() > most && !shown.empty() &&
         (static_cast<unsigned char>(field[shown.size()]) & 0xC0) == 0x80) {
    shown.pop_back();
  }
  const bool cut = shown.size() < field.size();
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      c = '.';
    }
  }
  return fmt::format("'{}{}'", shown, cut ? "..." : "");
}

std::string_view Fields::field() const {
  const char* const end = std::find_if(at_, end_, [](char c) { return is_blank(c); });
  return {at_, static_cast<std::size_t>(end - at_)};
}

void Fields::refuse_line(std::string_view problem, std::string_view remedy) const {
  fail(Fault::data, lines_.where(), problem, remedy);
}

void Fields::refuse(std::string_view what, std::string_view problem) const {
  const std::string_view here = field();
  if (here.empty()) {
    refuse_line(fmt::format("{} is missing", what), "repair the line");
  }
  refuse_line(fmt::format("{} {} {}", what, quoted(here), problem), "repair the line");
}

/// Counts that are not a few digits: 3.0, 3e2, +3, and what is refused.
std::uint32_t Fields::unusual_count() {
  const std::string_view here = field();
  std::string_view digits = here;
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') {
    digits.remove_prefix(1);
  }
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (end != digits.data() + digits.size() || digits.empty() || std::isnan(value)) {
    refuse("count", "is not a number");
  }
  // Out of a double's range: too small is a fraction, too large is too large.
  if (value < 0) {
    refuse("count", "is negative");
  }
  if (error == std::errc::result_out_of_range || value > max_count) {
    refuse("count", fmt::format("is not a whole number up to {}", max_count));
  }
  if (value != std::floor(value)) {
    refuse_line(fmt::format("count {} is not a whole number", quoted(here)),
                "give counts of words, not weights");
  }
  skip(here.size());
  return static_cast<std::uint32_t>(value);
}

DocumentLines::DocumentLines(std::unique_ptr<ByteSource> source, std::string_view empty_document)
    : source_(std::move(source)), lines_(*source_), empty_document_(empty_document) {}

std::optional<std::string_view> DocumentLines::next() {
  std::optional<std::string_view> line = lines_.next();
  if (!line || !is_blank(*line)) {
    return line;
  }
  const std::string where = lines_.where();
  while ((line = lines_.next())) {
    if (!is_blank(*line)) {
      fail(Fault::data, where, "blank line",
           fmt::format("remove it; a document with no words is written '{}'", empty_document_));
    }
  }
  return std::nullopt;
}

void BagBuilder::merge() {
  sort_and_merge(bag_, lines_.where());
  sorted_ = true;
}

/// Words that repeat take no room: a document grows with its different words only.
void BagBuilder::make_room() {
  if (!sorted_) {
    merge();
  }
  if (bag_.ids.size() > max_bag_words) {
    refuse_size();
  }
  room_ = std::max(room_, 2 * bag_.ids.size());
}

void BagBuilder::refuse_size() const {
  fail(Fault::data, lines_.where(),
       fmt::format("document has more than {} different words", max_bag_words),
       "split the document");
}

void refuse_id(const LineReader& lines, std::uint64_t id, std::uint32_t first_id,
               std::uint32_t vocabulary_size) {
  if (id < first_id) {
    fail(Fault::data, lines.where(), fmt::format("word id {}, but ids begin at {}", id, first_id),
         "check which number the first word has");
  }
  if (vocabulary_size == max_vocabulary_size) {
    fail(Fault::data, lines.where(), fmt::format("word id {} is too large", id),
         fmt::format("number the words up to {}", max_vocabulary_size));
  }
  fail(Fault::data, lines.where(),
       fmt::format("word id {} exceeds the vocabulary of {} words", id, vocabulary_size),
       "check that file and vocabulary belong together");
}

}  // namespace tain::text
