// Documents kept from training, and which of their tokens are to be predicted.
//
// Definition: of each document every 10th token in text order (the 10th, 20th, ...) is a test
//   token, the rest is observed. A corpus without order has its tokens written out by ascending
//   word, then permuted by the document's own noise: both depend on the seed and the document only.
// Laws: observed and test tokens together are the document. The choice of documents depends on the
//   seed, their number and that of the corpus, not on what they contain.
// Memory: 4 bytes per token of the documents chosen.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lda/engine/exchange/sharding.hpp"
#include "random/noise.hpp"
#include "tain/text/corpus.hpp"

namespace tain {

inline constexpr std::size_t test_token_interval = 10;

/// A document's tokens, in text order or, where there is none, in one drawn by its noise.
void ordered_tokens(const Corpus& corpus, std::uint64_t document, const NoiseField& field,
                    std::vector<std::uint32_t>& tokens);

class HeldOut {
 public:
  /// `count` documents of a corpus, chosen by the seed; all of them if `count` is their number.
  /// Throws Error (config) if there are fewer.
  HeldOut(const Corpus& corpus, std::uint64_t count, const NoiseField& field);
  /// All documents of another corpus than that of the topics: word w is the topics' word
  /// numbers[w], or Vocabulary::none. Tokens of such words are dropped before every 10th is taken.
  HeldOut(const Corpus& corpus, std::span<const std::uint32_t> numbers, const NoiseField& field);

  /// Their numbers in the corpus, ascending.
  std::span<const std::uint64_t> documents() const { return documents_; }
  std::span<const std::uint32_t> observed(std::size_t i) const { return observed_.of(i); }
  std::span<const std::uint32_t> test(std::size_t i) const { return test_.of(i); }
  std::uint64_t test_tokens() const { return test_.tokens.size(); }
  std::uint64_t dropped_tokens() const { return dropped_; }
  /// Where the test tokens of document i begin among those of all.
  std::uint64_t first_test_token(std::size_t i) const { return test_.ends[i]; }

 private:
  void cut(std::span<const std::uint32_t> tokens);

  /// Documents one after the other.
  struct Tokens {
    std::vector<std::uint32_t> tokens;
    std::vector<std::uint64_t> ends{0};
    std::span<const std::uint32_t> of(std::size_t i) const {
      return std::span(tokens).subspan(ends[i], ends[i + 1] - ends[i]);
    }
  };
  std::vector<std::uint64_t> documents_;
  Tokens observed_, test_;
  std::uint64_t dropped_ = 0;
};

/// The documents that are trained on, ascending. A *place* is a number among them.
/// Memory: that of the documents held out, or of the list.
class TrainingDocuments {
 public:
  /// Those of a corpus that are not held out.
  TrainingDocuments(const Corpus& corpus, const HeldOut& held_out);
  /// These numbers, ascending.
  TrainingDocuments(std::vector<std::uint32_t> numbers);  // NOLINT(google-explicit-constructor)

  std::uint64_t size() const { return size_; }
  /// The number in the corpus of the document at a place; by a search among those held out.
  std::uint32_t operator[](std::uint64_t place) const;
  /// The places of one of several parts: contiguous, of about equal size as the corpus stores them.
  Range part(const Corpus& corpus, int part, int parts) const;

 private:
  std::uint64_t size_;
  std::vector<std::uint64_t> left_out_;  // place at which the next document is left out
  std::vector<std::uint32_t> listed_;
};

}  // namespace tain
