#include "text/tokenizer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "core/file.hpp"
#include "support/folder.hpp"
#include "targets/errors.hpp"

namespace tain::tokenizer_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing_support::fails;

struct Collector final : TokenSink {
  std::vector<std::string> tokens;
  void put(std::string_view token) override { tokens.emplace_back(token); }
};

std::vector<std::string> tokens_of(std::string_view text, Tokenizer& tokenizer) {
  Collector collector;
  tokenizer.tokens(text, collector);
  return collector.tokens;
}

std::vector<std::string> tokens_of(std::string_view text, const TokenizerOptions& options) {
  Tokenizer tokenizer(options);
  return tokens_of(text, tokenizer);
}

/// Every token, whatever its length.
TokenizerOptions all_tokens(TokenRule rule = TokenRule::unicode) {
  return {.rule = rule, .min_characters = 1, .max_characters = 1000, .stop_words = "none"};
}

// The definition, word for word: the whole text normalised at once, then cut by category.

void append_utf8(std::int32_t c, std::string& to) {
  utf8proc_uint8_t bytes[4];
  const auto length = utf8proc_encode_char(c, bytes);
  to.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(length));
}

std::string normalized(const std::string& text, LetterCase letter_case) {
  utf8proc_uint8_t* result = nullptr;
  int options = UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_COMPOSE | UTF8PROC_IGNORE;
  if (letter_case == LetterCase::fold) {
    options |= UTF8PROC_CASEFOLD;
  }
  const auto length = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                   static_cast<utf8proc_ssize_t>(text.size()), &result,
                                   static_cast<utf8proc_option_t>(options));
  std::string bytes(reinterpret_cast<const char*>(result), static_cast<std::size_t>(length));
  std::free(result);  // utf8proc allocates with malloc
  return bytes;
}

std::vector<std::string> tokens_by_definition(const std::vector<std::int32_t>& text,
                                              LetterCase letter_case) {
  std::string bytes;
  for (const std::int32_t c : text) {
    append_utf8(c == 0x200B ? ' ' : c, bytes);
  }
  const std::string normal = normalized(bytes, letter_case);
  std::vector<std::string> tokens(1);
  for (std::size_t i = 0; i < normal.size();) {
    std::int32_t c = 0;
    const auto length = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(&normal[i]),
                                         static_cast<utf8proc_ssize_t>(normal.size() - i), &c);
    const char category = utf8proc_category_string(c)[0];
    if (category == 'L' || (category == 'M' && !tokens.back().empty())) {
      tokens.back() += normal.substr(i, static_cast<std::size_t>(length));
    } else if (!tokens.back().empty()) {
      tokens.emplace_back();
    }
    i += static_cast<std::size_t>(length);
  }
  if (tokens.back().empty()) {
    tokens.pop_back();
  }
  return tokens;
}

/// Characters that meet every branch: ASCII, plain letters, marks of several classes, Hangul in
/// parts, ligatures, symbols with letters inside, ignorable ones, other planes.
rc::Gen<std::int32_t> any_character() {
  const auto awkward = rc::gen::elementOf(std::vector<std::int32_t>{
      'a',     'E',     'z',     'Z',    '@',    '[',    '`',    '{',     ' ',     '-',     '1',
      '=',     0,       0x7F,    0x80,   0xA0,   0xAA,   0xAD,   0xB4,    0xBD,    0xC5,    0xDF,
      0xE9,    0x130,   0x131,   0x17F,  0x1C4,  0x300,  0x301,  0x323,   0x327,   0x338,   0x345,
      0x34F,   0x37A,   0x390,   0x3A3,  0x3C2,  0x430,  0x451,  0x5D0,   0x5B0,   0x627,   0x653,
      0x915,   0x93C,   0x94D,   0x9C7,  0x9BE,  0xE33,  0x1100, 0x1161,  0x11A8,  0x1E9E,  0x1FB3,
      0x200B,  0x200D,  0x2011,  0x2026, 0x2122, 0x2126, 0x212A, 0x2160,  0x24B6,  0x2C7C,  0x3042,
      0x3099,  0x3131,  0x3164,  0x3392, 0x33C2, 0x4E00, 0xAC00, 0xAC01,  0xD7B0,  0xFB01,  0xFB2C,
      0xFDFA,  0xFE00,  0xFEFF,  0xFF21, 0xFF76, 0xFF9E, 0xFFFD, 0x10400, 0x1D400, 0x1D165, 0x11099,
      0x110BA, 0x1F600, 0x20000, 0xE0001});
  const auto uniform = rc::gen::suchThat(rc::gen::inRange<std::int32_t>(0, 0x110000),
                                         [](std::int32_t c) { return c < 0xD800 || c > 0xDFFF; });
  const auto plane0 = rc::gen::suchThat(rc::gen::inRange<std::int32_t>(0x80, 0x10000),
                                        [](std::int32_t c) { return c < 0xD800 || c > 0xDFFF; });
  return rc::gen::weightedOneOf<std::int32_t>({{6, awkward}, {1, uniform}, {2, plane0}});
}

