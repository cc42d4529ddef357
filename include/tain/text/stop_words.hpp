// Words too common to tell one text from another.
//
// Definition: a set of words, compared byte for byte with tokens after case folding and before
//   stemming. The English list holds function words only (articles, pronouns, prepositions,
//   conjunctions, auxiliaries) and what contractions leave behind once the apostrophe separates
//   (`don`, `ll`, `ve`): no word that could name a topic.
// Cost: a token that shares its first byte and length with no stop word is answered by one look-up.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tain {

/// Sorted, lower-case.
std::span<const std::string_view> english_stop_words();

class StopWords {
 public:
  StopWords() = default;
  void add(std::string_view word);
  bool contains(std::string_view word) const {
    return !word.empty() && (lengths_[static_cast<unsigned char>(word[0])] & bit(word)) != 0 &&
           found(word);
  }
  std::size_t size() const { return words_.size(); }

 private:
  /// All lengths from 63 on share a bit.
  static std::uint64_t bit(std::string_view word) {
    return std::uint64_t{1} << (word.size() < 63 ? word.size() : 63);
  }
  bool found(std::string_view word) const;
  /// Where `word` is, or where it would be put.
  std::size_t slot(std::string_view word) const;
  void grow();

  std::array<std::uint64_t, 256> lengths_{};  ///< by first byte
  std::vector<std::string> words_;
  std::vector<std::uint32_t> slots_;  ///< open addressing: 1 + index into words_, 0 if free
};

}  // namespace tain
