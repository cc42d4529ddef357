#include "tain/text/stop_words.hpp"

namespace tain {
namespace {

constexpr auto english = std::to_array<std::string_view>({
    "a",       "about",    "above",     "after",      "again",   "against",  "all",
    "also",    "although", "always",    "am",         "among",   "an",       "and",
    "another", "any",      "are",       "aren",       "around",  "as",       "at",
    "be",      "because",  "been",      "before",     "being",   "below",    "between",
    "both",    "but",      "by",        "can",        "cannot",  "could",    "couldn",
    "did",     "didn",     "do",        "does",       "doesn",   "doing",    "don",
    "down",    "during",   "each",      "either",     "else",    "etc",      "even",
    "ever",    "every",    "few",       "for",        "from",    "further",  "had",
    "hadn",    "has",      "hasn",      "have",       "haven",   "having",   "he",
    "her",     "here",     "hers",      "herself",    "him",     "himself",  "his",
    "how",     "however",  "i",         "if",         "in",      "into",     "is",
    "isn",     "it",       "its",       "itself",     "just",    "ll",       "many",
    "may",     "me",       "might",     "more",       "most",    "much",     "must",
    "my",      "myself",   "neither",   "no",         "nor",     "not",      "of",
    "off",     "on",       "once",      "only",       "or",      "other",    "others",
    "our",     "ours",     "ourselves", "out",        "over",    "own",      "per",
    "rather",  "re",       "same",      "shall",      "she",     "should",   "shouldn",
    "since",   "so",       "some",      "such",       "than",    "that",     "the",
    "their",   "theirs",   "them",      "themselves", "then",    "there",    "these",
    "they",    "this",     "those",     "though",     "through", "to",       "too",
    "under",   "until",    "up",        "upon",       "us",      "ve",       "very",
    "was",     "wasn",     "we",        "were",       "weren",   "what",     "when",
    "where",   "whether",  "which",     "while",      "who",     "whom",     "whose",
    "why",     "will",     "with",      "within",     "without", "won",      "would",
    "wouldn",  "yet",      "you",       "your",       "yours",   "yourself", "yourselves",
});

}  // namespace

std::span<const std::string_view> english_stop_words() { return english; }

void StopWords::add(std::string_view word) {
  if (word.empty() || word.find('\0') != std::string_view::npos || contains(word)) {
    return;
  }
  if (word.size() > short_bytes) {
    long_.emplace(word);
    long_sizes_ |= size_bit(word);
    return;
  }
  if (slots_.size() < 4 * (num_short_ + 1)) {
    const std::vector<std::uint64_t> old = std::move(slots_);
    slots_.assign(old.empty() ? 1024 : 2 * old.size(), 0);
    shift_ = 64 - static_cast<unsigned>(std::countr_zero(slots_.size()));
    for (const std::uint64_t key : old) {
      if (key != 0) {
        put_short(key);
      }
    }
  }
  std::array<char, short_bytes> padded{};
  std::memcpy(padded.data(), word.data(), word.size());
  put_short(key_of(padded.data(), word.size()));
  ++num_short_;
}

void StopWords::put_short(std::uint64_t key) {
  std::size_t s = slot(key);
  while (slots_[s] != 0) {
    s = (s + 1) & (slots_.size() - 1);
  }
  slots_[s] = key;
}

}  // namespace tain
