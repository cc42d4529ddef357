#include "report/page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tain::page_test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Page, EscapesEveryText) {
  const std::string bad = "<i>&";
  Page page(bad, bad);
  page.section(bad);
  page.paragraph(bad);
  page.list({bad});
  page.definitions({{bad, bad}});
  page.passages({{bad, bad, Badge{Mark::bad, bad}, {bad, bad, bad, bad, bad}}});
  page.table({bad, {{bad}, {bad}}, {{bad, Badge{Mark::good, bad}}}});
  page.figures({{Figure{.title = bad, .subtitle = bad, .x = {bad}, .y = {bad}}, bad}});
  page.command(bad);
  EXPECT_THAT(page.html(), Not(HasSubstr("<i>")));
}

TEST(Page, SectionsAreInTheContentsUnderNamesOfTheirOwn) {
  Page page("t", "l");
  page.section("Step sizes, twice");
  page.section("Step sizes: twice");
  page.section("Γ");
  page.section("Normal (4)");
  const std::string html = page.html();
  for (const char* anchor : {"step-sizes-twice", "step-sizes-twice-again", "section", "normal-4"}) {
    EXPECT_THAT(html, HasSubstr("<li><a href=\"#" + std::string(anchor) + "\">"));
    EXPECT_THAT(html, HasSubstr("<h2 id=\"" + std::string(anchor) + "\">"));
  }
}

TEST(Page, LongPassagesKeepTheRestBehindAClick) {
  const auto html = [](std::size_t sentences) {
    Page page("t", "l");
    page.passages({{"claim", "source", std::nullopt, std::vector<std::string>(sentences, "so")}});
    return page.html();
  };
  EXPECT_THAT(html(4), Not(HasSubstr("<details>")));
  EXPECT_THAT(html(5), HasSubstr("<summary>2 more</summary>"));
  EXPECT_THAT(html(0), Not(HasSubstr("<ul>")));
}

TEST(Page, TablesHaveScopesAndFillShortRows) {
  Page page("t", "l");
  page.table({"c", {{"a"}, {"b", Align::right}}, {{"x"}}});
  EXPECT_THAT(page.html(),
              HasSubstr("<th scope=\"col\">a</th><th scope=\"col\" class=\"number\">b</th>"));
  EXPECT_THAT(page.html(),
              HasSubstr("<tr><th scope=\"row\">x</th><td class=\"number\"></td></tr>"));
}

TEST(Page, BadgesSpeakInWords) {
  Page page("t", "l");
  page.table({"c", {{"a"}, {"b"}}, {{"x", Badge{Mark::mixed, "holds in part"}}}});
  EXPECT_THAT(page.html(), HasSubstr("class=\"badge mixed\""));
  EXPECT_THAT(page.html(), HasSubstr("</span>holds in part</span>"));
}

TEST(Page, ChaptersPutTheirSectionsOneLevelDown) {
  Page page("t", "l");
  page.chapter("Draws", "of a run");
  page.section("Verdict");
  page.passages({{"claim", "source", std::nullopt, {"so"}}});
  page.chapter("Topics", "of a model");
  page.section("Map");
  const std::string html = page.html();
  EXPECT_THAT(html, HasSubstr("<h2 id=\"draws\">Draws</h2>\n<p class=\"lead\">of a run</p>"));
  EXPECT_THAT(html, HasSubstr("<h3 id=\"verdict\">Verdict</h3>"));
  EXPECT_THAT(html, HasSubstr("<h4>claim</h4>"));
  EXPECT_THAT(html, HasSubstr("</section>\n</section>\n<section aria-labelledby=\"topics\">"));
  EXPECT_THAT(html, HasSubstr("<li><a href=\"#topics\">Topics</a><ol>\n<li><a href=\"#map\">"));
}

TEST(Page, FoldsWhatSomeWantToReadInChaptersAndAfterWidgets) {
  const auto html = [](bool in_chapter) {
    Page page("t", "l");
    if (in_chapter) {
      page.chapter("Study", "of steps");
    }
    page.section("Numbers", Page::Depth::some);
    page.section("Again");
    return page.html();
  };
  EXPECT_THAT(html(false), Not(HasSubstr("<details")));
  Page moving("t", "l");
  moving.widget("topics", "Topics", "{}");
  moving.section("Table", Page::Depth::some);
  EXPECT_THAT(moving.html(), HasSubstr("<summary><h2 id=\"table\">"));
  EXPECT_THAT(html(true), HasSubstr("<details class=\"section\"><summary><h3 id=\"numbers\">Numbers"
                                    "</h3></summary>\n</details>\n<section"));
}

TEST(Page, AReportIsAPageOrAChapter) {
  const Chapter study{"Study", "of steps", [](Page& page) { page.section("Numbers"); }};
  const std::string alone = page_of(study);
  EXPECT_THAT(alone, HasSubstr("<h1>Study</h1>\n<p class=\"lead\">of steps</p>"));
  EXPECT_THAT(alone, HasSubstr("<h2 id=\"numbers\">"));
  const Chapter cover{"All", "of it", [](Page& page) { page.paragraph("first"); }};
  const std::string both = page_of(cover, std::vector{study, study});
  EXPECT_THAT(both, HasSubstr("<p>first</p>\n<section aria-labelledby=\"study\">"));
  EXPECT_THAT(both, HasSubstr("<h3 id=\"numbers-again\">"));
}

TEST(Page, OnlyPagesWithWidgetsHaveAProgram) {
  Page still("t", "l");
  EXPECT_THAT(still.html(), Not(HasSubstr("<script")));
  Page moving("t", "l");
  moving.widget("topics", "Topics", "{}");
  EXPECT_THAT(moving.html(), HasSubstr("<script>\n"));
  EXPECT_LT(moving.html().size(), 2'000'000U);
}

TEST(Page, DataOfAWidgetCannotEndItsElement) {
  Page page("t", "l");
  page.widget("topics", "\"><i>", R"(["</script><script>alert(1)</script>"])");
  EXPECT_THAT(page.html(), Not(HasSubstr("alert(1)</script>")));
  EXPECT_THAT(page.html(), HasSubstr(R"(["\u003c/script>\u003cscript>alert(1)\u003c/script>"])"));
  EXPECT_THAT(page.html(), Not(HasSubstr("<i>")));
}

TEST(Page, LoadsNothingFromElsewhere) {
  EXPECT_THAT(Page("t", "l").html(), HasSubstr("default-src 'none'"));
}

}  // namespace
}  // namespace tain::page_test
