// Text to tokens.
//
// Definition, rule `unicode`: a token is a longest run of letters (Unicode category L) and of marks
//   (M) that follow a letter, in the text brought to the form NFKC_Casefold: compatibility forms
//   replaced, case folded, default-ignorable characters such as the soft hyphen removed, composed.
//   All else separates; so do the zero-width space and bytes that are not UTF-8.
// Definition, rule `ascii`: the rule of Hoffman, Blei and Bach's code for online LDA, by which
//   published vocabularies were made. Lower-case; '-' and white space separate; every other
//   character but a-z is deleted, so that `o'er` is `oer` and `naïve` is `nave`.
// Both: tokens with fewer or more characters (code points) than the limits are dropped, then stop
//   words; what is left is stemmed if wanted. Everything dropped is counted.
// Laws: any bytes are accepted. For texts s and t, the tokens of s, a space, and t are those of s,
//   then those of t. A token is a token: its only token is itself (stemming apart).
// Numerics: Unicode of utf8proc; characters are normalised with at most 128 neighbours that are
//   neither ASCII nor plain letters nor separators, so that hostile text costs linear time.
// Cost: ASCII goes 64 bytes at a time, nearly without branches that depend on the text; no
//   allocation per token; memory does not depend on the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tain/text/import.hpp"
#include "text/letter_case.hpp"
#include "text/stop_words.hpp"

namespace tain {

/// "unicode" or "ascii"; any other name is Error (usage).
TokenRule token_rule(std::string_view name);
/// What TokenizerOptions::stemmer may be besides "none": languages known to libstemmer.
std::span<const std::string_view> stemmer_names();

struct TokenizerOptions {
  TokenRule rule = TokenRule::unicode;
  LetterCase letter_case = LetterCase::fold;  ///< keep: rule `unicode` without stemming only
  std::size_t min_characters = 2;
  std::size_t max_characters = 40;
  /// "english", "none", or a file whose every line is cut into tokens as the text is.
  std::string stop_words = "english";
  std::string stemmer = "none";
};

class TokenSink {
 public:
  virtual ~TokenSink() = default;
  /// The token is valid during the call only, and at least eight bytes from its first are readable.
  virtual void put(std::string_view token) = 0;
};

class LetterRuns;
class LetterTable;

/// One per thread: it holds the buffers.
class Tokenizer {
 public:
  /// Faults: config (limits, options that contradict each other), usage (unknown stemmer),
  /// no_input.
  explicit Tokenizer(const TokenizerOptions& options = {});
  ~Tokenizer();
  Tokenizer(Tokenizer&&) noexcept;
  Tokenizer& operator=(Tokenizer&&) noexcept;

  /// Gives the tokens of a text to `sink`, in order.
  void tokens(std::string_view text, TokenSink& sink);
  /// Since the tokenizer was made.
  const TokenCounts& counts() const { return counts_; }

 private:
  class Run;
  class UnicodeRule;
  class AsciiRule;
  struct Stemmer;

  void load_stop_words(const TokenizerOptions& options);
  void put(std::string_view token, TokenSink& sink);
  void put_runs(TokenSink& sink);
  void give(std::string_view token, TokenSink& sink);

  TokenRule rule_;
  LetterCase letter_case_;
  std::size_t min_characters_;
  std::size_t max_characters_;
  const LetterTable* letters_;
  StopWords stop_words_;
  std::unique_ptr<Stemmer> stemmer_;
  std::unique_ptr<LetterRuns> chunk_;
  std::vector<char> run_;
  std::vector<std::int32_t> segment_;
  TokenCounts counts_;
};

}  // namespace tain
