#include "text/vocabulary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "tain/core/error.hpp"
#include "text/fields.hpp"
#include "text/lines.hpp"

namespace tain {
namespace {

constexpr std::uint64_t multiplier = 0x9FB21C651E98DF25;

std::uint64_t piece_at(std::string_view word, std::size_t position) {
  std::uint64_t piece = 0;
  std::memcpy(&piece, word.data() + position, sizeof piece);
  return piece;
}

/// Eight bytes at a time, multiplied and folded; the last eight may overlap those before. Not for
/// hostile keys: an adversary can slow an import down, never make it wrong.
std::uint64_t hash_of(std::string_view word, std::uint64_t beginning) {
  std::uint64_t hash = (beginning ^ word.size()) * multiplier;
  hash ^= hash >> 32;
  if (word.size() > 8) {
    for (std::size_t at = 8; at + 8 < word.size(); at += 8) {
      hash = (hash ^ piece_at(word, at)) * multiplier;
      hash ^= hash >> 32;
    }
    hash = (hash ^ piece_at(word, word.size() - 8)) * multiplier;
    hash ^= hash >> 32;
  }
  hash *= multiplier;
  return hash ^ (hash >> 29);
}

std::string_view trimmed(std::string_view line) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!line.empty() && blank(line.front())) {
    line.remove_prefix(1);
  }
  while (!line.empty() && blank(line.back())) {
    line.remove_suffix(1);
  }
  return line;
}

/// A word can stand on a line of its own, and is the same when it is read again.
void require_text(std::string_view word, const LineReader& lines) {
  if (text::find_foreign(word) != std::string_view::npos) {
    fail(Fault::data, lines.where(), fmt::format("word {} is not UTF-8", text::quoted(word)),
         "convert the file, for instance with iconv -f LATIN1 -t UTF-8");
  }
  const bool control = std::ranges::any_of(
      word, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
  if (control || word.starts_with("\xEF\xBB\xBF")) {
    fail(Fault::data, lines.where(),
         fmt::format("word {} holds a control character", text::quoted(word)),
         "give one word per line and nothing else");
  }
}

}  // namespace

std::size_t Vocabulary::place_of(std::string_view word, std::uint64_t beginning) const {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash_of(word, beginning) & mask;; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (slot.id == none) {
      return at;
    }
    if (slot.beginning == beginning && slot.size == word.size() &&
        (word.size() <= beginning_bytes || this->word(slot.id) == word)) {
      return at;
    }
  }
}

std::uint32_t Vocabulary::find(std::string_view word, std::uint64_t beginning) const {
  return slots_[place_of(word, beginning)].id;
}

std::uint32_t Vocabulary::add(std::string_view word, std::uint64_t beginning) {
  std::size_t at = place_of(word, beginning);
  if (slots_[at].id != none) {
    return slots_[at].id;
  }
  TAIN_EXPECTS(size() < none - 1 && word.size() < none, "numbers of words have 32 bits");
  if (2 * (std::size_t{size()} + 1) > slots_.size()) {
    grow();
    at = place_of(word, beginning);
  }
  slots_[at] = {beginning, static_cast<std::uint32_t>(word.size()), size()};
  letters_.insert(letters_.end(), word.begin(), word.end());
  ends_.push_back(letters_.size());
  return slots_[at].id;
}

void Vocabulary::grow() {
  std::vector<Slot> old(2 * slots_.size());
  old.swap(slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.id != none) {
      std::size_t at = hash_of(word(slot.id), slot.beginning) & mask;
      while (slots_[at].id != none) {
        at = (at + 1) & mask;
      }
      slots_[at] = slot;
    }
  }
}

std::size_t Vocabulary::bytes() const {
  return letters_.capacity() + ends_.capacity() * sizeof(std::size_t) +
         slots_.capacity() * sizeof(Slot);
}

std::size_t Vocabulary::least_bytes() const {
  return letters_.size() + ends_.size() * sizeof(std::size_t) + 2 * size() * sizeof(Slot);
}

void Vocabulary::clear() {
  letters_.clear();
  ends_.assign(1, 0);
  slots_.assign(slots_.size(), Slot{});
}

Vocabulary read_vocabulary(const std::filesystem::path& path, LetterCase letter_case) {
  const std::unique_ptr<ByteSource> source = open_bytes(path);
  LineReader lines(*source);
  Vocabulary vocabulary;
  std::string word;
  while (const auto line = lines.next()) {
    word = trimmed(*line);
    if (letter_case == LetterCase::fold) {
      for (char& c : word) {
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
      }
    }
    if (word.empty()) {
      fail(Fault::data, lines.where(), "no word on this line", "give one word per line");
    }
    require_text(word, lines);
    if (vocabulary.find(word) != Vocabulary::none) {
      fail(Fault::data, lines.where(), fmt::format("word '{}' comes a second time", word),
           "give every word once");
    }
    vocabulary.add(word);
  }
  if (vocabulary.size() == 0) {
    fail(Fault::data, path.string(), "holds no words", "give one word per line");
  }
  return vocabulary;
}

}  // namespace tain
