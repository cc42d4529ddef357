#include "text/wiki_markup.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "text/tokenizer.hpp"

namespace tain::wiki_markup_test {
namespace {

std::string plain(std::string_view wikitext) {
  WikiMarkup markup;
  std::string result = "what was there before";
  markup.strip(wikitext, result);
  return result;
}

struct Case {
  std::string_view wikitext;
  std::string_view plain;
};

class WikiMarkupCases : public ::testing::TestWithParam<Case> {};

TEST_P(WikiMarkupCases, are_read_as_shown) {
  EXPECT_EQ(plain(GetParam().wikitext), GetParam().plain);
}

INSTANTIATE_TEST_SUITE_P(
    Templates, WikiMarkupCases,
    ::testing::Values(Case{"a {{b}} c", "a c"}, Case{"a{{b|c={{d|{{e}}}} f}}g", "a g"},
                      Case{"{{Infobox\n| name = [[x|y]]\n| text = {{small|z}}\n}}\n'''It''' is.",
                           "It is."},
                      Case{"a {{{1|b}}} c", "a c"}, Case{"a {{b|{{{1}}}}} c", "a c"},
                      Case{"a {{{{{1}}}|b}} c", "a c"}, Case{"f{x} {y}", "f{x} {y}"},
                      Case{"word{{r}}, next", "word, next"}, Case{"a {{b\n== c\n}} d", "a d"},
                      Case{"a {{b\n== c}} d =\ne", "a d =\ne"},
                      // Damaged: what is not closed stays, what nothing opened goes.
                      Case{"a {{b c", "a b c"}, Case{"a b}} c", "a b c"},
                      Case{"{{a [[b}} c]] d", "c d"}, Case{"{{x {{y}} z", "x z"}));

INSTANTIATE_TEST_SUITE_P(Tables, WikiMarkupCases,
                         ::testing::Values(Case{"a\n{| class=x\n|-\n| b || c\n|}\nd", "a\nd"},
                                           Case{"a\n:{|\n|\n{|\n| b\n|}\n|}\nd", "a\nd"},
                                           Case{"a {| b |} c", "a {| b |} c"},
                                           Case{"{{t|\n{|\n| b\n|}}} c", "c"},
                                           Case{"{|\n| {{b\n|c\n|}}\n|}\nd", "d"},
                                           Case{"a\n{|\n| b", "a\n| b"},
                                           Case{"a\n|}\nb", "a\n|}\nb"}));

INSTANTIATE_TEST_SUITE_P(
    Links, WikiMarkupCases,
    ::testing::Values(Case{"[[dog]]s bark", "dogs bark"}, Case{"a [[b (c)|d]] e", "a d e"},
                      Case{"a [[b|''c'' {{d}}]] e", "a c e"}, Case{"[[a|b|c]]", "b|c"},
                      Case{"x [[File:a.jpg|thumb|see [[b|c]] and [http://d e]]] y", "x y"},
                      Case{"x[[image:a.jpg]]y", "x y"}, Case{"x [[ Category : a|b]]", "x"},
                      Case{"x [[:Category:Cats]] and [[:File:a.jpg|that]]",
                           "x Category:Cats and that"},
                      Case{"x\n[[de:Hund]]\n[[zh-min-nan:y]]\n[[simple:z]]", "x"},
                      Case{"[[Star Trek: Generations]]", "Star Trek: Generations"},
                      Case{"a [[b\nc]] d|e", "a b\nc d|e"}, Case{"a [[b|c\nd]] e", "a c\nd e"},
                      Case{"[http://a.b/c?d=e the label] x", "the label x"},
                      Case{"a [https://b.c] d", "a d"}, Case{"a [//b.c d] e", "a d e"},
                      Case{"a [mailto:b@c d]", "a d"}, Case{"a [http://b c\nd] e", "a c\nd] e"},
                      Case{"see http://a.b/c_(d) now", "see now"},
                      Case{"ratio a:b, a[1]", "ratio a:b, a[1]"}, Case{"a [b] c", "a [b] c"}));

INSTANTIATE_TEST_SUITE_P(
    Elements, WikiMarkupCases,
    ::testing::Values(Case{"a<ref>b {{c</ref>.", "a."},
                      Case{"a<ref name=\"b\"/> c<REF name=d>e</Ref >f", "a c f"},
                      Case{"a<!-- b\n[[c -->d", "ad"}, Case{"a <!-- b", "a"},
                      Case{"H<sub>2</sub>O and x<sup>''n''</sup>", "H2O and xn"},
                      Case{"a<br />b<br>c", "a b c"}, Case{"a.<br>B<ref>c</ref>(d)", "a. B (d)"},
                      Case{"<div style=\"x\">a</div><div>b</div>", "a b"},
                      Case{"x <math>a_{b_{c}} < [[d</math> y", "x y"},
                      Case{"x <code>[[y]]</code> <gallery>\nFile:a|b\n</gallery> z", "x z"},
                      Case{"<nowiki>\n{{a\n\n}}</nowiki>", "{{a\n}}"},
                      Case{"<nowiki>{{a}} ''b''</nowiki> c<nowiki/>d", "{{a}} ''b'' cd"},
                      Case{"1 < 2 and a<b, 3 > 2", "1 < 2 and a<b, 3 > 2"}, Case{"a <ref>b", "a b"},
                      Case{"a </ref> b", "a b"},
                      Case{"<unknown>a</unknown>", "<unknown>a</unknown>"},
                      Case{"<refx>a</refx> <ref", "<refx>a</refx> <ref"}, Case{"a<ref>b</ref", "a"},
                      Case{"<references>\n<ref name=a>b</ref>\n</references>c", "c"}));

INSTANTIATE_TEST_SUITE_P(
    Text, WikiMarkupCases,
    ::testing::Values(
        Case{"'''a''' ''b'' '''''c''''' d's ''''e''''", "a b c d's 'e'"},
        Case{"== Early life ==\nBorn.\n===A=B===\nx", "Early life\nBorn.\nA=B\nx"},
        Case{"== A {{b}} == <!-- c -->\nd", "A\nd"},
        Case{"* a\n** b\n# c\n:; d\n----\ne", "a\nb\nc\nd\ne"},
        Case{"a&nbsp;b &ndash; &eacute; &#233;&#xE9; &lt;b&gt; &amp;", "a b – é éé <b> &"},
        Case{"&bogus; &#0; &#xD800; &#1114112; & &a", "&bogus; &#0; &#xD800; &#1114112; & &a"},
        Case{"__NOTOC__a __x__ snake_case", "a __x__ snake_case"},
        Case{"a\r\n\r\n\r\nb  \n c", "a\nb\nc"}, Case{"", ""}, Case{"\n\n", ""}));

TEST(WikiMarkup, namespaces_of_other_languages) {
  WikiMarkup markup;
  std::string result;
  markup.strip("a [[Datei:b.jpg|c]] d", result);
  EXPECT_EQ(result, "a c d");
  markup.drop_links_to("Datei");
  markup.strip("a [[datei:b.jpg|c]] d", result);
  EXPECT_EQ(result, "a d");
}

// Text with markup whose words are known: those to be seen begin with v, those to vanish with h.

struct Page {
  std::string wikitext;
  std::vector<std::string> seen;
};

class Writer {
 public:
  Page page(int blocks) {
    for (int i = 0; i < blocks; ++i) {
      block();
      page_.wikitext += '\n';
    }
    return page_;
  }

