#include "text/tokenizer.hpp"

#include <fmt/format.h>
#include <libstemmer.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "core/file.hpp"
#include "core/names.hpp"
#include "tain/core/error.hpp"
#include "text/letter_runs.hpp"
#include "text/letters.hpp"

namespace tain {
namespace {

/// Characters normalised together at most: bounds the cost of sorting marks.
constexpr std::size_t max_segment = 128;
constexpr std::size_t largest_limit = 1000;
constexpr std::size_t chunk_bytes = LetterRuns::most_bytes;
static_assert(chunk_bytes > 2 * largest_limit);

}  // namespace

/// The run of letters being read. What exceeds the limit is counted, not stored.
class Tokenizer::Run {
 public:
  Run(Tokenizer& tokenizer, TokenSink& sink) : tokenizer_(tokenizer), sink_(sink) {}

  bool empty() const { return characters_ == 0; }

  /// The first `count` bytes of `word`; always eight are stored, the rest is overwritten later.
  void append(std::uint64_t word, std::size_t count) {
    if (characters_ + count <= tokenizer_.max_characters_) {
      if constexpr (std::endian::native == std::endian::big) {
        word = __builtin_bswap64(word);
      }
      std::memcpy(tokenizer_.run_.data() + bytes_, &word, word_bytes);
      bytes_ += count;
    }
    characters_ += count;
  }

  void append(std::int32_t code_point) {
    if (characters_ < tokenizer_.max_characters_) {
      bytes_ += encode(code_point, tokenizer_.run_.data() + bytes_);
    }
    ++characters_;
  }

  void take_back_one() {
    if (characters_ <= tokenizer_.max_characters_) {
      do {
        --bytes_;
      } while ((static_cast<unsigned char>(tokenizer_.run_[bytes_]) & 0xC0) == 0x80);
    }
    --characters_;
  }

  void end() {
    if (characters_ == 0) {
      return;
    }
    if (characters_ < tokenizer_.min_characters_) {
      ++tokenizer_.counts_.too_short;
    } else if (characters_ > tokenizer_.max_characters_) {
      ++tokenizer_.counts_.too_long;
    } else {
      tokenizer_.put({tokenizer_.run_.data(), bytes_}, sink_);
    }
    characters_ = 0;
    bytes_ = 0;
  }

 private:
  Tokenizer& tokenizer_;
  TokenSink& sink_;
  std::size_t characters_ = 0;
  std::size_t bytes_ = 0;
};

class Tokenizer::UnicodeRule {
 public:
  UnicodeRule(Tokenizer& tokenizer, std::string_view text, TokenSink& sink)
      : tokenizer_(tokenizer),
        letters_(*tokenizer.letters_),
        text_(text),
        sink_(sink),
        chunk_(*tokenizer.chunk_),
        run_(tokenizer, sink) {}

  void read(LetterCase letter_case) {
    const std::uint64_t fold = letter_case == LetterCase::fold ? every_byte(0x20) : 0;
    for (std::size_t i = 0; i < text_.size();) {
      chunk_.look_at(text_.substr(i), fold);
      const bool whole = i + chunk_.size() == text_.size();
      if (whole) {
        chunk_.close_run();
      }
      tokenizer_.put_runs(sink_);
      const std::size_t done = whole ? chunk_.size() : chunk_.open_run();
      i += done;
      // What is neither ASCII only nor short goes character by character.
      if (done == 0 || chunk_.size() < std::min(chunk_bytes, text_.size() - (i - done))) {
        i = read_runs(i, fold);
      }
    }
  }