RC_GTEST_PROP(TokenizerLaws, unicode_rule_is_its_definition, ()) {
  const auto letter_case = *rc::gen::element(LetterCase::fold, LetterCase::keep);
  const auto text = *rc::gen::container<std::vector<std::int32_t>>(any_character());
  std::string bytes;
  for (const std::int32_t c : text) {
    append_utf8(c, bytes);
  }
  TokenizerOptions options = all_tokens();
  options.letter_case = letter_case;
  RC_ASSERT(tokens_of(bytes, options) == tokens_by_definition(text, letter_case));
}

RC_GTEST_PROP(TokenizerLaws, a_token_is_its_own_only_token, ()) {
  const auto text = *rc::gen::container<std::vector<std::int32_t>>(any_character());
  std::string bytes;
  for (const std::int32_t c : text) {
    append_utf8(c, bytes);
  }
  for (const std::string& token : tokens_of(bytes, all_tokens())) {
    RC_ASSERT(tokens_of(token, all_tokens()) == std::vector<std::string>{token});
  }
}

TEST(Tokenizer, agrees_with_the_definition_on_every_character_alone_and_between_letters) {
  Tokenizer tokenizer(all_tokens());
  for (std::int32_t c = 0; c < 0x110000; ++c) {
    if ((c >= 0xD800 && c <= 0xDFFF) || (c >= 0x30000 && c < 0xE0000)) {
      continue;
    }
    const std::vector<std::int32_t> text{c, ' ', 'e', c, 'f', ' ', 0x301, c, 0x323};
    std::string bytes;
    for (const std::int32_t part : text) {
      append_utf8(part, bytes);
    }
    ASSERT_EQ(tokens_of(bytes, tokenizer), tokens_by_definition(text, LetterCase::fold)) << c;
  }
}

/// Bytes of which many are no UTF-8.
rc::Gen<std::string> any_bytes() {
  return rc::gen::container<std::string>(rc::gen::weightedOneOf<char>(
      {{3, rc::gen::elementOf(std::string("abzAZ -'\n\t"))},
       {2, rc::gen::elementOf(std::string("\xC3\xA9\xCC\x81\xE2\x84\xAA\xC4\xB0\xF0\xFF"))},
       {1, rc::gen::arbitrary<char>()}}));
}

RC_GTEST_PROP(TokenizerLaws, a_space_cuts_any_bytes_in_two, ()) {
  const auto rule = *rc::gen::element(TokenRule::unicode, TokenRule::ascii);
  const std::string left = *any_bytes();
  const std::string right = *any_bytes();
  Tokenizer tokenizer(all_tokens(rule));
  auto expected = tokens_of(left, tokenizer);
  const auto rest = tokens_of(right, tokenizer);
  expected.insert(expected.end(), rest.begin(), rest.end());
  const TokenCounts apart = tokenizer.counts();
  Tokenizer joint(all_tokens(rule));
  RC_ASSERT(tokens_of(left + ' ' + right, joint) == expected);
  RC_ASSERT(joint.counts() == apart);
}