 private:
  static int choose(int options) { return *rc::gen::inRange(0, options); }

  std::string name(char first) {
    std::string word(1, first);
    for (int n = ++words_; n > 0; n /= 20) {
      word += static_cast<char>('a' + n % 20);
    }
    return word;
  }
  void word() {
    if (hidden_ > 0) {
      page_.wikitext += name('h') + ' ';
    } else {
      page_.seen.push_back(name('v'));
      page_.wikitext += page_.seen.back() + ' ';
    }
  }
  void wrap(const char* open, int depth, const char* close, bool hides) {
    page_.wikitext += open;
    hidden_ += hides ? 1 : 0;
    inline_text(depth + 1);
    hidden_ -= hides ? 1 : 0;
    page_.wikitext += close;
    page_.wikitext += choose(2) == 0 ? " " : "";
  }
  void bold(int depth) {
    if (bold_) {
      return word();
    }
    bold_ = true;
    wrap(" '''", depth, "''' ", false);
    bold_ = false;
  }
  void piece(int depth) {
    switch (depth > 4 ? 0 : choose(12)) {
      case 1:
        return wrap("{{h|", depth, "}}", true);
      case 2:
        return wrap("[[File:h|", depth, "]]", true);
      case 3:
        return wrap("[[h|", depth, "]]", false);
      case 4:
        // Never in bold text: six apostrophes in a row mean something else.
        return bold(depth);
      case 5:
        return wrap("<ref name=\"h\">", 5, "</ref>", true);
      case 6:
        return wrap("[http://h.h/h ", 5, "]", false);
      case 7:
        return wrap("<!-- ", 5, "-->", true);
      case 8:
        return wrap("<span class=h>", depth, "</span>", false);
      case 9:
        return wrap("{{{h|", depth, "}}}", true);
      default:
        return word();
    }
  }
  void inline_text(int depth) {
    for (int n = choose(4); n >= 0; --n) {
      piece(depth);
    }
  }
  void block() {
    switch (choose(5)) {
      case 0:
        page_.wikitext += "== ";
        word();
        page_.wikitext += "==";
        return;
      case 1:
        page_.wikitext += "{| class=\"h\"\n|-\n| ";
        ++hidden_;
        inline_text(0);
        --hidden_;
        page_.wikitext += "\n|}";
        return;
      case 2:
        page_.wikitext += "* ";
        return inline_text(0);
      default:
        return inline_text(0);
    }
  }