 private:
  /// Reads from i on until ASCII follows a run that has ended.
  std::size_t read_runs(std::size_t i, std::uint64_t fold) {
    while (i < text_.size()) {
      const std::uint64_t word = load(text_, i);
      const std::uint64_t letters = ascii_letters(word);
      const std::size_t count = bytes_before(~letters & high_bits);
      run_.append(word | fold, count);
      i += count;
      if (count == word_bytes || i >= text_.size()) {
        continue;
      }
      if (static_cast<unsigned char>(text_[i]) >= 0x80) {
        i = beyond_ascii(i);
        continue;
      }
      run_.end();
      const std::uint64_t others = (letters | (word & high_bits)) >> (8 * count);
      i += others != 0 ? bytes_before(others) : word_bytes - count;
      if (i < text_.size() && static_cast<unsigned char>(text_[i]) < 0x80) {
        return i;
      }
    }
    run_.end();
    return text_.size();
  }

  /// Reads the characters beyond ASCII that begin at i; returns where they end.
  std::size_t beyond_ascii(std::size_t i) {
    while (i < text_.size() && static_cast<unsigned char>(text_[i]) >= 0x80) {
      const Character c = decode(text_, i);
      if (c.bytes == 0) {
        run_.end();
        ++tokenizer_.counts_.invalid_bytes;
        ++i;
        continue;
      }
      switch (letters_.kind(c.code_point)) {
        case LetterKind::letter:
          run_.append(letters_.folded(c.code_point));
          i += c.bytes;
          break;
        case LetterKind::separator:
          run_.end();
          i += c.bytes;
          break;
        case LetterKind::other:
          i = segment(i);
          break;
      }
    }
    return i;
  }

  /// Normalises a character of kind `other` at i with the letter before it and its like after it.
  std::size_t segment(std::size_t i) {
    std::size_t begin = i;
    if (!run_.empty() && i != full_segment_end_) {
      // The run's last character is a plain letter, the one that ends here.
      do {
        --begin;
      } while ((static_cast<unsigned char>(text_[begin]) & 0xC0) == 0x80);
      run_.take_back_one();
    }
    std::size_t characters = 1;
    for (; i < text_.size() && characters < max_segment; ++characters) {
      const Character c = decode(text_, i);
      if (c.bytes == 0 || letters_.kind(c.code_point) != LetterKind::other) {
        break;
      }
      i += c.bytes;
    }
    full_segment_end_ = characters == max_segment ? i : std::string_view::npos;
    const std::size_t length =
        letters_.normalize(text_.substr(begin, i - begin), tokenizer_.segment_);
    for (std::size_t k = 0; k < length; ++k) {
      const std::int32_t c = tokenizer_.segment_[k];
      if (is_letter(c) || (is_mark(c) && !run_.empty())) {
        run_.append(c);
      } else {
        run_.end();
      }
    }
    return i;
  }

  Tokenizer& tokenizer_;
  const LetterTable& letters_;
  std::string_view text_;
  TokenSink& sink_;
  LetterRuns& chunk_;
  Run run_;
  std::size_t full_segment_end_ = std::string_view::npos;
};

class Tokenizer::AsciiRule {
 public:
  AsciiRule(Tokenizer& tokenizer, std::string_view text, TokenSink& sink)
      : tokenizer_(tokenizer), text_(text), sink_(sink), chunk_(*tokenizer.chunk_) {}

  void read() {
    std::size_t begun = 0;  // letters of a run that began in the chunk before
    for (;;) {
      const std::size_t size = fill(begun);
      chunk_.look_at({letters(), size}, 0);
      if (at_ == text_.size()) {
        chunk_.close_run();
        tokenizer_.put_runs(sink_);
        return;
      }
      tokenizer_.put_runs(sink_);
      // One letter more than any limit is as long as any run needs to be.
      begun = std::min(size - chunk_.open_run(), largest_limit + 1);
      std::memmove(letters(), letters() + chunk_.open_run(), begun);
    }
  }

 private:
  /// What a byte becomes: a letter, a blank where it separates, or 0 where it is deleted.
  static constexpr std::array<char, 128> becomes = [] {
    std::array<char, 128> table{};
    for (char c = 'a'; c <= 'z'; ++c) {
      table[static_cast<std::size_t>(c)] = table[static_cast<std::size_t>(c - 'a' + 'A')] = c;
    }
    for (const char c : {' ', '-', '\t', '\n', '\v', '\f', '\r'}) {
      table[static_cast<std::size_t>(c)] = ' ';
    }
    return table;
  }();

