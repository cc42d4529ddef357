#include "text/stop_words.hpp"

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
  std::array<char, key_bytes> padded{};
  std::memcpy(padded.data(), word.data(), std::min(word.size(), key_bytes));
  const std::uint64_t key = key_of(padded.data(), word.size());
  if (word.size() > key_bytes) {
    long_.emplace(word);
    put(key, beginning);
  } else {
    ++num_short_;
    put(key, whole);
  }
}

/// Keys far from their own slot make every look-up slower: the table grows, or else, where it is
/// nearly empty, the way to go.
void StopWords::put(std::uint64_t key, std::uint8_t meaning) {
  if (place(key, meaning)) {
    return;
  }
  std::vector<std::pair<std::uint64_t, std::uint8_t>> all{{key, meaning}};
  for (std::size_t s = 0; s < keys_.size(); ++s) {
    if (keys_[s] != 0) {
      all.emplace_back(keys_[s], meanings_[s]);
    }
  }
  do {
    if (keys_.size() > 8 * all.size()) {
      ++reach_;
    } else {
      --shift_;
    }
    keys_.assign((std::size_t{1} << (64 - shift_)) + reach_, 0);
    meanings_.assign(keys_.size(), 0);
  } while (
      !std::ranges::all_of(all, [&](const auto& one) { return place(one.first, one.second); }));
}

bool StopWords::place(std::uint64_t key, std::uint8_t meaning) {
  const std::size_t first = slot(key);
  for (std::size_t s = first; s <= first + reach_; ++s) {
    if (keys_[s] == key || keys_[s] == 0) {
      keys_[s] = key;
      meanings_[s] |= meaning;
      return true;
    }
  }
  return false;
}

}  // namespace tain
