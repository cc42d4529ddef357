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

std::uint64_t hash(std::string_view word) {
  std::uint64_t h = 0xcbf29ce484222325;  // FNV-1a
  for (const char c : word) {
    h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  return h ^ (h >> 32);
}

}  // namespace

std::span<const std::string_view> english_stop_words() { return english; }

void StopWords::add(std::string_view word) {
  if (word.empty() || contains(word)) {
    return;
  }
  if (slots_.size() < 4 * (words_.size() + 1)) {
    grow();
  }
  lengths_[static_cast<unsigned char>(word[0])] |= bit(word);
  words_.emplace_back(word);
  slots_[slot(word)] = static_cast<std::uint32_t>(words_.size());
}

bool StopWords::found(std::string_view word) const { return slots_[slot(word)] != 0; }

std::size_t StopWords::slot(std::string_view word) const {
  const std::size_t last = slots_.size() - 1;
  std::size_t s = hash(word) & last;
  while (slots_[s] != 0 && words_[slots_[s] - 1] != word) {
    s = (s + 1) & last;
  }
  return s;
}

void StopWords::grow() {
  slots_.assign(slots_.empty() ? 1024 : 2 * slots_.size(), 0);
  for (std::size_t i = 0; i < words_.size(); ++i) {
    slots_[slot(words_[i])] = static_cast<std::uint32_t>(i + 1);
  }
}

}  // namespace tain