  char* letters() { return tokenizer_.run_.data(); }

  /// Letters and blanks of the text that follows, behind the first `size`; returns how many.
  std::size_t fill(std::size_t size) {
    char* const to = letters();
    while (at_ < text_.size() && size + word_bytes <= chunk_bytes) {
      const std::size_t count = std::min(word_bytes, text_.size() - at_);
      if ((load(text_, at_) & high_bits) == 0) {
        for (std::size_t k = 0; k < count; ++k) {
          to[size] = becomes[static_cast<std::size_t>(text_[at_ + k])];
          size += to[size] != 0;
        }
        at_ += count;
        continue;
      }
      for (const std::size_t end = at_ + count; at_ < end;) {
        const auto c = static_cast<unsigned char>(text_[at_]);
        to[size] = c < 0x80 ? becomes[c] : letter_beyond_ascii();
        size += to[size] != 0;
        at_ += c < 0x80;
      }
    }
    return size;
  }

  /// Two characters beyond ASCII have an ASCII letter in their lower-case form.
  char letter_beyond_ascii() {
    const Character c = decode(text_, at_);
    at_ += std::max<std::size_t>(c.bytes, 1);
    if (c.bytes == 0) {
      ++tokenizer_.counts_.invalid_bytes;
      return 0;
    }
    constexpr std::int32_t kelvin = 0x212A, dotted_i = 0x0130;
    return c.code_point == kelvin ? 'k' : c.code_point == dotted_i ? 'i' : '\0';
  }

  Tokenizer& tokenizer_;
  std::string_view text_;
  TokenSink& sink_;
  LetterRuns& chunk_;
  std::size_t at_ = 0;
};

struct Tokenizer::Stemmer {
  sb_stemmer* stemmer;
  std::vector<char> padded;

  explicit Stemmer(const std::string& language)
      : stemmer(sb_stemmer_new(language.c_str(), nullptr)) {
    if (stemmer == nullptr) {
      fail_unknown("stemmer", language, stemmer_names());
    }
  }
  Stemmer(const Stemmer&) = delete;
  Stemmer& operator=(const Stemmer&) = delete;
  ~Stemmer() { sb_stemmer_delete(stemmer); }

  std::string_view stem(std::string_view word) {
    const auto* bytes = sb_stemmer_stem(stemmer, reinterpret_cast<const sb_symbol*>(word.data()),
                                        static_cast<int>(word.size()));
    if (bytes == nullptr) {
      fail(Fault::internal, "stemmer", "out of memory", "free some memory and try again");
    }
    const auto size = static_cast<std::size_t>(sb_stemmer_length(stemmer));
    if (size == 0) {
      return word;
    }
    // Tokens are followed by readable bytes; the stemmer's result need not be.
    padded.resize(std::max(padded.size(), size + word_bytes));
    std::memcpy(padded.data(), bytes, size);
    return {padded.data(), size};
  }
};

TokenRule token_rule(std::string_view name) {
  static constexpr auto names = std::to_array<std::string_view>({"unicode", "ascii"});
  if (name == names[0]) {
    return TokenRule::unicode;
  }
  if (name == names[1]) {
    return TokenRule::ascii;
  }
  fail_unknown("tokens", name, names);
}

std::span<const std::string_view> stemmer_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all;
    for (const char** name = sb_stemmer_list(); *name != nullptr; ++name) {
      all.emplace_back(*name);
    }
    return all;
  }();
  return names;
}

TokenCounts& TokenCounts::operator+=(const TokenCounts& other) {
  kept += other.kept;
  too_short += other.too_short;
  too_long += other.too_long;
  stop_words += other.stop_words;
  invalid_bytes += other.invalid_bytes;
  return *this;
}