  Page page_;
  int words_ = 0;
  int hidden_ = 0;
  bool bold_ = false;
};

std::vector<std::string> words_of(std::string_view text) {
  struct Collector final : TokenSink {
    std::vector<std::string> tokens;
    void put(std::string_view token) override { tokens.emplace_back(token); }
  } collector;
  Tokenizer({.stop_words = "none"}).tokens(text, collector);
  return collector.tokens;
}

RC_GTEST_PROP(WikiMarkupLaws, well_formed_pages_keep_exactly_the_words_seen, ()) {
  const Page page = Writer().page(*rc::gen::inRange(1, 8));
  const std::string result = plain(page.wikitext);
  RC_LOG() << page.wikitext << "\n--\n" << result << "\n";
  RC_ASSERT(words_of(result) == page.seen);
  for (const std::string_view mark :
       {"{{", "}}", "[[", "]]", "''", "<", ">", "{|", "|}", "==", "http", "\n\n", " \n"}) {
    RC_ASSERT(result.find(mark) == std::string::npos);
  }
}

RC_GTEST_PROP(WikiMarkupLaws, plain_text_is_its_own_result, ()) {
  const auto words = *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(
      std::vector<std::string>{"a", "word", "été", "it's", "3.5", "(x)", "a/b", "5%", "end.\nNew",
                               "x;", "y,", "\"q\"", "z-z", "a_b", "日本", "c:", "e=f"}));
  std::string text = "Text";
  for (const std::string& word : words) {
    text += ' ' + word;
  }
  RC_ASSERT(plain(text) == text);
}

RC_GTEST_PROP(WikiMarkupLaws, any_bytes_cost_linear_time_and_do_not_grow, ()) {
  const auto parts =
      *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(std::vector<std::string>{
          "{",    "}",    "{{", "}}",   "{|",    "|}",     "|",       "[",   "]",  "[[", "]]",
          "<",    ">",    "</", "<ref", "<ref>", "</ref>", "<!--",    "-->", "<b", "&",  "&amp;",
          ";",    "'",    "''", "_",    "__",    ":",      "http://", "[//", "=",  "\n", "\n{|",
          "\n|}", "\n==", "*",  " ",    "a",     "File:",  "é",       "\xFF"}));
  std::string text;
  for (const std::string& part : parts) {
    text += part;
  }
  WikiMarkup markup;
  std::string result;
  markup.strip(text, result);
  RC_ASSERT(markup.operations() <= 100 * text.size() + 100);
  // Only a line's end may be added.
  RC_ASSERT(result.size() <= text.size() + 1);
}

// Each of these makes a reader that looks ahead or starts again take quadratic time. The bound: a
// byte is passed once, looked at from at most 64 bytes before it, and searched once for each of
// the names that an unclosed element can have.
TEST(WikiMarkup, cost_is_linear_on_hostile_text) {
  for (const std::string_view unit : {"{{",
                                      "}}",
                                      "{{}}",
                                      "[[",
                                      "]]",
                                      "[[[[a|",
                                      "{{[[",
                                      "[http://a ",
                                      "<ref>",
                                      "<ref",
                                      "<",
                                      "<b ",
                                      "</ref>",
                                      "<!--",
                                      "<!-- -->",
                                      "&",
                                      "&a",
                                      "'",
                                      "_",
                                      "__A",
                                      "|",
                                      "\n{|",
                                      "\n|}",
                                      "\n{|\n|}",
                                      "\n==",
                                      "\n=",
                                      " ",
                                      "\n",
                                      "[[File:",
                                      "[[a:",
                                      "http://",
                                      "{{{",
                                      "<ref>{{",
                                      "<nowiki>",
                                      "a{{b}}",
                                      "<ref></re",
                                      "<math><code><pre>",
                                      "[[a|{{b|",
                                      "x ==",
                                      "[[a\n"}) {
    for (const std::size_t copies : {1'000u, 100'000u}) {
      std::string text;
      for (std::size_t i = 0; i < copies; ++i) {
        text += unit;
      }
      WikiMarkup markup;
      std::string result;
      markup.strip(text, result);
      EXPECT_LE(markup.operations(), 100 * text.size()) << unit;
      EXPECT_LE(result.size(), text.size() + 1) << unit;
    }
  }
}

TEST(WikiMarkup, nesting_deeper_than_the_limit_is_ignored_with_its_closing_marks) {
  const std::size_t depth = 3 * WikiMarkup::max_depth;
  std::string text = "a ";
  for (std::size_t i = 0; i < depth; ++i) {
    text += "{{x ";
  }
  for (std::size_t i = 0; i < depth; ++i) {
    text += "}} ";
  }
  EXPECT_EQ(plain(text + "b"), "a b");
}

}  // namespace
}  // namespace tain::wiki_markup_test