RC_GTEST_PROP(TokenizerLaws, limits_drop_and_count, ()) {
  const auto rule = *rc::gen::element(TokenRule::unicode, TokenRule::ascii);
  TokenizerOptions options = all_tokens(rule);
  const std::string text = *any_bytes();
  const auto all = tokens_of(text, options);
  options.min_characters = *rc::gen::inRange<std::size_t>(1, 4);
  options.max_characters = options.min_characters + *rc::gen::inRange<std::size_t>(0, 12);
  Tokenizer tokenizer(options);
  const auto kept = tokens_of(text, tokenizer);
  TokenCounts counts;
  std::vector<std::string> expected;
  for (const std::string& token : all) {
    const auto characters = static_cast<std::size_t>(
        std::count_if(token.begin(), token.end(), [](char c) { return (c & 0xC0) != 0x80; }));
    if (characters < options.min_characters) {
      ++counts.too_short;
    } else if (characters > options.max_characters) {
      ++counts.too_long;
    } else {
      ++counts.kept;
      expected.push_back(token);
    }
  }
  counts.invalid_bytes = tokenizer.counts().invalid_bytes;
  RC_ASSERT(kept == expected);
  RC_ASSERT(tokenizer.counts() == counts);
}

RC_GTEST_PROP(TokenizerLaws, ascii_rule_is_its_definition, ()) {
  const std::string text = *any_bytes();
  RC_PRE(text.find_first_of("\xE2\xC4") == std::string::npos);
  std::vector<std::string> expected(1);
  for (const char c : text) {
    const char lower = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    if (lower >= 'a' && lower <= 'z') {
      expected.back() += lower;
    } else if (std::string_view("- \t\n\v\f\r").find(c) != std::string_view::npos) {
      expected.emplace_back();
    }
  }
  std::erase(expected, "");
  RC_ASSERT(tokens_of(text, all_tokens(TokenRule::ascii)) == expected);
}

TEST(Tokenizer, ascii_text_at_every_alignment) {
  const std::string text = "Alpha,beta GAMMA-delta_epsilon  supercalifragilistic9x" +
                           std::string(100, '.') + std::string(150, 'L') + " end";
  for (std::size_t shift = 0; shift < 130; ++shift) {
    EXPECT_THAT(tokens_of(std::string(shift, '.') + text, all_tokens()),
                ElementsAre("alpha", "beta", "gamma", "delta", "epsilon", "supercalifragilistic",
                            "x", std::string(150, 'l'), "end"));
  }
}