Tokenizer::Tokenizer(const TokenizerOptions& options)
    : rule_(options.rule),
      letter_case_(options.letter_case),
      min_characters_(options.min_characters),
      max_characters_(options.max_characters),
      letters_(&LetterTable::of(options.letter_case)),
      chunk_(std::make_unique<LetterRuns>()) {
  if (min_characters_ == 0 || min_characters_ > max_characters_ ||
      max_characters_ > largest_limit) {
    fail(Fault::config, Field{"min_length"},
         fmt::format("limits {} and {} do not make sense", min_characters_, max_characters_),
         Phrase("give 1 <= ", Field{"min_length"}, " <= ", Field{"max_length"},
                fmt::format(" <= {}", largest_limit)));
  }
  if (letter_case_ == LetterCase::keep &&
      (rule_ == TokenRule::ascii || options.stemmer != "none")) {
    fail(Fault::config, Field{"keep_case"},
         "the ascii rule and stemming know lower-case letters only",
         "fold the case, or use the unicode rule without stemming");
  }
  run_.resize(std::max(4 * max_characters_, chunk_bytes) + word_bytes);
  segment_.resize(max_segment * LetterTable::growth);
  load_stop_words(options);
  if (options.stemmer != "none") {
    stemmer_ = std::make_unique<Stemmer>(options.stemmer);
  }
}

Tokenizer::~Tokenizer() = default;
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;

void Tokenizer::load_stop_words(const TokenizerOptions& options) {
  if (options.stop_words == "none") {
    return;
  }
  if (options.stop_words == "english") {
    for (const std::string_view word : english_stop_words()) {
      stop_words_.add(word);
    }
    return;
  }
  struct Adder final : TokenSink {
    StopWords words;
    void put(std::string_view token) override { words.add(token); }
  } adder;
  // No stop words yet and no stemmer: every token of the file arrives as it would in a text.
  tokens(read_file(options.stop_words), adder);
  stop_words_ = std::move(adder.words);
  counts_ = {};
}

void Tokenizer::put(std::string_view token, TokenSink& sink) {
  // The run's buffer goes on behind the token.
  if (stop_words_.contains_padded(token)) {
    ++counts_.stop_words;
    return;
  }
  ++counts_.kept;
  give(token, sink);
}

/// Gives the tokens of the runs that have ended to the sink. What is dropped is dropped first and
/// without branches, which no processor could predict.
void Tokenizer::put_runs(TokenSink& sink) {
  const char* const text = chunk_->text();
  const std::span<std::uint32_t> edges = chunk_->edges();
  std::size_t kept = 0;
  for (std::size_t e = 0; e + 1 < edges.size(); e += 2) {
    const std::uint32_t begin = edges[e];
    const std::uint32_t size = edges[e + 1] - begin;
    const bool too_short = size < min_characters_;
    const bool too_long = size > max_characters_;
    const bool stop = stop_words_.contains_padded({text + begin, size});
    const bool right_size = !too_short & !too_long;
    counts_.too_short += too_short;
    counts_.too_long += too_long;
    counts_.stop_words += right_size & stop;
    edges[kept] = begin;
    edges[kept + 1] = size;
    kept += 2 * static_cast<std::size_t>(right_size & !stop);
  }
  counts_.kept += kept / 2;
  for (std::size_t e = 0; e < kept; e += 2) {
    give({text + edges[e], edges[e + 1]}, sink);
  }
}

void Tokenizer::give(std::string_view token, TokenSink& sink) {
  sink.put(stemmer_ ? stemmer_->stem(token) : token);
}

void Tokenizer::tokens(std::string_view text, TokenSink& sink) {
  if (rule_ == TokenRule::ascii) {
    AsciiRule(*this, text, sink).read();
  } else {
    UnicodeRule(*this, text, sink).read(letter_case_);
  }
}

}  // namespace tain