/// Text is looked at in chunks of 4096 bytes: whatever stands across an edge is cut as elsewhere,
/// and so are runs longer than a chunk.
TEST(Tokenizer, text_across_the_edges_of_chunks) {
  const std::string parts = "one two\u0301 na\u00EFve o'er \u2013 three";
  for (std::size_t shift = 4050; shift < 4110; ++shift) {
    for (const char filling : {'.', ' ', 'x'}) {
      const std::string front = std::string(shift, filling) + ' ';
      std::vector<std::string> unicode{"one", "tw\u00F3", "na\u00EFve", "o", "er", "three"};
      std::vector<std::string> ascii{"one", "two", "nave", "oer", "three"};
      EXPECT_EQ(tokens_of(front + parts, all_tokens()), unicode) << shift << filling;
      Tokenizer tokenizer(all_tokens(TokenRule::ascii));
      EXPECT_EQ(tokens_of(front + parts, tokenizer), ascii) << shift << filling;
      EXPECT_EQ(tokenizer.counts().too_long, filling == 'x' ? 1u : 0u);
    }
  }
  for (const TokenRule rule : {TokenRule::unicode, TokenRule::ascii}) {
    Tokenizer tokenizer(all_tokens(rule));
    EXPECT_THAT(tokens_of(std::string(20'000, 'Q') + " end", tokenizer), ElementsAre("end"));
    EXPECT_EQ(tokenizer.counts().too_long, 1u);
    EXPECT_THAT(tokens_of(std::string(4000, ' ') + std::string(1000, 'Q'), tokenizer),
                ElementsAre(std::string(1000, 'q')));
  }
}

/// Long stretches of ASCII with a character beyond it now and then.
RC_GTEST_PROP(TokenizerLaws, long_texts_are_cut_as_the_definition_says, ()) {
  const auto letter_case = *rc::gen::element(LetterCase::fold, LetterCase::keep);
  const auto text = *rc::gen::resize(
      1000, rc::gen::container<std::vector<std::int32_t>>(rc::gen::weightedOneOf<std::int32_t>(
                {{200, rc::gen::inRange<std::int32_t>('a', 'z' + 1)},
                 {20, rc::gen::inRange<std::int32_t>('A', 'Z' + 1)},
                 {50, rc::gen::elementOf(std::vector<std::int32_t>{' ', '@', '[', '`', '{', '.'})},
                 {1, any_character()}})));
  std::string bytes;
  for (const std::int32_t c : text) {
    append_utf8(c, bytes);
  }
  TokenizerOptions options = all_tokens();
  options.letter_case = letter_case;
  RC_ASSERT(tokens_of(bytes, options) == tokens_by_definition(text, letter_case));
}

TEST(Tokenizer, folds_case_composes_and_replaces_compatibility_forms) {
  EXPECT_THAT(tokens_of("Straße ﬁn Ａbc e\u0301t\u00E9 co\u00ADop ΣΊΣΥΦΟΣ", all_tokens()),
              ElementsAre("strasse", "fin", "abc", "été", "coop", "σίσυφοσ"));
  TokenizerOptions keep = all_tokens();
  keep.letter_case = LetterCase::keep;
  EXPECT_THAT(tokens_of("Straße Ａbc E\u0301t\u00E9", keep), ElementsAre("Straße", "Abc", "Été"));
}

TEST(Tokenizer, hangul_in_parts_is_composed) {
  EXPECT_THAT(tokens_of("\u1112\u1161\u11AB\uAC00\u11A8", all_tokens()), ElementsAre("한각"));
}

TEST(Tokenizer, characters_that_become_several_are_counted_once_in_long_runs) {
  std::string text;
  std::string expected;
  for (int i = 0; i < 200; ++i) {
    text += "\uFB03";
    expected += "ffi";
  }
  EXPECT_THAT(tokens_of(text, all_tokens()), ElementsAre(expected));
}

TEST(Tokenizer, digits_and_invalid_bytes_separate) {
  Tokenizer tokenizer(all_tokens());
  EXPECT_THAT(tokens_of("ab\xFF"
                        "cd\xC3"
                        "ef3gh\xED\xA0\x80\xC3\xA9\xE2\x82",
                        tokenizer),
              ElementsAre("ab", "cd", "ef", "gh", "é"));
  EXPECT_EQ(tokenizer.counts().invalid_bytes, 7u);
}

TEST(Tokenizer, marks_without_end_are_cut_and_counted_once) {
  std::string text = "a";
  for (int i = 0; i < 100'000; ++i) {
    text += i % 2 == 0 ? "\u0301" : "\u0323";
  }
  Tokenizer tokenizer;
  EXPECT_THAT(tokens_of(text + " word", tokenizer), ElementsAre("word"));
  EXPECT_EQ(tokenizer.counts().too_long, 1u);
}

TEST(Tokenizer, ascii_rule_deletes_and_splits_like_the_published_vocabularies) {
  EXPECT_THAT(tokens_of("Well-known o'er na\u00EFve 3rd\nline \u212Aelvin \u0130x",
                        all_tokens(TokenRule::ascii)),
              ElementsAre("well", "known", "oer", "nave", "rd", "line", "kelvin", "ix"));
}

TEST(Tokenizer, english_stop_words_by_default) {
  Tokenizer tokenizer;
  EXPECT_THAT(tokens_of("The cat isn't on THE mat; I said so.", tokenizer),
              ElementsAre("cat", "mat", "said"));
  EXPECT_EQ(tokenizer.counts(), (TokenCounts{.kept = 3, .too_short = 2, .stop_words = 5}));
}

TEST(Tokenizer, stop_words_from_a_file_are_cut_like_the_text) {
  const test::Folder folder("stop-words");
  const std::filesystem::path path = folder / "stop_words.txt";
  write_atomically(path, std::string_view("Don't\nÉTÉ\n"));
  TokenizerOptions options;
  options.stop_words = path.string();
  Tokenizer tokenizer(options);
  EXPECT_THAT(tokens_of("don't the e\u0301te\u0301 go", tokenizer), ElementsAre("the", "go"));
  EXPECT_EQ(tokenizer.counts(), (TokenCounts{.kept = 2, .too_short = 1, .stop_words = 2}));
  std::filesystem::remove(path);
  EXPECT_TRUE(fails([&] { Tokenizer{options}; }, Fault::no_input, "stop_words.txt"));
}

TEST(Tokenizer, stems_what_is_left) {
  TokenizerOptions options;
  options.stemmer = "english";
  EXPECT_THAT(tokens_of("the running horses were happily running", options),
              ElementsAre("run", "hors", "happili", "run"));
  options.stemmer = "french";
  EXPECT_THAT(tokens_of("continuellement", options), ElementsAre("continuel"));
}

TEST(Tokenizer, refuses_options_that_make_no_sense) {
  EXPECT_TRUE(fails([] { Tokenizer{{.min_characters = 0}}; }, Fault::config, "1 <= min_length"));
  EXPECT_TRUE(fails([] { Tokenizer{{.min_characters = 5, .max_characters = 4}}; }, Fault::config,
                    "limits 5 and 4"));
  EXPECT_TRUE(fails([] { Tokenizer{{.max_characters = 1001}}; }, Fault::config, "<= 1000"));
  EXPECT_TRUE(fails([] { Tokenizer{{.stemmer = "englsh"}}; }, Fault::usage, "english"));
  EXPECT_TRUE(fails([] { Tokenizer{{.letter_case = LetterCase::keep, .stemmer = "english"}}; },
                    Fault::config, "fold the case"));
  EXPECT_TRUE(fails([] { token_rule("asci"); }, Fault::usage, "ascii"));
  EXPECT_EQ(token_rule("ascii"), TokenRule::ascii);
  EXPECT_EQ(token_rule("unicode"), TokenRule::unicode);
}

TEST(Tokenizer, goes_on_counting_after_a_move) {
  Tokenizer first;
  tokens_of("one two", first);
  Tokenizer second = std::move(first);
  EXPECT_THAT(tokens_of("three", second), ElementsAre("three"));
  EXPECT_EQ(second.counts().kept, 3u);
}

RC_GTEST_PROP(StopWordsLaws, are_a_set, ()) {
  // Few letters and sizes around eight, so that words share their beginnings.
  const auto some_words = rc::gen::container<std::vector<std::string>>(
      rc::gen::mapcat(rc::gen::inRange<std::size_t>(1, 12), [](std::size_t size) {
        return rc::gen::container<std::string>(size, rc::gen::element('a', 'a', 'a', 'b'));
      }));
  const auto added = *some_words;
  const std::set<std::string> expected(added.begin(), added.end());
  StopWords words;
  for (const std::string& word : added) {
    words.add(word);
  }
  RC_ASSERT(words.size() == expected.size());
  for (const std::string& word : *some_words) {
    RC_ASSERT(words.contains(word) == expected.contains(word));
    const std::string padded = word + "aaaaaaaa";
    RC_ASSERT(words.contains_padded(std::string_view(padded).substr(0, word.size())) ==
              expected.contains(word));
  }
}

TEST(StopWords, holds_what_was_added_and_nothing_else) {
  EXPECT_TRUE(std::ranges::is_sorted(english_stop_words()));
  StopWords words;
  EXPECT_FALSE(words.contains(""));
  EXPECT_FALSE(words.contains("the"));
  for (int i = 0; i < 5000; i += 2) {
    words.add("w" + std::to_string(i));
    words.add("w" + std::to_string(i));
  }
  words.add("");
  words.add(std::string(100, 'w'));
  EXPECT_EQ(words.size(), 2501u);
  for (int i = 0; i < 5000; ++i) {
    EXPECT_EQ(words.contains("w" + std::to_string(i)), i % 2 == 0);
  }
  EXPECT_TRUE(words.contains(std::string(100, 'w')));
  EXPECT_FALSE(words.contains(std::string(99, 'w')));
  words.add(std::string_view("nul\0", 4));
  EXPECT_FALSE(words.contains("nul"));
  words.add("exactly8");
  EXPECT_TRUE(words.contains_padded("exactly8"));
  EXPECT_TRUE(words.contains_padded(std::string_view("w10zzzzz").substr(0, 3)));
  EXPECT_FALSE(words.contains_padded(std::string_view("w11zzzzz").substr(0, 3)));
}

}  // namespace
}  // namespace tain::tokenizer_test
